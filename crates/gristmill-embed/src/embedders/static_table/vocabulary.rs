//! The pieces of the model and how likely each is. The packed form is described in `assets/README.md`.

use gristmill_core::{Error, Result};

use super::double_array::DoubleArray;

/// Pieces that stand for no text: unknown, begin, end and three spare ones. They are never found in a text.
pub(super) const CONTROL_PIECES: u32 = 6;

/// Pieces by their bytes.
pub(super) struct Vocabulary {
    /// From a piece to its row.
    pub(super) trie: DoubleArray,
    /// Log-probability of the piece of each row.
    pub(super) scores: Vec<f32>,
    /// The least of them.
    pub(super) lowest: f32,
}

impl Vocabulary {
    /// Unpacks.
    ///
    /// # Errors
    /// When the bytes are not a packed vocabulary.
    pub(super) fn unpack(packed: &[u8]) -> Result<Self> {
        let (scores, rest) = scores(packed).ok_or_else(damaged)?;
        let sorted = pieces(rest, scores.len()).ok_or_else(damaged)?;
        let found = |piece: &&Piece| piece.row >= CONTROL_PIECES;
        let keys: Vec<&[u8]> = sorted.list.iter().filter(found).map(|p| &sorted.bytes[p.from..p.to]).collect();
        let rows: Vec<u32> = sorted.list.iter().filter(found).map(|p| p.row).collect();
        let lowest = scores.iter().copied().fold(0.0, f32::min);
        Ok(Self { trie: DoubleArray::new(&keys, &rows), scores, lowest })
    }
}

fn damaged() -> Error {
    Error::bug("the vocabulary of the built-in model is damaged")
}

struct Pieces {
    bytes: Vec<u8>,
    list: Vec<Piece>,
}

struct Piece {
    from: usize,
    to: usize,
    row: u32,
}

fn scores(packed: &[u8]) -> Option<(Vec<f32>, &[u8])> {
    let (count, rest) = packed.split_first_chunk::<4>()?;
    let (scores, rest) = rest.split_at_checked((u32::from_le_bytes(*count) as usize).checked_mul(4)?)?;
    let (scores, _) = scores.as_chunks::<4>();
    Some((scores.iter().map(|&score| f32::from_le_bytes(score)).collect(), rest))
}

fn pieces(mut packed: &[u8], count: usize) -> Option<Pieces> {
    let mut bytes: Vec<u8> = Vec::with_capacity(packed.len() * 3);
    let mut list: Vec<Piece> = Vec::with_capacity(count);
    for _ in 0..count {
        let (&[shared, own, low, high], rest) = packed.split_first_chunk::<4>()?;
        let (own, rest) = rest.split_at_checked(usize::from(own))?;
        let before = list.last().map_or(0..0, |piece| piece.from..piece.to);
        let from = bytes.len();
        let until = before.start + usize::from(shared);
        if until > before.end || (own.is_empty() && usize::from(shared) == before.len()) {
            return None;
        }
        bytes.extend_from_within(before.start..until);
        bytes.extend_from_slice(own);
        let row = u32::from(u16::from_le_bytes([low, high]));
        if row as usize >= count || list.last().is_some_and(|p| bytes[p.from..p.to] >= bytes[from..]) {
            return None;
        }
        list.push(Piece { from, to: bytes.len(), row });
        packed = rest;
    }
    packed.is_empty().then_some(Pieces { bytes, list })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pack(rest: &[u8]) -> Vec<u8> {
        // Eight pieces; only the last two can be found in text.
        let mut out = 8u32.to_le_bytes().to_vec();
        out.extend((0..8u8).flat_map(|row| (-f32::from(row)).to_le_bytes()));
        for (row, byte) in (0..6u8).zip(b'0'..) {
            out.extend([0, 1, row, 0, byte]);
        }
        out.extend(rest);
        out
    }

    #[test]
    fn unpacks_shared_beginnings() {
        let vocabulary = Vocabulary::unpack(&pack(&[0, 2, 7, 0, b'a', b'b', 2, 1, 6, 0, b'c'])).unwrap();
        let mut found = Vec::new();
        vocabulary.trie.prefixes(b"abcd", |len, row| found.push((len, row)));
        assert_eq!(found, [(2, 7), (3, 6)]);
        assert_eq!(vocabulary.lowest, -7.0);
        found.clear();
        vocabulary.trie.prefixes(b"0", |len, row| found.push((len, row)));
        assert_eq!(found, []);
    }

    #[test]
    fn damage_is_an_error() {
        let good = pack(&[0, 2, 7, 0, b'a', b'b', 2, 1, 6, 0, b'c']);
        for len in 0..good.len() {
            assert!(Vocabulary::unpack(&good[..len]).is_err(), "cut to {len}");
        }
        let unsorted = pack(&[0, 1, 7, 0, b'b', 0, 1, 6, 0, b'a']);
        assert!(Vocabulary::unpack(&unsorted).is_err());
        let row = pack(&[0, 1, 8, 0, b'a', 0, 1, 6, 0, b'b']);
        assert!(Vocabulary::unpack(&row).is_err());
        let shared = pack(&[2, 1, 7, 0, b'a', 0, 1, 6, 0, b'b']);
        assert!(Vocabulary::unpack(&shared).is_err());
    }
}
