//! One line.

use gristmill_core::Span;
use gristmill_text::resume::begins_entry;

/// A line of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its bytes, without the line end.
    pub span: Span,
    /// What it is.
    pub kind: LineKind,
}

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// Nothing but white space.
    Blank,
    /// `# Title`, with its level; or the text line above an underline.
    Heading(u8),
    /// The `===` or `---` under a heading's text.
    Underline,
    /// Opens a code fence.
    Open,
    /// Closes a code fence.
    Close,
    /// Inside a code fence, or indented code.
    Code,
    /// The header row of a table.
    TableHeader,
    /// The row of dashes under it.
    TableDelimiter,
    /// A row of a table whose header is known.
    Row,
    /// A line that looks like a row, of a table whose header is not known.
    OrphanRow,
    /// The first line of a list item.
    Item,
    /// A line of HTML or of a directive (`:::`, `{{`, `{%`).
    Html,
    /// `---`, `***`.
    Break,
    /// Injected in front of the text: the path of headings, the lead-in of a list.
    Context,
    /// Front matter with the lines around it.
    Front,
    /// Running text.
    Prose,
}

impl LineKind {
    /// True for the lines of a heading.
    pub fn is_heading(self) -> bool {
        matches!(self, Self::Heading(_) | Self::Underline)
    }

    /// True for the lines of a table.
    pub fn is_table(self) -> bool {
        matches!(self, Self::TableHeader | Self::TableDelimiter | Self::Row | Self::OrphanRow)
    }

    /// True for code and the fences around it.
    pub fn is_code(self) -> bool {
        matches!(self, Self::Open | Self::Close | Self::Code)
    }

    /// True for text that consists of sentences.
    pub fn is_running(self) -> bool {
        matches!(self, Self::Prose | Self::Item)
    }
}

/// A line without the marks of lists and quotes in front of it.
pub fn without_containers(line: &str) -> &str {
    let mut rest = line.trim_start_matches([' ', '\t', '>']);
    loop {
        let Some(after) = item_mark(rest) else { return rest };
        let inner = after.trim_start_matches([' ', '\t', '>']);
        if inner.is_empty() {
            return rest;
        }
        rest = inner;
    }
}

/// True when a line begins an entry: a list item, an entry of a log, a glossary or a law. Within a paragraph, words and
/// numbers that do so may have come to the start of a line by chance.
pub fn is_item(line: &str, before: Option<LineKind>) -> bool {
    let wordy = |c: char| c.is_alphanumeric() && !matches!(c, '①'..='⑳') || matches!(c, '(' | '（' | '§');
    let within = before == Some(LineKind::Prose) && line.starts_with(wordy);
    item_mark(line).is_some() || !within && begins_entry(line)
}

/// What follows the mark of a list item at the start of `line`: `- `, `* `, `+ `, `1. `, `1) `.
pub fn item_mark(line: &str) -> Option<&str> {
    let after = match line.as_bytes().first()? {
        b'-' | b'*' | b'+' => &line[1..],
        b'0'..=b'9' => {
            let digits = line.bytes().take_while(u8::is_ascii_digit).count();
            if digits > 9 {
                return None;
            }
            line[digits..].strip_prefix(['.', ')'])?
        }
        _ => line.strip_prefix('•').or_else(|| line.strip_prefix('·')).or_else(|| line.strip_prefix('▪'))?,
    };
    (after.is_empty() || after.starts_with([' ', '\t'])).then_some(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_logs_and_laws_are_items() {
        for line in
            ["・待つ", "第1条 目的", "[12:03] ann: hi", "<ann> hi", "§ 3 The owner", "Art. 5 The owner", ": a mill"]
        {
            assert!(is_item(line, None), "{line}");
        }
        assert!(!is_item("Art. 5 of the law", Some(LineKind::Prose)));
        assert!(is_item("[12:03] ann: hi", Some(LineKind::Prose)));
        assert!(is_item("- one", Some(LineKind::Prose)));
        assert!(!is_item("<b>bold</b> words", None));
    }
}
