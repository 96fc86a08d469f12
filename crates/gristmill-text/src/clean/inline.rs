//! What stands verbatim inside running text: code spans, formulas, tags.

use std::collections::HashMap;
use std::ops::Range;

/// Code spans, `$…$` formulas and HTML tags of `text`, in order, each position plus `base`.
pub(super) fn verbatim(text: &str, base: usize) -> Vec<Range<usize>> {
    scan(text, base, true)
}

/// Code spans of `text`, in order.
pub(super) fn code_spans(text: &str) -> Vec<Range<usize>> {
    scan(text, 0, false)
}

/// Goes through the text once. A kind of opener that finds no end is not looked up again: what has no end at one place
/// has none further on.
fn scan(text: &str, base: usize, all: bool) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut ticks: Option<Ticks> = None;
    let (mut tags, mut formulas) = (all, all);
    let mut at = 0;
    while let Some(step) = bytes[at..].iter().position(|b| matches!(b, b'`' | b'$' | b'<' | b'\\')) {
        let start = at + step;
        let end = match bytes[start] {
            b'\\' => {
                at = (start + 2).min(bytes.len());
                continue;
            }
            b'`' => ticks.get_or_insert_with(|| Ticks::of(bytes)).span_end(start, bytes),
            b'<' if tags && opens_tag(bytes, start) => {
                let end = memchr::memchr(b'>', &bytes[start..]).map(|n| start + n + 1);
                tags = end.is_some();
                end.ok_or(start + 1)
            }
            b'$' if formulas && opens_formula(bytes, start) => {
                let end = formula_end(bytes, start);
                formulas = end.is_some();
                end.ok_or(start + 1)
            }
            _ => Err(start + 1),
        };
        match end {
            Ok(end) => {
                found.push(base + start..base + end);
                at = end;
            }
            Err(next) => at = next,
        }
    }
    found
}

/// The runs of backticks: for each position where one starts, the end of the next run of the same length.
struct Ticks {
    closers: HashMap<usize, usize>,
}

impl Ticks {
    fn of(bytes: &[u8]) -> Self {
        let mut runs = Vec::new();
        let mut at = 0;
        while let Some(step) = memchr::memchr(b'`', &bytes[at..]) {
            let start = at + step;
            at = start + run_len(bytes, start);
            runs.push(start..at);
        }
        let (mut closers, mut next): (HashMap<_, _>, HashMap<usize, usize>) = (HashMap::new(), HashMap::new());
        for run in runs.into_iter().rev() {
            if let Some(end) = next.insert(run.len(), run.end) {
                closers.insert(run.start, end);
            }
        }
        Self { closers }
    }

    /// The end of the code span that opens at `start`, or where to go on.
    fn span_end(&self, start: usize, bytes: &[u8]) -> Result<usize, usize> {
        self.closers.get(&start).copied().ok_or(start + run_len(bytes, start))
    }
}

fn run_len(bytes: &[u8], start: usize) -> usize {
    bytes[start..].iter().take_while(|b| **b == b'`').count()
}

fn opens_tag(bytes: &[u8], start: usize) -> bool {
    bytes.get(start + 1).is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'/' | b'!' | b'?'))
}

/// A dollar sign directly before a character opens a formula.
fn opens_formula(bytes: &[u8], start: usize) -> bool {
    bytes.get(start + 1).is_some_and(|b| !b.is_ascii_whitespace())
}

/// It closes at a dollar sign directly after a character and not before a digit, so that prices are no formulas.
fn formula_end(bytes: &[u8], start: usize) -> Option<usize> {
    let from = start + 2;
    let after = |end: usize| bytes.get(end).is_some_and(u8::is_ascii_digit);
    memchr::memchr_iter(b'$', bytes.get(from..)?)
        .map(|n| from + n)
        .find(|close| !bytes[close - 1].is_ascii_whitespace() && bytes[close - 1] != b'\\' && !after(close + 1))
        .map(|close| close + bytes[close..].iter().take_while(|b| **b == b'$').count())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<&str> {
        verbatim(text, 0).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn spans_end_at_a_run_of_the_same_length() {
        assert_eq!(parts("a `b` ``c ` d`` `e"), ["`b`", "``c ` d``"]);
        assert_eq!(parts("`` a ` b `"), ["` b `"]);
        assert_eq!(parts(r"\`a `b` c"), ["`b`"]);
        assert_eq!(parts("x `a\\` b"), ["`a\\`"]);
    }

    #[test]
    fn formulas_and_tags() {
        assert_eq!(parts("$x$ costs $5 or $6, <b class=\"c\">no</b> 1 < 2"), ["$x$", "<b class=\"c\">", "</b>"]);
        assert_eq!(parts("$$x  y$$"), ["$$x  y$$"]);
    }

    #[test]
    fn many_openers_without_an_end_take_one_pass() {
        for unit in ["<a ", "$a ", "`", "` `` ", "``` ` "] {
            verbatim(&unit.repeat(200_000), 0);
        }
    }
}
