//! Counts of what a document holds.

use std::ops::AddAssign;

use gristmill_core::{BlockKind, Document};

use crate::clean::{Repeats, boilerplate::is_boilerplate};
use crate::segment::sentence_starts;

/// What was counted, in one document or over many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Heading lines.
    pub headings: u64,
    /// Paragraphs of prose, those in list items and quotes included.
    pub paragraphs: u64,
    /// Sentences of the paragraphs.
    pub sentences: u64,
    /// Code blocks of any form.
    pub code_blocks: u64,
    /// Code blocks between fences.
    pub fenced_code_blocks: u64,
    /// Fenced code blocks whose fence is never closed.
    pub unclosed_fences: u64,
    /// Tables.
    pub tables: u64,
    /// Lists, nested ones each for itself.
    pub lists: u64,
    /// Block quotes.
    pub blockquotes: u64,
    /// Paragraphs of 60 and more characters, outside lists, that are equal to an earlier one of the same document.
    pub repeated_blocks: u64,
    /// Paragraphs made of lines from the published list.
    pub boilerplate: u64,
    /// Links and bare URLs in prose and tables; images are not counted.
    pub links: u64,
    /// Images in prose and tables.
    pub images: u64,
    /// Unicode code points.
    pub characters: u64,
    /// Runs of characters that are not white space.
    pub words: u64,
}

/// Counts everything in one pass.
pub fn inspect(document: &Document) -> Counts {
    inspect_window(document, &mut Repeats::default(), true)
}

/// The same for one window of a very large document; `repeats` is carried from its first window to its last. Without
/// `sentences`, which cost more than all the rest, their number stays 0.
pub fn inspect_window(document: &Document, repeats: &mut Repeats, sentences: bool) -> Counts {
    let mut counts =
        Counts { characters: document.text.chars().count() as u64, words: words(&document.text), ..Counts::default() };
    let mut starts = Vec::new();
    let mut list_depth: Option<u8> = None;
    for block in &document.blocks {
        list_depth = list_depth.filter(|depth| block.depth > *depth);
        let text = &document.text[block.span.range()];
        match block.kind {
            BlockKind::Heading { .. } => counts.headings += 1,
            BlockKind::Code { closed, .. } => counts.code(text, closed),
            BlockKind::Table { .. } => counts.tables += 1,
            BlockKind::Quote => counts.blockquotes += 1,
            BlockKind::List { .. } => {
                counts.lists += 1;
                list_depth = list_depth.or(Some(block.depth));
            }
            BlockKind::Row => counts.inline(text),
            BlockKind::Paragraph => {
                counts.paragraph(text);
                counts.repeated_blocks += u64::from(list_depth.is_none() && repeats.is_repeat(text));
                if sentences {
                    sentence_starts(text, &mut starts);
                    counts.sentences += starts.len() as u64;
                }
            }
            _ => {}
        }
    }
    counts
}

impl Counts {
    fn code(&mut self, text: &str, closed: bool) {
        let fenced = text.starts_with("```") || text.starts_with("~~~");
        self.code_blocks += 1;
        self.fenced_code_blocks += u64::from(fenced);
        self.unclosed_fences += u64::from(fenced && !closed);
    }

    fn paragraph(&mut self, text: &str) {
        self.paragraphs += 1;
        self.boilerplate += u64::from(is_boilerplate(text));
        self.inline(text);
    }

    fn inline(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let (mut images, mut links) = (0u64, 0u64);
        // `![`, `](` and `://` differ in their second byte.
        for at in memchr::memchr3_iter(b'[', b'(', b'/', bytes) {
            let before = &bytes[..at];
            match bytes[at] {
                b'[' => images += u64::from(before.ends_with(b"!")),
                b'(' => links += u64::from(before.ends_with(b"]")),
                _ => {
                    let is_url = before.ends_with(b":") && bytes.get(at + 1) == Some(&b'/');
                    links += u64::from(is_url && !is_target(&before[..at - 1]));
                }
            }
        }
        self.images += images;
        self.links += links.saturating_sub(images);
    }
}

