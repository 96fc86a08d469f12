//! Characters that were lost when bytes could not be decoded.

use gristmill_core::{Severity, Span};

use crate::visible::without_code;
use crate::{Check, Finding, GroupRule, Repairs, Rule, View};

pub static RULE: Rule = Rule {
    name: "replacement-character",
    title: "Characters were lost in decoding",
    severity: Severity::Medium,
    repairs: Repairs::Never,
    docs: include_str!("docs.md"),
    cases: include_str!("cases.md"),
    check: Check::Group(&ReplacementCharacter),
};

struct ReplacementCharacter;

impl GroupRule for ReplacementCharacter {
    fn check(&self, view: &View<'_>, out: &mut Vec<Finding>) {
        for (at, piece) in view.pieces.iter().enumerate() {
            let lost = memchr::memmem::find(piece.text.as_bytes(), "\u{fffd}".as_bytes()).is_some();
            let asked = memchr::memmem::find(piece.text.as_bytes(), b"??").is_some();
            if !lost && !asked {
                continue;
            }
            let text = without_code(piece, &view.shapes[at]);
            let count = text.matches('\u{fffd}').count();
            if let Some(first) = text.find('\u{fffd}') {
                let noun = if count == 1 { "character was" } else { "characters were" };
                let message = format!("{count} {noun} lost in decoding (U+FFFD)");
                let span = Span::new(first, first + '\u{fffd}'.len_utf8());
                out.push(Finding::new(RULE.name, RULE.severity, at, message).at(span));
            } else if let Some(span) = question_words(&text) {
                let message = "words of question marks: the letters were lost in an encoding that has none of them";
                out.push(Finding::new(RULE.name, RULE.severity, at, message).at(span));
            }
        }
    }
}

/// The first of the words that are nothing but question marks, when they make up most of a text: `??????? ?? ????`.
fn question_words(text: &str) -> Option<Span> {
    let (mut first, mut words, mut marks, mut seen) = (None, 0, 0, 0);
    let mut lengths = [false; 16];
    for word in text.split_whitespace() {
        let bare = word.trim_matches([',', '.', '!', ':', ';', '(', ')', '"']);
        seen += word.chars().count();
        if bare.len() >= 2 && bare.bytes().all(|byte| byte == b'?') {
            let start = bare.as_ptr() as usize - text.as_ptr() as usize;
            first = first.or(Some(Span::new(start, start + bare.len())));
            words += 1;
            marks += bare.len();
            lengths[bare.len().min(15)] = true;
        }
    }
    let various = lengths.iter().filter(|length| **length).count() >= 3;
    first.filter(|_| words >= 4 && various && marks * 2 >= seen)
}
