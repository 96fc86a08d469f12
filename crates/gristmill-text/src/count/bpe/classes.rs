//! The classes of characters that the pre-tokenizers tell apart.

use std::sync::LazyLock;

/// A class, or a set of classes joined with `|`.
pub(super) type Class = u8;

/// Symbols, punctuation, control characters and everything else.
pub(super) const OTHER: Class = 1;
/// White space (`White_Space`) except [`NEWLINE`].
pub(super) const SPACE: Class = 2;
/// Carriage return and line feed.
pub(super) const NEWLINE: Class = 4;
/// General category N.
pub(super) const NUMBER: Class = 8;
/// Lu and Lt.
pub(super) const UPPER: Class = 16;
/// Ll.
pub(super) const LOWER: Class = 32;
/// Lm and Lo.
pub(super) const CASELESS: Class = 64;
/// M.
pub(super) const MARK: Class = 128;
/// Beyond the end of the text: in no set.
pub(super) const END: Class = 0;

/// Runs made by `examples/classes.rs`.
const RUNS: &[u8] = include_bytes!("../../../assets/classes.bin");

/// The class of each character of ASCII.
const ASCII: [Class; 128] = {
    let mut classes = [OTHER; 128];
    let mut code = 0;
    while code < 128 {
        classes[code as usize] = match code {
            b'\r' | b'\n' => NEWLINE,
            b' ' | b'\t'..b'\r' => SPACE,
            b'0'..=b'9' => NUMBER,
            b'A'..=b'Z' => UPPER,
            b'a'..=b'z' => LOWER,
            _ => OTHER,
        };
        code += 1;
    }
    classes
};

/// The class of every code point.
pub(super) struct Classes(Vec<Class>);

static CLASSES: LazyLock<Classes> = LazyLock::new(Classes::expand);

impl Classes {
    /// The one table, made on first use.
    pub(super) fn get() -> &'static Self {
        &CLASSES
    }

    /// Class and length of the character at `at`; [`END`] and 0 at the end of `text`.
    #[inline]
    pub(super) fn at(&self, text: &[u8], at: usize) -> (Class, usize) {
        match text.get(at) {
            Some(&first) if first < 0x80 => (ASCII[usize::from(first)], 1),
            Some(&first) => self.beyond_ascii(text, at, first),
            None => (END, 0),
        }
    }

    fn beyond_ascii(&self, text: &[u8], at: usize, first: u8) -> (Class, usize) {
        let next = |n: usize| text.get(at + n).map_or(0, |byte| u32::from(byte & 0x3f));
        let lead = u32::from(first);
        let (code, length) = match first {
            0..0xe0 => ((lead & 0x1f) << 6 | next(1), 2),
            0xe0..0xf0 => ((lead & 0x0f) << 12 | next(1) << 6 | next(2), 3),
            0xf0.. => ((lead & 0x07) << 18 | next(1) << 12 | next(2) << 6 | next(3), 4),
        };
        (self.0.get(code as usize).copied().unwrap_or(OTHER), length)
    }

    /// The end of the run of characters in `set` that begins at `at`.
    #[inline]
    pub(super) fn run(&self, text: &[u8], mut at: usize, set: Class) -> usize {
        loop {
            let (class, length) = self.at(text, at);
            if class & set == 0 {
                return at;
            }
            at += length;
        }
    }

    fn expand() -> Self {
        let mut table = vec![OTHER; char::MAX as usize + 1];
        let (mut start, mut value, mut shift) = (0, 0_usize, 0);
        for byte in RUNS {
            value |= usize::from(byte & 127) << shift;
            shift += 7;
            if *byte < 128 {
                let end = start + (value >> 3);
                if let Some(run) = table.get_mut(start..end) {
                    run.fill(1 << (value & 7));
                }
                (start, value, shift) = (end, 0, 0);
            }
        }
        Self(table)
    }
}

#[cfg(test)]
mod tests {
    use fancy_regex::Regex;

    use super::*;

    #[test]
    fn every_character_has_the_class_its_category_says() {
        let sets = [
            (SPACE | NEWLINE, r"\s"),
            (NEWLINE, r"[\r\n]"),
            (NUMBER, r"\p{N}"),
            (UPPER, r"[\p{Lu}\p{Lt}]"),
            (LOWER, r"\p{Ll}"),
            (CASELESS, r"[\p{Lm}\p{Lo}]"),
            (MARK, r"\p{M}"),
        ];
        let all: String = (char::MIN..=char::MAX).collect();
        for (set, pattern) in sets {
            let mut members = String::new();
            for (at, char) in all.char_indices() {
                let (class, length) = Classes::get().at(all.as_bytes(), at);
                assert_eq!((class.count_ones(), length), (1, char.len_utf8()), "{char:?}");
                if class & set != 0 {
                    members.push(char);
                }
            }
            let matched = Regex::new(pattern).unwrap();
            let expected: String = matched.find_iter(&all).map(|found| found.unwrap().as_str()).collect();
            assert!(members == expected, "{pattern}");
        }
    }

    #[test]
    fn the_end_is_in_no_set() {
        assert_eq!(Classes::get().at(b"a", 1), (END, 0));
        assert_eq!(Classes::get().run(b"abc1", 0, LOWER), 3);
        assert_eq!(Classes::get().run(b"abc", 0, 255), 3);
    }
}
