//! The text that a splitter repeated from the end of one chunk at the start of the next.

use super::verify::Shared;

/// How much of two neighbours is the same text. All positions are on character borders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// Bytes at the end of the left text, white space at its end among them.
    pub left: usize,
    /// Bytes at the start of the right text, white space at its start among them.
    pub right: usize,
    /// It is made of whole lines or sentences on both sides, so that the text itself may say them twice: two entries of a list
    /// that are alike, a refrain. Only a splitter repeats what begins or ends within a line or sentence.
    pub whole: bool,
}

impl Overlap {
    /// As what does not count when the two texts are compared; `left` is the one before.
    pub fn shared(self, left: &str) -> Shared {
        Shared { first: left.len().saturating_sub(self.left)..left.len(), second: 0..self.right }
    }
}

/// Half letters a repetition must have not to be an accident, and words they must make.
const LEAST: [(usize, usize); 2] = [(24, 3), (36, 2)];

/// Half letters that a repetition must have when it does not end with a sentence: names and terms are said twice, too.
const OPEN: usize = 80;

/// Marks that end sentences.
const ENDS: [char; 12] = ['.', '!', '?', '。', '！', '？', '｡', '؟', '۔', '।', '…', '\u{104b}'];

/// Digits and letters that data must have, and how many kinds of them.
const DATA: (usize, usize) = (40, 8);

/// The longest end of `left` with which `right` begins, up to white space: a run of it counts as one space, and none at
/// the outer ends. It may begin anywhere, also inside a word. Nothing if it is too short to tell (under 3 words of 12
/// letters, 2 words of 18, 8 characters of Chinese, Japanese or Korean, and where no sentence ends with it, under 40 letters
/// or 27 such characters; marks, digits and rules of tables do not count),
/// goes round and round, so that the text may just go on the same way, or is a whole line on the left whose words open a
/// longer line on the right, as a title and the text below it do.
///
/// Time and memory are linear in the smaller of the two, by the prefix function of Knuth, Morris and Pratt.
pub fn overlap(left: &str, right: &str) -> Option<Overlap> {
    find(left, right, OPEN)
}

/// The same for neighbours of whom most are known to overlap: there a repetition of fewer letters tells, too, whether or not
/// a sentence ends with it.
pub fn likely_overlap(left: &str, right: &str) -> Option<Overlap> {
    find(left, right, 0)
}

/// `open` is the number of half letters that a repetition must have when no sentence ends with it.
fn find(left: &str, right: &str, open: usize) -> Option<Overlap> {
    if !may_begin_in(left, right) {
        return None;
    }
    let start: Folded = Folded::start(right, 2 * left.len());
    let end = Folded::end(left, 2 * start.chars.len());
    let borders = borders(&start.chars);
    let length = longest(&start.chars, &borders, &end.chars);
    let repeated = start.chars.get(..length).filter(|repeated| is_telling(repeated, open))?;
    let goes_round = 2 * (length - borders.get(length - 1)?) <= length + 2
        || goes_back(end.chars.get(..end.chars.len() - length)?, repeated)
        || goes_on(start.chars.get(length..)?, repeated);
    if goes_round {
        return None;
    }
    let from = *end.places.get(end.places.len() - length)?;
    let until = *start.places.get(length - 1)?;
    let whole = begins_whole(&left[..from]) && ends_whole(&right[..until], &right[until..]);
    (open == 0 || !opens_line(left, from, &right[until..])).then_some(Overlap {
        left: left.len() - from,
        right: until,
        whole,
    })
}

/// Marks that may stand around what begins or ends a sentence.
const AROUND: &str = " \t\"'()[]{}*_`~«»“”‘’「」『』（）【】《》";

/// True when a line, an entry, a cell or a sentence may begin behind `before`.
fn begins_whole(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default();
    !line.chars().any(char::is_alphabetic) || divides(line)
}

/// True when a line, a cell or a sentence may end between `repeated` and what follows it.
fn ends_whole(repeated: &str, after: &str) -> bool {
    let next = after.trim_start_matches([' ', '\t']);
    // A row goes on behind its first cells; those of one row may be alike.
    let in_row = repeated.trim_end().ends_with('|') && repeated.trim().contains('\n');
    next.is_empty() || next.starts_with(['\n', '\r']) || divides(repeated) && !in_row
}

