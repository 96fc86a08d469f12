//! Borders after a line that has no end mark and none inside, where it is not known that both sides stood on one line.

use super::end::{self, End};
use super::start::Start;
use super::{Continuation, Cut, Gap};
use crate::segment::chars::{is_closer, is_terminator, is_wide_terminator};

/// A text after the border of so many words is running text also where no end mark is in it.
const LONG: usize = 20;

/// A line of so many words that begins with a capital is running text when what follows cannot begin a sentence.
const RUNNING: usize = 4;

/// Marks of lists, emphasis and quotes.
const BEFORE_WORDS: [char; 9] = ['*', '_', '"', '“', '(', '-', '+', '•', ' '];

/// Words that begin a clause and seldom the last of a list.
const CLAUSE: &str = "but because since although though if when while which who whose that as where so aber weil dass denn \
    wenn mais parce que qui pero porque cuando mas quando ma perché maar omdat men но а что потому але що бо ale bo że";

/// The label of an entry has at most so many words.
const LABEL: usize = 3;

/// Whether the text after goes on with the line. Titles, labels, addresses, the lines of songs and lists have no marks, and
/// such lines often follow each other: only a text that sets marks tells that one is missing.
pub(super) fn judge(end: End, start: Start, gap: Gap, before: &str, after: &str) -> Cut {
    let cased = is_cased(before);
    let sets_marks = has_end_mark(after) || end::count(after) >= LONG;
    let small = before.trim_start_matches(BEFORE_WORDS).starts_with(char::is_lowercase);
    // "built in 1998", "Version 2.0 of the pump": a line that tells of one number seldom goes on with another.
    let counts = before.contains(|c: char| c.is_ascii_digit());
    let cut = |sure| Cut::Sentence { sure };
    match (end, start) {
        (_, Start::Label | Start::Fresh { opener: true }) => Cut::None,
        (End::Bare { words, worded }, Start::Resumed(Continuation::Quantity)) => {
            let share = is_share(after);
            if share && !cased {
                return cut(true);
            }
            let running = cased && worded && !small && !counts && (share || words >= RUNNING);
            let likely = sets_marks && !is_labelled(before) && (!cased || running);
            if likely { cut(running && words >= RUNNING) } else { Cut::None }
        }
        (End::Bare { words: ..2, .. }, Start::Resumed(Continuation::LowerCase)) => Cut::None,
        (End::Bare { words, worded }, Start::Resumed(Continuation::LowerCase)) => {
            let likely = sets_marks && !small && !is_labelled(before) && !is_labelled(after);
            let running = words >= RUNNING && !counts || gap == Gap::Line || has_clauses(before);
            if likely { cut(worded && running) } else { Cut::None }
        }
        (End::Bare { .. }, Start::Resumed(_)) => cut(true),
        (End::Long, Start::Resumed(Continuation::Particle)) => cut(true),
        (End::Long, _) if !sets_marks => Cut::None,
        (End::Long, Start::Resumed(Continuation::Quantity)) if cased => cut(false),
        (End::Long, Start::Resumed(_) | Start::Caseless) => cut(!(cased && small && end::count(before) < LONG)),
        (End::Long, _) => cut(false),
        _ => Cut::None,
    }
}

/// Whether a clause ended before with a comma and another has begun: no title has two.
fn has_clauses(text: &str) -> bool {
    let clause = text.rsplit_once(", ").map(|(_, clause)| clause);
    clause.is_some_and(|clause| {
        let mut words = clause.split_whitespace();
        words.next().is_some_and(|first| CLAUSE.split_whitespace().any(|word| word == first)) && words.next().is_some()
    })
}

/// Whether the last letter is one of a script with capitals.
fn is_cased(text: &str) -> bool {
    text.chars().rev().find(|c| c.is_alphabetic()).is_none_or(|c| c.is_lowercase() || c.is_uppercase())
}

/// Whether a sentence ends in the text, or leads on to a list or code.
fn has_end_mark(text: &str) -> bool {
    if text.trim_end().ends_with([':', '：']) && end::count(text) > LABEL {
        return true;
    }
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let ends = chars.peek().is_none_or(|next| next.is_whitespace() || is_closer(*next));
        if is_wide_terminator(c) || is_terminator(c) && ends {
            return true;
        }
    }
    false
}

/// Whether the text begins with a number and a sign of percent.
fn is_share(text: &str) -> bool {
    let rest =
        text.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | ' ' | '\u{a0}' | '\u{202f}'));
    rest.len() < text.len() && rest.starts_with(['%', '％', '‰'])
}

/// Whether the line is a label with what belongs to it, "Question: how do I pay", or a label alone, "in re:".
fn is_labelled(text: &str) -> bool {
    let line = text.split('\n').next().unwrap_or("");
    let key = line
        .split_once(": ")
        .map(|(key, _)| key)
        .or_else(|| line.split_once('：').map(|(key, _)| key))
        .or_else(|| line.trim_end().strip_suffix(':'));
    key.is_some_and(|key| end::count(key) <= LABEL)
}
