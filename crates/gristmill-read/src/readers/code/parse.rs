//! Runs a grammar over a text within a bound of work.

use std::ops::ControlFlow;

use tree_sitter::{Language, ParseOptions, ParseState, Parser, Tree};

/// Bytes of text for each step that may be taken: the grammars report after every hundred operations. Ordinary code takes
/// a step for dozens of bytes, and wreckage in which the grammar looks for a way out takes many times more.
const BYTES_A_STEP: usize = 4;

/// Steps that any text may take.
const STEPS: usize = 10_000;

/// The syntax tree of `text`; none when it takes more work than a text of its length should.
pub(super) fn parse(text: &str, grammar: &Language) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(grammar).ok()?;
    let limit = STEPS + text.len() / BYTES_A_STEP;
    let mut steps = 0;
    let mut count = |_: &ParseState| {
        steps += 1;
        if steps > limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut count);
    let mut rest = |at: usize, _| text.as_bytes().get(at..).unwrap_or_default();
    parser.parse_with_options(&mut rest, None, Some(options))
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
