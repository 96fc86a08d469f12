//! The rows of the model: four bits a number, one scale a row. The form is described in `assets/README.md`.

use gristmill_core::{Error, Result};

/// Numbers in each row.
pub(super) const DIMENSIONS: usize = 256;
/// Bytes of each row.
const ROW_BYTES: usize = DIMENSIONS / 2;
/// What is stored for zero.
const ZERO: f32 = 8.0;

/// The table.
pub(super) struct Table {
    scales: Vec<f32>,
    rows: &'static [[u8; ROW_BYTES]],
}

impl Table {
    /// Reads the scales; the rows stay where they are.
    ///
    /// # Errors
    /// When the bytes are not a table of this width.
    pub(super) fn open(bytes: &'static [u8]) -> Result<Self> {
        parse(bytes).ok_or_else(|| Error::bug("the table of the built-in model is damaged"))
    }

    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }
}

fn parse(bytes: &'static [u8]) -> Option<Table> {
    let (count, rest) = bytes.split_first_chunk::<4>()?;
    let (width, rest) = rest.split_first_chunk::<4>()?;
    let count = u32::from_le_bytes(*count) as usize;
    let (scales, rest) = rest.split_at_checked(count.checked_mul(2)?)?;
    let (rows, more) = rest.as_chunks::<ROW_BYTES>();
    if u32::from_le_bytes(*width) as usize != DIMENSIONS || rows.len() != count || !more.is_empty() {
        return None;
    }
    let scales = scales.as_chunks::<2>().0.iter().map(|&bits| half(u16::from_le_bytes(bits))).collect();
    Some(Table { scales, rows })
}

/// The value of an IEEE 754 binary16 number.
fn half(bits: u16) -> f32 {
    let sign = u32::from(bits & 0x8000) << 16;
    let (exponent, fraction) = (u32::from(bits >> 10) & 0x1f, u32::from(bits) & 0x3ff);
    let magnitude = match exponent {
        // Subnormal: fraction · 2⁻²⁴.
        0 => fraction as f32 * (1.0 / 16_777_216.0),
        0x1f => f32::from_bits(0x7f80_0000 | fraction << 13),
        _ => f32::from_bits((exponent + 112) << 23 | fraction << 13),
    };
    f32::from_bits(magnitude.to_bits() | sign)
}

/// A sum of rows. The order of additions is fixed, so that the result is the same on every machine.
#[derive(Clone)]
pub(super) struct Sum {
    even: [f32; ROW_BYTES],
    odd: [f32; ROW_BYTES],
}

impl Sum {
    pub(super) fn new() -> Self {
        Self { even: [0.0; ROW_BYTES], odd: [0.0; ROW_BYTES] }
    }

    /// Adds a row.
    pub(super) fn add(&mut self, table: &Table, row: u32) {
        let scale = table.scales[row as usize];
        let row = &table.rows[row as usize];
        for ((even, odd), &byte) in self.even.iter_mut().zip(&mut self.odd).zip(row) {
            *even += (f32::from(byte & 15) - ZERO) * scale;
            *odd += (f32::from(byte >> 4) - ZERO) * scale;
        }
    }

    /// The direction of the sum; `None` where it has none.
    pub(super) fn unit(&self) -> Option<Vec<f32>> {
        let squares: f32 = self.even.iter().chain(&self.odd).map(|x| x * x).sum();
        let length = squares.sqrt();
        if !(length.is_finite() && length > 1e-6) {
            return None;
        }
        Some(self.even.iter().zip(&self.odd).flat_map(|(even, odd)| [even / length, odd / length]).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_precision_numbers() {
        // IEEE 754-2008, binary16: one, minus two, largest, smallest normal, smallest subnormal.
        for (bits, value) in [
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65504.0),
            (0x0400, 6.103_515_6e-5),
            (0x0001, 5.960_464_5e-8),
            (0x8000, -0.0),
        ] {
            assert_eq!(half(bits).to_bits(), f32::to_bits(value), "{bits:#06x}");
        }
        assert!(half(0x7c00).is_infinite() && half(0x7e00).is_nan());
    }

    #[test]
    fn opposite_rows_have_no_direction() {
        let mut bytes = vec![2, 0, 0, 0, 0, 1, 0, 0, 0x00, 0x3c, 0x00, 0x3c];
        bytes.extend([0x79; ROW_BYTES]);
        bytes.extend([0x97; ROW_BYTES]);
        let table = Table::open(bytes.leak()).unwrap();
        let mut sum = Sum::new();
        sum.add(&table, 0);
        // Even numbers are 9 − 8 = 1, odd ones 7 − 8 = −1; 256 of them have length 16.
        assert_eq!(sum.unit().unwrap()[..4], [0.0625, -0.0625, 0.0625, -0.0625]);
        sum.add(&table, 1);
        assert_eq!(sum.unit(), None);
    }

    #[test]
    fn damage_is_an_error() {
        assert!(Table::open(&[]).is_err());
        assert!(Table::open(&[1, 0, 0, 0, 0, 1, 0, 0, 0, 0x3c]).is_err());
        assert!(Table::open(&[0, 0, 0, 0, 0, 2, 0, 0]).is_err());
        assert!(Table::open(&[255; 32]).is_err());
    }
}
