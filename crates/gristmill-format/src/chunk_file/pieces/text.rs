//! Chunks in a text file.

use gristmill_core::Result;

use super::super::stream::{Input, Store};
use super::Piece;

/// How the chunks of a text file are told apart.
#[derive(Debug)]
pub(crate) struct TextLayout {
    /// By lines that are `---`; else by blank lines.
    pub(crate) ruled: bool,
    /// Lines end with a carriage return and a line feed.
    pub(crate) crlf: bool,
    /// Bytes before the first line that counts: a byte order mark, front matter.
    pub(super) head: u64,
    head_lines: u64,
    closers: Closers,
}

impl TextLayout {
    /// Looks through the file.
    pub(super) fn find(store: &Store, name: &str) -> Result<Self> {
        let mut input = Input::new(store, name, 0, 1);
        input.skip_mark()?;
        let (head, head_lines) = front_matter(store, name, input.offset)?.unwrap_or((input.offset, 0));
        let mut layout = Self { ruled: false, crlf: false, head, head_lines, closers: Closers::default() };
        let mut line = Vec::new();
        let mut first = true;
        let mut rules = false;
        let mut input = layout.input(store, name);
        loop {
            let offset = input.offset;
            if !input.line(&mut line)? {
                break;
            }
            layout.crlf = if first { line.ends_with(b"\r\n") } else { layout.crlf };
            first = false;
            rules |= is_rule(&line);
            layout.closers.see(&line, offset);
        }
        layout.ruled = rules && layout.has_rule_outside_code(store, name)?;
        Ok(layout)
    }

    fn input<'a>(&self, store: &'a Store, name: &'a str) -> Input<'a> {
        Input::new(store, name, self.head, self.head_lines + 1)
    }

    fn has_rule_outside_code(&self, store: &Store, name: &str) -> Result<bool> {
        let mut input = self.input(store, name);
        let mut code = Code::default();
        let mut line = Vec::new();
        loop {
            let offset = input.offset;
            if !input.line(&mut line)? {
                return Ok(false);
            }
            if !code.holds(&line, offset, &self.closers) && is_rule(&line) {
                return Ok(true);
            }
        }
    }
}

/// True when `text`, in a file that is told apart in this way, would be read back as one chunk with the same text.
pub(crate) fn is_one_chunk(text: &str, ruled: bool) -> bool {
    let store = Store::Bytes(text.as_bytes().to_vec());
    let Ok(mut layout) = TextLayout::find(&store, "") else { return false };
    if layout.ruled || layout.head > 0 {
        return false;
    }
    layout.ruled = ruled;
    let mut pieces = TextPieces::new(&store, "", &layout);
    let mut piece = Piece::default();
    matches!(pieces.next(&mut piece), Ok(true)) && piece.bytes.len() == text.len()
}

/// Where a document's front matter ends, and how many lines it has: a first line `---`, lines of YAML none of which is
/// blank, and a line `---`.
fn front_matter(store: &Store, name: &str, start: u64) -> Result<Option<(u64, u64)>> {
    let mut input = Input::new(store, name, start, 1);
    let mut line = Vec::new();
    if !input.line(&mut line)? || !is_rule(&line) {
        return Ok(None);
    }
    let mut keys = false;
    while input.line(&mut line)? {
        if is_rule(&line) {
            return Ok(keys.then_some((input.offset, input.line - 1)));
        }
        let is_key = has_key(&line);
        let goes_on = keys && matches!(line.first(), Some(b' ' | b'\t' | b'-')) && !is_blank(&line);
        if !(is_key || goes_on || line.starts_with(b"#")) {
            return Ok(None);
        }
        keys |= is_key;
    }
    Ok(None)
}

/// `name: value`, or a name and a colon alone.
fn has_key(line: &[u8]) -> bool {
    let Some(colon) = memchr::memchr(b':', line) else { return false };
    let (key, after) = line.split_at(colon);
    let named = key.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b' '));
    key.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
        && named
        && after.get(1).is_none_or(u8::is_ascii_whitespace)
}

pub(crate) fn is_rule(line: &[u8]) -> bool {
    line.trim_ascii_end() == b"---"
}

fn is_blank(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
}

/// A line of three or more backticks or tildes.
#[derive(Clone, Copy)]
struct Fence {
    mark: u8,
    length: usize,
    /// Nothing follows, so that it can close.
    bare: bool,
}

fn fence(line: &[u8]) -> Option<Fence> {
    let line = line.trim_ascii();
    let mark = *line.first().filter(|mark| matches!(mark, b'`' | b'~'))?;
    let length = line.iter().take_while(|byte| **byte == mark).count();
    let info = line.get(length..).unwrap_or_default();
    let opens = length >= 3 && !(mark == b'`' && info.contains(&b'`'));
    opens.then_some(Fence { mark, length, bare: info.is_empty() })
}

/// For backticks and tildes: the last places of lines that close fences, longer ones first.
#[derive(Debug, Default)]
struct Closers([Vec<(usize, u64)>; 2]);

impl Closers {
    fn see(&mut self, line: &[u8], offset: u64) {
        let Some(fence) = fence(line).filter(|fence| fence.bare) else { return };
        let places = &mut self.0[usize::from(fence.mark == b'~')];
        while places.last().is_some_and(|(length, _)| *length <= fence.length) {
            places.pop();
        }
        places.push((fence.length, offset));
    }

