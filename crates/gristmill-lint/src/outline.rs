//! The headings of a source, as far as its pieces show them.

use rustc_hash::FxHashSet;

use crate::Piece;
use crate::shape::{Shape, atx, underline};

/// The headings of a source and which of them govern which piece.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    headings: Vec<Known>,
    /// The highest level there is.
    top: Option<u8>,
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
        outline.top = outline.headings.iter().map(|known| known.level).min();
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
        heading.is_none() || heading > self.top
    }
}

/// The titles of all lines that can be headings, as notes show them.
pub fn titles(pieces: &[Piece]) -> FxHashSet<String> {
    let mut titles = FxHashSet::default();
    for piece in pieces {
        let mut before = "";
        for line in piece.text.lines() {
            let bare = line.trim_start_matches([' ', '\t', '>']);
            if let Some((_, title)) = atx(bare) {
                titles.insert(plain(title));
            } else if underline(bare).is_some() {
                titles.insert(plain(before));
            }
            before = line;
        }
    }
    titles
}

/// A title without links and images, whose brackets would make the line another thing than a note.
pub fn plain(title: &str) -> String {
    let mut out = String::with_capacity(title.len());
    let mut rest = title;
    while let Some(at) = rest.find("](") {
        let (before, after) = rest.split_at(at);
        let Some(end) = after.find(')') else { break };
        match before.rfind('[') {
            Some(open) => {
                out.push_str(before[..open].trim_end_matches('!'));
                out.push_str(&before[open + 1..]);
            }
            None => out.push_str(before),
        }
        rest = &after[end + 1..];
    }
    out.push_str(rest);
    out.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn titles_lose_their_links() {
        assert_eq!(plain("The [guide](a.md) and ![logo](b.png) more"), "The guide and logo more");
        assert_eq!(plain("Use `a[0](b`"), "Use `a[0](b`");
        assert_eq!(plain("[one](x)"), "one");
    }
}
