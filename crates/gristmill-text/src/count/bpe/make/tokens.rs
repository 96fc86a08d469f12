//! The bytes of all tokens, while the tables are made.

/// The bytes one after the other, and where each token begins.
pub(super) struct Tokens {
    bytes: Vec<u8>,
    starts: Vec<u32>,
}

/// A token in the order of its bytes.
#[derive(Clone, Copy)]
pub(super) struct Sorted {
    /// The first eight bytes, padded with zeros.
    prefix: u64,
    token: u32,
    length: u32,
}

impl Tokens {
    /// The tokens that are one byte.
    pub(super) fn of_bytes(bytes: &[u8]) -> Self {
        Self { bytes: bytes.to_vec(), starts: (0..=bytes.len() as u32).collect() }
    }

    /// The number of tokens.
    pub(super) fn len(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    /// The bytes of a token.
    pub(super) fn get(&self, token: u32) -> &[u8] {
        self.bytes.get(self.bound(token)..self.bound(token + 1)).unwrap_or_default()
    }

    /// Adds the token of the bytes of `left` and `right`.
    pub(super) fn merge(&mut self, left: u32, right: u32) {
        for part in [left, right] {
            self.bytes.extend_from_within(self.bound(part)..self.bound(part + 1));
        }
        self.starts.push(self.bytes.len() as u32);
    }

    /// All tokens in the order of their bytes.
    pub(super) fn sorted(&self) -> Vec<Sorted> {
        let mut sorted: Vec<Sorted> = (0..self.len()).map(|token| Sorted::new(token, self.get(token))).collect();
        sorted.sort_unstable_by(|a, b| a.prefix.cmp(&b.prefix).then_with(|| self.get(a.token).cmp(self.get(b.token))));
        sorted
    }

    fn bound(&self, token: u32) -> usize {
        self.starts.get(token as usize).map_or(self.bytes.len(), |start| *start as usize)
    }
}

impl Sorted {
    fn new(token: u32, bytes: &[u8]) -> Self {
        let mut prefix = [0; 8];
        prefix.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
        Self { prefix: u64::from_be_bytes(prefix), token, length: bytes.len() as u32 }
    }

    /// The token.
    pub(super) fn token(self) -> u32 {
        self.token
    }

    /// The number of its bytes.
    pub(super) fn length(self) -> usize {
        self.length as usize
    }

    /// Whether it begins with the bytes of `other`.
    pub(super) fn begins_with(self, other: Self, tokens: &Tokens) -> bool {
        match other.length {
            0 => true,
            1..=8 => (self.prefix ^ other.prefix) >> (64 - 8 * other.length) == 0 && self.length >= other.length,
            _ => self.prefix == other.prefix && tokens.get(self.token).starts_with(tokens.get(other.token)),
        }
    }

    /// Its byte at `at`.
    pub(super) fn byte(self, tokens: &Tokens, at: usize) -> u8 {
        match at {
            0..8 => (self.prefix >> (56 - 8 * at) & 0xff) as u8,
            _ => tokens.get(self.token).get(at).copied().unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_sort_by_their_bytes() {
        let mut tokens = Tokens::of_bytes(b"ba\0");
        tokens.merge(1, 1);
        tokens.merge(1, 2);
        (3..6).for_each(|token| tokens.merge(token, token));
        tokens.merge(6, 0);
        let sorted: Vec<_> = tokens.sorted().into_iter().map(|sorted| tokens.get(sorted.token())).collect();
        let mut expected = sorted.clone();
        expected.sort_unstable();
        assert_eq!(sorted, expected);
        assert_eq!(tokens.get(8), b"a\0a\0b");
        assert_eq!(tokens.len(), 9);
    }
}