/// Runs of characters that are not white space.
fn words(text: &str) -> u64 {
    let (mut count, mut inside) = (0, false);
    let mut bytes = text.as_bytes();
    while let Some((first, rest)) = bytes.split_first() {
        // The first byte of every white space character beyond ASCII; most characters with these bytes are none.
        let (white, len) = match first {
            0xc2 | 0xe1 | 0xe2 | 0xe3 => {
                let c = text[text.len() - bytes.len()..].chars().next().unwrap_or_default();
                (c.is_whitespace(), c.len_utf8())
            }
            _ => (matches!(first, b'\t'..=b'\r' | b' '), 1),
        };
        count += u64::from(inside & white);
        inside = !white;
        bytes = &rest[len - 1..];
    }
    count + u64::from(inside)
}

/// True when a URL whose scheme ends here is the target of a link: `](https`.
fn is_target(before: &[u8]) -> bool {
    let scheme =
        before.iter().rev().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.')).count();
    before[..before.len() - scheme].ends_with(b"](")
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.headings += other.headings;
        self.paragraphs += other.paragraphs;
        self.sentences += other.sentences;
        self.code_blocks += other.code_blocks;
        self.fenced_code_blocks += other.fenced_code_blocks;
        self.unclosed_fences += other.unclosed_fences;
        self.tables += other.tables;
        self.lists += other.lists;
        self.blockquotes += other.blockquotes;
        self.repeated_blocks += other.repeated_blocks;
        self.boilerplate += other.boilerplate;
        self.links += other.links;
        self.images += other.images;
        self.characters += other.characters;
        self.words += other.words;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Sample;

    #[test]
    fn words_are_what_white_space_leaves() {
        let white: String = (0..=0x3fff).filter_map(char::from_u32).filter(|c| c.is_whitespace()).collect();
        assert_eq!(white.chars().count(), 25);
        for text in ["", " a  b", "é\u{a0}ü\u{3000}漢\u{2003}ẞ ", "\u{1c}a\u{85}b\u{200b}c"] {
            assert_eq!(words(text), text.split_whitespace().count() as u64, "{text:?}");
        }
        let spread: String = white.chars().flat_map(|c| ['a', c]).collect();
        assert_eq!(words(&spread), 25);
    }

    #[test]
    fn every_kind_is_counted() {
        let long = "The valve is opened by hand before the pump is started again. Then wait.";
        let item = |s: Sample| s.gap("- ").paragraph(long);
        let list = |s: Sample| s.within(BlockKind::Item, item).gap("\n").within(BlockKind::Item, item);
        let open = BlockKind::Code { body: gristmill_core::Span::default(), closed: false };
        let document = Sample::new()
            .heading(1, "a")
            .gap("\n\n")
            .paragraph(long)
            .gap("\n\n")
            .paragraph(&long.replacen(' ', "\n", 1))
            .gap("\n\n")
            .within(BlockKind::List { ordered: false }, list)
            .gap("\n\n")
            .within(BlockKind::Quote, |s| s.gap("> ").paragraph("Back to top"))
            .gap("\n\n")
            .paragraph("See [a](https://a.org), ![b](c.png) and https://d.org.")
            .gap("\n\n")
            .table("[x](y)")
            .gap("\n\n")
            .code("é\n")
            .gap("\n\n")
            .leaf(open, "~~~\nb")
            .build();
        let text = document.text.clone();
        let expected = Counts {
            headings: 1,
            paragraphs: 6,
            sentences: 10,
            code_blocks: 2,
            fenced_code_blocks: 2,
            unclosed_fences: 1,
            tables: 1,
            lists: 1,
            blockquotes: 1,
            repeated_blocks: 1,
            boilerplate: 1,
            links: 3,
            images: 1,
            characters: text.len() as u64 - 1,
            words: text.split_whitespace().count() as u64,
        };
        assert_eq!(inspect(&document), expected);
        let mut repeats = Repeats::default();
        let first = inspect_window(&document, &mut repeats, false);
        assert_eq!(first, Counts { sentences: 0, ..expected });
        // In a second window with the same text, both paragraphs repeat.
        assert_eq!(inspect_window(&document, &mut repeats, false).repeated_blocks, 2);
        let mut sum = expected;
        sum += expected;
        assert_eq!((sum.headings, sum.words, sum.links), (2, 2 * expected.words, 6));
    }
}
