//! What must not be cut: sentences, words, table rows, list items, fences.

use gristmill_core::{BlockKind, Document, Span};
use gristmill_text::segment::sentence_starts;

use crate::items::own_span;

/// A kind of text that a border may break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A word.
    Word,
    /// A sentence.
    Sentence,
    /// A row of a table.
    Row,
    /// A list item without the lists in it.
    ListItem,
    /// A code block.
    Fence,
}

/// Ranges of `Document.text` that should stay whole, by kind, each in order and without overlap.
pub struct Wholes(Vec<(Kind, Vec<Span>)>);

impl Wholes {
    /// Finds them in a document.
    pub fn of(document: &Document) -> Self {
        let mut of: [Vec<Span>; 4] = Default::default();
        for (index, block) in document.blocks.iter().enumerate() {
            match block.kind {
                BlockKind::Paragraph | BlockKind::Heading { .. } | BlockKind::Line | BlockKind::Turn => {
                    sentences(document, index, &mut of[0]);
                }
                BlockKind::Row => of[1].push(block.span),
                BlockKind::Item => of[2].push(own_span(&document.blocks, index)),
                BlockKind::Code { .. } => of[3].push(block.span),
                _ => {}
            }
        }
        let kinds = [Kind::Sentence, Kind::Row, Kind::ListItem, Kind::Fence];
        let trim = |span: Span| span.trimmed(&document.text);
        Self(kinds.into_iter().zip(of.map(|spans| spans.into_iter().map(trim).collect())).collect())
    }

    /// What a border at a byte breaks, with the range that it breaks.
    pub fn broken_at<'a>(&'a self, text: &'a str, at: usize) -> impl Iterator<Item = (Kind, Span)> + 'a {
        let inside = move |spans: &Vec<Span>| {
            let before = spans.partition_point(|span| (span.start as usize) < at);
            before.checked_sub(1).map(|i| spans[i]).filter(|span| at < span.end as usize)
        };
        let word = word_around(text, at).map(|span| (Kind::Word, span));
        word.into_iter().chain(self.0.iter().filter_map(move |(kind, spans)| Some((*kind, inside(spans)?))))
    }
}

fn sentences(document: &Document, index: usize, out: &mut Vec<Span>) {
    let block = document.blocks[index];
    let text = &document.text[block.span.range()];
    let mut starts = Vec::new();
    sentence_starts(text, &mut starts);
    starts.push(text.len());
    let base = block.span.start as usize;
    let spans = starts.windows(2).map(|pair| Span::new(base + pair[0], base + pair[1]));
    out.extend(spans.filter(|span| !document.text[span.range()].trim().is_empty()));
}

/// Longer runs of letters are no words.
const LONGEST_WORD: usize = 100;

/// The word that is cut at a byte, in scripts that put spaces between words.
fn word_around(text: &str, at: usize) -> Option<Span> {
    if at == 0 || at >= text.len() || !text.is_char_boundary(at) {
        return None;
    }
    let head = text[..at].char_indices().rev().take_while(|(_, c)| is_spaced(*c)).take(LONGEST_WORD).last()?;
    let tail = text[at..].char_indices().take_while(|(_, c)| is_spaced(*c)).take(LONGEST_WORD).last()?;
    Some(Span::new(head.0, at + tail.0 + tail.1.len_utf8()))
}

/// A letter or digit of a script that puts spaces between words.
fn is_spaced(c: char) -> bool {
    let unspaced = matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{3005}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3fffd}');
    c.is_alphanumeric() && !unspaced
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::tests::{block, source};

    fn broken(text: &str, of: &str, kind: BlockKind, before: &str) -> Vec<Kind> {
        let source = source(text, vec![block(text, of, kind, 0)], Vec::new());
        let wholes = Wholes::of(&source.document);
        let at = text.find(before).unwrap();
        wholes.broken_at(text, at).map(|(kind, _)| kind).collect()
    }

    #[test]
    fn a_border_between_sentences_breaks_nothing() {
        let text = "One stands here. Two follows it.";
        assert!(broken(text, text, BlockKind::Paragraph, "Two").is_empty());
        assert!(broken(text, text, BlockKind::Paragraph, "One").is_empty());
        assert_eq!(broken(text, text, BlockKind::Paragraph, "follows"), [Kind::Sentence]);
        assert_eq!(broken(text, text, BlockKind::Paragraph, "ollows"), [Kind::Word, Kind::Sentence]);
    }

    #[test]
    fn scripts_without_spaces_have_no_words_to_break() {
        let text = "这是第一句。这是第二句。";
        assert!(broken(text, text, BlockKind::Paragraph, "这是第二").is_empty());
        assert_eq!(broken(text, text, BlockKind::Paragraph, "第二句"), [Kind::Sentence]);
    }

    #[test]
    fn fences_and_rows_are_whole() {
        let text = "```\na\nb\n```\n";
        let code = BlockKind::Code { body: Span::new(4, 8), closed: true };
        assert_eq!(broken(text, "```\na\nb\n```", code, "b\n"), [Kind::Fence]);
        assert_eq!(broken("| a | b |\n", "| a | b |", BlockKind::Row, "b |"), [Kind::Row]);
    }
}
