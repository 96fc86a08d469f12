//! Equality up to white space.

use super::units::{mix, step};

/// Hash of a text in which runs of white space are one space, and none at the ends.
pub(super) fn hash(text: &str) -> u64 {
    let mut hash = 0;
    let mut is_pending = false;
    let mut is_inside = false;
    for char in text.chars() {
        if char.is_whitespace() {
            is_pending = is_inside;
            continue;
        }
        if is_pending {
            hash = step(hash, u64::from(b' '));
            is_pending = false;
        }
        is_inside = true;
        hash = step(hash, u64::from(u32::from(char)));
    }
    mix(hash)
}

/// Whether two texts are equal up to white space.
pub(super) fn is_equal(left: &str, right: &str) -> bool {
    left.split_whitespace().eq(right.split_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_white_space_are_one() {
        for (left, right, equal) in [
            ("a b", " a\r\n\u{3000}b\t", true),
            ("a b", "ab", false),
            ("a b", "a b.", false),
            ("a b", "A b", false),
            ("", " \n", true),
        ] {
            assert_eq!(hash(left) == hash(right), equal, "{left:?} {right:?}");
            assert_eq!(is_equal(left, right), equal, "{left:?} {right:?}");
        }
    }
}
