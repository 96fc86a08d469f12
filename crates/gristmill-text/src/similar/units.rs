//! The units that are compared: words, or single characters in scripts written without spaces.

use super::fold::{Class, Folded, fold, is_han_numeral};

/// How many units make a shingle is decided by the kind of its last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Cjk,
    Dense,
}

/// The hash of a unit, as it stands and with its number masked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) plain: u64,
    pub(super) masked: u64,
    pub(super) kind: Kind,
}

const SEED: u64 = 0x243f_6a88_85a3_08d3;
/// The multiplier of Knuth's multiplicative hashing, 2^64 divided by the golden ratio.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
/// Stands for a run of digits, inside a word or alone.
const NUMBER: u64 = 0x11_0000;
/// Stands for the point or comma inside a number.
const POINT: u64 = 0x11_0001;

/// One step of a chained hash.
#[inline]
pub(super) fn step(hash: u64, value: u64) -> u64 {
    (hash.rotate_left(5) ^ value).wrapping_mul(FACTOR)
}

/// Spreads the bits (the finisher of MurmurHash3, public domain).
#[inline]
pub(super) fn mix(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let hash = (hash ^ (hash >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ (hash >> 33)
}

/// What an ASCII byte is, before its neighbours are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ascii {
    Letter,
    Digit,
    Gap,
    Line,
    Skip,
    /// Point or comma.
    Point,
    /// A sign that is mark-up in some places and meaning in others.
    Sign,
}

const ASCII: [Ascii; 128] = {
    let mut table = [Ascii::Gap; 128];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => Ascii::Letter,
            b'0'..=b'9' => Ascii::Digit,
            b'\n' | b'\r' => Ascii::Line,
            b'\t' | b' ' | 0x0b | 0x0c => Ascii::Gap,
            b'.' | b',' => Ascii::Point,
            b'#' | b'$' | b'%' | b'&' | b'+' | b'-' | b'<' | b'=' | b'>' | b'@' | b'^' => Ascii::Sign,
            b'\'' | 0..32 | 127 => Ascii::Skip,
            _ => Ascii::Gap,
        };
        byte += 1;
    }
    table
};

/// Calls `each` with the units of `text` in order.
pub(super) fn units(text: &str, each: impl FnMut(Unit)) {
    let mut scan = Scan { open: None, is_line_start: true, each };
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte < 128 {
            at = scan.ascii(bytes, at, byte);
        } else {
            let Some(char) = text.get(at..).and_then(|rest| rest.chars().next()) else { break };
            fold(char, |folded| scan.folded(folded));
            at += char.len_utf8();
        }
    }
    scan.end();
}

/// A unit that may go on.
struct Open {
    plain: u64,
    /// Differs from `plain` once there was a digit.
    masked: u64,
    kind: Kind,
    letters: u32,
    has_digit: bool,
    /// Its last character is a digit.
    in_number: bool,
    is_numeral: bool,
}

impl Open {
    fn new(kind: Kind) -> Self {
        let (plain, masked) = (SEED, SEED);
        Self { plain, masked, kind, letters: 0, has_digit: false, in_number: false, is_numeral: false }
    }

    #[inline]
    fn letter(&mut self, value: u64) {
        self.plain = step(self.plain, value);
        self.masked = step(self.masked, value);
        self.letters += 1;
        self.in_number = false;
    }

    fn digit(&mut self, value: u64) {
        self.plain = step(self.plain, value);
        if !self.in_number {
            self.masked = step(self.masked, NUMBER);
        }
        (self.has_digit, self.in_number) = (true, true);
    }

    /// Sums, so that the order in which marks of one letter are written does not matter.
    fn mark(&mut self, value: u64) {
        let value = mix(value);
        self.plain = self.plain.wrapping_add(value);
        self.masked = self.masked.wrapping_add(value);
    }

    /// A number alone counts as a number, and so does a letter alone ("plan A", "appendix B").
    fn is_number(&self) -> bool {
        match self.kind {
            Kind::Word => self.letters == 0 || (self.letters == 1 && !self.has_digit),
            Kind::Cjk | Kind::Dense => self.is_numeral,
        }
    }

    fn unit(&self) -> Unit {
        let masked = if self.is_number() { NUMBER } else { self.masked };
        Unit { plain: mix(self.plain), masked: mix(masked), kind: self.kind }
    }
}

struct Scan<F> {
    open: Option<Open>,
    /// No more than white space and marks of Markdown since the line began.
    is_line_start: bool,
    each: F,
}

impl<F: FnMut(Unit)> Scan<F> {
    #[inline]
    fn ascii(&mut self, bytes: &[u8], at: usize, byte: u8) -> usize {
        match ASCII[usize::from(byte & 127)] {
            Ascii::Letter => return self.letters(bytes, at),
            Ascii::Digit => self.digit(u64::from(byte)),
            Ascii::Gap => self.end(),
            Ascii::Line => {
                self.end();
                self.is_line_start = true;
            }
            Ascii::Skip => {}
            Ascii::Point => self.point(bytes, at),
            Ascii::Sign => self.sign(bytes, at, byte),
        }
        at + 1
    }

