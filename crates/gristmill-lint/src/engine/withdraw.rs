//! What is shown as fixable is what a repair mended.

use rustc_hash::FxHashMap;

use super::Repaired;
use crate::{Finding, Piece, Safety, part_of};

impl Repaired {
    /// Takes back the repairs of findings about the pieces `before` that are still there afterwards: of each rule as many as
    /// it still has about a piece, and about those that were merged into it. What offers no repair stays first; of the others
    /// the last, as repairs are made in the order of the text.
    pub fn withdraw(&self, found: &mut [Finding], before: &[Piece], least: Safety) {
        let mut left = self.left_by_piece();
        let holders = self.holders();
        for offered in [false, true] {
            for finding in found.iter_mut().rev().filter(|finding| finding.is_offered(least) == offered) {
                let Some(index) = before.get(finding.piece).map(|piece| part_of(piece.index).0) else { continue };
                let holder = holders.get(&index).copied().unwrap_or(index);
                let Some(count) = left.get_mut(&(finding.rule, holder)).filter(|count| **count > 0) else { continue };
                *count -= 1;
                finding.withdraw(least);
            }
        }
    }

    /// How many findings each rule has left about each piece, by its place in the input.
    fn left_by_piece(&self) -> FxHashMap<(&'static str, usize), usize> {
        let mut left = FxHashMap::default();
        for finding in &self.left {
            if let Some(piece) = self.pieces.get(finding.piece) {
                *left.entry((finding.rule, part_of(piece.index).0)).or_default() += 1;
            }
        }
        left
    }

    /// The pieces that hold those that were merged, both by their places in the input. Of a piece that was split and whose
    /// parts went to others, the first part tells.
    fn holders(&self) -> FxHashMap<usize, usize> {
        let merged = |piece: &Piece| {
            let holder = part_of(piece.index).0;
            let first = piece.merged.iter().filter(|merged| part_of(**merged).1 == 0);
            first.map(move |merged| (*merged, holder)).collect::<Vec<_>>()
        };
        self.pieces.iter().flat_map(merged).collect()
    }
}
