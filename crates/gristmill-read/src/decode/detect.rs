//! Which encoding some bytes are in.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};
use memchr::memmem;

use super::latin::likelier;

/// The encoding of a file, by its WHATWG name in lower case (`utf-32le` and `utf-32be` besides).
///
/// A byte order mark decides; then the pattern of zero bytes of UTF-16 and UTF-32; then whether the bytes are UTF-8;
/// then the frequencies of letters in the first megabyte from the first byte that is not ASCII.
pub fn detect_encoding(bytes: &[u8]) -> &'static str {
    look(bytes).encoding
}

/// What a look at the bytes told.
pub(super) struct Look<'a> {
    pub(super) encoding: &'static str,
    /// The bytes as they are, where they were seen to be UTF-8, so that nobody looks again.
    pub(super) text: Option<&'a str>,
}

pub(super) fn look(bytes: &[u8]) -> Look<'_> {
    let of = |encoding| Look { encoding, text: None };
    if let Some(encoding) = marked(bytes).or_else(|| wide(bytes)) {
        return of(encoding);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) if is_iso_2022_jp(text) => of("iso-2022-jp"),
        Ok(text) => Look { encoding: "utf-8", text: Some(text) },
        Err(error) if is_damaged(bytes, error.valid_up_to()) => of("utf-8"),
        Err(_) => of(guess(bytes)),
    }
}

/// True when a byte order mark of any Unicode encoding stands at the start.
pub(super) fn has_mark(bytes: &[u8]) -> bool {
    marked(bytes).is_some()
}

/// The encoding of which `bytes` begin with the byte order mark.
fn marked(bytes: &[u8]) -> Option<&'static str> {
    const MARKS: [(&[u8], &str); 5] = [
        (b"\xef\xbb\xbf", "utf-8"),
        // Before UTF-16LE, of which it is a special case.
        (b"\xff\xfe\0\0", "utf-32le"),
        (b"\0\0\xfe\xff", "utf-32be"),
        (b"\xff\xfe", "utf-16le"),
        (b"\xfe\xff", "utf-16be"),
    ];
    MARKS.iter().find(|(mark, _)| bytes.starts_with(mark)).map(|&(_, name)| name)
}

/// Bytes at the start that are enough to see the pattern of zeros.
const SAMPLE: usize = 64 * 1024;

/// UTF-16 or UTF-32 without a byte order mark.
pub(super) fn wide(bytes: &[u8]) -> Option<&'static str> {
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    memchr::memchr(0, sample)?;
    let mut zeros = [0usize; 4];
    for at in memchr::memchr_iter(0, sample) {
        zeros[at % 4] += 1;
    }
    let quads = sample.len() / 4;
    let full = |n: usize| quads > 0 && n >= quads;
    let (quarters, _) = sample.as_chunks::<4>();
    let letters = |unit: fn([u8; 4]) -> u32| {
        let odd = quarters.iter().filter(|&&quad| !char::from_u32(unit(quad)).is_some_and(is_expected)).count();
        odd * 50 <= quads
    };
    if full(zeros[3]) && zeros[2] * 2 > quads && letters(u32::from_le_bytes) {
        return Some("utf-32le");
    }
    if full(zeros[0]) && zeros[1] * 2 > quads && letters(u32::from_be_bytes) {
        return Some("utf-32be");
    }
    let (even, odd) = (zeros[0] + zeros[2], zeros[1] + zeros[3]);
    if is_utf_16(sample, odd, even, UTF_16LE) {
        return Some("utf-16le");
    }
    is_utf_16(sample, even, odd, UTF_16BE).then_some("utf-16be")
}

