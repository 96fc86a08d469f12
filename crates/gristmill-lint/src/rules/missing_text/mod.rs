//! Placeholders that an export wrote in place of text.

use gristmill_core::{Severity, Span};

use crate::visible::without_code;
use crate::{Check, Finding, GroupRule, Repairs, Rule, View};

pub static RULE: Rule = Rule {
    name: "missing-text",
    title: "Chunk holds a placeholder in place of text",
    severity: Severity::Medium,
    repairs: Repairs::Never,
    docs: include_str!("docs.md"),
    cases: include_str!("cases.md"),
    check: Check::Group(&MissingText),
};

/// What programs write for a value that is not there. Letter case matters: `none` may be an answer.
const PLACEHOLDERS: [&str; 18] = [
    "null",
    "NULL",
    "None",
    "nil",
    "NaN",
    "nan",
    "<NA>",
    "NaT",
    "undefined",
    "N/A",
    "n/a",
    "#N/A",
    "#REF!",
    "#VALUE!",
    "[object Object]",
    "<empty>",
    "(empty)",
    "(null)",
];

/// What a program never writes on purpose.
const STRINGIFIED: &str = "[object Object]";

struct MissingText;

impl GroupRule for MissingText {
    fn check(&self, view: &View<'_>, out: &mut Vec<Finding>) {
        for (at, piece) in view.pieces.iter().enumerate() {
            if let Some(span) = placeholder(&piece.text) {
                let word = &piece.text[span.range()];
                let message = format!("`{word}` is all there is; the text was lost before it came here");
                out.push(Finding::new(RULE.name, RULE.severity, at, message).at(span));
                continue;
            }
            let found = memchr::memmem::find(piece.text.as_bytes(), STRINGIFIED.as_bytes());
            let bare = found.and_then(|_| without_code(piece, &view.shapes[at]).find(STRINGIFIED));
            if let Some(start) = bare {
                let message = format!("`{STRINGIFIED}` stands where a value was lost");
                let span = Span::new(start, start + STRINGIFIED.len());
                out.push(Finding::new(RULE.name, RULE.severity, at, message).at(span));
            }
        }
    }
}

/// The placeholder that a text consists of, quotes, brackets and marks of emphasis aside.
pub fn placeholder(text: &str) -> Option<Span> {
    let bare = text.trim();
    if bare.len() > 32 {
        return None;
    }
    let mark = |c: char| matches!(c, '"' | '\'' | '`' | '*' | '_' | '.' | ' ');
    let inner = bare.trim_matches(mark);
    let word = PLACEHOLDERS.iter().find(|known| **known == inner || **known == bare)?;
    let start = text.find(word)?;
    Some(Span::new(start, start + word.len()))
}
