//! Which characters of running text would be read as structure.

use super::inline::is_blank;

/// What is known around a character of text.
#[derive(Clone, Copy)]
pub(super) struct Around<'t> {
    /// The line before the character, as it has been written.
    pub(super) line: &'t str,
    /// The text from the character on. What comes after its end is not known.
    pub(super) rest: &'t str,
    /// Where no block can begin.
    pub(super) flat: bool,
    /// True after a line break within the same paragraph.
    pub(super) continued: bool,
    /// Within the text of a link or image.
    pub(super) in_link: bool,
    /// Within emphasis, where an asterisk or tilde may end it.
    pub(super) in_mark: bool,
    /// Characters that may open something have been written: see [`opener`].
    pub(super) opened: u8,
}

/// The bit of a character that opens what the same character closes.
pub(super) fn opener(c: char) -> u8 {
    match c {
        '*' => 1,
        '_' => 2,
        '~' => 4,
        '$' => 8,
        _ => 0,
    }
}

/// What is to be written for the first character of `at.rest` in place of it, if anything.
pub(super) fn escape(c: char, at: Around<'_>) -> Option<&'static str> {
    let next = at.rest.chars().nth(1);
    if at.line.is_empty() && !at.flat && opens_block(at) {
        return escaped(c);
    }
    let structural = match c {
        '`' => true,
        '\\' => next.is_none_or(|next| next.is_ascii_punctuation() || is_blank(next)),
        '*' | '_' | '~' | '$' => closes(c, next, at),
        '[' => at.in_link || next == Some('^'),
        ']' => at.in_link || next.is_none_or(|next| next == '('),
        '<' => next.is_none_or(|next| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?')),
        '&' => reference(at.rest).is_some(),
        ';' => ends_reference(at.line),
        '.' | ')' => !at.flat && is_number(at.line) && next.is_none_or(is_blank),
        _ => false,
    };
    structural.then(|| escaped(c)).flatten()
}

/// True when a delimiter could end what an earlier one began, or stands where any delimiter counts.
fn closes(c: char, next: Option<char>, at: Around<'_>) -> bool {
    let before = at.line.chars().next_back();
    let blank_before = before.is_none_or(char::is_whitespace);
    if c == '$' && (next == Some('$') || before == Some('$')) {
        return true;
    }
    // Right behind a mark it would lengthen its run.
    if before == Some(c) && matches!(c, '*' | '~') {
        return true;
    }
    if at.in_mark && matches!(c, '*' | '~') {
        // A blank that follows may go before the mark that closes.
        return true;
    }
    let word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    if blank_before || at.opened & opener(c) == 0 {
        return false;
    }
    c != '_' || !(word(before) && word(next))
}

/// Length of `&name;` or `&#1;` at the start of `rest`.
pub(super) fn reference(rest: &str) -> Option<usize> {
    let name = rest.strip_prefix('&')?;
    let len = name.bytes().take_while(|&b| b.is_ascii_alphanumeric() || b == b'#').take(LONGEST).count();
    (len > 0 && name.as_bytes().get(len) == Some(&b';')).then_some(len + 2)
}

/// No name of a character is longer.
const LONGEST: usize = 40;

/// True when the next semicolon would make a reference of what stands before it.
fn ends_reference(line: &str) -> bool {
    let len = line.bytes().rev().take_while(|&b| b.is_ascii_alphanumeric() || b == b'#').take(LONGEST).count();
    len > 0 && line[..line.len() - len].ends_with('&')
}

fn is_number(line: &str) -> bool {
    (1..=9).contains(&line.len()) && line.bytes().all(|b| b.is_ascii_digit())
}

/// True when the text at the start of a line would open a block.
fn opens_block(at: Around<'_>) -> bool {
    let rest = at.rest;
    let bytes = rest.as_bytes();
    let next = bytes.get(1);
    let blank = |at: usize| rest[at..].chars().next().is_none_or(is_blank);
    match bytes.first() {
        Some(b'#') => {
            let run = bytes.iter().take_while(|&&b| b == b'#').count();
            run <= 6 && blank(run)
        }
        Some(b'>' | b'{') => true,
        Some(b'+' | b'*') => blank(1),
        Some(b'-') => blank(1) || next == Some(&b'-') || at.continued,
        Some(b'=') => at.continued || next == Some(&b'='),
        Some(b'|') => at.continued,
        Some(b'[') => opens_bracket(rest),
        Some(b':') => at.continued || next == Some(&b':'),
        Some(c @ (b'~' | b'/' | b'!' | b'?')) => bytes.iter().take(3).filter(|b| *b == c).count() == 3,
        _ => false,
    }
}

/// A task, a footnote or the definition of a link, or what may become one.
fn opens_bracket(rest: &str) -> bool {
    let Some(end) = memchr::memchr(b']', rest.as_bytes()) else { return true };
    let inner = &rest[1..end];
    // Blanks, however many, are written as one.
    let task = matches!(inner, "x" | "X") || !inner.is_empty() && inner.chars().all(is_blank);
    task || matches!(rest.as_bytes().get(end + 1), None | Some(b':'))
}

fn escaped(c: char) -> Option<&'static str> {
    Some(match c {
        // Tools that take marks out undo this one more often than a backslash.
        '&' => "&amp;",
        '\\' => "\\\\",
        '`' => "\\`",
        '*' => "\\*",
        '_' => "\\_",
        '~' => "\\~",
        '$' => "\\$",
        '[' => "\\[",
        ']' => "\\]",
        '<' => "\\<",
        '>' => "\\>",
        '.' => "\\.",
        ')' => "\\)",
        '#' => "\\#",
        '{' => "\\{",
        '+' => "\\+",
        '-' => "\\-",
        '=' => "\\=",
        '|' => "\\|",
        ':' => "\\:",
        '/' => "\\/",
        '!' => "\\!",
        '?' => "\\?",
        ';' => "\\;",
        _ => return None,
    })
}
