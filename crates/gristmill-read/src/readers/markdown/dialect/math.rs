//! Display mathematics.

use super::lines::{Items, Line, indent};

/// Length of the block of mathematics that begins at `from`, in a line with so many `>` before it: `$$ … $$` or
/// `\[ … \]`, on one line or over several, each delimiter at the edge of its line.
pub(super) fn math(text: &str, from: usize, quotes: usize, items: &Items) -> Option<usize> {
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
        let content = inside(text, line, quotes, items)?;
        if let Some(at) = content.find(close) {
            let start = line.start + (text[line.start..line.end].len() - content.len());
            return (at + close.len() == content.trim_end().len()).then(|| start + at + close.len() - from);
        }
        if content.starts_with("```") || content.contains(open) {
            return None;
        }
    }
    None
}

/// The content of a line of the block, if the line is in the same quotes and list item.
fn inside<'t>(text: &'t str, line: Line, quotes: usize, items: &Items) -> Option<&'t str> {
    let bytes = &text.as_bytes()[..line.end];
    let (mut column, mut at) = indent(bytes, line.start);
    for _ in 0..quotes {
        if bytes.get(at) != Some(&b'>') {
            return None;
        }
        (column, at) = indent(bytes, at + 1);
    }
    let is_blank = at >= line.end;
    // In a quote one blank belongs to the mark.
    let slack = usize::from(quotes > 0);
    (is_blank || column + slack >= items.column(quotes).min(4)).then(|| &text[at..line.end])
}
