//! What becomes of chunks.

use std::collections::BTreeMap;

use gristmill_lint::{Piece, part_of};

/// What became of one chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It went: its text stands in another chunk, or it had none.
    Gone {
        /// The chunk that holds its text.
        into: Option<usize>,
    },
    /// It has another text.
    Changed(Box<Piece>),
    /// It became several. The first keeps its identity.
    Split(Vec<Piece>),
}

impl Fate {
    /// How many chunks are there instead of it.
    pub fn count(&self) -> usize {
        match self {
            Self::Gone { .. } => 0,
            Self::Changed(_) => 1,
            Self::Split(parts) => parts.len(),
        }
    }
}

/// What became of the chunks that a repair touched, by their index; all others stay as they are.
pub type Fates = BTreeMap<usize, Fate>;

/// What became of the pieces of a group.
pub(super) fn of_group(before: &[Piece], after: Vec<Piece>, fates: &mut Fates) {
    let mut holders: BTreeMap<usize, usize> = BTreeMap::new();
    let mut left: BTreeMap<usize, Vec<Piece>> = BTreeMap::new();
    for piece in after {
        let index = part_of(piece.index).0;
        holders.extend(piece.merged.iter().map(|merged| (*merged, index)));
        left.entry(index).or_default().push(piece);
    }
    for piece in before {
        let mut parts = left.remove(&piece.index).unwrap_or_default();
        let fate = match parts.len() {
            0 => Fate::Gone { into: holders.get(&piece.index).copied() },
            1 => match parts.pop() {
                Some(now) if is_other(piece, &now) => Fate::Changed(Box::new(now)),
                _ => continue,
            },
            _ => Fate::Split(parts),
        };
        fates.insert(piece.index, fate);
    }
}

/// True when the file is to say something else of a piece. What was found out about the parts of one whose maker does not
/// tell them is not written.
fn is_other(piece: &Piece, now: &Piece) -> bool {
    let parts = piece.overlap_known && now.parts != piece.parts;
    now.text != piece.text || now.merged != piece.merged || now.place != piece.place || parts
}

/// The piece with this index, when a repair touched it.
pub(super) fn piece(fates: &Fates, index: usize) -> Option<&Piece> {
    match fates.get(&part_of(index).0)? {
        Fate::Gone { .. } => None,
        Fate::Changed(piece) => Some(piece),
        Fate::Split(parts) => parts.iter().find(|part| part.index == index),
    }
}

/// Takes out a piece, or one part of one that was split.
pub(super) fn remove(fates: &mut Fates, index: usize) {
    let at = part_of(index).0;
    if let Some(Fate::Split(parts)) = fates.get_mut(&at) {
        parts.retain(|part| part.index != index);
        if !parts.is_empty() {
            return;
        }
    }
    fates.insert(at, Fate::Gone { into: None });
}

#[cfg(test)]
mod tests {
    use gristmill_core::PartKind;

    use super::*;

    #[test]
    fn a_chunk_whose_parts_are_others_is_written() {
        let before = Piece { overlap_known: true, ..Piece::new(0, None, "## Costs\n\nThey rise.".to_owned()) };
        let mut now = before.clone();
        now.parts[0].kind = PartKind::Overlap;
        let fates = |now: Piece| {
            let mut fates = Fates::new();
            of_group(std::slice::from_ref(&before), vec![now], &mut fates);
            fates.len()
        };
        assert_eq!((fates(before.clone()), fates(now.clone())), (0, 1));
        // What was found out about the chunk of another tool is not written.
        let other = Piece { overlap_known: false, ..before.clone() };
        let mut unwritten = Fates::new();
        of_group(&[other], vec![Piece { overlap_known: false, ..now }], &mut unwritten);
        assert_eq!(unwritten.len(), 0);
    }
}
