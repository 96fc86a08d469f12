//! Sizes to start from, by kind of text.

use std::fmt;
use std::str::FromStr;

use gristmill_core::Error;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::SizeUnit;
use super::sizes::Sizes;

/// A kind of text, and the sizes that suit it. Starting points, not findings.
///
/// From a range of `low` to `high` follow `target` = the middle, `max` = `high`, and `min` = a quarter of `low`, so that
/// what is naturally short (one question, one clause) stays alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    /// Questions with answers: 100 to 200 tokens, no overlap.
    Faq,
    /// Technical documentation: 300 to 500 tokens, overlap 50.
    Docs,
    /// Contracts and laws: 500 to 800 tokens, overlap 100.
    Legal,
    /// Scientific papers: 400 to 600 tokens, overlap 80.
    Paper,
    /// Conversations: 200 to 300 tokens, overlap 30.
    Chat,
    /// Novels and essays: 300 to 500 tokens, overlap 50.
    Book,
    /// Source code: by function, at most 800 tokens, no overlap.
    Code,
}

impl Preset {
    /// Every preset, in the order of the documentation.
    pub const ALL: [Self; 7] = [Self::Faq, Self::Docs, Self::Legal, Self::Paper, Self::Chat, Self::Book, Self::Code];

    /// The name used in options.
    pub fn name(self) -> &'static str {
        match self {
            Self::Faq => "faq",
            Self::Docs => "docs",
            Self::Legal => "legal",
            Self::Paper => "paper",
            Self::Chat => "chat",
            Self::Book => "book",
            Self::Code => "code",
        }
    }

    /// The strategy that goes with it.
    pub fn strategy(self) -> &'static str {
        if self == Self::Code { "code" } else { DEFAULT_STRATEGY }
    }

    /// The sizes, in tokens.
    pub(super) fn sizes(self) -> Sizes {
        match self {
            Self::Faq => range(100, 200, 0),
            Self::Docs | Self::Book => range(300, 500, 50),
            Self::Legal => range(500, 800, 100),
            Self::Paper => range(400, 600, 80),
            Self::Chat => range(200, 300, 30),
            // One function a chunk where it fits; the other sizes stand to `max` as the defaults do.
            Self::Code => Sizes { overlap: 0, ..Sizes::DEFAULT.scaled(800) },
        }
    }
}

/// The strategy where nothing else is said.
pub(super) const DEFAULT_STRATEGY: &str = "auto";

fn range(low: u32, high: u32, overlap: u32) -> Sizes {
    Sizes { unit: SizeUnit::Tokens, target: u32::midpoint(low, high), max: high, min: low / 4, overlap }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Preset {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|preset| preset.name() == text).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            Error::config(format!("unknown preset: {text}")).hint(format!("presets are {names}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_lie_in_the_published_ranges() {
        let of = |preset: Preset| {
            let s = preset.sizes();
            (s.min, s.target, s.max, s.overlap)
        };
        assert_eq!(of(Preset::Faq), (25, 150, 200, 0));
        assert_eq!(of(Preset::Docs), (75, 400, 500, 50));
        assert_eq!(of(Preset::Legal), (125, 650, 800, 100));
        assert_eq!(of(Preset::Paper), (100, 500, 600, 80));
        assert_eq!(of(Preset::Chat), (50, 250, 300, 30));
        assert_eq!(of(Preset::Book), of(Preset::Docs));
        assert_eq!(of(Preset::Code), (107, 533, 800, 0));
    }

    #[test]
    fn names_are_read_back() {
        for preset in Preset::ALL {
            assert_eq!(preset.name().parse::<Preset>().unwrap(), preset);
            assert_eq!(serde_json::to_value(preset).unwrap(), preset.name());
        }
        assert!("doc".parse::<Preset>().is_err());
    }
}
