//! Sentences, cuts inside sentences that are too large, and grapheme borders.
//!
//! The language of a text need not be known: the rules go by script, punctuation and merged tables of abbreviations.
//! One pass (`scan`) jumps from sign to sign. Spans in which nothing ends are skipped (`opaque`: code, links, tags,
//! formulas); quotations and brackets up to 640 bytes keep their sentences together (`quote`), longer ones do not. At
//! each mark the signs that belong to it are gathered (`tail`), what follows is looked at (`next`), and the two are
//! weighed (`stop`, for full stops `period`). Nothing is looked for farther away than a fixed number of bytes, so the
//! time is linear in any text.
//!
//! A sentence does not end before a small letter, save where capitals are not used; after an abbreviation that can close
//! a sentence ("etc.", "U.S.") it ends only before a word that opens sentences. A list item at the start of a line ends
//! the sentence before it, as does one inside a line that goes on with a list ("a) … b) …").
//!
//! Thai has no sentence mark. A space after a final particle (ครับ, ค่ะ, นะ …) ends a sentence, and so does a space between
//! two Thai words once the sentence has 80 characters, unless a conjunction or the like stands on either side.

pub(crate) mod chars;
mod cut;
mod grapheme;
mod lang;
mod marker;
mod next;
pub(crate) mod opaque;
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
