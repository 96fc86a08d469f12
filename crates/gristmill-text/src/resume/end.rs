//! Whether a sentence is open where the text before the border ends.

use super::entry::begins_entry;
use super::window::Part;
use super::words;
use crate::segment::chars::{is_cjk, is_clause_mark, is_closer, is_hangul, is_opener, is_terminator, is_thai};
use crate::segment::sentence_starts;

/// An unmarked sentence of so many words is running text and no title.
pub(super) const RUNNING_WORDS: usize = 12;

/// The same in characters of scripts without spaces.
const RUNNING_CHARS: usize = 18;

/// A Korean word counts for so many: few titles have more than six.
const HANGUL_WORD: usize = 2;

/// A line of so many words may be a title though its last word seems to need another.
const TITLE_WORDS: usize = 5;

/// Why a text is unfinished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// It ends with a comma or dash.
    Mark,
    /// It ends with a hyphen after a letter.
    Hyphen,
    /// A bracket, quote or code span is open.
    Open,
    /// It ends with a word or particle that needs a continuation: "the", "and", 的, 를.
    Word,
    /// It ends with an abbreviation that never ends a sentence, such as a title.
    Abbreviation,
    /// Its last sentence has no end mark, though it is too long for a title or sentences with marks stand before it.
    Unmarked,
}

/// How the text before the border ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// With the end of a sentence, or nothing is there.
    Finished,
    /// With a full stop that may belong to an abbreviation or number.
    Period,
    /// With a colon, semicolon or ellipsis.
    Trailing,
    /// Without end mark, in a line that may be a title or label.
    Bare {
        /// Its words.
        words: usize,
        /// It reads like a sentence all the same.
        worded: bool,
    },
    /// Without end mark, in a line that is too long for a title and has no mark inside either: lines of a list or a song
    /// may be as long.
    Long,
    /// Inside a sentence.
    Unfinished(Unfinished),
}

impl End {
    pub(super) fn read(part: Part<'_>) -> Self {
        let text = without_tail(part.text);
        if opens_destination(part.text) {
            return Self::Unfinished(Unfinished::Open);
        }
        if words::is_elided(part.text) {
            return Self::Unfinished(Unfinished::Word);
        }
        let Some(last) = text.chars().next_back().filter(|_| text.contains(char::is_alphanumeric)) else {
            return Self::Finished;
        };
        match last {
            '.' if text.ends_with("..") => Self::Trailing,
            '.' if in_code(text) => Self::Unfinished(Unfinished::Open),
            '.' if is_title(text) => Self::Unfinished(Unfinished::Abbreviation),
            '.' => Self::Period,
            '…' | ':' | '：' => Self::Trailing,
            ';' | '；' | '؛' => Self::unmarked(part, text),
            _ if is_terminator(last) => Self::Finished,
            _ if is_opener(last) && part.text.ends_with(last) => Self::Unfinished(Unfinished::Open),
            '-' | '\u{ad}' => Self::hyphen(text),
            _ if is_clause_mark(last) || matches!(last, '–' | '&') => Self::Unfinished(Unfinished::Mark),
            _ => Self::unmarked(part, text),
        }
    }

    pub(super) fn unfinished(self) -> Option<Unfinished> {
        match self {
            Self::Unfinished(why) => Some(why),
            Self::Long => Some(Unfinished::Unmarked),
            _ => None,
        }
    }

    fn hyphen(text: &str) -> Self {
        let word = text.trim_end_matches(['-', '\u{ad}']).ends_with(char::is_alphanumeric);
        Self::Unfinished(if word { Unfinished::Hyphen } else { Unfinished::Mark })
    }

    /// The text ends with a word, code, link or the like.
    fn unmarked(part: Part<'_>, text: &str) -> Self {
        let mut starts = Vec::new();
        sentence_starts(part.text, &mut starts);
        let sentence = part.text.get(starts.last().copied().unwrap_or(0)..).unwrap_or("");
        if has_open(sentence) {
            return Self::Unfinished(Unfinished::Open);
        }
        if text.ends_with([';', '；', '؛']) {
            return Self::Trailing;
        }
        let words = count(sentence);
        if ends_with_address(text) {
            return Self::Bare { words, worded: false };
        }
        let alone = starts.len() == 1 && !part.shortened;
        if words::asks_for_more(text) && !(alone && words <= TITLE_WORDS && words::may_close(text)) {
            return Self::Unfinished(Unfinished::Word);
        }
        let aside = sentence.starts_with(['(', '（']) && part.text.ends_with([')', '）']);
        if aside || ends_with_reference(part.text) {
            return Self::Finished;
        }
        let marked = !alone && words > 1;
        let running = marked || words >= RUNNING_WORDS || sentence.contains(['，', '、']) && words > 2;
        if running && !is_without_marks(text) && !is_entry(part.text, starts.len()) {
            return if alone { Self::Long } else { Self::Unfinished(Unfinished::Unmarked) };
        }
        Self::Bare { words, worded: is_worded(text, words) }
    }
}

