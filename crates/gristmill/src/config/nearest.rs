//! The name that was meant.

/// The candidate nearest to `name`, if it is near: at most a third of its letters differ (one always may).
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let reach = (name.chars().count() / 3).max(1);
    let scored = candidates.into_iter().map(|c| (strsim::damerau_levenshtein(name, c), c));
    scored.filter(|(distance, _)| *distance <= reach).min().map(|(_, c)| c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let keys = ["max", "min", "overlap", "sentences_per_chunk"];
        let of = |name| nearest(name, keys);
        assert_eq!(of("mx"), Some("max"));
        assert_eq!(of("ovrelap"), Some("overlap"));
        assert_eq!(of("sentence_per_chunk"), Some("sentences_per_chunk"));
        assert_eq!(of("colour"), None);
        assert_eq!(of(""), None);
    }
}
