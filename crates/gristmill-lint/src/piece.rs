//! A chunk as the rules see it, whoever made it.

use std::ops::Range;

use gristmill_core::{Part, PartKind, Span};

/// Parts of a split piece are told apart by the upper bits of their index.
const PART_BITS: u32 = usize::BITS / 8 * 5;

/// The index of part `rank` of the piece with this index; the first, 0, has the index of the piece.
pub fn part_index(piece: usize, rank: usize) -> usize {
    piece.wrapping_add(rank << PART_BITS)
}

/// The index that comes after that of a part.
pub fn next_part(part: usize) -> usize {
    part_index(part, 1)
}

/// The place in the input of the piece with this index, and which part of it that is, from 0.
pub fn part_of(index: usize) -> (usize, usize) {
    (index & (usize::MAX >> (usize::BITS - PART_BITS)), index >> PART_BITS)
}

/// A chunk under the rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    /// Its place in the input, from 0; of a part of a split piece, see [`part_of`].
    pub index: usize,
    /// Its identity, as the input gives it.
    pub id: Option<String>,
    /// Exactly the text that is embedded.
    pub text: String,
    /// Tile `text`. Every byte that is not overlap and not injected is body. Origins count code points of the source.
    pub parts: Vec<Part>,
    /// True when the maker of the chunk says what is overlap; else it is found by comparing neighbours.
    pub overlap_known: bool,
    /// Bytes at the end of the piece before that the overlap repeats.
    pub overlap_before: usize,
    /// The piece before, by index, with which its overlap was found; `None` when its text is another one since.
    pub derived_after: Option<Option<usize>>,
    /// Titles of the headings that its metadata carries, outermost first.
    pub path: Vec<String>,
    /// Where the body lies in its source, in a unit that all pieces of the source share.
    pub place: Option<Range<u64>>,
    /// Its place among the pieces of its source as the input counts them, from the first to the last of those it holds.
    pub order: Option<(u64, u64)>,
    /// Pieces that were merged into it, earlier or now, as its file counts them.
    pub counted: u64,
    /// Line of the source on which the body begins, from 1.
    pub line: Option<u64>,
    /// Its text has line ends where its source has other white space, so that lines cannot be counted in it.
    pub skewed: bool,
    /// Its text is no longer as long as its place says, so that places cannot be counted in it.
    pub unmeasured: bool,
    /// True when its source is known to be a paged document, such as a PDF.
    pub paged: bool,
    /// Names of metadata that are there and filled.
    pub metadata: Vec<String>,
    /// Pieces that were merged into this one, by index, in the order of their text.
    pub merged: Vec<usize>,
    /// How many of them were since the piece was read, or was made as if it had been.
    pub grown: usize,
    /// Its file has no place to say what of its text was put in: who reads it again sees nothing but text.
    pub bare: bool,
}

impl Piece {
    /// A piece that is nothing but body.
    pub fn new(index: usize, id: Option<String>, text: String) -> Self {
        let parts = whole(&text);
        Self { index, id, text, parts, ..Self::default() }
    }

    /// What a piece without an identity is known by: `#3`, of its second part `#3-2`.
    pub fn number(&self) -> String {
        match part_of(self.index) {
            (index, 0) => format!("#{index}"),
            (index, rank) => format!("#{index}-{}", rank + 1),
        }
    }

    /// The pieces of text that are the chunk's own.
    pub fn bodies(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter(|part| part.kind == PartKind::Body).map(|part| &self.text[part.range.range()])
    }

    /// The first byte that is neither injected nor overlap; the length of the text when there is none.
    pub fn body_start(&self) -> usize {
        let body = self.parts.iter().find(|part| part.kind == PartKind::Body);
        body.map_or(self.text.len(), |part| part.range.start as usize)
    }

    /// One past the last byte of the last body.
    pub fn body_end(&self) -> usize {
        let body = self.parts.iter().rev().find(|part| part.kind == PartKind::Body);
        body.map_or(self.text.len(), |part| part.range.end as usize)
    }

