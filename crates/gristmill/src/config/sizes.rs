//! How the sizes of chunks follow from one another.

use gristmill_core::{Error, Result};

use super::resolve::Cx;
use super::{ChunkOptions, Origin, SizeUnit};

/// The greatest `max`; larger than any text that is cut at once.
const LARGEST: u32 = 1_000_000_000;

/// A full set of sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sizes {
    pub(super) unit: SizeUnit,
    pub(super) target: u32,
    pub(super) max: u32,
    pub(super) min: u32,
    pub(super) overlap: u32,
}

impl Sizes {
    /// Where nothing is said.
    pub(super) const DEFAULT: Self = Self { unit: SizeUnit::Tokens, target: 400, max: 600, min: 80, overlap: 60 };

    /// The same in another unit. English prose has near 4 characters and 3/4 of a word to a token.
    pub(super) fn in_unit(self, unit: SizeUnit) -> Self {
        let convert = |size| share(size, weight(unit), weight(self.unit));
        Self {
            unit,
            target: convert(self.target),
            max: convert(self.max),
            min: convert(self.min),
            overlap: convert(self.overlap),
        }
    }

    /// The same in proportion to another `max`. From the defaults follow target = 2/3, min = 2/15, overlap = 1/10 of it.
    pub(super) fn scaled(self, max: u32) -> Self {
        let scale = |size| share(size, max, self.max);
        Self { max, target: scale(self.target).max(1), min: scale(self.min), overlap: scale(self.overlap), ..self }
    }
}

/// The sizes that hold where `base` does and `options` say otherwise. `key` names their table and `origin` is where `base`
/// came from.
pub(super) fn settle(base: Sizes, options: &ChunkOptions, key: &str, origin: &Origin, cx: &mut Cx) -> Result<Sizes> {
    let max = options.max.unwrap_or(base.max);
    if !(1..=LARGEST).contains(&max) {
        let message = format!("`max` must be between 1 and {LARGEST}, not: {max}");
        return Err(cx.origins.blame(&format!("{key}.max"), message));
    }
    let base = base.scaled(max);
    let followed = if options.max.is_some() { Origin::Derived(format!("{key}.max")) } else { origin.clone() };
    cx.inherit(key, "max", options.max.is_some(), origin);
    cx.inherit(key, "target", options.target.is_some(), &followed);
    cx.inherit(key, "min", options.min.is_some(), &followed);
    cx.inherit(key, "overlap", options.overlap.is_some(), &followed);
    let (target, min) = target_and_min(base, options, key, cx)?;
    Ok(Sizes { target, min, overlap: overlap(base, options, key, cx)?, ..base })
}

/// `min ≤ target ≤ max`; a size that was given moves one that was not.
fn target_and_min(base: Sizes, options: &ChunkOptions, key: &str, cx: &mut Cx) -> Result<(u32, u32)> {
    if options.target == Some(0) {
        return Err(cx.origins.blame(&format!("{key}.target"), "`target` must be at least 1"));
    }
    let given_target = options.target.map(|target| lowered("target", target, ("max", base.max), key, cx));
    let given_min = options.min.map(|min| lowered("min", min, ("max", base.max), key, cx));
    Ok(match (given_target, given_min) {
        (Some(target), Some(min)) => (target, lowered("min", min, ("target", target), key, cx)),
        (Some(target), None) => (target, base.min.min(target)),
        (None, Some(min)) => (base.target.max(min), min),
        (None, None) => (base.target, base.min),
    })
}

fn lowered(name: &str, size: u32, (limit_name, limit): (&str, u32), key: &str, cx: &mut Cx) -> u32 {
    if size > limit {
        let message = format!("`{name}` {size} is above `{limit_name}` and was lowered to it: {limit}");
        cx.note(&format!("{key}.{name}"), "size-lowered", message);
    }
    size.min(limit)
}

fn overlap(base: Sizes, options: &ChunkOptions, key: &str, cx: &mut Cx) -> Result<u32> {
    let max = base.max;
    let given = match options.overlap {
        Some(given) if options.sentences_per_chunk.is_none() => given,
        _ => return Ok(base.overlap),
    };
    let overlap = given.of(max);
    let shown = if given.to_string().ends_with('%') { format!("{overlap} ({given})") } else { overlap.to_string() };
    if overlap >= max {
        let from = |name: &str| cx.origins.of(&format!("{key}.{name}")).to_string();
        let hint = format!(
            "`overlap` comes from: {}, `max` from: {}; a tenth to a fifth is usual",
            from("overlap"),
            from("max")
        );
        return Err(Error::config(format!("overlap {shown} is not below max {max}")).hint(hint));
    }
    if u64::from(overlap) * 4 > u64::from(max) {
        let message = format!(
            "overlap {shown} is more than a quarter of max {max}: repeated text is embedded, stored and found again and \
             again, and neighbours become near-duplicates; a tenth to a fifth is usual"
        );
        cx.note(&format!("{key}.overlap"), "large-overlap", message);
    }
    Ok(overlap)
}

fn weight(unit: SizeUnit) -> u32 {
    match unit {
        SizeUnit::Tokens => 4,
        SizeUnit::Chars => 16,
        SizeUnit::Words => 3,
    }
}

/// `size * part / whole`, rounded to the nearest whole number.
fn share(size: u32, part: u32, whole: u32) -> u32 {
    let (size, part, whole) = (u64::from(size), u64::from(part), u64::from(whole.max(1)));
    u32::try_from((2 * size * part + whole) / (2 * whole)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(s: Sizes) -> (u32, u32, u32, u32) {
        (s.target, s.max, s.min, s.overlap)
    }

    #[test]
    fn the_others_follow_from_max() {
        assert_eq!(of(Sizes::DEFAULT.scaled(300)), (200, 300, 40, 30));
        // 66.67, 13.33, 10
        assert_eq!(of(Sizes::DEFAULT.scaled(100)), (67, 100, 13, 10));
        assert_eq!(of(Sizes::DEFAULT.scaled(1)), (1, 1, 0, 0));
        assert_eq!(of(Sizes::DEFAULT.scaled(1_000_000_000)), (666_666_667, 1_000_000_000, 133_333_333, 100_000_000));
    }

    #[test]
    fn other_units_keep_the_proportions() {
        assert_eq!(of(Sizes::DEFAULT.in_unit(SizeUnit::Chars)), (1600, 2400, 320, 240));
        assert_eq!(of(Sizes::DEFAULT.in_unit(SizeUnit::Words)), (300, 450, 60, 45));
        assert_eq!(Sizes::DEFAULT.in_unit(SizeUnit::Chars).in_unit(SizeUnit::Tokens), Sizes::DEFAULT);
        assert_eq!(of(Sizes::DEFAULT.in_unit(SizeUnit::Chars).scaled(300)), (200, 300, 40, 30));
    }
}
