//! How words lie in a part of the index: blocks of words in rising order, each with its postings.
//!
//! Numbers are LEB128. A word is the number of bytes that it shares with the one before it in the block, the number of the
//! others, these, the number of bytes of its postings, and these. A posting is the distance from the text before, doubled,
//! plus one where the word occurs once; otherwise the number of times follows.

use std::ops::Range;

use rusqlite::Result;
use rusqlite::types::Type;

use super::super::read::unexpected;

/// A block is closed by the first word that begins after so many bytes.
pub(super) const BLOCK: usize = 4096;

/// A text of a part that holds a word: its place in [`Text`]s, and how often it holds the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Posting {
    pub(super) text: u32,
    pub(super) times: u32,
}

/// A text of a part: the key of its chunk and the number of its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Text {
    pub(super) key: i64,
    pub(super) length: u32,
}

/// Bytes that we never write.
pub(super) fn broken() -> rusqlite::Error {
    unexpected(0, Type::Blob)
}

fn put_number(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Takes a number from the front of `bytes`.
fn number(bytes: &mut &[u8]) -> Option<u64> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        if shift > 56 {
            return None;
        }
        number |= u64::from(byte & 0x7f) << shift;
        if *byte < 0x80 {
            return Some(number);
        }
        shift += 7;
    }
}

fn small(bytes: &mut &[u8]) -> Option<u32> {
    number(bytes)?.try_into().ok()
}

/// The texts of a part, by rising keys.
pub(super) fn encode_texts(texts: impl Iterator<Item = Text>) -> Vec<u8> {
    let (mut out, mut before) = (Vec::new(), 0);
    for text in texts {
        put_number((text.key - before) as u64, &mut out);
        put_number(text.length.into(), &mut out);
        before = text.key;
    }
    out
}

/// What [`encode_texts`] gives.
pub(super) fn decode_texts(mut bytes: &[u8]) -> Result<Vec<Text>> {
    let (mut out, mut before) = (Vec::new(), 0i64);
    while !bytes.is_empty() {
        let mut text = || {
            let step = i64::try_from(number(&mut bytes)?).ok().filter(|step| *step > 0)?;
            before = before.checked_add(step)?;
            Some(Text { key: before, length: small(&mut bytes)? })
        };
        out.push(text().ok_or_else(broken)?);
    }
    Ok(out)
}

/// Adds the postings of a word, by rising texts, to `out`.
pub(super) fn encode_postings(postings: impl Iterator<Item = Posting>, out: &mut Vec<u8>) {
    let mut before = 0;
    for posting in postings {
        let step = u64::from(posting.text - before) << 1;
        before = posting.text;
        if posting.times == 1 {
            put_number(step | 1, out);
        } else {
            put_number(step, out);
            put_number(posting.times.into(), out);
        }
    }
}

/// Calls `posting` with each of a word's postings; all of them are of the first `texts` texts.
pub(super) fn decode_postings(mut bytes: &[u8], texts: usize, mut posting: impl FnMut(Posting)) -> Result<()> {
    let mut before = None;
    while !bytes.is_empty() {
        let mut next = || {
            let number = number(&mut bytes)?;
            let step = u32::try_from(number >> 1).ok().filter(|step| *step > 0 || before.is_none())?;
            let text = before.unwrap_or(0u32).checked_add(step).filter(|text| (*text as usize) < texts)?;
            let times = if number & 1 == 1 { 1 } else { small(&mut bytes)? };
            before = Some(text);
            Some(Posting { text, times })
        };
        posting(next().ok_or_else(broken)?);
    }
    Ok(())
}

/// A block in the making.
#[derive(Default)]
pub(super) struct Block {
    pub(super) bytes: Vec<u8>,
    pub(super) first: Vec<u8>,
    last: Vec<u8>,
}

impl Block {
    /// True when the next word belongs to the next block.
    pub(super) fn is_full(&self) -> bool {
        self.bytes.len() >= BLOCK
    }

    /// Adds a word that comes after all that are in it.
    pub(super) fn push(&mut self, word: &[u8], postings: &[u8]) {
        if self.bytes.is_empty() {
            self.first.clear();
            self.first.extend_from_slice(word);
            self.last.clear();
        }
        let shared = self.last.iter().zip(word).take_while(|(a, b)| a == b).count();
        put_number(shared as u64, &mut self.bytes);
        put_number((word.len() - shared) as u64, &mut self.bytes);
        self.bytes.extend_from_slice(&word[shared..]);
        put_number(postings.len() as u64, &mut self.bytes);
        self.bytes.extend_from_slice(postings);
        self.last.truncate(shared);
        self.last.extend_from_slice(&word[shared..]);
    }

    /// Empties it for the words that follow.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
    }
}

/// Walks over the words of a block.
#[derive(Default)]
pub(super) struct Words {
    at: usize,
    /// The word that was come to last.
    pub(super) word: Vec<u8>,
}

