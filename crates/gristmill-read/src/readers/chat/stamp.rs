//! The time at which something was said.

/// What follows a time at the start of `line`, in brackets or not: `[12:34] `, `12/31/20, 10:15 PM - `.
pub(super) fn after(line: &str) -> Option<&str> {
    let rest = match line.strip_prefix(['[', '(']) {
        Some(inner) => {
            let end = inner.find([']', ')']).filter(|end| *end <= LONGEST)?;
            if !is_stamp(&inner[..end]) {
                return None;
            }
            &inner[end + 1..]
        }
        None => {
            let len = len(line);
            if !is_stamp(&line[..len]) {
                return None;
            }
            &line[len..]
        }
    };
    Some(rest.trim_start_matches([' ', '\t', '-', '–', '—', '\u{200e}']))
}

/// Bytes of the longest time.
const LONGEST: usize = 48;

/// True when `text` is a time and nothing else.
pub(super) fn is_stamp(text: &str) -> bool {
    has_clock(text) && len(text) == text.len()
}

/// Words of which a time is made besides digits.
const WORDS: &[&str] = &[
    "AM",
    "PM",
    "am",
    "pm",
    "a.m.",
    "p.m.",
    "a. m.",
    "p. m.",
    "오전",
    "오후",
    "上午",
    "下午",
    "午前",
    "午後",
    "Today at",
    "Yesterday at",
    "T",
    "Z",
];

/// The bytes at the start that can be of a time.
fn len(text: &str) -> usize {
    let mut len = 0;
    while len <= LONGEST {
        let rest = &text[len..];
        let Some(c) = rest.chars().next() else { break };
        if c.is_ascii_digit() || matches!(c, ':' | '/' | '.' | '-' | ',' | ' ' | '\u{202f}' | '\u{a0}') {
            len += c.len_utf8();
        } else if let Some(word) = WORDS.iter().find(|word| ends_word(rest, word)) {
            len += word.len();
        } else {
            break;
        }
    }
    len
}

/// True when `text` begins with `word` and no letter follows.
fn ends_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| !rest.starts_with(char::is_alphabetic))
}

/// True when hours and minutes are in `text`.
fn has_clock(text: &str) -> bool {
    text.as_bytes()
        .windows(4)
        .any(|four| four[0].is_ascii_digit() && four[1] == b':' && four[2].is_ascii_digit() && four[3].is_ascii_digit())
}
