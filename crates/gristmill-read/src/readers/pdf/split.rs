//! Strings of a page taken apart where a wide gap shows that they belong to different cells.
//!
//! A producer may draw a whole row of a table with one operator, the gaps made by numbers between the strings or by wide word
//! spaces. The engine gives each operator as one run, which then lies across the cells.

use unpdf::parser::backend::{ContentOp, PdfValue};

/// A shift to the right between strings, in thousandths of the type's size, that parts them.
const SHIFT: f32 = 900.0;
/// A shift that may stand for a space between words.
const WORD: f32 = 150.0;
/// Added width of a word space, in sizes of the type, that parts words.
const SPACE: f32 = 0.7;

/// Added width of every character, in sizes of the type, that parts them: no letters are spaced so far in print.
const TRACK: f32 = 1.5;
/// States of the graphics that may be open.
const STATES: usize = 512;

/// The same operations with strings apart where gaps are wide. What is drawn, and where, stays the same.
pub(super) fn apart(operations: Vec<ContentOp>) -> Vec<ContentOp> {
    let mut state = State { size: 1.0, space: 0.0, track: 0.0 };
    let mut stack: Vec<State> = Vec::new();
    let mut out = Vec::with_capacity(operations.len());
    for operation in operations {
        match operation.operator.as_str() {
            "q" if stack.len() < STATES => stack.push(state),
            "Q" => state = stack.pop().unwrap_or(state),
            "Tf" => state.size = number(operation.operands.get(1)).abs().max(0.001),
            "Tw" => state.space = number(operation.operands.first()),
            "Tc" => state.track = number(operation.operands.first()),
            "Tj" if state.gap() != Gap::None => {
                let strings = operation.operands.first().map(|string| pieces(string, state.gap())).unwrap_or_default();
                out.extend(strings.into_iter().map(|string| ContentOp { operands: vec![string], ..operation.clone() }));
                continue;
            }
            "TJ" => {
                let parts = parts(&operation, state.gap()).into_iter();
                out.extend(parts.map(|part| ContentOp { operands: vec![PdfValue::Array(part)], ..operation.clone() }));
                continue;
            }
            _ => {}
        }
        out.push(operation);
    }
    out
}

#[derive(Clone, Copy)]
struct State {
    size: f32,
    space: f32,
    track: f32,
}

/// What stands wide apart.
#[derive(Clone, Copy, PartialEq)]
enum Gap {
    None,
    Words,
    Characters,
}

impl State {
    fn gap(self) -> Gap {
        if self.track / self.size >= TRACK {
            Gap::Characters
        } else if (self.space + self.track) / self.size >= SPACE {
            Gap::Words
        } else {
            Gap::None
        }
    }
}

fn number(value: Option<&PdfValue>) -> f32 {
    match value {
        Some(PdfValue::Integer(n)) => *n as f32,
        Some(PdfValue::Real(n)) => *n,
        _ => 0.0,
    }
}

/// The array of a `TJ` in parts: a wide shift ends one, and so does each piece of a string.
fn parts(operation: &ContentOp, gap: Gap) -> Vec<Vec<PdfValue>> {
    let Some(PdfValue::Array(items)) = operation.operands.first() else {
        return vec![operation.operands.clone()];
    };
    let mut out: Vec<Vec<PdfValue>> = Vec::new();
    let mut part: Vec<PdfValue> = Vec::new();
    for item in items {
        if let PdfValue::Str(bytes) = item {
            if bytes.is_empty() {
                continue;
            }
            for piece in pieces(item, gap) {
                let ends = gap == Gap::Characters || matches!(&piece, PdfValue::Str(bytes) if bytes.ends_with(b" "));
                part.push(piece);
                if gap != Gap::None && ends {
                    out.push(std::mem::take(&mut part));
                }
            }
        } else {
            let shift = -number(Some(item));
            if shift >= SHIFT || part.is_empty() && shift >= WORD {
                // On its own: the engine counts it to the width of the run it ends.
                out.push(std::mem::take(&mut part));
                out.push(vec![item.clone()]);
            } else {
                part.push(item.clone());
            }
        }
    }
    // A space at the end, made by a shift.
    let last = part.pop_if(|last| !matches!(last, PdfValue::Str(_)) && number(Some(last)) <= -WORD);
    out.push(part);
    out.extend(last.map(|shift| vec![shift]));
    out.retain(|part| !part.is_empty());
    out
}

/// The string in pieces: words that end with their spaces, or characters. Strings of codes of two bytes stay whole.
fn pieces(string: &PdfValue, gap: Gap) -> Vec<PdfValue> {
    let PdfValue::Str(bytes) = string else { return vec![string.clone()] };
    if gap == Gap::None || bytes.contains(&0) {
        return vec![string.clone()];
    }
    let parts = |pair: &[u8]| gap == Gap::Characters || pair[0] == b' ' && pair[1] != b' ';
    let ends = bytes.windows(2).enumerate().filter(|(_, pair)| parts(pair)).map(|(at, _)| at + 1);
    let mut out = Vec::new();
    let mut from = 0;
    for end in ends.chain([bytes.len()]) {
        out.push(PdfValue::Str(bytes[from..end].to_vec()));
        from = end;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: &str) -> PdfValue {
        PdfValue::Str(value.as_bytes().to_vec())
    }

    fn shown(operations: &[ContentOp]) -> Vec<String> {
        let value = |value: &PdfValue| match value {
            PdfValue::Str(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            other => number(Some(other)).to_string(),
        };
        let line = |operation: &ContentOp| match operation.operands.first() {
            Some(PdfValue::Array(items)) => items.iter().map(value).collect::<Vec<_>>().join("|"),
            Some(other) => value(other),
            None => String::new(),
        };
        operations.iter().map(line).collect()
    }

    #[test]
    fn shifts_part_strings_where_they_are_wide_or_at_an_end() {
        let shift = PdfValue::Integer;
        let array =
            vec![text(""), shift(-333), text("a"), shift(-200), text("b"), shift(-3000), text("c"), shift(-300)];
        let operations = apart(vec![ContentOp::new("TJ", vec![PdfValue::Array(array)])]);
        assert_eq!(shown(&operations), ["-333", "a|-200|b", "-3000", "c", "-300"]);
    }

    #[test]
    fn wide_word_spaces_part_words() {
        let set = |space: f32| ContentOp::new("Tw", vec![PdfValue::Real(space)]);
        let show = || ContentOp::new("Tj", vec![text("21  8 ")]);
        assert_eq!(shown(&apart(vec![set(0.2), show(), set(12.7), show()])), ["0.2", "21  8 ", "12.7", "21  ", "8 "]);
    }

    #[test]
    fn wide_tracking_parts_characters() {
        let set = ContentOp::new("Tc", vec![PdfValue::Real(5.0)]);
        assert_eq!(shown(&apart(vec![set, ContentOp::new("Tj", vec![text("XX")])])), ["5", "X", "X"]);
    }

    #[test]
    fn strings_of_one_array_part_too() {
        let set = ContentOp::new("Tw", vec![PdfValue::Real(7.4)]);
        let array = vec![text("1 1 "), PdfValue::Real(-669.2), text("1 ")];
        let operations = apart(vec![set, ContentOp::new("TJ", vec![PdfValue::Array(array)])]);
        assert_eq!(shown(&operations), ["7.4", "1 ", "1 ", "-669.2", "1 "]);
    }
}