/// True when a text ends with a mark behind which another sentence, label or cell may begin.
fn divides(text: &str) -> bool {
    let text = text.trim_end_matches(|char: char| AROUND.contains(char) || char.is_whitespace());
    text.ends_with(|char| ENDS.contains(&char) || matches!(char, ':' | '：' | ';' | '；' | '|'))
}

/// Longer lines are no titles, in bytes.
const TITLE: usize = 120;

/// True when the repeated text is the last line of `left`, from its start to the end, and `after`, what
/// follows it on the right, goes on with that line: a title or question, and the text that begins with its words. An overlap
/// may look so, too; what is not known to be repeated is kept.
fn opens_line(left: &str, from: usize, after: &str) -> bool {
    let repeated = left[from..].trim();
    if repeated.len() > TITLE || repeated.contains('\n') {
        return false;
    }
    let begins = left[..from].trim_end_matches([' ', '\t']);
    let marks = begins.trim_end_matches(['#', '>', '*', '-', '+']).trim_end_matches([' ', '\t']);
    let is_start = |text: &str| text.is_empty() || text.ends_with('\n');
    let labelled = begins.ends_with([':', '：']);
    let goes_on = !after.trim_start_matches([' ', '\t']).starts_with(['\n', '\r']) && !after.trim().is_empty();
    goes_on && (is_start(begins) || is_start(marks) || labelled)
}

/// What the shortest repetition that tells has of its first word at least, in characters.
const HEAD: usize = 8;

/// False when the words with which any repetition begins do not stand in `left`: most neighbours repeat nothing, and this
/// is found faster.
fn may_begin_in(left: &str, right: &str) -> bool {
    let mut words = right.split_whitespace();
    let Some(first) = words.next() else { return false };
    let stands = |word: &str| {
        let end = word.char_indices().nth(HEAD).map_or(word.len(), |(at, _)| at);
        memchr::memmem::find(left.as_bytes(), &word.as_bytes()[..end]).is_some()
    };
    // A word of a script with spaces that is not long needs a second one, and eight letters of that when there is no third.
    let alone = !first.is_ascii() || first.len() > 16;
    stands(first) && (alone || words.next().is_none_or(stands))
}

/// Characters with runs of white space folded to a space, none at the outer end.
struct Folded {
    chars: Vec<char>,
    /// Where each character ends, or where it begins at the end of a text.
    places: Vec<usize>,
}

impl Folded {
    /// The first `most` characters.
    fn start(text: &str, most: usize) -> Self {
        let mut folded = Self { chars: Vec::new(), places: Vec::new() };
        for (at, char) in text.char_indices() {
            folded.push(char, at + char.len_utf8());
            if folded.chars.len() >= most {
                break;
            }
        }
        folded
    }

    /// The last `most` characters.
    fn end(text: &str, most: usize) -> Self {
        let mut folded = Self { chars: Vec::new(), places: Vec::new() };
        for (at, char) in text.char_indices().rev() {
            folded.push(char, at);
            if folded.chars.len() >= most {
                break;
            }
        }
        folded.chars.reverse();
        folded.places.reverse();
        folded
    }

    fn push(&mut self, char: char, place: usize) {
        if !char.is_whitespace() {
            self.chars.push(char);
            self.places.push(place);
        } else if let (Some(last), Some(last_place)) = (self.chars.last(), self.places.last_mut()) {
            if *last == ' ' {
                *last_place = place;
            } else {
                self.chars.push(' ');
                self.places.push(place);
            }
        }
    }
}

/// For each start of `text`, the length of the longest shorter start that is also its end.
fn borders(text: &[char]) -> Vec<usize> {
    let mut borders: Vec<usize> = Vec::with_capacity(text.len());
    for (n, char) in text.iter().enumerate() {
        let length = if n == 0 { 0 } else { follow(text, &borders, borders[n - 1], *char) };
        borders.push(length);
    }
    borders
}

