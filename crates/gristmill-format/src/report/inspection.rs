//! What stands in a document, in numbers.

use schemars::JsonSchema;
use serde::Serialize;

/// Counts of what was found in a document, or in several together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Inspection {
    /// Headings.
    pub headings: u64,
    /// Paragraphs of prose.
    pub paragraphs: u64,
    /// Sentences of prose.
    pub sentences: u64,
    /// Code blocks between fences.
    pub fenced_code_blocks: u64,
    /// Tables.
    pub tables: u64,
    /// Lists.
    pub lists: u64,
    /// Block quotes.
    pub blockquotes: u64,
    /// Blocks of prose of 60 characters and more that repeat an earlier one of the same document.
    pub repeated_blocks: u64,
    /// Whole lines from the published list of boilerplate.
    pub boilerplate_lines: u64,
    /// Code fences that are opened and never closed.
    pub unclosed_fences: u64,
    /// Pages on which no text was found.
    pub pages_without_text: u64,
    /// Tokens of the text.
    pub tokens: u64,
    /// Code points of the text.
    pub characters: u64,
    /// Words of the text.
    pub words: u64,
}

impl Inspection {
    /// Adds the counts of `other`.
    pub fn add(&mut self, other: &Self) {
        let Self {
            headings,
            paragraphs,
            sentences,
            fenced_code_blocks,
            tables,
            lists,
            blockquotes,
            repeated_blocks,
            boilerplate_lines,
            unclosed_fences,
            pages_without_text,
            tokens,
            characters,
            words,
        } = other;
        self.headings += headings;
        self.paragraphs += paragraphs;
        self.sentences += sentences;
        self.fenced_code_blocks += fenced_code_blocks;
        self.tables += tables;
        self.lists += lists;
        self.blockquotes += blockquotes;
        self.repeated_blocks += repeated_blocks;
        self.boilerplate_lines += boilerplate_lines;
        self.unclosed_fences += unclosed_fences;
        self.pages_without_text += pages_without_text;
        self.tokens += tokens;
        self.characters += characters;
        self.words += words;
    }

    /// Each count with a name for people, in the order of the fields.
    pub fn rows(&self) -> [(&'static str, u64); 14] {
        [
            ("headings", self.headings),
            ("paragraphs", self.paragraphs),
            ("sentences", self.sentences),
            ("fenced code blocks", self.fenced_code_blocks),
            ("tables", self.tables),
            ("lists", self.lists),
            ("block quotes", self.blockquotes),
            ("repeated blocks", self.repeated_blocks),
            ("boilerplate lines", self.boilerplate_lines),
            ("unclosed fences", self.unclosed_fences),
            ("pages without text", self.pages_without_text),
            ("tokens", self.tokens),
            ("characters", self.characters),
            ("words", self.words),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adding_reaches_every_count() {
        let fields = serde_json::to_value(Inspection::default()).unwrap();
        let mut one = Inspection { headings: 1, paragraphs: 2, words: 14, ..Inspection::default() };
        one.add(&one.clone());
        assert_eq!((one.headings, one.paragraphs, one.words, one.tables), (2, 4, 28, 0));
        assert_eq!(fields.as_object().unwrap().len(), one.rows().len());
    }
}