    /// The first byte that was not injected: overlap or body.
    pub fn shown_start(&self) -> usize {
        let shown = self.parts.iter().find(|part| matches!(part.kind, PartKind::Body | PartKind::Overlap));
        shown.map_or(self.text.len(), |part| part.range.start as usize)
    }

    /// Bytes of text repeated from the piece before.
    pub fn overlap_len(&self) -> usize {
        self.parts.iter().filter(|part| part.kind == PartKind::Overlap).map(|part| part.range.len()).sum()
    }

    /// True when a repair or the chunker put a part of this kind in.
    pub fn has(&self, kind: PartKind) -> bool {
        self.parts.iter().any(|part| part.kind == kind)
    }

    /// True when the byte belongs to injected text.
    pub fn is_injected(&self, at: usize) -> bool {
        let holder = self.parts.iter().find(|part| part.range.range().contains(&at));
        holder.is_some_and(|part| !matches!(part.kind, PartKind::Body | PartKind::Overlap))
    }

    /// The titles of a first line such as `[Guide > Install]` with a blank line after it, and its length.
    pub(crate) fn note(&self) -> Option<(&str, usize)> {
        let [Part { kind: PartKind::Body, .. }] = self.parts.as_slice() else { return None };
        let (line, rest) = self.text.split_once("\n\n")?;
        let titles = line.strip_prefix('[')?.strip_suffix(']')?;
        let is_note =
            !line.contains("](") && !line.contains('\n') && !line.starts_with("[^") && !line.starts_with("[ ]");
        let is_note = is_note && !titles.trim().is_empty();
        (is_note && !rest.trim().is_empty()).then_some((titles, line.len() + 2))
    }

    /// Marks the first bytes as the path of headings.
    pub(crate) fn mark_note(&mut self, len: usize) {
        let part = |kind, start, end| Part { kind, range: Span::new(start, end), origin: None };
        self.parts = vec![part(PartKind::Heading, 0, len), part(PartKind::Body, len, self.text.len())];
    }

    /// Makes it what it is when its file is read again. What stays is what it knows of its past: its index, its name, what
    /// was merged into it.
    pub(crate) fn read_again(&mut self) {
        if self.bare {
            self.parts = whole(&self.text);
        } else if !self.overlap_known {
            self.parts = told(std::mem::take(&mut self.parts));
        }
        self.order = self.order.map(|(first, _)| (first, first.saturating_add(self.counted)));
        (self.overlap_before, self.derived_after, self.grown) = (0, None, 0);
    }

    /// Makes parts that do not tile the text into one body, and overlap behind the first body into body, so that no input
    /// can break what rests on them.
    pub fn ensure_tiled(&mut self) {
        let mut at = 0;
        let mut tiles = true;
        for part in &self.parts {
            let (start, end) = (part.range.start as usize, part.range.end as usize);
            tiles &= start == at && end >= start && self.text.get(start..end).is_some();
            at = end;
        }
        if !tiles || at != self.text.len() {
            self.parts = whole(&self.text);
        }
        let own = self.parts.iter_mut().skip_while(|part| part.kind != PartKind::Body);
        own.filter(|part| part.kind == PartKind::Overlap).for_each(|part| part.kind = PartKind::Body);
    }
}

/// What a file of another tool can say of parts: which were put in, and where.
fn told(parts: Vec<Part>) -> Vec<Part> {
    let mut told: Vec<Part> = Vec::with_capacity(parts.len());
    for part in parts {
        let kind = if part.kind == PartKind::Overlap { PartKind::Body } else { part.kind };
        match told.last_mut().filter(|last| last.kind == PartKind::Body && kind == PartKind::Body) {
            Some(last) => last.range.end = part.range.end,
            None => told.push(Part { kind, origin: None, ..part }),
        }
    }
    told
}

fn whole(text: &str) -> Vec<Part> {
    if text.is_empty() {
        return Vec::new();
    }
    vec![Part { kind: PartKind::Body, range: Span::new(0, text.len()), origin: None }]
}
