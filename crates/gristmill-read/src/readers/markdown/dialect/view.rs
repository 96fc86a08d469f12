//! The text as the parser sees it, and the way back.

use std::borrow::Cow;

/// A change for the parser's eyes only.
#[derive(Clone, Debug)]
pub(super) struct Patch {
    /// The range replaced.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) with: Cow<'static, str>,
    /// Index of the mark that it stands for.
    pub(super) mark: Option<usize>,
}

/// A stretch of the view: text as it is, or what a patch put in its place.
#[derive(Clone, Copy, Debug)]
struct Piece {
    /// Where it begins in the view.
    seen: usize,
    /// Where it begins in the text.
    start: usize,
    /// Bytes that are the same in both; 0 for a patch.
    len: usize,
    mark: Option<usize>,
}

/// A text with patches applied.
#[derive(Debug)]
pub(in super::super) struct View<'t> {
    /// What the parser reads.
    pub(in super::super) seen: Cow<'t, str>,
    /// In order; empty when nothing is changed.
    pieces: Vec<Piece>,
}

impl<'t> View<'t> {
    /// `patches` are sorted and do not overlap.
    pub(super) fn new(text: &'t str, patches: &[Patch]) -> Self {
        if patches.is_empty() {
            return Self { seen: Cow::Borrowed(text), pieces: Vec::new() };
        }
        let mut seen = String::with_capacity(text.len());
        let mut pieces = Vec::with_capacity(patches.len() * 2 + 1);
        let mut from = 0;
        for patch in patches {
            pieces.push(Piece { seen: seen.len(), start: from, len: patch.start - from, mark: None });
            seen.push_str(&text[from..patch.start]);
            pieces.push(Piece { seen: seen.len(), start: patch.start, len: 0, mark: patch.mark });
            seen.push_str(&patch.with);
            from = patch.end;
        }
        pieces.push(Piece { seen: seen.len(), start: from, len: text.len() - from, mark: None });
        seen.push_str(&text[from..]);
        Self { seen: Cow::Owned(seen), pieces }
    }

    /// The place in the text of a place in the view. All of a patch is where what it replaced begins.
    pub(in super::super) fn place(&self, seen: usize) -> usize {
        self.piece(seen).map_or(seen, |piece| piece.start + (seen - piece.seen).min(piece.len))
    }

    /// The index of the mark that stands at this place of the view.
    pub(in super::super) fn mark(&self, seen: usize) -> Option<usize> {
        self.piece(seen)?.mark
    }

    fn piece(&self, seen: usize) -> Option<&Piece> {
        let after = self.pieces.partition_point(|piece| piece.seen <= seen);
        after.checked_sub(1).and_then(|index| self.pieces.get(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_lead_back() {
        let patch = |start, end, with, mark| Patch { start, end, with: Cow::Borrowed(with), mark };
        let view = View::new(
            "  ab:::cd",
            &[patch(0, 2, "", None), patch(4, 7, "<?>", Some(0)), patch(9, 9, "\n<?>", Some(1))],
        );
        assert_eq!(view.seen, "ab<?>cd\n<?>");
        let places: Vec<_> =
            [0, 1, 2, 4, 5, 6, 7, 8].into_iter().map(|seen| (view.place(seen), view.mark(seen))).collect();
        let expected =
            [(2, None), (3, None), (4, Some(0)), (4, Some(0)), (7, None), (8, None), (9, Some(1)), (9, Some(1))];
        assert_eq!(places, expected);
    }
}
