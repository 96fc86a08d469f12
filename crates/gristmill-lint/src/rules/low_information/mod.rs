//! Chunks of separators and numbers only.

use gristmill_core::Severity;

use crate::rules::tiny_chunk::tiny;
use crate::visible::{is_wide, read};
use crate::{Check, Finding, GroupRule, LineKind, Repairs, Rule, View};

pub static RULE: Rule = Rule {
    name: "low-information",
    title: "Chunk holds hardly any words",
    severity: Severity::Low,
    repairs: Repairs::Never,
    docs: include_str!("docs.md"),
    cases: include_str!("cases.md"),
    check: Check::Group(&LowInformation),
};

/// Letters that make a text one of words, however many digits stand beside them; wide characters count double.
const ENOUGH: usize = 60;

struct LowInformation;

impl GroupRule for LowInformation {
    fn check(&self, view: &View<'_>, out: &mut Vec<Finding>) {
        for at in 0..view.pieces.len() {
            let Some(counts) = counts(view, at) else { continue };
            let seen = counts.letters + counts.digits + counts.signs;
            if seen == 0 || counts.letters >= ENOUGH || counts.letters * 5 >= seen || tiny(view, at).is_some() {
                continue;
            }
            let what = match (counts.digits, counts.signs) {
                (digits, signs) if digits >= signs => "numbers",
                _ => "separators and signs",
            };
            let message = format!("{what} with hardly a word: {} letters of {seen} characters", counts.letters);
            out.push(Finding::new(RULE.name, RULE.severity, at, message));
        }
    }
}

#[derive(Default)]
struct Counts {
    letters: usize,
    digits: usize,
    signs: usize,
}

/// What the lines hold besides headings; `None` for a piece with code, a table, a formula or enough words.
fn counts(view: &View<'_>, at: usize) -> Option<Counts> {
    let text = &view.pieces[at].text;
    let mut counts = Counts::default();
    for line in &view.shapes[at].lines {
        let words = &text[line.span.range()];
        match line.kind {
            kind if kind.is_code() || kind.is_table() || kind == LineKind::Front => return None,
            LineKind::Heading(_) | LineKind::Underline | LineKind::Context => continue,
            LineKind::Break => counts.signs += words.chars().filter(|c| !c.is_whitespace()).count(),
            _ => {}
        }
        if words.contains("$$") || words.contains("\\[") {
            return None;
        }
        read(words, |c, _| match c {
            // Most letters of the scripts that would have to be looked up in tables.
            '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' => {
                counts.letters += 2;
            }
            c if c.is_alphabetic() => counts.letters += if is_wide(c) { 2 } else { 1 },
            c if c.is_numeric() => counts.digits += 1,
            c if !c.is_whitespace() && !is_mark(c) => counts.signs += 1,
            _ => {}
        });
        if counts.letters >= ENOUGH {
            return None;
        }
    }
    Some(counts)
}

/// Combining marks belong to the letters before them.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}'
        | '\u{900}'..='\u{d7f}' | '\u{e31}'..='\u{e4e}' | '\u{200b}'..='\u{200d}' | '\u{fe00}'..='\u{fe0f}')
}
