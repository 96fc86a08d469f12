//! The words of texts that come into the index together.

use rusqlite::Result;
use rustc_hash::FxHashMap;

use super::block::{Posting, Text};
use crate::words;

/// Texts and their words.
#[derive(Default)]
pub(super) struct Gathered {
    pub(super) texts: Vec<Text>,
    numbers: FxHashMap<Box<str>, u32>,
    /// For each word the number of its postings, and which of all is its last.
    words: Vec<(u32, u32)>,
    /// Each with the number of its word.
    postings: Vec<(u32, Posting)>,
}

impl Gathered {
    /// Adds a text; its key is greater than those before.
    pub(super) fn add(&mut self, key: i64, text: &str) {
        let number = self.texts.len() as u32;
        let mut length = 0;
        words::each(text, |word| {
            length += 1;
            self.word(word, number);
        });
        self.texts.push(Text { key, length });
    }

    /// Takes all out; the room is kept.
    pub(super) fn clear(&mut self) {
        self.texts.clear();
        self.numbers.clear();
        self.words.clear();
        self.postings.clear();
    }

    fn word(&mut self, word: &str, text: u32) {
        let next = self.postings.len() as u32;
        let number = match self.numbers.get(word) {
            Some(number) => {
                let (count, last) = &mut self.words[*number as usize];
                let posting = &mut self.postings[*last as usize].1;
                if posting.text == text {
                    posting.times += 1;
                    return;
                }
                (*count, *last) = (*count + 1, next);
                *number
            }
            None => {
                let number = self.words.len() as u32;
                self.numbers.insert(word.into(), number);
                self.words.push((1, next));
                number
            }
        };
        self.postings.push((number, Posting { text, times: 1 }));
    }

    /// Calls `word` with each word, in the order of their bytes, and its postings.
    pub(super) fn each(&self, mut word: impl FnMut(&[u8], &[Posting]) -> Result<()>) -> Result<()> {
        let mut order: Vec<(u64, &[u8], u32)> =
            self.numbers.iter().map(|(word, number)| (head(word.as_bytes()), word.as_bytes(), *number)).collect();
        order.sort_unstable();
        let mut ends = vec![0; self.words.len()];
        let mut end = 0;
        for &(_, _, number) in &order {
            ends[number as usize] = end;
            end += self.words[number as usize].0 as usize;
        }
        let mut sorted = vec![Posting { text: 0, times: 0 }; self.postings.len()];
        for (number, posting) in &self.postings {
            let end = &mut ends[*number as usize];
            sorted[*end] = *posting;
            *end += 1;
        }
        let mut begin = 0;
        for (_, bytes, number) in order {
            let end = ends[number as usize];
            word(bytes, &sorted[begin..end])?;
            begin = end;
        }
        Ok(())
    }
}

/// The first bytes of a word as a number that is in order where they are: most words are told apart by it.
fn head(word: &[u8]) -> u64 {
    let mut head = [0; 8];
    head.iter_mut().zip(word).for_each(|(to, byte)| *to = *byte);
    u64::from_be_bytes(head)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_in_order_with_their_postings() {
        let mut gathered = Gathered::default();
        for (key, text) in [(5, "night one, night two"), (7, "…"), (8, "Two nights: nightfall, night.")] {
            gathered.add(key, text);
        }
        let lengths: Vec<(i64, u32)> = gathered.texts.iter().map(|text| (text.key, text.length)).collect();
        assert_eq!(lengths, [(5, 4), (7, 0), (8, 4)]);
        let mut found = Vec::new();
        let mut word = |word: &[u8], postings: &[Posting]| {
            let postings: Vec<(u32, u32)> = postings.iter().map(|posting| (posting.text, posting.times)).collect();
            found.push((String::from_utf8(word.to_vec()).unwrap(), postings));
            Ok(())
        };
        gathered.each(&mut word).unwrap();
        let expected = [
            ("night", vec![(0, 2), (2, 1)]),
            ("nightfall", vec![(2, 1)]),
            ("nights", vec![(2, 1)]),
            ("one", vec![(0, 1)]),
            ("two", vec![(0, 1), (2, 1)]),
        ];
        assert!(found.iter().map(|(word, postings)| (&**word, postings)).eq(expected.iter().map(|(w, p)| (*w, p))));
    }
}
