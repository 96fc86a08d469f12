//! A measured text: where its pieces end and how many tokens lie before each border.

use std::ops::Range;

use gristmill_core::{Measured, Part};

use super::classes::{CASELESS, Classes, LOWER, NUMBER, OTHER, UPPER};
use super::fit::{Step, Taken};
use super::pretoken::Pattern;
use super::{Counter, Encoding};

/// How a piece ends depends on what follows it, but never on more than the three pieces after it: white space looks at
/// the white space and the character behind it, a word of `o200k_base` at the capitals and contractions behind it. Where
/// a part of the text is followed by something else, this many of its last pieces are cut and counted again, unless
/// [`is_settled`] tells that the last is enough.
const UNSURE: usize = 3;

/// Bytes of a stretch of the text. A piece has some five.
const STRETCH: usize = 64;

/// A border between pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Border {
    /// Bytes before it.
    at: u32,
    /// Tokens before it.
    tokens: u32,
}

/// The borders of all pieces, the ends of the text included.
pub(super) struct Index<'t, P> {
    encoding: &'t Encoding<P>,
    text: &'t str,
    borders: Vec<Border>,
    /// For each stretch the number of the first border in it or behind it.
    firsts: Vec<u32>,
}

impl<'t, P: Pattern> Index<'t, P> {
    /// Cuts and counts all of `text`. Borders beyond 4 GiB are left out; ranges there are counted anew.
    pub(super) fn new(encoding: &'t Encoding<P>, text: &'t str) -> Self {
        let bytes = text.as_bytes();
        let mut borders = Vec::with_capacity(text.len() / 5 + 2);
        let mut firsts = Vec::with_capacity(text.len() / STRETCH + 1);
        encoding.with(|counter| {
            let (mut end, mut tokens) = (0, 0);
            while let Ok(at) = u32::try_from(end) {
                firsts.resize(firsts.len().max(end / STRETCH + 1), borders.len() as u32);
                borders.push(Border { at, tokens });
                if end == bytes.len() {
                    break;
                }
                let (next, count) = counter.piece(bytes, end);
                end = next;
                tokens = u32::saturating_add(tokens, count as u32);
            }
        });
        Self { encoding, text, borders, firsts }
    }

    /// The number of the first border at or after `at`.
    fn first_at(&self, at: usize) -> usize {
        let Some(first) = self.firsts.get(at / STRETCH) else { return self.borders.len() };
        let first = *first as usize;
        let behind = self.borders.get(first..).unwrap_or_default();
        first + behind.iter().take_while(|border| (border.at as usize) < at).count()
    }

    fn border(&self, number: usize) -> Option<(usize, usize)> {
        self.borders.get(number).map(|border| (border.at as usize, border.tokens as usize))
    }

    /// If `at` is a border, the last one that no more than `left` tokens lead to, and how many of them are left there.
    fn jump(&self, at: usize, left: usize) -> (usize, usize) {
        let Some((_, before)) = self.border(self.first_at(at)).filter(|(border, _)| *border == at) else {
            return (at, left);
        };
        let past = self.borders.partition_point(|border| border.tokens as usize <= before.saturating_add(left));
        let reached = past.checked_sub(1).and_then(|number| self.border(number));
        reached.map_or((at, left), |(reached, tokens)| (reached, left - (tokens - before)))
    }

    /// The number of tokens of `content`. `same` lists, in order, ranges of it that are also at the given position of
    /// the measured text.
    fn count(&self, content: &[u8], same: impl Iterator<Item = (Range<usize>, usize)>) -> usize {
        self.encoding.with(|counter| {
            let (mut at, mut total) = (0, 0);
            for (range, origin) in same {
                count_to(counter, content, range.start, &mut at, &mut total);
                let end = origin + range.len();
                let settled = [(content, range.end), (self.text.as_bytes(), end)];
                let known = if settled.iter().all(|(text, end)| is_settled(counter.classes, text, *end)) {
                    self.first_at(end).checked_sub(1)
                } else {
                    self.first_at(end + 1).checked_sub(UNSURE + 1)
                };
                let Some((last, tokens_before_last)) = known.and_then(|number| self.border(number)) else { continue };
                while origin + at < range.start + last {
                    let here = origin + at - range.start;
                    match self.border(self.first_at(here)) {
                        Some((border, tokens)) if border == here => {
                            total += tokens_before_last - tokens;
                            at = range.start + last - origin;
                        }
                        _ => count_piece(counter, content, &mut at, &mut total),
                    }
                }
            }
            count_to(counter, content, content.len(), &mut at, &mut total);
            total
        })
    }
}

/// Whether the pieces that end before `end` are the same whatever follows there: to see beyond, a piece would have to look
/// across the last character. None looks across punctuation, but for the apostrophe of a contraction, and none across the
/// end of a word or number with white space behind it.
fn is_settled(classes: &Classes, text: &[u8], end: usize) -> bool {
    let before = text.get(..end).unwrap_or_default();
    let start = before.iter().rposition(|byte| byte & 0xc0 != 0x80).unwrap_or(end);
    match classes.at(before, start).0 {
        OTHER => before.last() != Some(&b'\''),
        UPPER | LOWER | CASELESS | NUMBER => text.get(end).is_none_or(u8::is_ascii_whitespace),
        _ => false,
    }
}

/// Counts pieces until `to` is reached or passed.
fn count_to<P: Pattern>(counter: &mut Counter<'_, P>, content: &[u8], to: usize, at: &mut usize, total: &mut usize) {
    while *at < to {
        count_piece(counter, content, at, total);
    }
}