    /// Takes a run of letters; they are most of most texts.
    #[inline]
    fn letters(&mut self, bytes: &[u8], from: usize) -> usize {
        self.is_line_start = false;
        let open = self.word();
        let mut at = from;
        while let Some(byte) = bytes.get(at).filter(|byte| byte.is_ascii_alphabetic()) {
            open.letter(u64::from(byte | 0x20));
            at += 1;
        }
        at
    }

    fn digit(&mut self, value: u64) {
        self.is_line_start = false;
        self.word().digit(value);
    }

    /// A point or comma between digits belongs to the number.
    fn point(&mut self, bytes: &[u8], at: usize) {
        let goes_on = bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
        match &mut self.open {
            Some(open) if open.in_number && goes_on => open.plain = step(open.plain, POINT),
            _ => self.end(),
        }
    }

    fn sign(&mut self, bytes: &[u8], at: usize, byte: u8) {
        let before = at.checked_sub(1).and_then(|at| bytes.get(at)).copied();
        let is_meant = match byte {
            b'#' => before.is_some_and(|byte| byte.is_ascii_alphanumeric()),
            b'-' => bytes.get(at + 1).is_some_and(u8::is_ascii_digit) && !before.is_some_and(ends_operand),
            b'+' | b'<' | b'=' | b'>' => !self.is_line_start,
            _ => true,
        };
        let sign = if byte == b'-' { '−' } else { char::from(byte) };
        if is_meant { self.symbol(sign) } else { self.end() }
    }

    fn folded(&mut self, Folded { class, char }: Folded) {
        let value = u64::from(u32::from(char));
        match class {
            Class::Skip => {}
            Class::Gap => self.end(),
            Class::Letter => {
                self.is_line_start = false;
                self.word().letter(value);
            }
            Class::Digit => self.digit(value),
            Class::Mark => {
                if let Some(open) = &mut self.open {
                    open.mark(value);
                }
            }
            Class::Cjk => self.alone(Kind::Cjk, char),
            Class::Dense => self.alone(Kind::Dense, char),
            Class::Symbol => self.symbol(char),
        }
    }

    /// The word that is open, or a new one.
    #[inline]
    fn word(&mut self) -> &mut Open {
        if self.open.as_ref().is_some_and(|open| open.kind != Kind::Word) {
            self.end();
        }
        self.open.get_or_insert_with(|| Open::new(Kind::Word))
    }

    fn alone(&mut self, kind: Kind, char: char) {
        self.end();
        self.is_line_start = false;
        let open = self.open.insert(Open::new(kind));
        open.letter(u64::from(u32::from(char)));
        open.is_numeral = is_han_numeral(char);
    }

    fn symbol(&mut self, char: char) {
        self.alone(Kind::Word, char);
        // Not a letter alone, which would count as a number.
        if let Some(open) = &mut self.open {
            open.letters += 1;
        }
        self.end();
    }

    #[inline]
    fn end(&mut self) {
        if let Some(open) = self.open.take() {
            (self.each)(open.unit());
        }
    }
}

/// After such a byte a hyphen is no minus sign.
fn ends_operand(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 128 || matches!(byte, b'-' | b'.' | b'/' | b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> Vec<u64> {
        let mut out = Vec::new();
        units(text, |unit| out.push(unit.plain));
        out
    }

    fn masked(text: &str) -> Vec<u64> {
        let mut out = Vec::new();
        units(text, |unit| out.push(unit.masked));
        out
    }

    #[test]
    fn case_spacing_marks_and_markdown_do_not_matter() {
        let text = plain("Restart the gateway now");
        assert_eq!(text.len(), 4);
        for same in [
            "restart  the\ngateway, NOW!",
            "> **Restart** _the_ `gateway` now.",
            "# Restart the\u{ad} gate\u{200b}way now",
            "+ Restart | the | gateway | now |",
            "Ｒestart the gateway (now)",
        ] {
            assert_eq!(plain(same), text, "{same}");
        }
        assert_eq!(plain("don’t stop"), plain("don't stop"));
        assert_eq!(plain("café"), plain("cafe\u{301}"));
        assert_eq!(plain("ệ"), plain("e\u{302}\u{323}"));
        assert_ne!(plain("schon"), plain("schön"));
        assert_eq!(plain("允许，访问。"), plain("允许 访问"));
        assert_eq!(plain("한국"), plain("\u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8}"));
    }

    #[test]
    fn signs_that_change_the_meaning_matter() {
        for (left, right) in [
            ("x < 5", "x > 5"),
            ("at -5 degrees", "at 5 degrees"),
            ("C++ code", "C code"),
            ("C# code", "C code"),
            ("done ✅", "done ❌"),
            ("1.5 l", "15 l"),
            ("5 $", "5 €"),
        ] {
            assert_ne!(plain(left), plain(right), "{left} {right}");
        }
        assert_eq!(plain("pages 5-10"), plain("pages 5–10"));
        assert_eq!(plain("at −5"), plain("at -5"));
    }

    #[test]
    fn masks_hide_numbers_and_letters_that_stand_alone() {
        assert_eq!(masked("plan A is 1,000 or 4 v2"), masked("plan B is 900 or 40 v13"));
        assert_eq!(masked("第三章"), masked("第四章"));
        assert_ne!(masked("plan A is free"), masked("plan A is paid"));
        assert_ne!(masked("done ✅"), masked("done ❌"));
        assert_ne!(plain("v2"), plain("v13"));
    }
}