/// Mostly Latin text has a zero in nearly every unit. Other scripts have zeros in blanks and line ends only: text of
/// one byte a letter that happens to hold a NUL would read as Chinese, but its blanks are then stray halves of units.
fn is_utf_16(sample: &[u8], high: usize, low: usize, encoding: &'static Encoding) -> bool {
    let sample = &sample[..sample.len() & !1];
    let units = sample.len() / 2;
    let latin = high * 10 >= units * 4 && low * 10 <= high;
    if units < 2 || (!latin && (high == 0 || std::str::from_utf8(sample).is_ok())) {
        return false;
    }
    let (text, _) = encoding.decode_without_bom_handling(sample);
    let odd = text.chars().filter(|&c| !is_expected(c)).count();
    let blanks = text.chars().filter(|c| matches!(c, ' ' | '\n' | '\r')).count();
    let halves = sample.iter().filter(|byte| matches!(byte, b' ' | b'\n' | b'\r')).count() - blanks;
    odd * 50 <= units && (latin || (blanks > 0 && halves * 10 <= units))
}

/// Characters of the living scripts, their marks and emoji.
fn is_expected(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='~' | '\u{a0}'..='\u{11ff}' | '\u{1e00}'..='\u{2bff}')
        || matches!(c, '\u{3000}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{ff00}'..='\u{ffef}')
        || matches!(c, '\u{1f000}'..='\u{1faff}' | '\u{20000}'..='\u{3134f}')
}

/// UTF-8 with some bytes that are not: far more characters are well formed than ill formed. `valid` bytes are well
/// formed up to the first that is not.
fn is_damaged(bytes: &[u8], valid: usize) -> bool {
    let (mut well, mut ill) = (0usize, 0usize);
    for chunk in bytes[..bytes.len().min(valid + SAMPLE)].utf8_chunks() {
        // Lead bytes count the characters above ASCII.
        well += chunk.valid().bytes().filter(|byte| *byte >= 0xc0).count();
        ill += usize::from(!chunk.invalid().is_empty());
    }
    well >= ill * 3
}

/// ASCII with the escape sequences that switch to Japanese.
fn is_iso_2022_jp(text: &str) -> bool {
    let bytes = text.as_bytes();
    let Some(escape) = memchr::memchr(0x1b, bytes) else { return false };
    let switches = |mark: &[u8]| memmem::find(&bytes[escape..], mark).is_some();
    (switches(b"\x1b$B") || switches(b"\x1b$@")) && bytes.is_ascii() && {
        let (_, undecodable) = encoding_rs::ISO_2022_JP.decode_without_bom_handling(bytes);
        !undecodable
    }
}

/// Bytes that are enough to know the frequencies of letters.
const GUESS: usize = 1 << 20;

/// Letters before the first byte above ASCII help the guess.
const CONTEXT: usize = 16;

fn guess(bytes: &[u8]) -> &'static str {
    let first = bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
    let rest = &bytes[first.saturating_sub(CONTEXT)..];
    let sample = &rest[..rest.len().min(GUESS)];
    let name = by_letters(sample, sample.len() == rest.len());
    likelier(name, sample, |words| by_letters(words, true))
}

/// What the frequencies of letters say.
fn by_letters(sample: &[u8], whole: bool) -> &'static str {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(sample, whole);
    match lower_name(detector.guess(None, Utf8Detection::Deny)) {
        // Hardly a file is in ISO-8859-4; texts of the same languages in windows-1257 are often taken for it.
        "iso-8859-4" => "windows-1257",
        name => name,
    }
}

/// The name in lower case, without an allocation.
pub(super) fn lower_name(encoding: &'static Encoding) -> &'static str {
    const NAMES: [&str; 32] = [
        "big5",
        "euc-jp",
        "euc-kr",
        "gbk",
        "ibm866",
        "iso-8859-10",
        "iso-8859-13",
        "iso-8859-14",
        "iso-8859-15",
        "iso-8859-16",
        "iso-8859-2",
        "iso-8859-3",
        "iso-8859-4",
        "iso-8859-5",
        "iso-8859-6",
        "iso-8859-7",
        "iso-8859-8",
        "iso-8859-8-i",
        "koi8-r",
        "koi8-u",
        "shift_jis",
        "utf-8",
        "windows-1250",
        "windows-1251",
        "windows-1252",
        "windows-1253",
        "windows-1254",
        "windows-1255",
        "windows-1256",
        "windows-1257",
        "windows-1258",
        "windows-874",
    ];
    let name = encoding.name();
    NAMES.into_iter().find(|lower| lower.eq_ignore_ascii_case(name)).unwrap_or(name)
}
