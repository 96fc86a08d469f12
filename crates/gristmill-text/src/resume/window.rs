//! How much of each side is read.

use super::{Border, Gap};

/// No more than this many bytes of each side are read.
const REACH: usize = 600;

/// The end of the text before the border.
#[derive(Clone, Copy)]
pub(super) struct Part<'t> {
    /// The end of its last paragraph, without white space at either side.
    pub(super) text: &'t str,
    /// The paragraph began earlier.
    pub(super) shortened: bool,
}

/// The last paragraph, as far as it is read.
pub(super) fn last_part(text: &str) -> Part<'_> {
    let text = text.trim_end();
    let near = near_end(text);
    let begin = near.rmatch_indices('\n').map(|(i, _)| i + 1).find(|&i| is_blank_to_line_end(near, i));
    Part {
        text: near.get(begin.unwrap_or(0)..).unwrap_or("").trim(),
        shortened: near.len() < text.len() && begin.is_none(),
    }
}

/// The first paragraph, as far as it is read.
pub(super) fn first_part(text: &str) -> &str {
    let text = text.trim_start();
    let near = near_start(text);
    let end = near.match_indices('\n').map(|(i, _)| i).find(|&i| is_blank_to_line_end(near, i + 1));
    near.get(..end.unwrap_or(near.len())).unwrap_or("").trim_end()
}

/// As much of the end of `text` as is read.
pub(super) fn near_end(text: &str) -> &str {
    text.get(text.floor_char_boundary(text.len().saturating_sub(REACH))..).unwrap_or("")
}

/// As much of the start of `text` as is read.
pub(super) fn near_start(text: &str) -> &str {
    text.get(..text.floor_char_boundary(REACH.min(text.len()))).unwrap_or("")
}

/// The text after the border without the mark of a block quote, when the line before it has one, too.
pub(super) fn without_quote_mark<'t>(before: &str, after: &'t str) -> &'t str {
    let quoted = before.lines().next_back().is_some_and(|line| line.trim_start().starts_with('>'));
    let bare = after.strip_prefix('>').filter(|_| quoted);
    bare.map_or(after, str::trim_start)
}

/// Whether the line that begins at `at` is blank. The rest of a text is no line.
fn is_blank_to_line_end(text: &str, at: usize) -> bool {
    let rest = text.get(at..).unwrap_or("").trim_start_matches([' ', '\t', '\r']);
    rest.starts_with('\n')
}

/// What is known of the gap once the edges of both sides are looked at.
pub(super) fn known_gap(border: &Border<'_>) -> Gap {
    let reach = |text: &str| text.chars().filter(|c| *c == '\n').take(2).count();
    let before = border.before.get(border.before.trim_end().len()..).unwrap_or("");
    let after = border.after.get(..border.after.len() - border.after.trim_start().len()).unwrap_or("");
    match (reach(before) + reach(after), before.is_empty() && after.is_empty()) {
        (2.., _) => Gap::Paragraph,
        (1, _) if border.gap != Gap::Paragraph => Gap::Line,
        (0, false) if matches!(border.gap, Gap::Unknown | Gap::None) => Gap::Space,
        _ => border.gap,
    }
}
