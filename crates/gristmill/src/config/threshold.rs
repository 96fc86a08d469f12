//! How unlike two sentences are between which a topic ends.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use gristmill_core::{Error, Threshold};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The similarity of neighbouring sentences below which a topic ends: a cosine (`0.5`), a share of the neighbours of each
/// document (`"5%"`), or standard deviations below their mean (`"1.5sd"`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TopicThreshold(pub Threshold);

impl TopicThreshold {
    fn absolute<E>(value: f64, wrong: impl FnOnce() -> E) -> Result<Self, E> {
        if (-1.0..=1.0).contains(&value) { Ok(Self(Threshold::Absolute(value as f32))) } else { Err(wrong()) }
    }
}

impl fmt::Display for TopicThreshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Threshold::Absolute(least) => write!(f, "{least}"),
            Threshold::Percentile(share) => write!(f, "{share}%"),
            Threshold::Deviations(count) => write!(f, "{count}sd"),
        }
    }
}

const EXPECTED: &str = "a similarity from -1 to 1, a share such as \"5%\", or deviations such as \"1.5sd\"";

impl FromStr for TopicThreshold {
    type Err = Error;

    /// Reads `0.5`, `5%` or `1.5sd`.
    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = || Error::config(format!("not {EXPECTED}: {text}"));
        let number = |text: &str, most: f64| {
            let number = text.trim().parse::<f64>().ok().filter(|number| (0.0..=most).contains(number));
            number.map(|number| number as f32).ok_or_else(wrong)
        };
        let text = text.trim();
        if let Some(share) = text.strip_suffix('%') {
            return number(share, 100.0).map(|share| Self(Threshold::Percentile(share)));
        }
        if let Some(count) = text.strip_suffix("sd") {
            return number(count, 100.0).map(|count| Self(Threshold::Deviations(count)));
        }
        Self::absolute(text.parse().map_err(|_| wrong())?, wrong)
    }
}

impl Serialize for TopicThreshold {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TopicThreshold {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ThresholdVisitor)
    }
}

struct ThresholdVisitor;

impl Visitor<'_> for ThresholdVisitor {
    type Value = TopicThreshold;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(EXPECTED)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<TopicThreshold, E> {
        self.visit_f64(value as f64)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<TopicThreshold, E> {
        self.visit_f64(value as f64)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<TopicThreshold, E> {
        TopicThreshold::absolute(value, || E::invalid_value(de::Unexpected::Float(value), &self))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<TopicThreshold, E> {
        text.parse().map_err(|_| E::invalid_value(de::Unexpected::Str(text), &self))
    }
}

impl JsonSchema for TopicThreshold {
    fn schema_name() -> Cow<'static, str> {
        "TopicThreshold".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A cosine (`0.5`), a share of the neighbours of each document (`\"5%\"`), or standard deviations below their mean (`\"1.5sd\"`).",
            "anyOf": [
                { "type": "number", "minimum": -1, "maximum": 1 },
                { "type": "string", "pattern": "^(-?[0-9.]+|[0-9.]+%|[0-9.]+sd)$" },
            ],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threshold_is_said_in_three_ways() {
        for (text, threshold) in [
            ("0.5", Threshold::Absolute(0.5)),
            ("-1", Threshold::Absolute(-1.0)),
            ("5%", Threshold::Percentile(5.0)),
            (" 1.5sd ", Threshold::Deviations(1.5)),
        ] {
            let read: TopicThreshold = text.parse().unwrap();
            assert_eq!(read, TopicThreshold(threshold), "{text}");
            assert_eq!(read.to_string(), text.trim());
        }
        for text in ["", "2", "-1%", "101%", "sd", "NaN", "inf", "0.5x", "-1sd"] {
            assert!(text.parse::<TopicThreshold>().is_err(), "{text}");
        }
    }
}
