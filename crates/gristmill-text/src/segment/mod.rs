//! Sentences, cuts inside sentences that are too large, and grapheme borders.

mod chars;
mod cut;
mod grapheme;

pub use cut::best_break;
pub use grapheme::floor_grapheme;

use chars::{char_at, is_closer, is_terminator, is_wide_terminator, skip_white};

/// Finds where sentences begin in one paragraph of Markdown or plain text. `out` is cleared, then holds byte positions
/// in rising order, 0 first, none for an empty text. Sentence `i` is `text[out[i]..out[i + 1]]`: the pieces tile the
/// text, and white space after a sentence belongs to it. A single line end is a soft wrap; a blank line ends a sentence.
pub fn sentence_starts(text: &str, out: &mut Vec<usize>) {
    out.clear();
    if text.is_empty() {
        return;
    }
    out.push(0);
    let mut at = 0;
    while let Some(c) = char_at(text, at) {
        at += c.len_utf8();
        if !is_terminator(c) {
            continue;
        }
        while let Some(c) = char_at(text, at).filter(|&c| is_terminator(c) || is_closer(c)) {
            at += c.len_utf8();
        }
        let next = skip_white(text, at);
        let ends = is_wide_terminator(c) || next > at && char_at(text, next).is_some_and(|c| !c.is_lowercase());
        if ends && next < text.len() {
            out.push(next);
        }
    }
}

/// The sentences of a paragraph, without the white space around them.
pub fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut starts = Vec::new();
    sentence_starts(text, &mut starts);
    starts.push(text.len());
    let count = starts.len() - 1;
    (0..count).filter_map(move |i| text.get(starts[i]..starts[i + 1])).map(str::trim).filter(|s| !s.is_empty())
}
