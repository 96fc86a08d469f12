//! When a guess by letters is not to be believed: signs such as `£` and `°` in a text of Western Europe are letters in
//! other encodings, and a few stray bytes in ASCII text look like short words of another script.
//!
//! - Another Latin encoding than windows-1252 must show its language by letters inside words, in the text without the
//!   bytes that are signs.
//! - An encoding of another script must show a word of three letters, or have as many bytes above ASCII as letters of
//!   ASCII. If it does not, the text is windows-1252 when its bytes make sense in that; otherwise it is UTF-8 with bytes
//!   that cannot be decoded, which is told.

use encoding_rs::Encoding;

/// The likeliest encoding of `sample`, for which the letters told `name`; `again` asks the letters once more.
pub(super) fn likelier(name: &'static str, sample: &[u8], again: impl Fn(&[u8]) -> &'static str) -> &'static str {
    if needs(name).is_some() {
        let words = without_signs(sample, name);
        let second = if words.is_ascii() { WESTERN } else { again(&words) };
        let sure = needs(second).is_some_and(|needed| letters_in_words(&words, second) >= needed);
        return if sure { second } else { WESTERN };
    }
    if !is_other_script(name) || has_words(sample, name) {
        return name;
    }
    if makes_sense(sample) { WESTERN } else { "utf-8" }
}

const WESTERN: &str = "windows-1252";

/// Letters that must show that a Latin text is in this encoding and not in windows-1252.
fn needs(name: &str) -> Option<usize> {
    match name {
        "iso-8859-2" | "windows-1250" | "windows-1254" => Some(2),
        "iso-8859-13" | "windows-1257" | "windows-1258" => Some(4),
        _ => None,
    }
}

/// Encodings of one byte a letter for scripts that are not Latin.
fn is_other_script(name: &str) -> bool {
    let scripts = ["iso-8859-5", "iso-8859-6", "iso-8859-7", "iso-8859-8", "iso-8859-8-i", "koi8-u", "ibm866"];
    let windows = ["windows-1251", "windows-1253", "windows-1255", "windows-1256", "windows-874"];
    scripts.contains(&name) || windows.contains(&name)
}

/// The characters for all bytes of an encoding; U+FFFD where it has none.
fn characters(name: &str) -> [char; 256] {
    let encoding = Encoding::for_label(name.as_bytes()).unwrap_or(encoding_rs::WINDOWS_1252);
    std::array::from_fn(|byte| {
        let bytes = [u8::try_from(byte).unwrap_or(0)];
        encoding.decode_without_bom_handling(&bytes).0.chars().next().unwrap_or(char::REPLACEMENT_CHARACTER)
    })
}

/// The sample with blanks for the bytes that are signs in windows-1252 and do not stand as letters in the encoding
/// `name`, and for `œ` before the vowels that follow it in French.
fn without_signs(sample: &[u8], name: &str) -> Vec<u8> {
    let (theirs, western) = (characters(name), characters(WESTERN));
    let mut words = sample.to_vec();
    for (at, &byte) in sample.iter().enumerate().filter(|(_, byte)| !byte.is_ascii()) {
        let near = |at: Option<usize>| at.and_then(|at| sample.get(at)).map_or(' ', |&b| theirs[usize::from(b)]);
        let (before, after) = (near(at.checked_sub(1)), near(Some(at + 1)));
        let own = theirs[usize::from(byte)];
        let sign = match western[usize::from(byte)] {
            'œ' | 'Œ' => matches!(after, 'u' | 'U' | 'i' | 'I'),
            '¹' | '³' if !after.is_alphabetic() && before == 'm' => is_unit(&sample[..at]),
            letter if letter.is_alphabetic() => false,
            _ => !is_letter_between(before, own, after),
        };
        if sign {
            words[at] = b' ';
        }
    }
    words
}

/// Whether `c` is a letter that stands well between its neighbours: in a word, and no capital after a small letter.
fn is_letter_between(before: char, c: char, after: char) -> bool {
    let bent = |left: char, right: char| left.is_lowercase() && right.is_uppercase();
    c.is_alphabetic()
        && (before.is_alphabetic() || after.is_alphabetic())
        && !(before.is_numeric() || after.is_numeric() || bent(before, c) || bent(c, after))
}

/// Whether a unit of length ends the text: `m`, `cm`, `km` and the like.
fn is_unit(before: &[u8]) -> bool {
    let word = before.rsplit(|byte| !byte.is_ascii_alphabetic()).next().unwrap_or_default();
    matches!(word, b"m" | b"mm" | b"cm" | b"dm" | b"km")
}

/// Letters in words that are others than windows-1252 has there.
fn letters_in_words(words: &[u8], name: &str) -> usize {
    let (theirs, western) = (characters(name), characters(WESTERN));
    let near = |at: Option<usize>| at.and_then(|at| words.get(at)).map_or(' ', |&b| theirs[usize::from(b)]);
    let shows = |(at, byte): (usize, &u8)| {
        let own = theirs[usize::from(*byte)];
        own != western[usize::from(*byte)] && is_letter_between(near(at.checked_sub(1)), own, near(Some(at + 1)))
    };
    words.iter().enumerate().filter(|(_, byte)| !byte.is_ascii()).filter(|&place| shows(place)).count()
}

/// Whether the text has words in the script of the encoding.
fn has_words(sample: &[u8], name: &str) -> bool {
    let theirs = characters(name);
    let high = sample.iter().filter(|byte| !byte.is_ascii()).count();
    let ascii = sample.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let is_word = |word: &[u8]| word.len() >= 3 && word.iter().all(|byte| !byte.is_ascii());
    high >= ascii || sample.split(|&byte| !theirs[usize::from(byte)].is_alphabetic()).any(is_word)
}

/// Whether at least half of the bytes above ASCII are letters in words with letters of ASCII, words of one letter, or
/// signs, all in windows-1252.
fn makes_sense(sample: &[u8]) -> bool {
    let western = characters(WESTERN);
    let mut odd = 0;
    for word in sample.split(|&byte| !western[usize::from(byte)].is_alphabetic()) {
        let foreign = !word.is_empty() && word.iter().all(|byte| !byte.is_ascii());
        let alone = matches!(word, [byte] if "àÀáÁéÉèÈêíÍìÌóÓòÒôùÙúÚÖöÅåÄäÆæØøÜüª\u{ba}µ".contains(western[usize::from(*byte)]));
        odd += if foreign && !alone { word.len() } else { 0 };
    }
    odd += sample.iter().filter(|&&byte| western[usize::from(byte)].is_control() && byte >= 0x80).count();
    let high = sample.iter().filter(|byte| !byte.is_ascii()).count();
    odd * 2 <= high
}
