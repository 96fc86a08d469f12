//! Counting the tokens of a piece without merging.
//!
//! A sequence of tokens is what byte-pair merging makes of its bytes exactly when each two neighbours stay apart. So the
//! tokens are taken from left to right, the longest first, and a step is taken back where no token fits; no position is
//! tried twice, because the tokens before a position are fixed by the bytes before it.

use super::vocabulary::Vocabulary;

/// Room for counting, kept between pieces.
#[derive(Default)]
pub(super) struct Scratch {
    /// Tokens so far and where each ends.
    taken: Vec<(u32, usize)>,
    /// Positions from which no way leads on, one bit each.
    dead: Vec<u64>,
}

/// The number of tokens of `piece`.
pub(super) fn count(vocabulary: &Vocabulary, piece: &[u8], scratch: &mut Scratch) -> usize {
    scratch.taken.clear();
    scratch.dead.clear();
    let (mut at, mut below, mut last) = (0, piece.len(), None);
    while at < piece.len() {
        if let Some((token, end)) = next(vocabulary, piece, at, last, below, scratch) {
            scratch.taken.push((token, end));
            (at, below, last) = (end, piece.len(), Some(token));
        } else {
            scratch.kill(at, piece.len());
            let Some((_, end)) = scratch.taken.pop() else { return piece.len() };
            below = end - 1;
            (last, at) = scratch.taken.last().map_or((None, 0), |(token, end)| (Some(*token), *end));
        }
    }
    scratch.taken.len()
}

/// The longest token at `at` that does not end after `below`, fits after `last` and does not end in a dead position.
fn next(
    vocabulary: &Vocabulary,
    piece: &[u8],
    at: usize,
    last: Option<u32>,
    mut below: usize,
    scratch: &Scratch,
) -> Option<(u32, usize)> {
    loop {
        let (token, length) = vocabulary.trie.longest(piece.get(at..below)?)?;
        let end = at + length;
        if !scratch.is_dead(end) && last.is_none_or(|last| vocabulary.stay_apart(last, token)) {
            return Some((token, end));
        }
        below = end - 1;
    }
}

/// The number of tokens of each beginning of `piece`, by its length; stops where all longer ones have more than
/// `limit`. The encoding of a beginning without its last token is that of a shorter beginning.
pub(super) fn beginnings(vocabulary: &Vocabulary, piece: &[u8], limit: usize) -> Vec<usize> {
    let mut last: Vec<Option<(u32, usize)>> = vec![None; piece.len() + 1];
    let mut counts = vec![0];
    let mut beyond = 0;
    for at in 0..piece.len() {
        let (before, count) = last.get(at).copied().flatten().map_or((None, 0), |(token, count)| (Some(token), count));
        let mut below = piece.len();
        while let Some((token, length)) = piece.get(at..below).and_then(|bytes| vocabulary.trie.longest(bytes)) {
            let end = at + length;
            below = end - 1;
            if let Some(slot) = last.get_mut(end).filter(|slot| slot.is_none())
                && before.is_none_or(|before| vocabulary.stay_apart(before, token))
            {
                *slot = Some((token, count + 1));
            }
        }
        let next = last.get(at + 1).copied().flatten().map_or(usize::MAX, |next| next.1);
        counts.push(next);
        beyond = if next < limit { 0 } else { beyond + 1 };
        if beyond > vocabulary.longest {
            break;
        }
    }
    counts
}

impl Scratch {
    fn is_dead(&self, at: usize) -> bool {
        self.dead.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    fn kill(&mut self, at: usize, length: usize) {
        self.dead.resize(length / 64 + 1, 0);
        if let Some(word) = self.dead.get_mut(at / 64) {
            *word |= 1 << (at % 64);
        }
    }
}
