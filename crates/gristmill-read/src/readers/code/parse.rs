//! Runs a grammar over a text within bounds of work.
//!
//! Grammars are quick on programs and can be endlessly slow on other text: they read to the end of the text again and again
//! for the end of a string that has none, or keep thousands of readings of nested brackets alive. So their steps and the
//! bytes that they read are counted, and texts of too many open brackets are not given to them. Counts, not time, so that
//! the same text is always read in the same way.

use std::cell::Cell;
use std::ops::ControlFlow;

use tree_sitter::{Language, ParseOptions, ParseState, Parser, Tree};

/// Bytes of text for each step that may be taken; a step is a hundred operations of a grammar. Of 8,500 files of programs
/// none took a step for less than 27 bytes.
const BYTES_A_STEP: usize = 12;

/// Steps that any text may take.
const STEPS: usize = 500;

/// How often a text may be read over.
const READINGS: usize = 16;

/// Bytes that may be read of any text.
const READ: usize = 1024 * 1024;

/// Bytes that a grammar gets at a time.
const PORTION: usize = 2048;

/// Brackets that may be open at a time.
const OPEN: usize = 2000;

/// Angle brackets that may be open within one statement, where they are brackets.
const OPEN_ANGLES: usize = 200;

/// The syntax tree of `text`; none when it takes more work than a text of its length should. With `angles`, `<` may open
/// a bracket.
pub(super) fn parse(text: &str, grammar: &Language, angles: bool) -> Option<Tree> {
    if is_knotted(text, angles) {
        return None;
    }
    let mut parser = Parser::new();
    parser.set_language(grammar).ok()?;
    let (steps, read) = (Cell::new(0), Cell::new(0));
    let is_spent =
        || steps.get() > STEPS + text.len() / BYTES_A_STEP || read.get() > READ.saturating_add(text.len() * READINGS);
    let mut step = |_: &ParseState| {
        steps.set(steps.get() + 1);
        if is_spent() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let mut portion = |at: usize, _| {
        let rest = text.as_bytes().get(at..).unwrap_or_default();
        let portion = if is_spent() { &[] } else { &rest[..rest.len().min(PORTION)] };
        read.set(read.get() + portion.len());
        portion
    };
    let options = ParseOptions::new().progress_callback(&mut step);
    let tree = parser.parse_with_options(&mut portion, None, Some(options))?;
    (!is_spent()).then_some(tree)
}

/// True when more brackets are open at a time than any program opens, wherever they stand.
fn is_knotted(text: &str, angles: bool) -> bool {
    let (mut open, mut open_angles) = (0usize, 0usize);
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'(' | b'[' => open += 1,
            b')' | b']' => open = open.saturating_sub(1),
            b'{' => (open, open_angles) = (open + 1, 0),
            b'}' => (open, open_angles) = (open.saturating_sub(1), 0),
            b';' => open_angles = 0,
            b'>' => open_angles = open_angles.saturating_sub(1),
            b'<' if angles && !is_comparison(bytes.peek()) => open_angles += 1,
            _ => {}
        }
        if open > OPEN || open_angles > OPEN_ANGLES {
            return true;
        }
    }
    false
}

/// True when what follows `<` does not begin a type.
fn is_comparison(next: Option<&u8>) -> bool {
    next.is_none_or(|next| matches!(next, b' ' | b'=' | b'<' | b'0'..=b'9'))
}

/// Places where the grammar failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Errors {
    /// How many.
    pub count: usize,
    /// Line of the first, from 1.
    pub line: u64,
}

impl Errors {
    /// Finds the errors of a tree.
    pub(super) fn of(tree: &Tree) -> Self {
        let mut errors = Self::default();
        let mut cursor = tree.walk();
        loop {
            let node = cursor.node();
            if node.is_error() || node.is_missing() {
                errors.add(node.start_position().row as u64 + 1);
            } else if node.has_error() && cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return errors;
                }
            }
        }
    }

    fn add(&mut self, line: u64) {
        if self.count == 0 {
            self.line = line;
        }
        self.count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_not_knotted() {
        assert!(!is_knotted(&"if (a < b) { f(x[i]); }\n".repeat(5000), true));
        assert!(!is_knotted(&"<p>text</p>".repeat(5000), true));
        assert!(!is_knotted(&"if a < b then c << 2 else d <= 3\n".repeat(5000), true));
        assert!(!is_knotted(&"if a<b:\n    c\n".repeat(5000), false));
        assert!(is_knotted(&"[".repeat(OPEN + 1), false));
        assert!(is_knotted(&"a<b,".repeat(OPEN_ANGLES + 1), true));
    }
}
