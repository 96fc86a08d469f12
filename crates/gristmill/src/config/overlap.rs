//! A size given as a number or as a share.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use gristmill_core::Error;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The size of the repeated text: in the unit of the chunk sizes (`60`), or as a share of `max` (`"15%"`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Overlap {
    /// In the unit of the chunk sizes.
    Size(u32),
    /// Hundredths of `max`.
    Percent(f64),
}

impl Overlap {
    /// The size where chunks have at most `max`, rounded to the nearest whole number.
    pub fn of(self, max: u32) -> u32 {
        match self {
            Self::Size(size) => size,
            // A share is between 0 and 1,000 %, so the product stays far below 2^53; the cast saturates beyond 32 bits.
            Self::Percent(percent) => (f64::from(max) * percent / 100.0).round() as u32,
        }
    }
}

impl fmt::Display for Overlap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size(size) => write!(f, "{size}"),
            Self::Percent(percent) => write!(f, "{percent}%"),
        }
    }
}

impl FromStr for Overlap {
    type Err = Error;

    /// Reads `60` or `15%`.
    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = || Error::config(format!("neither a whole number nor a share such as `15%`: {text}"));
        match text.trim().strip_suffix('%') {
            Some(share) => match share.trim_end().parse::<f64>() {
                Ok(percent) if (0.0..=1000.0).contains(&percent) => Ok(Self::Percent(percent)),
                _ => Err(wrong()),
            },
            None => text.trim().parse().map(Self::Size).map_err(|_| wrong()),
        }
    }
}

impl Serialize for Overlap {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Size(size) => serializer.serialize_u32(*size),
            Self::Percent(_) => serializer.collect_str(self),
        }
    }
}

impl<'de> Deserialize<'de> for Overlap {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OverlapVisitor)
    }
}

struct OverlapVisitor;

impl Visitor<'_> for OverlapVisitor {
    type Value = Overlap;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number, or a share of `max` such as \"15%\"")
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Overlap, E> {
        let wrong = || E::invalid_value(de::Unexpected::Signed(value), &self);
        u32::try_from(value).map(Overlap::Size).map_err(|_| wrong())
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Overlap, E> {
        let wrong = || E::invalid_value(de::Unexpected::Unsigned(value), &self);
        u32::try_from(value).map(Overlap::Size).map_err(|_| wrong())
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Overlap, E> {
        let share = value.trim_end().ends_with('%').then(|| value.parse().ok()).flatten();
        share.ok_or_else(|| E::invalid_value(de::Unexpected::Str(value), &self))
    }
}

impl JsonSchema for Overlap {
    fn schema_name() -> Cow<'static, str> {
        "Overlap".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "oneOf": [
                { "type": "integer", "minimum": 0 },
                { "type": "string", "pattern": r"^\s*[0-9]+(\.[0-9]+)?\s*%\s*$" }
            ]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_shares() {
        assert_eq!("60".parse::<Overlap>().unwrap(), Overlap::Size(60));
        assert_eq!("15%".parse::<Overlap>().unwrap().of(600), 90);
        assert_eq!("12.5 %".parse::<Overlap>().unwrap().of(100), 13);
        assert_eq!("0%".parse::<Overlap>().unwrap().of(600), 0);
        assert_eq!("1000%".parse::<Overlap>().unwrap().of(u32::MAX), u32::MAX);
        for wrong in ["", "-1", "1.5", "%", "15 percent", "NaN%", "-3%", "1e9%"] {
            assert!(wrong.parse::<Overlap>().is_err(), "{wrong}");
        }
    }
}
