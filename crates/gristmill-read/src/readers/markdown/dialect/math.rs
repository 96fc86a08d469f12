//! Display mathematics.

use super::lines::{Around, Line, inside};

/// Length of the block of mathematics that begins at `from`: `$$ … $$` or `\[ … \]`, on one line or over several, each
/// delimiter at the edge of its line. The first `off` columns of its lines do not count.
pub(super) fn math(text: &str, from: usize, around: Around, off: usize) -> Option<usize> {
    let first = Line::at(text, from);
    let opening = text[from..first.end].trim_end();
    let (open, close) = if opening.starts_with("$$") { ("$$", "$$") } else { ("\\[", "\\]") };
    let rest = opening.strip_prefix(open)?;
    if let Some(at) = rest.find(close) {
        return (at + close.len() == rest.len()).then_some(opening.len());
    }
    if open == "\\[" && !rest.is_empty() {
        return None;
    }
    let mut line = first;
    while line.next > line.end {
        line = Line::at(text, line.next);
        let (_, start) = inside(text.as_bytes(), line, around, off)?;
        let content = &text[start..line.end];
        if let Some(at) = content.find(close) {
            return (at + close.len() == content.trim_end().len()).then(|| start + at + close.len() - from);
        }
        if content.starts_with("```") || content.contains(open) {
            return None;
        }
    }
    None
}
