//! Sentences, cuts inside sentences that are too large, and grapheme borders.

mod chars;
mod cut;
mod grapheme;
mod lang;
mod marker;
mod next;
mod opaque;
mod period;
mod quote;
mod scan;
mod speech;
mod stop;
mod tail;
mod thai;
mod word;

pub use cut::best_break;
pub use grapheme::floor_grapheme;

/// Finds where sentences begin in one paragraph of Markdown or plain text. `out` is cleared, then holds byte positions
/// in rising order, 0 first, none for an empty text. Sentence `i` is `text[out[i]..out[i + 1]]`: the pieces tile the
/// text, and white space after a sentence belongs to it. A single line end is a soft wrap; a blank line ends a sentence.
pub fn sentence_starts(text: &str, out: &mut Vec<usize>) {
    out.clear();
    if text.is_empty() {
        return;
    }
    out.push(0);
    out.extend(scan::Scanner::new(text));
}

/// The sentences of a paragraph, without the white space around them.
pub fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut starts = Vec::new();
    sentence_starts(text, &mut starts);
    starts.push(text.len());
    let count = starts.len() - 1;
    (0..count).filter_map(move |i| text.get(starts[i]..starts[i + 1])).map(str::trim).filter(|s| !s.is_empty())
}
