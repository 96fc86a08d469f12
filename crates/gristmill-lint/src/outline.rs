//! The headings of a source, as far as its pieces show them.

use crate::Piece;
use crate::shape::Shape;

/// The headings of a source and which of them govern which piece.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    headings: Vec<Known>,
    /// For each piece the headings that are open at its start, and at its end.
    open: Vec<(Vec<u32>, Vec<u32>)>,
}

#[derive(Clone, Debug)]
struct Known {
    level: u8,
    title: String,
}

impl Outline {
    /// Reads the headings of the pieces. Injected headings and headings in the overlap open nothing.
    pub fn of(pieces: &[Piece], shapes: &[Shape]) -> Self {
        let mut outline = Self::default();
        let mut open: Vec<u32> = Vec::new();
        for (piece, shape) in pieces.iter().zip(shapes) {
            let before = open.clone();
            let own = piece.body_start();
            for heading in &shape.headings {
                let at = shape.lines[heading.line].span.start as usize;
                if at < own || piece.is_injected(at) {
                    continue;
                }
                open.retain(|known| outline.headings[*known as usize].level < heading.level);
                open.push(u32::try_from(outline.headings.len()).unwrap_or(u32::MAX));
                outline.headings.push(Known { level: heading.level, title: heading.title.clone() });
            }
            outline.open.push((before, open.clone()));
        }
        outline
    }

    /// True when no piece shows a heading.
    pub fn is_empty(&self) -> bool {
        self.headings.is_empty()
    }

    /// Titles of the headings that are open where the piece begins, outermost first.
    pub fn path_before(&self, piece: usize) -> Vec<&str> {
        self.open[piece].0.iter().map(|known| self.headings[*known as usize].title.as_str()).collect()
    }

    /// True when a piece that begins with a heading of this level, or with none, goes on with the section of the highest
    /// level that was open before it.
    pub fn same_top(&self, heading: Option<u8>) -> bool {
        let top = self.headings.iter().map(|known| known.level).min();
        heading.is_none() || heading > top
    }
}
