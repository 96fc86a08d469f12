//! Vectors as SQLite keeps them, and their cosine.

use gristmill_core::Fingerprint;

/// Numbers added side by side, so that the compiler can use wide registers.
const LANES: usize = 16;

/// 32-bit floats, little-endian.
pub(super) fn encode(vector: &[f32]) -> Vec<u8> {
    let mut bytes = vec![0; vector.len() * 4];
    for (to, x) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(vector) {
        *to = x.to_le_bytes();
    }
    bytes
}

/// The numbers in `bytes`; what is left of them beyond whole numbers is dropped.
pub(super) fn decode(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks().0.iter().map(|&x| f32::from_le_bytes(x)).collect()
}

/// A number that tells for which text these bytes were stored as its vector.
pub(super) fn seal(text: Fingerprint, bytes: &[u8]) -> i64 {
    let hash = Fingerprint::of(&[&text.0, bytes].concat()).0;
    let mut first = [0; 8];
    first.copy_from_slice(&hash[..8]);
    i64::from_le_bytes(first)
}

/// The inner product of a vector and an encoded one of the same length. The order of additions is fixed, so that the
/// result is the same on every machine.
pub(super) fn dot(query: &[f32], bytes: &[u8]) -> f32 {
    let (numbers, _) = bytes.as_chunks::<4>();
    let (a, a_rest) = query.as_chunks::<LANES>();
    let (b, b_rest) = numbers.as_chunks::<LANES>();
    let mut sums = [0f32; LANES];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * f32::from_le_bytes(b[lane]);
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, &b)| a * f32::from_le_bytes(b)).sum();
    sums.iter().sum::<f32>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comes_back_bit_for_bit() {
        let vector = [0.1f32, -0.0, f32::MIN_POSITIVE, 1e-45];
        let back = decode(&encode(&vector));
        assert!(vector.iter().zip(&back).all(|(a, b)| a.to_bits() == b.to_bits()));
        assert_eq!(decode(&encode(&vector)[..15]).len(), 3);
    }

    #[test]
    fn inner_product_of_any_length() {
        // Sums of squares: n (n + 1) (2 n + 1) / 6, exact in 32 bits here.
        for n in [0usize, 1, 3, 15, 16, 17, 100] {
            let vector: Vec<f32> = (1..=n).map(|x| x as f32).collect();
            assert_eq!(dot(&vector, &encode(&vector)), (n * (n + 1) * (2 * n + 1) / 6) as f32);
        }
    }
}