/// Whether nothing can be told from a missing end mark: Thai sets none, and Korean verbs in 다 and polite Japanese ones end
/// sentences without.
fn is_without_marks(text: &str) -> bool {
    let korean = text.ends_with('다') && text.chars().nth_back(1).is_some_and(is_hangul);
    korean || words::ends_politely(text) || text.chars().rev().take(80).any(is_thai)
}

/// Whether the text ends with a colon and a link: such references have no end mark.
fn ends_with_reference(text: &str) -> bool {
    let text = if text.ends_with('>') { tag(text).unwrap_or(text).trim_end() } else { text };
    let linked = text.ends_with(')').then(|| text.rfind("](")).flatten().and_then(|at| text.get(..at)?.rfind('['));
    let at = linked.or_else(|| text.rfind(char::is_whitespace).filter(|&at| is_address(text.get(at..).unwrap_or(""))));
    at.and_then(|at| text.get(..at)).is_some_and(|rest| rest.trim_end().ends_with([':', '：']))
}

/// Whether the last word is an address of mail or of a page: it may stand at the end of a line without mark.
fn ends_with_address(text: &str) -> bool {
    let word = text.split(char::is_whitespace).next_back().unwrap_or("");
    let mail = word.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
    mail && !word.contains(is_wide) || is_address(word)
}

fn is_address(word: &str) -> bool {
    let word = word.trim_start().trim_start_matches('<');
    word.starts_with("https://") || word.starts_with("http://")
}

/// Whether the destination of a link is cut: `[text](https://`.
pub(super) fn opens_destination(text: &str) -> bool {
    let inner = text.rfind("](").and_then(|at| text.get(at + 2..));
    inner.is_some_and(|inner| !inner.contains(|c: char| c == ')' || c.is_whitespace()))
}

/// Whether the text ends with a number that has a full stop inside, too, as in "since v7.2.".
pub(super) fn ends_with_version(text: &str) -> bool {
    let inner = text.strip_suffix('.').unwrap_or(text);
    let before = inner.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let parts: Vec<&str> = inner.get(before.len()..).unwrap_or("").split('.').collect();
    matches!(parts.len(), 2 | 3) && parts.iter().all(|part| matches!(part.len(), 1..=4))
}

/// Whether the text ends inside the first word of a code span, as in "call `app.".
pub(super) fn in_code(text: &str) -> bool {
    let Some(at) = text.rfind('`') else { return false };
    let (before, word) = (text.get(..at).unwrap_or(""), text.get(at + 1..).unwrap_or(""));
    let line = before.get(before.rfind('\n').map_or(0, |i| i + 1)..).unwrap_or("");
    line.matches('`').count() % 2 == 0 && !word.contains(char::is_whitespace)
}

/// Whether the last line is an entry of a record, "Licence: free", or the whole text one of a list, "- no end mark".
fn is_entry(text: &str, sentences: usize) -> bool {
    let line = text.get(text.rfind('\n').map_or(0, |i| i + 1)..).unwrap_or("");
    let bare = line.trim_start_matches(['-', '*', '+', ' ']);
    let key = bare.split_once(": ").or_else(|| bare.split_once('：')).is_some_and(|(key, _)| {
        key.len() <= 24 && !key.contains(' ') && key.starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase())
    });
    let number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let listed = begins_entry(text)
        || ["- ", "* ", "+ ", "• "].iter().any(|mark| text.starts_with(mark))
        || number.len() < text.len() && [". ", ") "].iter().any(|mark| number.starts_with(mark));
    key && line.len() <= 80 || listed && sentences == 1
}

/// Whether a line without end mark reads like a sentence: it ends with a small letter and has function words or some
/// length.
fn is_worded(text: &str, words: usize) -> bool {
    let small = text.split_whitespace().next_back().is_some_and(|word| word.chars().all(|c| !c.is_uppercase()));
    let inner = text.split_whitespace().any(words::is_function_word);
    small && text.ends_with(char::is_alphanumeric) && (words >= 4 || words >= 2 && inner)
}

/// The text without what may stand after an end mark: emphasis, quotes, brackets, notes, link destinations, emoji.
pub(super) fn without_tail(text: &str) -> &str {
    let mut text = text;
    for _ in 0..16 {
        let shorter = shorten(text.trim_end());
        if shorter.len() == text.len() {
            break;
        }
        text = shorter;
    }
    text
}

