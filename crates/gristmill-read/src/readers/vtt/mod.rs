//! Subtitles: WebVTT and SubRip. What is said, in paragraphs, each with the time at which it begins.

mod cues;

use gristmill_core::{Attrs, Diagnostic, Document, Input, Outcome, Reader, Result, Severity};
use serde_json::Value;

use self::cues::{Cue, cues};
use crate::converted::Converted;
use crate::decode::decode;
use crate::markup::{Inline, Markdown};

/// Reads subtitles.
#[derive(Clone, Copy, Debug, Default)]
pub struct Vtt;

/// A pause of so many milliseconds begins a paragraph.
const PAUSE: u64 = 4000;

/// From so many bytes on, a paragraph ends with a sentence.
const LONG: usize = 400;

/// A paragraph has no more bytes than these and one cue.
const LONGEST: usize = 1200;

impl Reader for Vtt {
    fn name(&self) -> &'static str {
        "vtt"
    }

    fn summary(&self) -> &'static str {
        "subtitles (WebVTT, SubRip): what is said, by speaker, with times"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["vtt", "srt"]
    }

    fn converts(&self) -> bool {
        true
    }

    fn read(&self, input: &Input<'_>) -> Result<Outcome<Document>> {
        let decoded = decode(input)?;
        let cues = cues(&decoded.text);
        let text = written(&cues.all);
        let title = decoded.text.lines().next().and_then(|line| line.strip_prefix("WEBVTT"));
        let title = title.map(|title| title.trim_matches([' ', '\t', '-'])).filter(|title| !title.is_empty());
        let attrs: Attrs =
            title.map(|title| ("title".to_owned(), Value::String(title.to_owned()))).into_iter().collect();
        let (encoding, mut diagnostics) = (decoded.encoding, decoded.diagnostics);
        if cues.untimed > 0 {
            let message = format!("pieces of text without a time that can be read: {}", cues.untimed);
            diagnostics.push(Diagnostic::new("cue-without-time", Severity::Medium, input.source, message));
        }
        let converted = Converted { text, attrs, encoding, diagnostics, ..Converted::default() };
        Ok(converted.document(input, self.name()))
    }
}

fn written(cues: &[Cue]) -> String {
    let mut out = Markdown::default();
    let mut paragraph = String::new();
    let mut before: Option<&Cue> = None;
    for cue in cues {
        if before.is_some_and(|before| begins(before, cue, &paragraph)) {
            out.paragraph(Inline::of(&std::mem::take(&mut paragraph)));
        }
        if paragraph.is_empty() {
            paragraph = format!("[{}]", clock(cue.start));
            if let Some(speaker) = &cue.speaker {
                paragraph.push_str(&format!(" {speaker}:"));
            }
        }
        paragraph.push(' ');
        paragraph.push_str(&cue.text);
        before = Some(cue);
    }
    out.paragraph(Inline::of(&paragraph));
    out.finish()
}

/// True when a cue begins a paragraph.
fn begins(before: &Cue, cue: &Cue, paragraph: &str) -> bool {
    let sentence = before.text.ends_with(['.', '!', '?', '…', '。', '！', '？', '"', '”']);
    before.speaker != cue.speaker
        || cue.start.saturating_sub(before.end) >= PAUSE
        || (paragraph.len() > LONG && sentence)
        || paragraph.len() > LONGEST
}

/// `h:mm:ss` of milliseconds, hours with two digits.
fn clock(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::read;

    #[test]
    fn speakers_and_pauses_make_paragraphs() {
        let text = "WEBVTT - A talk\n\nNOTE not said\n\n1\n00:01.000 --> 00:03.500 align:left\n<v Ann>Hello,\nall &amp; sundry</v>\n\n\
            00:04.000 --> 00:05.000\n<v Ann>and <i>welcome</i>.\n\n00:05.000 --> 00:06.000\n<v Bo>Thanks.\n\n\
            01:00:10.000 --> 01:00:11.000\n<v Bo>Later.\n";
        let document = read(&Vtt, text);
        let expected =
            "[00:00:01] Ann: Hello, all & sundry and welcome.\n\n[00:00:05] Bo: Thanks.\n\n[01:00:10] Bo: Later.\n";
        assert_eq!(document.text, expected);
        assert_eq!(document.attrs["title"], "A talk");
    }

    #[test]
    fn subrip_is_read_and_rolling_lines_are_said_once() {
        let text = "1\n00:00:01,000 --> 00:00:02,000\n{\\an8}one\n\n2\n00:00:02,000 --> 00:00:03,000\none\ntwo\n\n\
            3\n00:00:03,000 --> 00:00:04,000\ntwo\nthree\n";
        assert_eq!(read(&Vtt, text).text, "[00:00:01] one two three\n");
    }

    #[test]
    fn comparisons_and_addresses_are_said() {
        let text = "1\n00:00:01,000 --> 00:00:02,000\n<i>if 1 < 2</i> and 4 > 3, mail <bob@x.y>\n";
        // In Markdown, an address in angle brackets is a link.
        assert_eq!(read(&Vtt, text).text, "[00:00:01] if 1 < 2 and 4 > 3, mail \\<bob@x.y>\n");
    }

    #[test]
    fn text_without_a_time_is_text() {
        for (text, expected) in [
            ("1\n00:00:01,000 --> 00:00:02,000\none\n\n2\n00:00:03,000 -> 00:00:04,000\ntwo\n", "[00:00:01] one two\n"),
            ("00:01.000 --> 00:02.000\none\n\nnobody timed this\n", "[00:00:01] one nobody timed this\n"),
            ("00:01.000 --> 00:02.000\none\n\n7\n0:9 --> bad\ntwo\n", "[00:00:01] one two\n"),
            // Without an empty line between them, the number of the next cue is no text.
            (
                "1\n00:01.000 --> 00:02.000\none\n2\n00:09.000 --> 00:10.000\ntwo\n",
                "[00:00:01] one\n\n[00:00:09] two\n",
            ),
            (
                "WEBVTT\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nNOTE a --> b\n\n00:01.000 --> 00:02.000\n12\n",
                "[00:00:01] 12\n",
            ),
            ("words alone\n", "[00:00:00] words alone\n"),
        ] {
            assert_eq!(read(&Vtt, text).text, expected, "{text}");
        }
    }
}
