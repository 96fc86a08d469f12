//! What pieces are when their file is read again.

use std::hash::{Hash, Hasher};

use gristmill_core::Part;
use rustc_hash::{FxHashMap, FxHasher};

use crate::Piece;

/// What a file says of its pieces before any repair. Those that stay as they are stay so in the file, whatever was found out
/// about them.
pub struct Read {
    /// By index: a hash of the text, and its parts.
    parts: FxHashMap<usize, (u64, Vec<Part>)>,
}

impl Read {
    /// What the file says.
    pub fn of(pieces: &[Piece]) -> Self {
        let read = pieces.iter().filter(|piece| !piece.overlap_known);
        Self { parts: read.map(|piece| (piece.index, (hash(&piece.text), piece.parts.clone()))).collect() }
    }

    /// Makes the pieces what they are when they were written and read again.
    pub fn again(&self, pieces: &mut [Piece]) {
        for piece in pieces {
            piece.read_again();
            let same = self.parts.get(&piece.index).filter(|_| piece.merged.is_empty());
            if let Some((_, parts)) = same.filter(|(text, _)| *text == hash(&piece.text)) {
                piece.parts.clone_from(parts);
            }
        }
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    text.hash(&mut hasher);
    hasher.finish()
}