fn shorten(text: &str) -> &str {
    let Some(last) = text.chars().next_back() else { return text };
    let rest = text.get(..text.len() - last.len_utf8()).unwrap_or("");
    match last {
        ')' => link_text(text).unwrap_or(rest),
        ']' => note(text).unwrap_or(rest),
        '>' => tag(text).unwrap_or(text),
        '`' => text,
        '¹' | '²' | '³' => rest,
        _ if is_closer(last) || is_emoji(last) => rest,
        _ => text,
    }
}

/// `[text](destination)` up to the text.
fn link_text(text: &str) -> Option<&str> {
    let at = text.rfind("](")?;
    let inner = text.get(at + 2..text.len() - 1)?;
    (!inner.contains([')', '\n'])).then(|| text.get(..at)).flatten()
}

/// Text before a footnote mark, `[^note]` or `[12]`, and before a remark that follows an end mark, `.[citation needed]`.
fn note(text: &str) -> Option<&str> {
    let at = text.rfind('[')?;
    let inner = text.get(at + 1..text.len() - 1)?;
    let numbers = !inner.is_empty() && inner.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | ' ' | '-' | '–'));
    let rest = text.get(..at)?;
    let remark = inner.len() <= 48 && rest.ends_with(is_terminator);
    (inner.starts_with('^') || numbers || remark).then_some(rest)
}

/// Text before a closing tag or an empty element.
fn tag(text: &str) -> Option<&str> {
    let at = text.rfind('<')?;
    let tag = text.get(at..)?;
    (tag.starts_with("</") || tag.ends_with("/>")).then(|| text.get(..at)).flatten()
}

fn is_emoji(c: char) -> bool {
    matches!(c, '\u{1f000}'..='\u{1faff}' | '\u{2600}'..='\u{27bf}' | '\u{fe0f}' | '\u{200d}' | '\u{20e3}')
}

/// Whether the full stop belongs to an abbreviation that never ends a sentence: no word at all opens one after it.
fn is_title(text: &str) -> bool {
    text.contains(char::is_whitespace) && !ends_before(text, "The") && !ends_before(text, "Zorq")
}

/// Whether the segmenter sees a sentence end between the two.
pub(super) fn ends_before(before: &str, after: &str) -> bool {
    let joined = format!("{before} {after}");
    let mut starts = Vec::new();
    sentence_starts(&joined, &mut starts);
    starts.contains(&(before.len() + 1))
}

/// Whether a bracket, quote or code span that opens in the sentence does not close in it.
fn has_open(sentence: &str) -> bool {
    let mut depth = [0i32; 8];
    let mut code = false;
    let mut previous = ' ';
    for c in sentence.chars() {
        if c == '`' {
            code = !code;
        } else if let Some((kind, step)) = bracket(c, previous).filter(|_| !code) {
            depth[kind] = (depth[kind] + step).max(0);
        }
        previous = c;
    }
    code || depth.iter().any(|&open| open > 0)
}

/// The kind of a bracket or quote and whether it opens. A bracket after a colon or semicolon is a smiley.
fn bracket(c: char, previous: char) -> Option<(usize, i32)> {
    let smiley = matches!(previous, ':' | ';');
    Some(match c {
        '(' | '（' if !smiley => (0, 1),
        ')' | '）' => (0, -1),
        '[' | '［' => (1, 1),
        ']' | '］' => (1, -1),
        '「' => (2, 1),
        '」' => (2, -1),
        '『' => (3, 1),
        '』' => (3, -1),
        '【' => (4, 1),
        '】' => (4, -1),
        '《' => (5, 1),
        '》' => (5, -1),
        '“' => (6, 1),
        '”' => (6, -1),
        _ => return None,
    })
}

/// Words of the sentence; a script without spaces counts by characters, two for a word.
pub(super) fn count(sentence: &str) -> usize {
    let wide = sentence.chars().filter(|&c| is_wide(c)).count();
    let worth = |word: &str| {
        if word.contains(is_hangul) { HANGUL_WORD } else { usize::from(word.contains(char::is_alphanumeric)) }
    };
    let words = sentence.split_whitespace().map(worth).sum::<usize>();
    words + wide * RUNNING_WORDS / RUNNING_CHARS
}

fn is_wide(c: char) -> bool {
    is_cjk(c) || matches!(c, '\u{0e01}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

/// Whether emphasis, a bracket, quote or link text is open at the end of the paragraph, whatever sentences end in it.
pub(super) fn is_enclosed(text: &str) -> bool {
    text.matches("**").count() % 2 == 1 || has_open(text)
}
