//! Byte, code point and line positions in the decoded source, found in one pass.

/// A place in the decoded source file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// Bytes (UTF-8) before it.
    pub byte: u64,
    /// Code points before it.
    pub char: u64,
    /// Lines that end before it; CR, LF and CRLF each end one line.
    pub line: u64,
}

/// Moves through a source text and counts.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    source: &'a str,
    /// Where the text begins in its file.
    origin: Position,
    at: usize,
    here: Position,
}

impl<'a> Cursor<'a> {
    /// Begins before `source`, which itself begins at `origin` of its file.
    pub fn new(source: &'a str, origin: Position) -> Self {
        Self { source, origin, at: 0, here: origin }
    }

    /// The position of byte `at` of the source text. Going forward costs the way, going back starts anew.
    pub fn to(&mut self, at: usize) -> Position {
        let at = self.source.floor_char_boundary(at);
        if at < self.at {
            (self.at, self.here) = (0, self.origin);
        }
        let passed = &self.source[self.at..at];
        self.here.byte += passed.len() as u64;
        self.here.char += passed.chars().count() as u64;
        self.here.line += line_ends(passed, self.source.as_bytes().get(at).copied());
        self.at = at;
        self.here
    }

    /// The position of a byte a little before the one last asked for, without moving.
    pub fn before(&self, at: usize) -> Position {
        let at = self.source.floor_char_boundary(at);
        if at > self.at {
            return Cursor::clone(self).to(at);
        }
        let back = &self.source[at..self.at];
        let mut place = self.here;
        place.byte -= back.len() as u64;
        place.char -= back.chars().count() as u64;
        place.line -= line_ends(back, self.source.as_bytes().get(self.at).copied());
        place
    }
}

/// Line ends in `text`; `next` is the byte after it, so that a CR before an LF is counted with the LF.
fn line_ends(text: &str, next: Option<u8>) -> u64 {
    let bytes = text.as_bytes();
    let lone = |i: usize| bytes.get(i + 1).copied().or(if i + 1 == bytes.len() { next } else { None }) != Some(b'\n');
    let feeds = memchr::memchr_iter(b'\n', bytes).count();
    let returns = memchr::memchr_iter(b'\r', bytes).filter(|&i| lone(i)).count();
    (feeds + returns) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_characters_and_lines() {
        let source = "é\r\nb\rc\n한d";
        let mut cursor = Cursor::new(source, Position::default());
        assert_eq!(cursor.to(0), Position::default());
        // After the CR of CRLF: the line has not ended yet.
        assert_eq!(cursor.to(3), Position { byte: 3, char: 2, line: 0 });
        assert_eq!(cursor.to(4), Position { byte: 4, char: 3, line: 1 });
        assert_eq!(cursor.to(6), Position { byte: 6, char: 5, line: 2 });
        assert_eq!(cursor.to(11), Position { byte: 11, char: 8, line: 3 });
        assert_eq!(cursor.before(6), Position { byte: 6, char: 5, line: 2 });
        assert_eq!(cursor.to(4), Position { byte: 4, char: 3, line: 1 });
    }

    #[test]
    fn a_window_counts_from_its_origin() {
        let origin = Position { byte: 100, char: 90, line: 7 };
        assert_eq!(Cursor::new("a\nb", origin).to(2), Position { byte: 102, char: 92, line: 8 });
    }
}