fn count_piece<P: Pattern>(counter: &mut Counter<'_, P>, content: &[u8], at: &mut usize, total: &mut usize) {
    let (end, count) = counter.piece(content, *at);
    *at = end;
    *total += count;
}

impl<P: Pattern> Measured for Index<'_, P> {
    fn size(&self, range: Range<usize>) -> usize {
        debug_assert!(self.text.get(range.clone()).is_some(), "a range on character borders: {range:?}");
        let content = self.text.get(range.clone()).unwrap_or_default();
        self.count(content.as_bytes(), std::iter::once((0..content.len(), range.start)))
    }

    fn reach(&self, start: usize, max: usize) -> usize {
        self.encoding.with(|counter| {
            let (mut at, mut left) = (start, max);
            loop {
                (at, left) = self.jump(at, left);
                if at >= self.text.len() {
                    return self.text.len();
                }
                match Step::new(self.text, start, at, left, counter.vocabulary.longest).take(counter) {
                    Taken::Whole(end, count) => (at, left) = (end, left - count),
                    Taken::Part(end) => return end,
                }
            }
        })
    }

    fn content_size(&self, content: &str, parts: &[Part]) -> usize {
        let same = parts.iter().filter_map(|part| {
            let (range, origin) = (part.range.range(), part.origin?.range());
            let is_same = content.get(range.clone())? == self.text.get(origin.clone())?;
            is_same.then_some((range, origin.start))
        });
        self.count(content.as_bytes(), same)
    }

    fn is_exact(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use gristmill_core::{PartKind, Sizer, Span};
    use proptest::prelude::*;
    use proptest::sample::Index as Pick;

    use super::*;
    use crate::count::bpe::testing::rich_text;
    use crate::count::bpe::{cl100k_base, o200k_base};

    fn encodings() -> [Box<dyn Sizer>; 2] {
        [Box::new(cl100k_base()), Box::new(o200k_base())]
    }

    fn borders(text: &str) -> Vec<usize> {
        text.char_indices().map(|(at, _)| at).chain([text.len()]).collect()
    }

    fn pick_range(text: &str, a: Pick, b: Pick) -> Range<usize> {
        let borders = borders(text);
        let (a, b) = (*a.get(&borders), *b.get(&borders));
        a.min(b)..a.max(b)
    }

    /// A content made of ranges of `text` and injected pieces in turn.
    fn assemble(text: &str, pieces: &[(String, Pick, Pick)]) -> (String, Vec<Part>) {
        let (mut content, mut parts) = (String::new(), Vec::new());
        for (injected, a, b) in pieces {
            let origin = pick_range(text, *a, *b);
            for (piece, origin) in [(injected.as_str(), None), (&text[origin.clone()], Some(origin))] {
                let start = content.len();
                content.push_str(piece);
                let kind = if origin.is_some() { PartKind::Body } else { PartKind::Heading };
                let origin = origin.map(|origin| Span::new(origin.start, origin.end));
                parts.push(Part { kind, range: Span::new(start, content.len()), origin });
            }
        }
        (content, parts)
    }

    proptest! {
        #[test]
        fn ranges_count_as_if_taken_alone(text in rich_text(80), a: Pick, b: Pick) {
            for encoding in encodings() {
                let range = pick_range(&text, a, b);
                let alone = encoding.size(&text[range.clone()]);
                prop_assert_eq!(encoding.measure(&text).size(range), alone);
                prop_assert_eq!(encoding.measure(&text).size(0..text.len()), encoding.size(&text));
            }
        }

        #[test]
        fn contents_count_as_if_whole(
            text in rich_text(60),
            pieces in prop::collection::vec((rich_text(5), any::<Pick>(), any::<Pick>()), 0..5),
        ) {
            let (content, parts) = assemble(&text, &pieces);
            for encoding in encodings() {
                prop_assert_eq!(encoding.measure(&text).content_size(&content, &parts), encoding.size(&content));
            }
        }

        #[test]
        fn reach_is_the_greatest_end_that_fits(text in rich_text(30), start: Pick, max in 0_usize..12) {
            let borders = borders(&text);
            let start = *start.get(&borders);
            for encoding in encodings() {
                let fits = |end: &&usize| **end >= start && encoding.size(&text[start..**end]) <= max;
                let greatest = borders.iter().rev().find(fits).copied().unwrap();
                prop_assert_eq!(encoding.measure(&text).reach(start, max), greatest);
            }
        }

        #[test]
        fn reach_is_the_greatest_end_in_long_pieces(
            pieces in prop::collection::vec(prop::sample::select(&["中", "国", "人", "the", "ing", "e", "q"][..]), 30..90),
            max in 0_usize..60,
        ) {
            let text = pieces.concat();
            for encoding in encodings() {
                let fits = |end: &&usize| encoding.size(&text[..**end]) <= max;
                let greatest = borders(&text).iter().rev().find(fits).copied().unwrap();
                prop_assert_eq!(encoding.measure(&text).reach(0, max), greatest);
            }
        }
    }

    #[test]
    fn parts_that_do_not_say_the_truth_do_no_harm() {
        let span = |start, end| Span { start, end };
        for origin in [span(0, 5), span(3, 9), span(90, 95), span(2, 1)] {
            let part = Part { kind: PartKind::Body, range: span(0, 5), origin: Some(origin) };
            for encoding in encodings() {
                assert_eq!(encoding.measure("some other text").content_size("hello", &[part]), 1);
            }
        }
    }
}
