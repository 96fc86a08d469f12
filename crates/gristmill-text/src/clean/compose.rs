//! Two rounds of edits as one.

use gristmill_core::{Edit, EditKind, OffsetMap, Span};

/// One list of edits that turns the source straight into what `second` makes of `middle`.
///
/// `first` made `middle` from the source and `map` leads back; `second` is in positions of `middle`, sorted and not
/// overlapping. Where an edit of the second round reaches into or over edits of the first, they become one edit of the
/// second's kind. So the result is sorted and free of overlap, and applied to the source it gives the final text.
pub(super) fn compose(first: Vec<Edit>, map: &OffsetMap, middle: &str, second: Vec<Edit>) -> Vec<Edit> {
    if map.is_identity() {
        return merge(first, second);
    }
    let mut out = Vec::with_capacity(first.len() + second.len());
    let images = images(&first, map);
    let mut olds = first.into_iter().zip(images).peekable();
    let mut news = second.into_iter().peekable();
    while let Some(new) = news.next() {
        while let Some((old, _)) = olds.next_if(|(_, image)| image.end <= new.at.start) {
            out.push(old);
        }
        let mut joined = Joined::new(new, map);
        while let Some((old, image)) = olds.next_if(|(_, image)| image.start < joined.text.end) {
            joined.absorb_old(&old, image);
            while let Some(new) = news.next_if(|new| new.at.start < joined.text.end) {
                joined.absorb_new(new, map);
            }
        }
        out.push(joined.into_edit(middle));
    }
    out.extend(olds.map(|(old, _)| old));
    out
}

/// Both lists in order. Without a map there is nothing in the text that the first list made: it is empty, or speaks of
/// another text (the pages of a PDF) and is left alone.
fn merge(mut first: Vec<Edit>, second: Vec<Edit>) -> Vec<Edit> {
    first.extend(second);
    first.sort_by_key(|edit| edit.at);
    first
}

/// Where in the new text the replacement of each edit stands.
fn images(edits: &[Edit], map: &OffsetMap) -> Vec<Span> {
    let mut before: Option<(u32, u32)> = None;
    let mut images = Vec::with_capacity(edits.len());
    for edit in edits {
        let len = Span::new(0, edit.with.len()).end;
        let start = match before {
            Some((source, text)) if source == edit.at.start => text,
            _ if edit.at.is_empty() => map.from_source(edit.at.start).saturating_sub(len),
            _ => map.from_source(edit.at.start),
        };
        images.push(Span { start, end: start + len });
        before = Some((edit.at.end, start + len));
    }
    images
}

/// Edits of both rounds that touch one another.
struct Joined {
    kind: EditKind,
    /// In the middle text.
    text: Span,
    /// In the source.
    source: Span,
    /// The second round's share, in the middle text.
    cuts: Vec<Edit>,
}

impl Joined {
    fn new(edit: Edit, map: &OffsetMap) -> Self {
        Self { kind: edit.kind, text: edit.at, source: map.span(edit.at), cuts: vec![edit] }
    }

    /// The map knows the ends of kept text only; the ends of a replacement are known to its edit.
    fn absorb_old(&mut self, old: &Edit, image: Span) {
        if image.start <= self.text.start {
            (self.text.start, self.source.start) = (image.start, old.at.start);
        }
        if image.end >= self.text.end {
            (self.text.end, self.source.end) = (image.end, old.at.end);
        }
    }

    fn absorb_new(&mut self, new: Edit, map: &OffsetMap) {
        if new.at.end > self.text.end {
            (self.text.end, self.source.end) = (new.at.end, map.end(new.at.end));
        }
        self.cuts.push(new);
    }

