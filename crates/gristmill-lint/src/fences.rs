//! Which code fences go on from piece to piece: a fence that is open at a border counts only when its end is seen later, and
//! the end of a block is told from the start of one where no piece shows the start.

use memchr::{memchr, memchr2, memrchr};

use crate::Piece;
use crate::shape::{Fence, marks};

/// Fences of more marks than this are taken for as long as this.
const LONGEST: usize = 10;
const SHORTEST: usize = 3;
const LENGTHS: usize = LONGEST - SHORTEST + 1;

/// What the next line with at least so many fence marks of a kind is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Next {
    /// There is none.
    #[default]
    Nothing,
    /// Nothing but marks: it can close a block.
    Bare,
    /// Marks and an info string: it opens a block.
    Info,
}

/// For each kind and number of marks, the next line with them.
type Row = [[Next; LENGTHS]; 2];

/// The fence lines of all pieces, for looking ahead.
pub struct Ahead {
    /// What is ahead at the start of each piece; one more than there are pieces.
    rows: Vec<Row>,
}

impl Ahead {
    /// Reads all pieces once.
    pub fn of(pieces: &[Piece]) -> Self {
        let mut rows = vec![Row::default(); pieces.len() + 1];
        for (at, piece) in pieces.iter().enumerate().rev() {
            rows[at] = rows[at + 1];
            let Some(row) = rows.get_mut(at) else { continue };
            marked_lines(&piece.text).into_iter().rev().for_each(|line| note(row, line));
        }
        Self { rows }
    }

    /// True when a fence that is open at the start of piece `at` is closed later. The first line with as many marks of its
    /// kind decides: when that opens a block of its own, the end of the earlier one is lost, and what lies between is not
    /// known to be code.
    pub fn closes(&self, fence: &Fence, at: usize) -> bool {
        self.next(fence, at) == Next::Bare
    }

    fn next(&self, fence: &Fence, at: usize) -> Next {
        let Some((kind, len)) = place(fence.mark, fence.len) else { return Next::Nothing };
        self.rows.get(at).map_or(Next::Nothing, |row| row[kind][len])
    }

    /// The fence in which piece `at` begins although no piece shows its opening: the first fence line of the piece can only
    /// be the end of a block. `torn` says that text before the piece may be missing; else only a fence line further on
    /// that opens a block gives it away.
    pub fn lost_opening(&self, piece: &Piece, at: usize, torn: bool) -> Option<Fence> {
        let shown = piece.text.get(piece.shown_start()..)?;
        let mut start = 0;
        let (line, fence) = shown.split_inclusive('\n').find_map(|line| {
            let found = Fence::opened_by(line.trim_end());
            start += if found.is_some() { 0 } else { line.len() };
            Some((line, found?))
        })?;
        if !fence.info.is_empty() || at == 0 && start == 0 {
            return None;
        }
        let (before, after) = (&shown[..start], &shown[start + line.len()..]);
        let mut row = self.rows.get(at + 1).copied()?;
        marked_lines(after).into_iter().rev().for_each(|line| note(&mut row, line));
        let (kind, len) = place(fence.mark, fence.len)?;
        let is_end = match row[kind][len] {
            Next::Info => !before.lines().any(is_sentence),
            Next::Nothing | Next::Bare => torn && is_code(before) && goes_on_as_text(after),
        };
        is_end.then_some(fence)
    }
}

/// The lines with the characters of fence marks in them.
fn marked_lines(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut lines = Vec::new();
    let mut from = 0;
    while let Some(at) = memchr2(b'`', b'~', &bytes[from..]).map(|at| from + at) {
        let start = memrchr(b'\n', &bytes[..at]).map_or(0, |end| end + 1);
        from = memchr(b'\n', &bytes[at..]).map_or(text.len(), |end| at + end + 1);
        lines.extend(text[start..from].lines().next());
    }
    lines
}

fn note(row: &mut Row, line: &str) {
    let Some((mark, len, info)) = marks(line) else { return };
    let Some((kind, len)) = place(mark, len) else { return };
    let next = if info.is_empty() { Next::Bare } else { Next::Info };
    row[kind][..=len].fill(next);
}

fn place(mark: char, len: usize) -> Option<(usize, usize)> {
    Some((usize::from(mark == '~'), len.min(LONGEST).checked_sub(SHORTEST)?))
}

/// True when the last lines of a text are surely code.
pub fn is_code(text: &str) -> bool {
    let lines = || text.lines().rev().filter(|line| !line.trim().is_empty()).take(12);
    lines().any(is_statement) && !lines().any(is_sentence)
}

fn is_statement(line: &str) -> bool {
    let line = line.trim();
    line.ends_with([';', '{', '}', '(', '\\'])
        || ["()", " = ", " == ", "->", "=>", "::", "</", "/>", " && "].iter().any(|mark| line.contains(mark))
        || ["$ ", "#include", "// ", "import ", "def ", "return ", "sudo "].iter().any(|mark| line.starts_with(mark))
}

/// Several words with the end mark of a sentence.
fn is_sentence(line: &str) -> bool {
    let line = line.trim();
    let wide = line.ends_with(['。', '！', '？', '：']);
    let ends = line.ends_with(['.', '!', '?', ':']) && !line.ends_with("...") && line.split_whitespace().count() >= 4;
    (wide || ends) && !is_statement(line)
}

fn goes_on_as_text(after: &str) -> bool {
    let first = after.lines().map(str::trim).find(|line| !line.is_empty());
    first.is_none_or(|line| is_sentence(line) || line.starts_with("# ") || line.starts_with("##"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ahead(texts: &[&str]) -> (Vec<Piece>, Ahead) {
        let pieces: Vec<Piece> =
            texts.iter().enumerate().map(|(at, text)| Piece::new(at, None, (*text).to_owned())).collect();
        let ahead = Ahead::of(&pieces);
        (pieces, ahead)
    }

    fn fence(line: &str) -> Fence {
        Fence::opened_by(line).expect("a fence")
    }

    #[test]
    fn a_longer_fence_holds_shorter_ones() {
        let (_, ahead) = ahead(&["````md\ntext", "```js\nx\n```\n", "````\n\n```sh\nls\n```"]);
        assert!(ahead.closes(&fence("````md"), 1));
        assert!(!ahead.closes(&fence("```md"), 1));
        assert!(!ahead.closes(&fence("~~~"), 1));
        assert!(!ahead.closes(&fence("`````"), 1));
    }

    #[test]
    fn the_end_of_a_block_is_told_from_a_start() {
        let lost = |texts: &[&str]| {
            let (pieces, ahead) = ahead(texts);
            ahead.lost_opening(&pieces[0], 0, true).is_some()
        };
        assert!(lost(&["let x = 1;\n```\n\nThat was the end of it."]));
        assert!(lost(&["make all\n```\n\n```sh\nls\n```"]));
        assert!(!lost(&["Run this:\n```\nlet x = 1;\n```\n"]));
        assert!(!lost(&["```\nlet x = 1;", "y\n```"]));
        assert!(!lost(&["A sentence stands before it.\n```\nx", "```js\ny\n```"]));
        assert!(!lost(&["make all\n```\nls\n```"]));
    }
}
