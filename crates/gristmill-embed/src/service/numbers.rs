//! The numbers of a vector, as a list or as base64 of little-endian 32-bit floats.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};

/// The numbers of a vector. `null` is read as no number, so that the check of numbers finds it.
pub(crate) struct Numbers(pub Vec<f32>);

impl<'de> Deserialize<'de> for Numbers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader).map(Self)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Vec<f32>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of numbers, or base64 of them")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        let bytes = STANDARD.decode(text).map_err(E::custom)?;
        let (numbers, rest) = bytes.as_chunks::<4>();
        if !rest.is_empty() {
            return Err(E::custom("base64 of a number that is cut"));
        }
        Ok(numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut numbers = Vec::with_capacity(list.size_hint().unwrap_or(0).min(1 << 16));
        while let Some(number) = list.next_element::<Option<f32>>()? {
            numbers.push(number.unwrap_or(f32::NAN));
        }
        Ok(numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(json: &str) -> Option<Vec<f32>> {
        serde_json::from_str::<Numbers>(json).ok().map(|numbers| numbers.0)
    }

    #[test]
    fn both_forms_are_read() {
        assert_eq!(numbers("[1, -0.5, 2e-1]"), Some(vec![1.0, -0.5, 0.2]));
        // 1.0 is 00 00 80 3f, -2.0 is 00 00 00 c0 (IEEE 754, little-endian).
        assert_eq!(numbers(r#""AACAPwAAAMA=""#), Some(vec![1.0, -2.0]));
        assert_eq!(numbers("[]"), Some(vec![]));
    }

    #[test]
    fn null_is_no_number() {
        assert!(numbers("[null, 1]").is_some_and(|numbers| numbers[0].is_nan() && numbers[1] == 1.0));
    }

    #[test]
    fn anything_else_is_refused() {
        for json in ["null", "7", "{}", r#""AACA""#, r#""%%%%""#, r#"["1"]"#, "[[1]]"] {
            assert_eq!(numbers(json), None, "{json}");
        }
    }
}
