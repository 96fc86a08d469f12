//! Runs of ASCII letters, eight bytes at a time.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x80 * ONES;

/// The end of the run of `a` to `z` that begins at `at`.
#[inline]
pub(super) fn lower(text: &[u8], at: usize) -> usize {
    run(text, at, |eight| eight)
}

/// The end of the run of `a` to `z` and `A` to `Z` that begins at `at`.
#[inline]
pub(super) fn letters(text: &[u8], at: usize) -> usize {
    run(text, at, |eight| eight | (0x20 * ONES))
}

#[inline]
fn run(text: &[u8], mut at: usize, fold: impl Fn(u64) -> u64) -> usize {
    while let Some(eight) = text.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let others = others(fold(u64::from_le_bytes(*eight)));
        if others != 0 {
            return at + (others.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while let Some(byte) = text.get(at)
        && others(fold((*byte).into())) & 0x80 == 0
    {
        at += 1;
    }
    at
}

/// The high bit of each byte that is not `a` to `z`. Without its high bit, a byte plus `0x80 - 'a'` has it when it is no
/// less than `a`, and plus `0x7f - 'z'` when it is greater than `z`; neither carries into the next byte.
#[inline]
fn others(eight: u64) -> u64 {
    let low = eight & !HIGH;
    let from_a = low + (0x80 - 0x61) * ONES;
    let past_z = low + (0x7f - 0x7a) * ONES;
    (!from_a | past_z | eight) & HIGH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_at_every_place_ends_the_run_or_not() {
        for byte in 0..=255_u8 {
            for place in 0..20 {
                let mut text = [b'q'; 20];
                text[place] = byte;
                let end = |is_in: bool| if is_in { 20 } else { place };
                assert_eq!(lower(&text, 0), end(byte.is_ascii_lowercase()), "{byte} at {place}");
                assert_eq!(letters(&text, 0), end(byte.is_ascii_alphabetic()), "{byte} at {place}");
                assert_eq!(lower(&text[..place], 0), place);
            }
        }
        assert_eq!((lower(b"", 0), letters(b"ab", 5)), (0, 5));
    }
}
