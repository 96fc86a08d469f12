//! What the lines of a text begin, open and close.

use gristmill_core::Span;

/// The start of the line that `at` is on, when only a container's marks stand before it there.
pub fn line_start(text: &str, at: u32) -> u32 {
    let at = at as usize;
    let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
    let marks = text[start..at].trim_start_matches([' ', '\t', '>']).is_empty();
    let start = if marks { start } else { at };
    Span::new(start, start).start
}

/// Indentation and quote marks in front of a fence; a list marker there becomes blanks of the same width.
pub fn prefix_of(line: &str, fence_at: usize) -> String {
    line[..fence_at].chars().map(|c| if c == '>' || c == '\t' { c } else { ' ' }).collect()
}

/// The run of fence characters at the start of `line`; empty when it does not open a fence.
pub fn fence_marks(line: &str) -> &str {
    let Some(mark) = line.chars().next().filter(|c| matches!(c, '`' | '~')) else { return "" };
    let end = line.find(|c| c != mark).unwrap_or(line.len());
    if end >= 3 { &line[..end] } else { "" }
}

pub fn line_starts(text: &str, span: Span) -> impl Iterator<Item = usize> {
    let base = span.start as usize;
    let bytes = &text.as_bytes()[span.range()];
    std::iter::once(base)
        .chain(memchr::memchr_iter(b'\n', bytes).map(move |i| base + i + 1))
        .filter(move |&at| at < base + bytes.len())
}

/// True for prose that announces what follows it.
pub fn introduces(text: &str) -> bool {
    let text = text.trim_end().trim_end_matches(['*', '_']);
    text.ends_with(':') || text.ends_with('：')
}

/// True for a line that only opens something: a tag, a `:::` container, a comment marker.
pub fn opens(html: &str) -> bool {
    let line = html.trim().lines().last().unwrap_or_default().trim();
    if let Some(name) = line.strip_prefix(":::").or_else(|| line.strip_prefix("///")) {
        return !name.trim_start_matches([':', '/']).trim().is_empty();
    }
    let tag = line.strip_prefix('<').unwrap_or_default();
    let named = tag.chars().next().is_some_and(char::is_alphabetic);
    named && line.ends_with('>') && !line.ends_with("/>") && !line.contains("</")
}

/// True for a line that only closes something.
pub fn closes(html: &str) -> bool {
    let line = html.trim();
    let bare = |mark: char| !line.is_empty() && line.chars().all(|c| c == mark);
    line.starts_with("</") || (line.len() >= 3 && (bare(':') || bare('/')))
}
