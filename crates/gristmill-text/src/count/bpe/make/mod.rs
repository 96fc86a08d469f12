//! Makes the tables of a vocabulary from its asset: run once, by `build.rs`.
//!
//! An asset is the number of tokens (32 bits, low byte first), the 256 single bytes in order of rank, then for each
//! further token, in order of rank, the two tokens it was merged from. Each is a number of bits, lowest first: four bits
//! `k`, then three plain bits when `k` is 0, else the `k + 2` bits below the leading one. `examples/vocabulary.rs` makes
//! it.

mod bits;
mod bridges;
mod hashed;
mod tokens;
mod trie;

use super::layout;
use bits::Bits;
use hashed::{Filter, Table};
use tokens::Tokens;
use trie::Trie;

/// Tokens below this are the single bytes.
const BYTES: u32 = 256;

/// The words of the tables of `asset`.
pub(super) fn tables(asset: &[u8]) -> Vec<u64> {
    let (head, rest) = asset.split_first_chunk::<4>().unwrap_or((&[0; 4], &[]));
    let (bytes, pairs) = rest.split_at(rest.len().min(BYTES as usize));
    let count = u32::from_le_bytes(*head);
    let mut tokens = Tokens::of_bytes(bytes);
    let mut parts = vec![0; bytes.len()];
    let (mut merges, mut merging) = (Table::for_entries(count as usize), Filter::new(20));
    let mut bits = Bits::new(pairs);
    for token in BYTES..count {
        let (left, right) = (bits.number(), bits.number());
        tokens.merge(left, right);
        parts.push(u64::from(left) << 32 | u64::from(right));
        merges.insert(left, right, token);
        merging.add(left, right);
    }
    let all = || (0..count).map(|token| tokens.get(token));
    let longest = all().map(<[u8]>::len).max().unwrap_or(1);
    let trie = Trie::new(&tokens);
    let mut sections = [const { Vec::new() }; layout::SECTIONS];
    sections[layout::NODES] = trie.nodes;
    sections[layout::ROOTS] = trie.roots;
    sections[layout::HEADS] = trie.heads.into_words();
    sections[layout::SHORTER] = trie.shorter;
    sections[layout::PARTS] = parts;
    sections[layout::MERGES] = merges.into_words();
    sections[layout::MERGING] = merging.into_words();
    sections[layout::BRIDGES] = bridges::of(all()).into_words();
    let mut words = vec![longest as u64];
    words.extend(sections.iter().map(|section| section.len() as u64));
    words.extend(sections.into_iter().flatten());
    words
}

#[cfg(test)]
mod tests {
    use super::super::vocabulary::Vocabulary;
    use super::*;

    #[test]
    fn a_small_vocabulary_is_found_again() {
        // The single bytes, then `ab`, `abab` and `abababab`, each merged from two of the one before; each number
        // is written as four bits of length and the bits below the leading one.
        let mut bits: Vec<bool> = Vec::new();
        let mut number = |value: u32| {
            let below = value.ilog2();
            bits.extend((0..4).map(|bit| (below - 2) >> bit & 1 == 1));
            bits.extend((0..below).map(|bit| value >> bit & 1 == 1));
        };
        [97, 98, 256, 256, 257, 257].into_iter().for_each(&mut number);
        let packed = bits.chunks(8).map(|eight| (0..).zip(eight).map(|(bit, set)| u8::from(*set) << bit).sum::<u8>());
        let asset: Vec<u8> = 259_u32.to_le_bytes().into_iter().chain(0..=255).chain(packed).collect();

        let bytes: Vec<u8> = tables(&asset).into_iter().flat_map(u64::to_le_bytes).collect();
        let vocabulary = Vocabulary::open(bytes.leak());
        assert_eq!(vocabulary.longest, 8);
        let longest = |text: &[u8]| vocabulary.trie.longest(text).map(|found| (found.token, found.length));
        assert_eq!(longest(b"ababababab"), Some((258, 8)));
        assert_eq!(longest(b"abababa"), Some((257, 4)));
        assert_eq!(longest(b"abc"), Some((256, 2)));
        assert_eq!(longest(b"ba"), Some((98, 1)));
        assert_eq!(vocabulary.trie.shorter(258).map(|found| found.token), Some(257));
        assert_eq!(vocabulary.trie.shorter(97), None);
        assert!(!vocabulary.stay_apart(97, 98) && !vocabulary.stay_apart(256, 256));
        assert!(vocabulary.stay_apart(98, 97) && vocabulary.stay_apart(258, 256));
    }
}
