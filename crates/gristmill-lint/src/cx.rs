//! What rules are told besides the pieces.

use gristmill_core::Sizer;

/// Settings of the rules.
#[derive(Clone)]
pub struct LintCx<'a> {
    /// More characters than this are too many.
    pub max_chars: usize,
    /// The limit of the model that is to embed the chunks, with its tokenizer.
    pub tokens: Option<TokenLimit<'a>>,
    /// Fewer characters of prose than this are too few to stand for themselves.
    pub min_chars: usize,
    /// The splitter is known to have repeated text, from other pieces of the set.
    pub overlaps: bool,
    /// The splitter is known to have kept the white space at its cuts, from other pieces of the set.
    pub keeps_white: bool,
    /// Whether the file that the chunks are written back to can hold a text; `None` when it holds any.
    pub holds: Option<&'a (dyn Fn(&str) -> bool + Sync)>,
}

/// A limit in tokens.
#[derive(Clone, Copy)]
pub struct TokenLimit<'a> {
    /// Counts.
    pub sizer: &'a dyn Sizer,
    /// The most tokens a text may have.
    pub max: usize,
}

impl Default for LintCx<'_> {
    fn default() -> Self {
        Self { max_chars: 4_000, tokens: None, min_chars: 20, overlaps: false, keeps_white: false, holds: None }
    }
}

impl LintCx<'_> {
    /// True when a text is within the limits and can be written.
    pub fn fits(&self, text: &str) -> bool {
        self.is_small(text) && self.can_hold(text)
    }

    /// True when a text can be written to the file it comes from.
    pub fn can_hold(&self, text: &str) -> bool {
        self.holds.is_none_or(|holds| holds(text))
    }

    /// True when a text is within the limits.
    pub fn is_small(&self, text: &str) -> bool {
        let few = text.len() <= self.max_chars || text.chars().count() <= self.max_chars;
        few && self.tokens.is_none_or(|limit| limit.sizer.size(text) <= limit.max)
    }
}
