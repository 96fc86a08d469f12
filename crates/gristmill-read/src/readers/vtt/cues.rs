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

/// What the blocks of a file hold.
#[derive(Debug, Default)]
pub(super) struct Cues {
    /// All cues that show words. A line that the cue before has shown already is left out: captions roll.
    pub(super) all: Vec<Cue>,
    /// How many of them have no time that can be read; they come at the end of the cue before.
    pub(super) untimed: usize,
    shown: Vec<String>,
}

/// Reads blocks of lines. A cue begins with its time; a number or one other line before that is its name. Lines without a
/// time are text all the same, but for comments and styles.
pub(super) fn cues(text: &str) -> Cues {
    let mut cues = Cues::default();
    let lines: Vec<&str> = text.lines().collect();
    for (number, block) in lines.split(|line| line.trim().is_empty()).enumerate() {
        if is_comment(block) {
            continue;
        }
        // The first cue may follow the head without an empty line.
        let is_head = number == 0 && block.first().is_some_and(|line| line.starts_with("WEBVTT"));
        let head = if is_head { block.iter().position(|line| is_timed(line)).unwrap_or(block.len()) } else { 0 };
        let mut rest = &block[head..];
        let mut time = None;
        while let Some(at) = rest.iter().position(|line| is_timed(line)) {
            let name = at.checked_sub(1).filter(|name| (*name == 0 && time.is_none()) || is_number(rest[*name]));
            cues.add(time, &rest[..name.unwrap_or(at)]);
            time = Some(timing(rest[at]));
            rest = &rest[at + 1..];
        }
        if time.is_some() || !rest.iter().all(|line| is_number(line)) {
            cues.add(time, rest);
        }
    }
    cues
}

impl Cues {
    /// Adds lines that follow a time, which may be one that cannot be read, or that follow none.
    fn add(&mut self, time: Option<Option<(u64, u64)>>, lines: &[&str]) {
        let (mut speaker, mut now) = (None, Vec::new());
        for line in lines {
            let (named, words) = plain(line);
            speaker = speaker.or(named);
            if !words.is_empty() {
                now.push(words);
            }
        }
        let before = self.all.last().map_or(0, |cue| cue.end);
        let (start, end) = time.flatten().unwrap_or((before, before));
        let most = now.len().min(self.shown.len()).min(ROLLING);
        let repeats = (1..=most).rev().find(|&n| self.shown.ends_with(&now[..n])).unwrap_or(0);
        let text = now[repeats..].join(" ");
        if !text.is_empty() {
            self.untimed += usize::from(time.flatten().is_none());
            self.all.push(Cue { start, end, speaker, text });
        }
        if time.is_some() {
            self.shown = now;
        }
    }
}

/// A comment, or what says how cues look.
fn is_comment(block: &[&str]) -> bool {
    let first = block.first().and_then(|line| line.split_whitespace().next());
    matches!(first, Some("NOTE" | "STYLE" | "REGION")) && !block.iter().any(|line| is_timed(line))
}

fn is_number(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit())
}

/// True for a line with an arrow behind something like a time, whether or not that can be read. A shorter arrow may stand in
/// what is said: there must be nothing else than times beside it.
fn is_timed(line: &str) -> bool {
    let is_clock = |text: &str| text.contains(':') && !text.contains(char::is_alphabetic);
    let begins = line.trim_start().starts_with(|c: char| c.is_ascii_digit());
    begins
        && match line.split_once("-->") {
            Some((start, _)) => is_clock(start),
            None => line.split_once("->").is_some_and(|(start, end)| is_clock(start) && is_clock(end)),
        }
}

/// `00:01.000 --> 00:03.500` with anything after it, or with a shorter arrow.
fn timing(line: &str) -> Option<(u64, u64)> {
    let (start, rest) = line.split_once("->")?;
    Some((moment(start.trim_end_matches('-').trim())?, moment(rest.split_whitespace().next()?)?))
}

/// Milliseconds of `h:mm:ss.mmm`, `mm:ss.mmm`, the same with a comma or a third colon, and the same without milliseconds.
fn moment(text: &str) -> Option<u64> {
    let third = text.match_indices(':').nth(2).map(|(at, _)| (&text[..at], &text[at + 1..]));
    let (clock, fraction) = text.split_once(['.', ',']).or(third).unwrap_or((text, "000"));
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
            b'<' => near(rest, b'>', TAG_MAX).filter(|end| is_tag(&rest[1..*end])),
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

/// True for what stands in a tag of cues, or for a time within one: `c.loud`, `v Ann`, `/i`, `font color="red"`,
/// `00:00:01.000`. Any other angle brackets belong to what is said.
fn is_tag(inner: &str) -> bool {
    let (closes, tag) = inner.strip_prefix('/').map_or((false, inner), |tag| (true, tag));
    let (head, rest) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
    let name = head.split('.').next().unwrap_or_default();
    match name {
        "v" | "lang" => !closes || rest.trim().is_empty(),
        // Words behind these make a comparison of them, not a tag: they take attributes alone.
        _ if is_style(name) => rest.trim().is_empty() || (!closes && rest.contains('=')),
        _ => !closes && is_time(inner),
    }
}

/// WebVTT tells letters apart by case, SubRip does not.
fn is_style(name: &str) -> bool {
    matches!(name, "c" | "ruby" | "rt") || ["b", "i", "u", "s", "font"].iter().any(|tag| tag.eq_ignore_ascii_case(name))
}

fn is_time(text: &str) -> bool {
    text.contains(':') && text.contains('.') && moment(text).is_some()
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
        assert_eq!(timing("00:01 -> 0:02"), Some((1000, 2000)));
        assert_eq!(timing("00:00:07:250 --> 00:00:08:000"), Some((7250, 8000)));
        for wrong in ["a --> b", "", "00:00 --> bad", "99999999999999999999:00.000 --> 00:01.000", "1.é"] {
            assert_eq!(timing(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn nothing_said_is_taken_for_a_time_or_a_head() {
        let said = |text: &str| cues(text).all.into_iter().map(|cue| cue.text).collect::<Vec<_>>();
        assert_eq!(said("WEBVTT\n00:01.000 --> 00:02.000\none\n"), ["one"]);
        assert_eq!(said("WEBVTT\nKind: captions\n1\n00:01.000 --> 00:02.000\none\n"), ["one"]);
        assert_eq!(
            said("00:01.000 --> 00:02.000\n10:30 -> 11:00 lunch\nthen 1 -> 2\n"),
            ["10:30 -> 11:00 lunch then 1 -> 2"]
        );
    }

    #[test]
    fn tags_go_and_text_stays() {
        assert_eq!(
            plain("<v.loud Ann B.>a <00:01.000><c.x>b</c> 1 < 2 &lt;x&gt; {y} & z"),
            (Some("Ann B.".into()), "a b 1 < 2 <x> {y} & z".into())
        );
        assert_eq!(plain("<v >a<"), (None, "a<".into()));
        assert_eq!(plain("<FONT color='red'>a</Font> <ruby>b<rt>c</rt></ruby> <lang en>d</lang>").1, "a bc d");
    }

    #[test]
    fn angle_brackets_that_are_no_tags_are_said() {
        for said in [
            "if a < b and c > d then",
            "if a <b and c> d then",
            "use vector<int> <3 you; mail <bob@x.y>",
            "x<y and y>z",
            "at <10:30> or </10:30.000>",
            "Map<K, V> and </h1>",
        ] {
            assert_eq!(plain(said), (None, said.to_owned()));
        }
        assert_eq!(plain("a < b <i>and</i> c > d").1, "a < b and c > d");
    }
}