impl Words {
    /// Goes to the next word of `block` and gives where its postings lie; `None` at the end.
    pub(super) fn next(&mut self, block: &[u8]) -> Result<Option<Range<usize>>> {
        let mut rest = block.get(self.at..).unwrap_or_default();
        if rest.is_empty() {
            return Ok(None);
        }
        let mut entry = || {
            let shared = small(&mut rest)? as usize;
            let others = small(&mut rest)? as usize;
            let (others, behind) = rest.split_at_checked(others)?;
            if shared > self.word.len() || others.first() <= self.word.get(shared) {
                return None;
            }
            self.word.truncate(shared);
            self.word.extend_from_slice(others);
            rest = behind;
            let length = small(&mut rest)? as usize;
            let start = block.len() - rest.len();
            rest = rest.get(length..)?;
            Some(start..start + length)
        };
        let postings = entry().ok_or_else(broken)?;
        self.at = postings.end;
        Ok(Some(postings))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(bytes: &[u8]) -> Option<Vec<(i64, u32)>> {
        decode_texts(bytes).ok().map(|texts| texts.iter().map(|text| (text.key, text.length)).collect())
    }

    fn postings(bytes: &[u8], texts: usize) -> Option<Vec<(u32, u32)>> {
        let mut out = Vec::new();
        decode_postings(bytes, texts, |posting| out.push((posting.text, posting.times))).ok().map(|()| out)
    }

    fn encoded(postings: &[(u32, u32)]) -> Vec<u8> {
        let mut out = Vec::new();
        encode_postings(postings.iter().map(|&(text, times)| Posting { text, times }), &mut out);
        out
    }

    #[test]
    fn texts_and_postings_lie_as_described() {
        let all = [Text { key: 3, length: 0 }, Text { key: 4, length: 300 }, Text { key: 1 << 41, length: 7 }];
        let bytes = encode_texts(all.into_iter());
        assert_eq!(bytes[..6], [3, 0, 1, 0xac, 0x02, 0xfc]);
        assert_eq!(texts(&bytes).unwrap(), [(3, 0), (4, 300), (1 << 41, 7)]);
        let bytes = encoded(&[(0, 1), (1, 3), (70, 1)]);
        assert_eq!(bytes, [0b01, 0b10, 3, 0x8b, 0x01]);
        assert_eq!(postings(&bytes, 71).unwrap(), [(0, 1), (1, 3), (70, 1)]);
    }

    #[test]
    fn what_we_never_write_is_told() {
        // Ends too early, a key twice, a number beyond 64 bits; ends too early, does too, a text that is not there, one twice.
        assert_eq!([texts(&[3]), texts(&[3, 1, 0, 1]), texts(&[0xff; 12])], [None, None, None]);
        assert_eq!([postings(&[0b10], 9), postings(&[0x80], 9), postings(&encoded(&[(9, 1)]), 9)], [None, None, None]);
        assert_eq!(postings(&[0b11, 0b01], 9), None);
        // A word that shares what is not there, ends too early, does too, ends with its length, comes twice.
        let twice = &[0, 1, b'a', 0, 0, 1, b'a', 0][..];
        for block in [&[1, 1, b'a', 0][..], &[0, 2, b'a'], &[0, 1, b'a', 1], &[0, 1, b'a', 0, 0], twice] {
            let mut words = Words::default();
            assert!((0..3).any(|_| words.next(block).is_err()), "{block:?}");
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused() {
        let mut random = 1u64;
        for _ in 0..200_000 {
            let bytes: Vec<u8> = (0..random % 24)
                .map(|_| {
                    random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    // Small numbers are lengths that fit.
                    if random >> 62 == 0 { (random >> 40) as u8 } else { (random >> 40) as u8 % 6 }
                })
                .collect();
            assert!(texts(&bytes).is_none_or(|texts| texts.is_sorted_by(|(a, _), (b, _)| a < b)), "{bytes:?}");
            let found = postings(&bytes, 50);
            assert!(
                found.is_none_or(|found| found.is_sorted() && found.iter().all(|(text, _)| *text < 50)),
                "{bytes:?}"
            );
            let (mut words, mut before) = (Words::default(), Vec::new());
            while let Ok(Some(postings)) = words.next(&bytes) {
                assert!(words.word > before && postings.end <= bytes.len(), "{bytes:?}");
                before.clone_from(&words.word);
            }
            random = random.wrapping_add(1);
        }
    }

    #[test]
    fn words_of_a_block_come_back() {
        let all: [(&[u8], &[u8]); 5] =
            [(b"a", b"1"), (b"ab", b""), (b"abc", b"23"), (b"b", b"4"), ("é".as_bytes(), b"5")];
        let mut block = Block::default();
        for _ in 0..2 {
            all.iter().for_each(|(word, postings)| block.push(word, postings));
            assert_eq!((&*block.first, block.is_full()), (&b"a"[..], false));
            let (mut words, mut found) = (Words::default(), Vec::new());
            while let Some(postings) = words.next(&block.bytes).unwrap() {
                found.push((words.word.clone(), &block.bytes[postings]));
            }
            assert!(found.iter().map(|(word, postings)| (&**word, *postings)).eq(all));
            drop(found);
            block.clear();
        }
    }
}
