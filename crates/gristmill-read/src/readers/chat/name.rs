//! Names of speakers.

/// Most characters a name has.
const LONGEST: usize = 40;

/// The speaker of `Name: text`, `Name (00:12:34): text` and `Name：text`.
pub(super) fn before_colon(line: &str) -> Option<&str> {
    let head = &line[..line.floor_char_boundary(LONGEST * 5)];
    let (at, colon) = head.char_indices().find(|&(at, c)| c == '：' || (c == ':' && !in_clock(head, at)))?;
    let after = &line[at + colon.len_utf8()..];
    if colon == ':' && !after.is_empty() && !after.starts_with([' ', '\t']) {
        return None;
    }
    let name = head[..at].trim_end();
    let name = match name.rfind(['(', '[']).filter(|_| name.ends_with([')', ']'])) {
        Some(open) if super::stamp::is_stamp(&name[open + 1..name.len() - 1]) => name[..open].trim_end(),
        _ => name,
    };
    is_name(name).then_some(name)
}

/// A colon between digits.
fn in_clock(text: &str, at: usize) -> bool {
    let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    let bytes = text.as_bytes();
    digit(at.checked_sub(1).and_then(|before| bytes.get(before))) && digit(bytes.get(at + 1))
}

/// A name of up to five words.
pub(super) fn is_name(name: &str) -> bool {
    let mut words = name.split_whitespace();
    let first = words.next().unwrap_or_default();
    name.chars().take(LONGEST + 1).count() <= LONGEST
        && name.chars().any(char::is_alphanumeric)
        && words.count() < 5
        && name.chars().all(|c| c.is_alphanumeric() || is_combining(c) || " .-_'’()@#&~+|\u{a0}".contains(c))
        && !is_level(first)
        && !name.as_bytes().windows(3).any(is_dotted)
}

/// `a.b` is a name of a program, `J. Doe` and `Dr.Who` are of people.
fn is_dotted(three: &[u8]) -> bool {
    three[0].is_ascii_lowercase()
        && three[1] == b'.'
        && three[2].is_ascii_alphanumeric()
        && !three[2].is_ascii_uppercase()
}

/// Signs inside words of many scripts, and joiners of emoji.
fn is_combining(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{dff}' | '\u{e31}'..='\u{e4e}' | '\u{200d}' | '\u{fe0f}')
        || c >= '\u{1f000}'
}

fn is_level(word: &str) -> bool {
    ["TRACE", "DEBUG", "INFO", "NOTICE", "WARN", "WARNING", "ERROR", "FATAL", "CRITICAL", "NOTE"]
        .iter()
        .any(|level| level.eq_ignore_ascii_case(word.trim_end_matches(':')))
}

/// Each word begins with a capital, a digit or a letter of a script without capitals.
pub(super) fn is_capital(name: &str) -> bool {
    let particles = ["de", "van", "von", "der", "da", "di", "al", "of", "the", "and"];
    name.split_whitespace().all(|word| {
        let first = word.chars().find(|c| c.is_alphanumeric());
        first.is_none_or(|c| !c.is_lowercase()) || particles.contains(&word)
    }) && !name.starts_with(char::is_lowercase)
}
