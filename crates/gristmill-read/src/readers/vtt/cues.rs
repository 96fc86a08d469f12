//! The cues of subtitles.

/// What is shown for a time, in milliseconds from the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cue {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) speaker: Option<String>,
    pub(super) text: String,
}

/// Captions roll over so many lines at most.
const ROLLING: usize = 8;

/// All cues that show words. A line that the cue before has shown already is left out: captions roll.
pub(super) fn cues(text: &str) -> Vec<Cue> {
    let mut out = Vec::new();
    let mut lines = text.lines().peekable();
    let mut shown: Vec<String> = Vec::new();
    while let Some(line) = lines.next() {
        let Some((start, end)) = timing(line) else { continue };
        let (mut speaker, mut now) = (None, Vec::new());
        while let Some(line) = lines.next_if(|line| !line.trim().is_empty()) {
            let (named, words) = plain(line);
            speaker = speaker.or(named);
            if !words.is_empty() {
                now.push(words);
            }
        }
        let repeats =
            (1..=now.len().min(shown.len()).min(ROLLING)).rev().find(|&n| shown.ends_with(&now[..n])).unwrap_or(0);
        let text = now[repeats..].join(" ");
        if !text.is_empty() {
            out.push(Cue { start, end, speaker, text });
        }
        shown = now;
    }
    out
}

/// `00:01.000 --> 00:03.500` with anything after it.
fn timing(line: &str) -> Option<(u64, u64)> {
    let (start, rest) = line.split_once("-->")?;
    Some((moment(start.trim())?, moment(rest.split_whitespace().next()?)?))
}

/// Milliseconds of `h:mm:ss.mmm`, `mm:ss.mmm` and the same with a comma.
fn moment(text: &str) -> Option<u64> {
    let (clock, fraction) = text.split_once(['.', ','])?;
    let mut seconds = 0u64;
    for part in clock.split(':') {
        let part: u64 = part.parse().ok()?;
        seconds = seconds.checked_mul(60)?.checked_add(part)?;
    }
    let fraction: u64 = fraction.get(..3)?.parse().ok()?;
    seconds.checked_mul(1000)?.checked_add(fraction)
}

/// The words of a line without its tags, and the speaker that a voice tag names.
fn plain(line: &str) -> (Option<String>, String) {
    let (mut speaker, mut out) = (None, String::new());
    let mut rest = line;
    while let Some(at) = rest.find(['<', '{', '&']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = match rest.as_bytes()[0] {
            b'<' => near(rest, b'>', TAG_MAX),
            b'{' if rest.starts_with("{\\") => near(rest, b'}', TAG_MAX),
            b'&' => near(rest, b';', 8),
            _ => None,
        };
        let Some(end) = end else {
            out.push_str(&rest[..1]);
            rest = &rest[1..];
            continue;
        };
        let inner = &rest[1..end];
        if let Some(name) = voice(inner).filter(|_| rest.starts_with('<')) {
            speaker = Some(name.to_owned());
        } else if rest.starts_with('&') {
            out.push_str(entity(inner).unwrap_or(&rest[..=end]));
        }
        rest = &rest[end + 1..];
    }
    out.push_str(rest);
    (speaker, out.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Bytes of the longest tag.
const TAG_MAX: usize = 400;

/// Where the first `mark` is among so many bytes.
fn near(text: &str, mark: u8, bytes: usize) -> Option<usize> {
    memchr::memchr(mark, &text.as_bytes()[..text.len().min(bytes)])
}

/// The name in `v.class Name`.
fn voice(tag: &str) -> Option<&str> {
    let (name, speaker) = tag.split_once(' ')?;
    (name == "v" || name.starts_with("v.")).then_some(speaker.trim()).filter(|speaker| !speaker.is_empty())
}

fn entity(name: &str) -> Option<&'static str> {
    Some(match name {
        "amp" => "&",
        "lt" => "<",
        "gt" => ">",
        "nbsp" => " ",
        "quot" => "\"",
        "lrm" | "rlm" => "",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        assert_eq!(timing("00:00:01,500 --> 00:00:02,000"), Some((1500, 2000)));
        assert_eq!(timing("100:00:00.000 --> 100:00:01.000 line:0"), Some((360_000_000, 360_001_000)));
        for wrong in ["a --> b", "00:01 --> 00:02", "", "99999999999999999999:00.000 --> 00:01.000", "1.é"] {
            assert_eq!(timing(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn tags_go_and_text_stays() {
        assert_eq!(
            plain("<v.loud Ann B.>a <00:01.000><c.x>b</c> 1 < 2 &lt;x&gt; {y} & z"),
            (Some("Ann B.".into()), "a b 1 < 2 <x> {y} & z".into())
        );
        assert_eq!(plain("<v >a<"), (None, "a<".into()));
    }
}
