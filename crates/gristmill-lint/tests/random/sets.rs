//! Random chunk sets: made up of anything, and cut from documents as bad splitters do.

use std::fmt;

use gristmill_core::{Part, PartKind, Span};
use gristmill_lint::{Group, Piece};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::texts::{document, text};

/// What a file tells of its chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// The text alone.
    Text,
    /// Identity, path and place, as exports of other tools do.
    Metadata,
    /// All that our own records tell: what is overlap, and where each part stands in the document.
    Parts,
}

/// Chunks of one source.
#[derive(Clone)]
pub struct Set {
    pub group: Group,
    pub told: Told,
    /// The text they were cut from, when none of it is missing.
    pub document: Option<String>,
    /// Chunks repeat text of the one before.
    pub overlaps: bool,
}

impl Set {
    /// The same with other pieces.
    pub fn with(&self, pieces: impl Iterator<Item = Piece>) -> Self {
        Self { group: Group { source: self.group.source.clone(), pieces: pieces.collect() }, ..self.clone() }
    }

    /// True when the file has no place for anything but text.
    pub fn bare(&self) -> bool {
        self.group.pieces.iter().any(|piece| piece.bare)
    }
}

impl fmt::Debug for Set {
    /// Short enough to be read when a test fails.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:?}, {} pieces", self.told, self.group.pieces.len())?;
        for piece in &self.group.pieces {
            write!(f, "  {} {:?}", piece.index, piece.text)?;
            if self.told != Told::Text {
                let parts = piece.parts.iter().map(|part| (part.kind.name(), part.range.range()));
                write!(f, " {:?} {:?} {:?}", piece.path, piece.place, parts.collect::<Vec<_>>())?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// Chunks that were made up.
pub fn made_up() -> impl Strategy<Value = Set> {
    let told = select(&[Told::Text, Told::Metadata, Told::Parts][..]);
    (told, vec(odd_piece(), 0..9)).prop_flat_map(|(told, pieces)| {
        let count = pieces.len();
        (Just(told), Just(pieces), Just((0..count).collect::<Vec<_>>()).prop_shuffle(), any::<bool>()).prop_map(
            |(told, pieces, order, shuffled)| {
                let index = |at: usize| if shuffled { order[at] } else { at };
                let pieces = pieces.into_iter().enumerate().map(|(at, odd)| odd.piece(index(at), told)).collect();
                let source = (told != Told::Text).then(|| "a.md".to_owned());
                Set { group: Group { source, pieces }, told, document: None, overlaps: false }
            },
        )
    })
}

/// What a made-up chunk is made of.
#[derive(Clone, Debug)]
struct Odd {
    text: String,
    id: Option<u8>,
    path: Vec<&'static str>,
    place: Option<(u16, u16)>,
    paged: bool,
    parts: Vec<(PartKind, u16)>,
}

fn odd_piece() -> impl Strategy<Value = Odd> {
    let kind = select(
        &[
            PartKind::Body,
            PartKind::Overlap,
            PartKind::Heading,
            PartKind::TableHeader,
            PartKind::Opener,
            PartKind::Closer,
            PartKind::LeadIn,
        ][..],
    );
    let path = vec(select(&["Guide", "Install", "Notes"][..]), 0..3);
    let place = proptest::option::weighted(0.3, (any::<u16>(), any::<u16>()));
    (text(), proptest::option::of(any::<u8>()), path, place, any::<bool>(), vec((kind, any::<u16>()), 0..4))
        .prop_map(|(text, id, path, place, paged, parts)| Odd { text, id, path, place, paged, parts })
}

impl Odd {
    fn piece(self, index: usize, told: Told) -> Piece {
        let mut piece = Piece::new(index, None, self.text);
        if told == Told::Text {
            return piece;
        }
        piece.id = self.id.map(|id| format!("c{id}"));
        piece.path = self.path.into_iter().map(str::to_owned).collect();
        piece.place = self.place.map(|(start, len)| u64::from(start)..u64::from(start) + u64::from(len));
        piece.line = piece.place.as_ref().map(|place| place.start / 40 + 1);
        piece.paged = self.paged;
        piece.overlap_known = told == Told::Parts;
        let mut at = 0;
        let mut parts = Vec::new();
        for (kind, len) in self.parts {
            let kind = if told == Told::Metadata && kind == PartKind::Overlap { PartKind::Heading } else { kind };
            let end = (at + usize::from(len) % 40).min(piece.text.len());
            let end = (end..=piece.text.len()).find(|end| piece.text.is_char_boundary(*end)).unwrap_or(end);
            parts.push(Part { kind, range: Span::new(at, end), origin: None });
            at = end;
        }
        if at < piece.text.len() {
            parts.push(Part { kind: PartKind::Body, range: Span::new(at, piece.text.len()), origin: None });
        }
        parts.retain(|part| !part.range.is_empty());
        piece.parts = parts;
        piece
    }
}

/// How a splitter cuts.
#[derive(Clone, Copy, Debug)]
enum Unit {
    Chars,
    Words,
    Lines,
}

/// Chunks cut from a document.
pub fn cut() -> impl Strategy<Value = Set> {
    let unit = select(&[Unit::Chars, Unit::Words, Unit::Lines][..]);
    let told = select(&[Told::Text, Told::Metadata, Told::Parts][..]);
    let overlap = prop_oneof![1 => Just(0_usize), 1 => 1..60_usize];
    (document(), unit, vec(1..120_usize, 1..5), overlap, any::<bool>(), told, any::<bool>()).prop_map(
        |(document, unit, sizes, overlap, strips, told, pathed)| {
            // Where nothing but the text tells of it, a splitter repeats enough to be seen.
            let longer = match told {
                _ if overlap == 0 => 0,
                Told::Text => 260,
                Told::Metadata | Told::Parts => 40,
            };
            let sizes: Vec<usize> = sizes.iter().map(|size| size + longer).collect();
            let overlap = overlap + longer / 4;
            let splitter = Splitter { unit, sizes: &sizes, overlap, strips };
            let ranges = splitter.ranges(&document);
            let path = if pathed { vec!["Guide".to_owned()] } else { Vec::new() };
            let piece = |(index, range): (usize, &(usize, usize, usize))| piece(index, &document, *range, told, &path);
            let pieces = ranges.iter().enumerate().map(piece).collect();
            let source = (told != Told::Text).then(|| "a.md".to_owned());
            Set { group: Group { source, pieces }, told, document: Some(document), overlaps: overlap > 0 }
        },
    )
}

struct Splitter<'a> {
    unit: Unit,
    sizes: &'a [usize],
    overlap: usize,
    strips: bool,
}

impl Splitter<'_> {
    /// Start with overlap, start of the body, and end of each chunk, in bytes.
    fn ranges(&self, document: &str) -> Vec<(usize, usize, usize)> {
        let atoms = self.atoms(document);
        let per = match self.unit {
            Unit::Chars => 1,
            Unit::Words => 6,
            Unit::Lines => 30,
        };
        let (mut ranges, mut at, mut turn, mut last) = (Vec::new(), 0, 0, 0);
        while at < atoms.len() {
            let size = (self.sizes[turn % self.sizes.len()] / per).max(1);
            let end = (at + size).min(atoms.len());
            // No splitter repeats more than half of what it adds, or of the chunk before.
            let from = at.saturating_sub((self.overlap / per).min(size / 2).min(last / 2));
            let start = |atom: usize| atoms.get(atom).copied().unwrap_or(document.len());
            let range = self.stripped(document, (start(from), start(at), start(end)));
            // A chunk in which nothing is new is none.
            let is_new = range.1 < range.2 || range.0 == range.1;
            ranges.extend(Some(range).filter(|_| is_new));
            (at, turn, last) = (end, turn + 1, size);
        }
        ranges
    }

    fn atoms(&self, document: &str) -> Vec<usize> {
        let begins = |at: usize, c: char| {
            let before = document[..at].chars().next_back();
            match self.unit {
                Unit::Chars => true,
                Unit::Words => before.is_none_or(char::is_whitespace) && !c.is_whitespace(),
                Unit::Lines => before.is_none_or(|before| before == '\n'),
            }
        };
        let mut atoms: Vec<usize> =
            document.char_indices().filter(|(at, c)| begins(*at, *c)).map(|(at, _)| at).collect();
        if atoms.first().is_none_or(|first| *first > 0) {
            atoms.insert(0, 0);
        }
        atoms
    }

    fn stripped(&self, document: &str, (from, start, end): (usize, usize, usize)) -> (usize, usize, usize) {
        if !self.strips {
            return (from, start, end);
        }
        let text = &document[from..end];
        let from = from + (text.len() - text.trim_start().len());
        let end = (from + document[from..end.max(from)].trim_end().len()).max(from);
        (from, start.clamp(from, end), end)
    }
}

fn piece(
    index: usize,
    document: &str,
    (from, start, end): (usize, usize, usize),
    told: Told,
    path: &[String],
) -> Piece {
    let mut piece = Piece::new(index, None, document[from..end].to_owned());
    if told == Told::Text {
        return piece;
    }
    let chars = |at: usize| document[..at].chars().count();
    let lines = |at: usize| document[..at].matches('\n').count() as u64 + 1;
    piece.id = Some(format!("c{index}"));
    piece.path = path.to_vec();
    // Other tools say where all of the text lies; our records, where the body does.
    let first = if told == Told::Parts { start } else { from };
    piece.place = Some(chars(first) as u64..chars(end) as u64);
    piece.line = Some(lines(first));
    if told == Told::Parts {
        let part = |kind, a: usize, b: usize| Part {
            kind,
            range: Span::new(a - from, b - from),
            origin: Some(Span::new(chars(a), chars(b))),
        };
        piece.overlap_known = true;
        piece.parts = vec![part(PartKind::Overlap, from, start), part(PartKind::Body, start, end)];
        piece.parts.retain(|part| !part.range.is_empty());
    }
    piece
}

/// The same for a file of chunks that are divided by blank lines: nothing but text, and no blank lines in it.
pub fn without_blank_lines(mut set: Set) -> Set {
    let solid = |text: &str| text.lines().filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join("\n");
    let texts = set.group.pieces.iter().map(|piece| solid(piece.text.trim()));
    let pieces = texts.filter(|text| !text.is_empty()).enumerate().map(|(at, text)| Piece::new(at, None, text));
    set.group = Group { source: None, pieces: pieces.collect() };
    set.told = Told::Text;
    set
}