/// The length of the longest end of `end` with which `start` begins.
fn longest(start: &[char], borders: &[usize], end: &[char]) -> usize {
    if start.is_empty() {
        return 0;
    }
    end.iter().fold(0, |length, char| {
        let length = if length < start.len() { length } else { borders[length - 1] };
        follow(start, borders, length, *char)
    })
}

/// One more character: `length` characters of `text` matched before it.
fn follow(text: &[char], borders: &[usize], length: usize, char: char) -> usize {
    let mut length = length;
    loop {
        if text.get(length) == Some(&char) {
            return length + 1;
        }
        if length == 0 {
            return 0;
        }
        length = borders[length - 1];
    }
}

/// Whether the text before a repetition ends as it does, for three quarters of it or more.
fn goes_back(chars: &[char], repeated: &[char]) -> bool {
    let chars = chars.strip_suffix(&[' ']).unwrap_or(chars);
    let same = chars.iter().rev().zip(repeated.iter().rev()).take_while(|(a, b)| a == b).count();
    same * 4 >= repeated.len() * 3
}

/// Whether the text after a repetition begins as it does, for three quarters of it or more.
fn goes_on(chars: &[char], repeated: &[char]) -> bool {
    let chars = chars.strip_prefix(&[' ']).unwrap_or(chars);
    let same = chars.iter().zip(repeated).take_while(|(a, b)| a == b).count();
    same * 4 >= repeated.len() * 3
}

/// Digits and letters of so many kinds are no accident either: paths of drawings, keys, measured values.
fn is_data(chars: &[char]) -> bool {
    let signs = || chars.iter().filter(|char| char.is_ascii_alphanumeric());
    let mut kinds: Vec<&char> = signs().collect();
    kinds.sort_unstable();
    kinds.dedup();
    signs().count() >= DATA.0 && kinds.len() >= DATA.1
}

/// Whether the same characters in two places are no accident.
fn is_telling(chars: &[char], open: usize) -> bool {
    let (mut halves, mut words) = (0, 0);
    let mut was_letter = false;
    for char in chars {
        let is_letter = char.is_alphabetic();
        let is_alone = is_letter && is_without_spaces(*char);
        words += usize::from(is_alone || (is_letter && !was_letter));
        halves += usize::from(is_letter) * if is_cjk(*char) { 3 } else { 2 };
        was_letter = is_letter;
    }
    let closed = chars.iter().rev().find(|char| !char.is_whitespace()).is_some_and(|char| ENDS.contains(char));
    let is_text = LEAST.iter().any(|least| halves >= least.0 && words >= least.1) && (closed || halves >= open);
    is_text || is_data(chars)
}