    /// True when a fence that opens at `offset` is closed further down.
    fn close(&self, fence: Fence, offset: u64) -> bool {
        let places = &self.0[usize::from(fence.mark == b'~')];
        let long = places.partition_point(|(length, _)| *length >= fence.length);
        long.checked_sub(1).and_then(|last| places.get(last)).is_some_and(|(_, place)| *place > offset)
    }
}

/// Whether lines stand in fenced code. A fence that is never closed holds nothing.
#[derive(Default)]
struct Code(Option<Fence>);

impl Code {
    fn holds(&mut self, line: &[u8], offset: u64, closers: &Closers) -> bool {
        match (self.0, fence(line)) {
            (Some(open), Some(new)) if new.bare && new.mark == open.mark && new.length >= open.length => {
                self.0 = None;
                true
            }
            (Some(_), _) => true,
            (None, Some(new)) if closers.close(new, offset) => {
                self.0 = Some(new);
                true
            }
            (None, _) => false,
        }
    }
}

/// The chunks between separators.
pub(crate) struct TextPieces<'a> {
    input: Input<'a>,
    layout: &'a TextLayout,
    code: Code,
    line: Vec<u8>,
    /// What stands after the last line with text.
    after: Vec<u8>,
}

impl<'a> TextPieces<'a> {
    pub(super) fn new(store: &'a Store, name: &'a str, layout: &'a TextLayout) -> Self {
        Self { input: layout.input(store, name), layout, code: Code::default(), line: Vec::new(), after: Vec::new() }
    }

    pub(super) fn next(&mut self, piece: &mut Piece) -> Result<bool> {
        piece.gap.append(&mut self.after);
        loop {
            let (offset, number) = (self.input.offset, self.input.line);
            if !self.input.line(&mut self.line)? {
                return Ok(!piece.bytes.is_empty());
            }
            let in_code = self.code.holds(&self.line, offset, &self.layout.closers);
            let is_separator = if self.layout.ruled { is_rule(&self.line) } else { is_blank(&self.line) };
            let ends = is_separator && !in_code;
            if ends || is_blank(&self.line) {
                let to = if piece.bytes.is_empty() { &mut piece.gap } else { &mut self.after };
                to.extend_from_slice(&self.line);
                if ends && !piece.bytes.is_empty() {
                    return Ok(true);
                }
                continue;
            }
            if piece.bytes.is_empty() {
                (piece.offset, piece.line) = (offset, number);
            }
            piece.bytes.append(&mut self.after);
            let text = without_end(&self.line);
            piece.bytes.extend_from_slice(text);
            self.after.extend_from_slice(self.line.get(text.len()..).unwrap_or_default());
        }
    }
}

fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunks(text: &str) -> Vec<String> {
        let store = Store::Bytes(text.as_bytes().to_vec());
        let layout = TextLayout::find(&store, "f").unwrap();
        let mut pieces = TextPieces::new(&store, "f", &layout);
        let mut found = Vec::new();
        loop {
            let mut piece = Piece::default();
            if !pieces.next(&mut piece).unwrap() {
                return found;
            }
            found.push(String::from_utf8(piece.bytes).unwrap());
        }
    }

    #[test]
    fn rules_come_before_blank_lines() {
        assert_eq!(chunks("a\n\nb\nc\n\n \n\n  d\n"), ["a", "b\nc", "  d"]);
        assert_eq!(chunks("a\n\nb\n---\n\nc \n--- \n\n---\nd"), ["a\n\nb", "c ", "d"]);
        assert_eq!(chunks("a\r\n---\r\nb\r\n"), ["a", "b"]);
        assert_eq!(chunks("a\n - ---\n\nb ---\n----\n"), ["a\n - ---", "b ---\n----"]);
        assert!(chunks("").is_empty() && chunks("\n\n").is_empty() && chunks("---\n\n---").is_empty());
    }

    #[test]
    fn code_is_not_taken_apart() {
        assert_eq!(chunks("```\na\n\nb\n```\n\nc"), ["```\na\n\nb\n```", "c"]);
        assert_eq!(chunks("~~~ yaml\na\n---\nb\n~~~\n---\nc\n"), ["~~~ yaml\na\n---\nb\n~~~", "c"]);
        assert_eq!(chunks("````\na\n```\n\n````\n\nb"), ["````\na\n```\n\n````", "b"]);
        // Only a fence that is closed somewhere holds its lines together.
        assert_eq!(chunks("```\na\n\nb\n~~~\n\nc"), ["```\na", "b\n~~~", "c"]);
        assert_eq!(chunks("a `` ``` b\n\nc\n"), ["a `` ``` b", "c"]);
    }

    #[test]
    fn front_matter_is_no_chunk() {
        assert_eq!(chunks("---\ntitle: T\ntags:\n  - a\n---\na\n\nb\n"), ["a", "b"]);
        assert_eq!(chunks("---\na text\n---\nb\n\nc"), ["a text", "b\n\nc"]);
    }

    #[test]
    fn texts_that_would_fall_apart_are_known() {
        assert!(is_one_chunk("a\nb", false) && is_one_chunk("a\n\nb", true) && is_one_chunk("```\n\n```", false));
        for text in ["a\n\nb", "a\n---\nb", "", "a\n", "\na"] {
            assert!(!is_one_chunk(text, false), "{text:?}");
        }
        assert!(!is_one_chunk("a\n---\nb", true));
    }

    #[test]
    fn many_fences_take_linear_time() {
        let mut text = String::new();
        for length in (3..1500).rev() {
            text.push_str(&"`".repeat(length));
            text.push_str("x\n\n");
        }
        assert_eq!(chunks(&text).len(), 1497);
    }
}
