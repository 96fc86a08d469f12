//! Proves that a repair lost nothing.

use super::overlap::LOST;
use crate::{Change, Fold, Piece};

/// What may differ between the text before and after `changes`.
pub fn fold(changes: &[Change]) -> Fold {
    let folds = changes.iter().map(|change| match change {
        Change::Replace { fold, .. } => *fold,
        _ => Fold::Space,
    });
    folds.max_by_key(|fold| *fold as u8).unwrap_or(Fold::Space)
}

/// True when the pieces hold the same body text in the same order before and after, apart from what `fold` allows.
pub fn same_body<'a>(
    before: impl Iterator<Item = &'a Piece>,
    after: impl Iterator<Item = &'a Piece>,
    fold: Fold,
) -> bool {
    let letters = |piece: &'a Piece| piece.bodies().flat_map(str::chars);
    // What stands for a lost character is no text.
    let kept = |c: &char| !folded(*c, fold) && *c != LOST;
    before.flat_map(letters).filter(kept).eq(after.flat_map(letters).filter(kept))
}

fn folded(c: char, fold: Fold) -> bool {
    is_invisible(c) || fold == Fold::Hyphen && is_hyphen(c)
}

/// White space, and characters that show nothing.
pub fn is_invisible(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{ad}')
}

fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}' | '\u{ac}')
}
