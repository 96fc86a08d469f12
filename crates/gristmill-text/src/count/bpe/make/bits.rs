//! Numbers out of a stream of bits, lowest bit first.

/// What is left of the stream; zeros after its end.
pub(super) struct Bits<'a> {
    bytes: &'a [u8],
    held: u64,
    have: u32,
}

impl<'a> Bits<'a> {
    /// The stream in `bytes`.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, held: 0, have: 0 }
    }

    /// The next number: four bits `k`, then three plain bits when `k` is 0, else the `k + 2` bits below the leading one.
    pub(super) fn number(&mut self) -> u32 {
        while self.have < 21 {
            let (byte, rest) = self.bytes.split_first().unwrap_or((&0, &[]));
            self.bytes = rest;
            self.held |= u64::from(*byte) << self.have;
            self.have += 8;
        }
        match self.take(4) {
            0 => self.take(3),
            k => 1 << (k + 2) | self.take(k + 2),
        }
    }

    fn take(&mut self, count: u32) -> u32 {
        let value = (self.held & ((1 << count) - 1)) as u32;
        self.held >>= count;
        self.have -= count;
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_bit_by_bit() {
        // 5 is 0000 101, 8 is 0001 000, 13 is 0001 101: from the lowest bit up.
        let bits: u32 = 0b101_0000 | 0b000_0001 << 7 | 0b101_0001 << 14;
        let bytes = bits.to_le_bytes();
        let mut bits = Bits::new(&bytes);
        assert_eq!((bits.number(), bits.number(), bits.number()), (5, 8, 13));
        assert_eq!(bits.number(), 0);
    }
}
