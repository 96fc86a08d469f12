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
        Self { max_chars: 4_000, tokens: None, min_chars: 20 }
    }
}

impl LintCx<'_> {
    /// True when a text is within the limits.
    pub fn fits(&self, text: &str) -> bool {
        let few = text.len() <= self.max_chars || text.chars().count() <= self.max_chars;
        few && self.tokens.is_none_or(|limit| limit.sizer.size(text) <= limit.max)
    }
}
