//! What becomes of chunks.

use std::collections::BTreeMap;

use gristmill_lint::Piece;

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
}

/// What became of the chunks that a repair touched, by their index; all others stay as they are.
pub type Fates = BTreeMap<usize, Fate>;

/// What became of the pieces of a group.
pub(super) fn of_group(before: &[Piece], after: &[Piece], fates: &mut Fates) {
    let mut holders: BTreeMap<usize, usize> = BTreeMap::new();
    for piece in after {
        holders.extend(piece.merged.iter().map(|merged| (*merged, piece.index)));
    }
    let left: BTreeMap<usize, &Piece> = after.iter().map(|piece| (piece.index, piece)).collect();
    for piece in before {
        match left.get(&piece.index) {
            None => {
                fates.insert(piece.index, Fate::Gone { into: holders.get(&piece.index).copied() });
            }
            Some(now) if now.text != piece.text || now.merged != piece.merged => {
                fates.insert(piece.index, Fate::Changed(Box::new((*now).clone())));
            }
            Some(_) => {}
        }
    }
}
