//! The pieces of one source as rules see them.

use gristmill_core::PartKind;

use crate::fences::Ahead;
use crate::outline::Outline;
use crate::seam::{Seam, keeps_white, overlap_start, seams};
use crate::shape::{Inside, Shape, read};
use crate::{LintCx, Piece};

/// So many pieces become one before borders are moved instead, where they can be.
const FEW: usize = 4;

/// The pieces of one source, in order, with what is known of them.
pub struct View<'a> {
    /// The source; `None` for pieces that name none.
    pub source: Option<&'a str>,
    /// The pieces.
    pub pieces: &'a [Piece],
    /// Their lines, one shape a piece.
    pub shapes: Vec<Shape>,
    /// The border between piece `i` and piece `i + 1`.
    pub seams: Vec<Seam>,
    /// The splitter kept the white space at its cuts.
    pub keeps_white: bool,
    /// The headings.
    pub outline: Outline,
    /// Settings.
    pub cx: &'a LintCx<'a>,
}

impl<'a> View<'a> {
    /// Reads the pieces.
    pub fn new(source: Option<&'a str>, pieces: &'a [Piece], cx: &'a LintCx<'a>) -> Self {
        let shapes = shapes(source, pieces);
        let outline = Outline::of(pieces, &shapes);
        let keeps_white = cx.keeps_white || keeps_white(pieces);
        let seams = seams(pieces, &shapes, keeps_white);
        Self { source, pieces, shapes, seams, keeps_white, outline, cx }
    }

    /// What people know the piece by.
    pub fn label(&self, piece: usize) -> String {
        label(&self.pieces[piece])
    }

    /// True when `left` and the piece after it may become one: nothing missing between them, same section of the highest
    /// level, and where both carry a path of headings, the same one.
    pub fn may_merge(&self, left: usize) -> bool {
        let Some([first, second]) = self.pieces.get(left..left + 2) else { return false };
        let same_path = first.path.is_empty() || second.path.is_empty() || first.path == second.path;
        same_path && !self.seams[left].hole && self.outline.same_top(self.begins_with_heading(left + 1))
    }

    /// True when a piece made of `left` and the next would be made of few: where a splitter cut every sentence, merging what
    /// fits would leave a set of the largest pieces that are allowed.
    pub fn merges_few(&self, left: usize) -> bool {
        let Some([first, second]) = self.pieces.get(left..left + 2) else { return false };
        first.grown + second.grown + 2 <= FEW
    }

    /// The level of the heading with which a piece's own text begins.
    pub fn begins_with_heading(&self, piece: usize) -> Option<u8> {
        let shape = &self.shapes[piece];
        let first = shape.first_from(self.pieces[piece].body_start())?;
        shape.headings.iter().find(|heading| heading.line == first).map(|heading| heading.level)
    }

    /// True when no heading stands between the text of `left` and that of the piece after it.
    pub fn same_section(&self, left: usize) -> bool {
        let Some([first, second]) = self.pieces.get(left..left + 2) else { return false };
        let known = first.path.is_empty() || second.path.is_empty() || first.path == second.path;
        known && self.begins_with_heading(left + 1).is_none()
    }

    /// The piece before, when there is one.
    pub fn before(&self, piece: usize) -> Option<usize> {
        piece.checked_sub(1)
    }

    /// The piece after, when there is one.
    pub fn after(&self, piece: usize) -> Option<usize> {
        Some(piece + 1).filter(|next| *next < self.pieces.len())
    }
}

/// ``chunk `a` ``, or `chunk 3` when it has no identity.
pub fn label(piece: &Piece) -> String {
    piece.id.as_ref().map_or_else(|| format!("chunk {}", piece.number()), |id| format!("chunk `{id}`"))
}

/// The lines of each piece. A piece begins inside what the one before left open.
fn shapes(source: Option<&str>, pieces: &[Piece]) -> Vec<Shape> {
    if source.is_some_and(is_code) {
        return pieces.iter().map(|piece| Shape::of_code(&piece.text)).collect();
    }
    let ahead = Ahead::of(pieces);
    let mut shapes: Vec<Shape> = Vec::with_capacity(pieces.len());
    for (at, piece) in pieces.iter().enumerate() {
        let mut starts = match (shapes.last(), at.checked_sub(1).map(|before| &pieces[before])) {
            (Some(shape), Some(before)) => state_before(before, shape, piece.overlap_before),
            _ => Inside::default(),
        };
        let mut torn = at == 0;
        if starts.fence.as_ref().is_some_and(|fence| !ahead.closes(fence, at)) {
            starts.fence = None;
            torn = true;
        }
        let known = starts.fence.is_some() || piece.has(PartKind::Opener);
        let guess = if known { None } else { ahead.lost_opening(piece, at, torn) };
        let guessed = guess.is_some();
        starts.fence = starts.fence.or(guess);
        let mut shape = shape(piece, starts, at == 0);
        shape.guessed = guessed;
        shapes.push(shape);
    }
    shapes
}

/// Extensions of sources whose lines are statements, rows or entries and no running text.
const CODE: [&str; 48] = [
    "c", "cc", "cfg", "conf", "cpp", "cs", "css", "csv", "cxx", "dart", "ex", "exs", "go", "h", "hpp", "hs", "ini",
    "ipynb", "java", "jl", "js", "json", "jsonl", "jsx", "kt", "log", "lua", "m", "ml", "php", "pl", "ps1", "py", "r",
    "rb", "rs", "scala", "scss", "sh", "sql", "swift", "toml", "ts", "tsv", "tsx", "xml", "yaml", "yml",
];

/// True when a source by its name holds code or records.
fn is_code(source: &str) -> bool {
    let name = source.rsplit(['/', '\\']).next().unwrap_or(source);
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    extension.is_some_and(|extension| CODE.binary_search(&extension.as_str()).is_ok())
}

/// Reads a piece that begins inside `starts`. Injected headings and lead-ins are no lines of the document; an injected fence
/// line or table header stands for what the document opened before.
fn shape(piece: &Piece, mut starts: Inside, first: bool) -> Shape {
    if piece.has(PartKind::Opener) {
        starts.fence = None;
    }
    if piece.has(PartKind::TableHeader) {
        starts.table = None;
    }
    let front = front(piece);
    let mut shape = read(&piece.text[front..], starts, first && front == 0);
    if front > 0 {
        shape.put_in_front(&piece.text[..front]);
    }
    shape
}

/// Where what is injected in front and is no line of the document ends.
fn front(piece: &Piece) -> usize {
    let injected = piece.parts.iter().take_while(|part| !matches!(part.kind, PartKind::Body | PartKind::Overlap));
    let context = injected.filter(|part| matches!(part.kind, PartKind::Heading | PartKind::LeadIn));
    context.last().map_or(0, |part| part.range.end as usize)
}

/// What the text is inside of where the last `overlap` bytes of a piece begin.
fn state_before(piece: &Piece, shape: &Shape, overlap: usize) -> Inside {
    if overlap == 0 {
        return shape.ends.clone();
    }
    let at = overlap_start(&piece.text[..piece.body_end()], overlap);
    // Read again up to there: overlaps are short and few.
    piece.text.get(front(piece)..at).map_or_else(Inside::default, |text| read(text, shape.starts.clone(), false).ends)
}