    /// The text of the whole range with the cuts made.
    fn into_edit(mut self, middle: &str) -> Edit {
        let with = match self.cuts.as_mut_slice() {
            [only] if only.at == self.text => std::mem::take(&mut only.with),
            cuts => {
                let mut with = String::new();
                let mut from = self.text.start as usize;
                for cut in cuts {
                    with.push_str(&middle[from..cut.at.start as usize]);
                    with.push_str(&cut.with);
                    from = cut.at.end as usize;
                }
                with.push_str(&middle[from..self.text.end as usize]);
                with
            }
        };
        Edit { kind: self.kind, at: self.source, with }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(kind: EditKind, start: usize, end: usize, with: &str) -> Edit {
        Edit { kind, at: Span::new(start, end), with: with.into() }
    }

    fn both(source: &str, first: Vec<Edit>, second: Vec<Edit>) -> (Vec<Edit>, String) {
        let (middle, map) = OffsetMap::apply(source, &first);
        let (last, _) = OffsetMap::apply(&middle, &second);
        let edits = compose(first, &map, &middle, second);
        assert_eq!(OffsetMap::apply(source, &edits).0, last);
        (edits, last)
    }

    #[test]
    fn neighbours_stay_apart() {
        let first = vec![edit(EditKind::LineEnd, 3, 4, "")];
        let (edits, text) = both("a  \r\nb", first, vec![edit(EditKind::Blanks, 1, 3, "")]);
        assert_eq!(text, "a\nb");
        assert_eq!(edits, [edit(EditKind::Blanks, 1, 3, ""), edit(EditKind::LineEnd, 3, 4, "")]);
    }

    #[test]
    fn a_removal_takes_in_what_it_covers() {
        let first = vec![edit(EditKind::LineEnd, 2, 3, ""), edit(EditKind::LineEnd, 5, 6, "")];
        let (edits, text) = both("ab\r\nc\r\nde", first, vec![edit(EditKind::Pattern, 1, 5, "")]);
        assert_eq!(text, "ade");
        assert_eq!(edits, [edit(EditKind::Pattern, 1, 7, "")]);
    }

    #[test]
    fn cuts_into_a_replacement_become_one_edit() {
        let first = vec![edit(EditKind::LongUrl, 2, 9, "[URL]")];
        let second = vec![edit(EditKind::Pattern, 1, 3, ""), edit(EditKind::Pattern, 5, 7, "x")];
        let (edits, text) = both("a https:/ b", first, second);
        assert_eq!(text, "aURx b");
        assert_eq!(edits, [edit(EditKind::Pattern, 1, 9, "URx")]);
    }

    #[test]
    fn adjacent_replacements_keep_their_places() {
        let first = vec![edit(EditKind::Unicode, 0, 1, "xx"), edit(EditKind::Unicode, 1, 2, "yy")];
        let (edits, text) = both("abc", first, vec![edit(EditKind::Pattern, 3, 4, "")]);
        assert_eq!(text, "xxyc");
        assert_eq!(edits, [edit(EditKind::Unicode, 0, 1, "xx"), edit(EditKind::Pattern, 1, 2, "y")]);
    }

    proptest::proptest! {
        #[test]
        fn composed_edits_do_what_both_rounds_do(
            source in "[abcd]{0,40}",
            first in cuts(), second in cuts(),
        ) {
            let first = fit(first, source.len());
            let middle = OffsetMap::apply(&source, &first).0;
            let second = fit(second, middle.len());
            let (edits, _) = both(&source, first, second);
            for pair in edits.windows(2) {
                assert!(pair[0].at.end <= pair[1].at.start, "{edits:?}");
            }
        }
    }

    fn cuts() -> impl proptest::strategy::Strategy<Value = Vec<(usize, usize, String)>> {
        proptest::collection::vec((0..4usize, 1..4usize, "[XYZ]{0,3}"), 0..8)
    }

    /// Gaps, lengths and replacements as edits within `len` bytes.
    fn fit(parts: Vec<(usize, usize, String)>, len: usize) -> Vec<Edit> {
        let mut at = 0;
        let mut edits = Vec::new();
        for (gap, width, with) in parts {
            let start = at + gap;
            at = start + width;
            if at <= len {
                edits.push(edit(EditKind::Pattern, start, at, &with));
            }
        }
        edits
    }
}
