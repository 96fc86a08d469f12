//! From bytes to clean text: encoding, byte order mark, line ends and control characters.

mod binary;
mod clean;
mod detect;
mod latin;

use std::borrow::Cow;

use encoding_rs::Encoding;
use gristmill_core::{Diagnostic, Edit, Error, Input, OffsetMap, Result, Severity};

pub use binary::is_binary;
pub use detect::detect_encoding;

/// Text ready for a reader.
///
/// The *decoded source* is the file's bytes as UTF-8 text, with its byte order mark as U+FEFF. `text` is that without
/// the mark, with CRLF and CR read as LF, form feeds and vertical tabs as line ends, and without control characters.
#[derive(Clone, Debug, Default)]
pub struct Decoded<'a> {
    /// The text to read: that of the input where nothing had to be changed.
    pub text: Cow<'a, str>,
    /// The encoding, by its WHATWG name in lower case; `utf-32le` and `utf-32be` for those two.
    pub encoding: &'static str,
    /// What was changed, in positions of the decoded source.
    pub edits: Vec<Edit>,
    /// From `text` to the decoded source.
    pub map: OffsetMap,
    /// What there is to tell. Lines count from 1 at the start of the input's bytes.
    pub diagnostics: Vec<Diagnostic>,
}

/// Finds the encoding of the bytes and decodes them.
///
/// # Errors
/// When the decoded text would be 4 GiB or more.
pub fn decode<'a>(input: &Input<'a>) -> Result<Decoded<'a>> {
    let detect::Look { encoding, text } = detect::look(input.bytes);
    let source = match text {
        Some(text) => Source { text: Cow::Borrowed(text), undecodable: false },
        None => to_utf8(input.bytes, encoding),
    };
    clean_up(input, encoding, source)
}

/// Decodes with an encoding that [`detect_encoding`] gave, for windows of a file that was looked at as a whole.
/// An unknown name is read as UTF-8.
///
/// # Errors
/// When the decoded text would be 4 GiB or more.
pub fn decode_as<'a>(input: &Input<'a>, encoding: &'static str) -> Result<Decoded<'a>> {
    clean_up(input, encoding, to_utf8(input.bytes, encoding))
}

fn clean_up<'a>(input: &Input<'a>, encoding: &'static str, source: Source<'a>) -> Result<Decoded<'a>> {
    let Source { text: source, undecodable } = source;
    if u32::try_from(source.len()).is_err() {
        let message = format!("text of 4 GiB or more in one piece: `{}`", input.source);
        return Err(Error::input(message).hint("read it in windows"));
    }
    let mut diagnostics = Vec::new();
    if input.first && encoding != "utf-8" && !detect::has_mark(input.bytes) {
        diagnostics.push(legacy(input, encoding));
    }
    diagnostics.extend(undecodable.then(|| undecodable_bytes(input.source, encoding, &source)));
    let cleaning = clean::edits(&source, input.first);
    diagnostics.extend(cleaning.controls.map(|found| found.diagnostic(input.source, &source)));
    let (text, map) = if cleaning.edits.is_empty() {
        (source, OffsetMap::default())
    } else {
        let (text, map) = OffsetMap::apply(&source, &cleaning.edits);
        (Cow::Owned(text), map)
    };
    if input.first && text.trim().is_empty() {
        diagnostics.push(Diagnostic::new("empty-document", Severity::Info, input.source, "the document is empty"));
    }
    Ok(Decoded { text, encoding, edits: cleaning.edits, map, diagnostics })
}

/// The clean text of the start of a file, to look at.
pub(crate) fn glance(head: &[u8]) -> String {
    let Source { text, .. } = to_utf8(head, detect_encoding(head));
    OffsetMap::apply(&text, &clean::edits(&text, true).edits).0
}

/// The encoding that a document declares by a label of the WHATWG's, for [`decode_as`]. `None` for unknown labels.
#[cfg(feature = "html")]
pub(crate) fn declared_encoding(label: &[u8]) -> Option<&'static str> {
    Encoding::for_label(label).map(detect::lower_name)
}

/// The decoded source: `bytes` in the encoding that [`detect_encoding`] gave, as UTF-8, with a byte order mark as U+FEFF.
pub fn source_text<'a>(bytes: &'a [u8], encoding: &'static str) -> Cow<'a, str> {
    to_utf8(bytes, encoding).text
}

/// The decoded source, and whether something in it is a replacement for bytes without meaning.
struct Source<'a> {
    text: Cow<'a, str>,
    undecodable: bool,
}

fn to_utf8<'a>(bytes: &'a [u8], encoding: &str) -> Source<'a> {
    match encoding {
        "utf-32le" => utf_32(bytes, u32::from_le_bytes),
        "utf-32be" => utf_32(bytes, u32::from_be_bytes),
        _ => {
            let encoding = Encoding::for_label(encoding.as_bytes()).unwrap_or(encoding_rs::UTF_8);
            let (text, undecodable) = encoding.decode_without_bom_handling(bytes);
            Source { text, undecodable }
        }
    }
}

fn utf_32<'a>(bytes: &[u8], unit: fn([u8; 4]) -> u32) -> Source<'a> {
    let (units, rest) = bytes.as_chunks::<4>();
    let mut undecodable = !rest.is_empty();
    let mut text: String = units
        .iter()
        .map(|&quad| {
            char::from_u32(unit(quad)).unwrap_or_else(|| {
                undecodable = true;
                char::REPLACEMENT_CHARACTER
            })
        })
        .collect();
    if !rest.is_empty() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    Source { text: Cow::Owned(text), undecodable }
}

/// Fewer bytes above ASCII than these say little of their encoding.
const FEW: usize = 4;

fn legacy(input: &Input<'_>, encoding: &str) -> Diagnostic {
    let high = input.bytes.iter().filter(|byte| !byte.is_ascii()).take(FEW).count();
    let by_zeros = encoding.starts_with("utf-");
    let (severity, shown) = match high {
        ..FEW if high > 0 && !by_zeros => (Severity::Low, format!(" (few bytes show it: {high})")),
        _ => (Severity::Info, String::new()),
    };
    let message = format!("not UTF-8, encoding found by the look of the bytes: {encoding}{shown}");
    Diagnostic::new("legacy-encoding", severity, input.source, message)
        .help("save the file as UTF-8 if letters came out wrong")
}

fn undecodable_bytes(source: &str, encoding: &str, text: &str) -> Diagnostic {
    let mut places = text.match_indices(char::REPLACEMENT_CHARACTER).map(|(at, _)| at);
    let first = places.next().unwrap_or(0);
    let message = format!("bytes without meaning in {encoding}, replaced by U+FFFD: {}", 1 + places.count());
    Diagnostic::new("undecodable-bytes", Severity::Medium, source, message).at_line(line_at(text, first))
}

/// The line of a byte position, from 1.
fn line_at(text: &str, at: usize) -> u64 {
    let before = &text.as_bytes()[..at];
    let lone = memchr::memchr_iter(b'\r', before).filter(|&cr| text.as_bytes().get(cr + 1) != Some(&b'\n')).count();
    (memchr::memchr_iter(b'\n', before).count() + lone + 1) as u64
}

#[cfg(test)]
mod tests;
