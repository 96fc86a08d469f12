//! Counting the tokens of a piece without merging.
//!
//! A sequence of tokens is what byte-pair merging makes of its bytes exactly when each two neighbours stay apart. So the
//! tokens are taken from left to right, the longest first, and a step is taken back where no token fits; no position is
//! tried twice, because the tokens before a position are fixed by the bytes before it.

use super::trie::Found;
use super::vocabulary::Vocabulary;

/// Room for counting, kept between pieces.
#[derive(Default)]
pub(super) struct Scratch {
    /// Tokens so far.
    taken: Vec<Found>,
    /// Positions from which no way leads on, one bit each.
    dead: Vec<u64>,
}

impl Scratch {
    fn is_dead(&self, at: usize) -> bool {
        self.dead.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    fn kill(&mut self, at: usize) {
        if self.dead.len() <= at / 64 {
            self.dead.resize(at / 64 + 1, 0);
        }
        if let Some(word) = self.dead.get_mut(at / 64) {
            *word |= 1 << (at % 64);
        }
    }
}

/// The number of tokens of `piece`.
pub(super) fn count(vocabulary: &Vocabulary, piece: &[u8], scratch: &mut Scratch) -> usize {
    scratch.taken.clear();
    scratch.dead.clear();
    let longest = |at| piece.get(at..).and_then(|rest| vocabulary.trie.longest(rest));
    let mut at = 0;
    let mut next = longest(at);
    while let Some(found) = next {
        let end = at + found.length as usize;
        let fits = |last: &Found| vocabulary.stay_apart(last.token, found.token);
        if !scratch.is_dead(end) && scratch.taken.last().is_none_or(fits) {
            scratch.taken.push(found);
            at = end;
            next = longest(at);
            continue;
        }
        next = vocabulary.trie.shorter(found.token);
        while next.is_none()
            && let Some(last) = scratch.taken.pop()
        {
            scratch.kill(at);
            at -= last.length as usize;
            next = vocabulary.trie.shorter(last.token);
        }
    }
    scratch.taken.len()
}

/// The number of tokens of each beginning of `piece`, by its length; stops where all longer ones have more than
/// `limit`. The encoding of a beginning without its last token is that of a shorter beginning.
pub(super) fn beginnings(vocabulary: &Vocabulary, piece: &[u8], limit: usize) -> Vec<usize> {
    let mut ends: Vec<Option<(Found, usize)>> = Vec::new();
    let mut counts = vec![0];
    let mut beyond = 0;
    for at in 0..piece.len() {
        let before = ends.get(at).copied().flatten();
        ends.resize(at + vocabulary.longest + 1, None);
        let mut next = piece.get(at..).and_then(|rest| vocabulary.trie.longest(rest));
        while let Some(found) = next {
            let fits = |(last, _): (Found, usize)| vocabulary.stay_apart(last.token, found.token);
            if let Some(end) = ends.get_mut(at + found.length as usize)
                && end.is_none()
                && before.is_none_or(fits)
            {
                *end = Some((found, before.map_or(0, |before| before.1) + 1));
            }
            next = vocabulary.trie.shorter(found.token);
        }
        let count = ends.get(at + 1).copied().flatten().map_or(usize::MAX, |end| end.1);
        counts.push(count);
        beyond = if count < limit { 0 } else { beyond + 1 };
        if beyond > vocabulary.longest {
            break;
        }
    }
    counts
}