/// Characters that say more than a letter of an alphabet does.
fn is_cjk(char: char) -> bool {
    matches!(char, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}

/// Of scripts whose words cannot be counted by spaces; each letter passes for one.
fn is_without_spaces(char: char) -> bool {
    is_cjk(char) || matches!(char, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The repeated text as it stands on both sides.
    fn sides<'a>(left: &'a str, right: &'a str) -> Option<(&'a str, &'a str)> {
        let found = overlap(left, right)?;
        Some((&left[left.len() - found.left..], &right[..found.right]))
    }

    #[test]
    fn the_end_of_one_is_the_start_of_the_next() {
        let repeated = "wait until the green lamp lights.";
        assert_eq!(
            sides(
                "Open the valve, wait until the green lamp lights.",
                "wait until the green lamp lights. Then close it."
            ),
            Some((repeated, repeated))
        );
        assert_eq!(
            sides(
                "Open it.\nWait until the\ngreen lamp lights. \n",
                "\n  Wait until the green lamp\r\nlights.\n\nThen close it."
            ),
            Some(("Wait until the\ngreen lamp lights. \n", "\n  Wait until the green lamp\r\nlights."))
        );
        assert_eq!(sides("Die Wartung des Verdichters erfolgt", "chters erfolgt"), None);
        assert_eq!(sides("vor der Wartung am", "tung am Ort"), None);
        assert_eq!(
            sides(
                "die Wartung des Verdichters im Haus am Hafen und des Tanks",
                "ung des Verdichters im Haus am Hafen und des Tanks jährlich"
            ),
            Some((
                "ung des Verdichters im Haus am Hafen und des Tanks",
                "ung des Verdichters im Haus am Hafen und des Tanks"
            ))
        );
        assert_eq!(
            sides("请先关闭阀门，然后等待绿灯亮起。", "然后等待绿灯亮起。再打开"),
            Some(("然后等待绿灯亮起。", "然后等待绿灯亮起。"))
        );
        assert_eq!(sides("请先关闭阀门。", "关闭阀门。再打开"), None, "four characters");
    }

    #[test]
    fn only_a_splitter_repeats_from_within_a_sentence() {
        let whole = |left: &str, right: &str| overlap(left, right).map(|found| found.whole);
        let text = "Wait until the green lamp lights.";
        for (left, right) in [
            (format!("- Open it.\n- {text}"), format!("{text}\n- Close it.")),
            (format!("1) {text}"), format!("{text} Close it.")),
            (format!("Open it (at once). {text}"), format!("{text} Close it.")),
            (format!("| a | {text}"), format!("{text} | b |")),
            (format!("先关闭阀门。{text}"), format!("{text}再打开。")),
        ] {
            assert_eq!(whole(&left, &right), Some(true), "{left} {right}");
        }
        for (left, right) in [
            ("Open it, then wait until the green lamp lights.", "then wait until the green lamp lights. Close it."),
            ("Open the valve of the tank, and the", "Open the valve of the tank, and the lamp lights."),
            ("先关闭阀门，然后等待绿灯亮起。", "然后等待绿灯亮起。再打开。"),
        ] {
            let left = format!("It is old. {left}");
            assert_ne!(whole(&left, right), Some(true), "{left} {right}");
        }
    }

    #[test]
    fn accidents_are_no_overlap() {
        for (left, right) in [
            ("", ""),
            ("a", "a"),
            ("One text.", "Another text."),
            ("| a | b |\n|---|---|\n|---|---|---|---|---|---|", "|---|---|---|---|---|---|\n| c | d |"),
            ("2024-01-01 2024-01-02 2024-01-03 2024-01-04", "2024-01-01 2024-01-02 2024-01-03 2024-01-04 2024-01-05"),
            (
                "| Name of the plan | Price in euro |\n|---|---|\n| A | 1 |",
                "| Name of the plan | Price in euro |\n|---|---|\n| B | 2 |",
            ),
            (
                "connection reset by the peer\nconnection reset by the peer",
                "connection reset by the peer\nconnection timed out here",
            ),
            (
                "started\nconnection reset by the peer",
                "connection reset by the peer\nconnection reset by the peer\nended",
            ),
            ("## 中国建筑工程总公司", "中国建筑工程总公司是中央企业。"),
            ("问：什么是中国建筑工程总公司", "中国建筑工程总公司是中央企业。"),
            ("What is third-party liability insurance", "third-party liability insurance covers what you break."),
            ("He said yes, yes, yes, and yes,", "yes, yes, and yes, and then he left."),
            (
                "child found\nworker.init() ok, workers of the pool\nworker.init() ok, workers of the pool",
                "worker.init() ok, workers of the pool\nworker.init() ok, workers of the pool\nfailed",
            ),
            ("# How the pump of the tank is cleaned.", "How the pump of the tank is cleaned. It is easy."),
            ("yes and yes and yes and yes and yes and yes and ", "yes and yes and yes and yes and no"),
        ] {
            assert_eq!(overlap(left, right), None, "{left:?} {right:?}");
        }
    }

    #[test]
    fn a_text_that_is_all_overlap_is_found() {
        let text = "wait until the green lamp lights.";
        assert_eq!(
            overlap(&format!("Open the valve, {text}"), text),
            Some(Overlap { left: text.len(), right: text.len(), whole: false })
        );
        assert_eq!(overlap(text, text), Some(Overlap { left: text.len(), right: text.len(), whole: true }));
    }

    #[test]
    fn one_long_line_takes_linear_time() {
        let long = "ab".repeat(500_000);
        assert_eq!(overlap(&long, &long), None);
        assert_eq!(overlap(&long, &format!("{long}c")), None);
        let end = format!("{long} wait until the green lamp lights.");
        assert_eq!(overlap(&end, "wait until the green lamp lights. Up").map(|found| found.right), Some(33));
    }
}
