//! Where bytes of a piece lie in its source, in the unit in which places are told.

use gristmill_core::PartKind;

use crate::Piece;

/// What a place counts, and whether the overlap is part of it.
pub struct Ruler {
    bytes: bool,
    pub with_overlap: bool,
}

impl Ruler {
    /// The unit in which the place of a piece is as long as its text; `None` when there is none.
    pub fn of(piece: &Piece) -> Option<Self> {
        if piece.unmeasured {
            return None;
        }
        let rulers = [(false, false), (false, true), (true, false), (true, true)];
        let mut rulers = rulers.into_iter().map(|(bytes, with_overlap)| Self { bytes, with_overlap });
        rulers.find(|ruler| ruler.fits(piece))
    }

    /// True when the place of a piece is as long as its text.
    fn fits(&self, piece: &Piece) -> bool {
        let len = piece.place.as_ref().and_then(|place| place.end.checked_sub(place.start));
        let counts = |kind| kind == PartKind::Body || self.with_overlap && kind == PartKind::Overlap;
        let parts = piece.parts.iter().filter(|part| counts(part.kind));
        len == Some(parts.map(|part| self.size(&piece.text[part.range.range()])).sum::<u64>())
    }

    /// How long a text is in it.
    pub fn size(&self, text: &str) -> u64 {
        if self.bytes { text.len() as u64 } else { text.chars().count() as u64 }
    }
}

/// The units in which places may be told: code points, bytes.
pub struct Units([bool; 2]);

impl Units {
    /// Those in which the places of all pieces are as long as their text.
    pub fn of<'a>(pieces: impl Iterator<Item = &'a Piece>) -> Self {
        let placed = pieces.filter(|piece| piece.place.is_some());
        placed.fold(Self([true; 2]), |units, piece| units.and(piece))
    }

    fn and(&self, piece: &Piece) -> Self {
        let fits = |bytes| [false, true].into_iter().any(|with_overlap| Ruler { bytes, with_overlap }.fits(piece));
        Self([false, true].map(|bytes| self.0[usize::from(bytes)] && !piece.unmeasured && fits(bytes)))
    }

    /// Notes of a piece that a repair made of such whether its place is still as long as its text in one of these units. That
    /// it happens to be so in another tells nothing.
    pub fn note(&self, piece: &mut Piece) {
        piece.unmeasured = false;
        piece.unmeasured = piece.place.is_some() && self.and(piece).0 == [false; 2];
    }
}

/// Where the last bytes of a piece's own text begin, given how many of them there are. `None` when the place of the piece
/// does not fit its text.
pub fn of_last(piece: &Piece, len: usize) -> Option<u64> {
    let end = piece.body_end();
    let from = end.checked_sub(len)?;
    let injected = |kind| !matches!(kind, PartKind::Body | PartKind::Overlap);
    let mut inside = piece.parts.iter().filter(|part| injected(part.kind));
    if inside.any(|part| (part.range.start as usize) < end && part.range.end as usize > from) {
        return None;
    }
    let size = Ruler::of(piece)?.size(piece.text.get(from..end)?);
    piece.place.as_ref()?.end.checked_sub(size)
}

/// Bytes at the start of `own`, the text of `piece`, that lie within the place of `left` and end its text `shown`.
pub fn shared(left: &Piece, shown: &str, piece: &Piece, own: &str) -> Option<usize> {
    let (before, after) = (left.place.as_ref()?, piece.place.as_ref()?);
    let size = usize::try_from(before.end.checked_sub(after.start)?).ok()?;
    if size == 0 || before.start > after.start {
        return None;
    }
    let chars = own.char_indices().nth(size).map(|(at, _)| at);
    let repeats = |len: &usize| {
        let text = own.get(..*len).filter(|text| !text.trim().is_empty());
        text.is_some_and(|text| *len < own.len() && shown.ends_with(text))
    };
    chars.into_iter().chain([size]).find(repeats)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(text: &str, place: std::ops::Range<u64>) -> Piece {
        Piece { place: Some(place), ..Piece::new(0, None, text.to_owned()) }
    }

    #[test]
    fn places_count_code_points_or_bytes() {
        assert_eq!(of_last(&piece("über uns", 10..18), 3), Some(15));
        assert_eq!(of_last(&piece("über uns", 10..19), 3), Some(16));
        assert_eq!(of_last(&piece("über uns", 10..30), 3), None);
    }

    #[test]
    fn overlap_that_is_short_is_told_by_places() {
        let (left, right) = (piece("Das ist für", 0..11), piece("für uns", 8..15));
        assert_eq!(shared(&left, &left.text, &right, &right.text), Some("für".len()));
        let (left, right) = (piece("Das ist für", 0..12), piece("für uns", 8..16));
        assert_eq!(shared(&left, &left.text, &right, &right.text), Some("für".len()));
        let apart = piece("für uns", 11..18);
        assert_eq!(shared(&piece("Das ist für", 0..11), "Das ist für", &apart, &apart.text), None);
    }
}
