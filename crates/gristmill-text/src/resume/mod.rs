//! Whether the border between two neighbouring pieces of one text cuts a sentence or a word, and how they join again.
//!
//! Both sides bear witness. The text before tells whether a sentence is open at its end (`end`): a comma, a function
//! word, an open bracket, no end mark after sentences that have one. The text after tells whether it can begin a sentence
//! (`start`): a capital can, a small letter, a particle or a closing bracket cannot, and scripts without capitals do not
//! say. Full stops are put to the segmenter: there is a cut where the joined text has no sentence border. Whether the
//! border lies inside a word is looked at first (`torn`). Only so much of each side is read as `window` allows.

mod end;
mod entry;
mod joint;
mod start;
mod torn;
mod unmarked;
mod window;
mod words;
mod wrap;

pub use end::Unfinished;
pub use entry::begins_entry;
pub use joint::joint;
pub use start::Continuation;

use end::End;
use start::Start;

/// What is known of the white space that stood between the two sides. White space at the edges of the two texts counts
/// as known; what they have lost does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// The splitter may have stripped it.
    Unknown,
    /// Nothing: the texts are adjacent.
    None,
    /// Spaces inside a line.
    Space,
    /// One line end.
    Line,
    /// A blank line.
    Paragraph,
}

/// The border between two runs of running text: the last paragraph of one piece and the first of the next. Headings,
/// code, table rows and the starts of list entries are no running text.
#[derive(Clone, Copy, Debug)]
pub struct Border<'a> {
    /// The paragraph that ends at the border.
    pub before: &'a str,
    /// The paragraph that begins there.
    pub after: &'a str,
    /// What stood between the two.
    pub gap: Gap,
}

/// What a border cuts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Nothing.
    None,
    /// A word, a number or a character made of several.
    Word,
    /// A sentence.
    Sentence {
        /// A definite continuation: the two sides may be joined. If not, the cut is likely, and a reader decides.
        sure: bool,
    },
}

/// What is found at a border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What is cut.
    pub cut: Cut,
    /// Why the text before is unfinished, if it shows.
    pub end: Option<Unfinished>,
    /// Why the text after is a continuation, if it shows.
    pub start: Option<Continuation>,
    /// What to put between the two when they are joined: nothing or one space.
    pub join: &'static str,
}

/// Judges one border.
pub fn judge(border: &Border<'_>) -> Verdict {
    let gap = window::known_gap(border);
    let before = window::last_part(border.before);
    let after = window::first_part(border.after);
    let after = if gap == Gap::Line { window::without_quote_mark(before.text, after) } else { after };
    let inline = matches!(gap, Gap::None | Gap::Space);
    let start = if !inline && begins_entry(after) { Start::Label } else { Start::read(after) };
    let end = End::read(before);
    let torn = torn::is_torn(before.text, after, gap);
    let open = matches!(end, End::Bare { .. } | End::Long | End::Unfinished(_));
    let cut = if torn {
        Cut::Word
    } else if gap == Gap::Line && open && wrap::is_wrapped(border.before, border.after) {
        sentence_cut(true)
    } else {
        sentence(end, start, gap, before.text, after)
    };
    let spaced = border.before.ends_with(char::is_whitespace) || border.after.starts_with(char::is_whitespace);
    let join = match gap {
        _ if torn || spaced => "",
        Gap::None => "",
        Gap::Space => " ",
        Gap::Unknown | Gap::Line | Gap::Paragraph => joint(border.before, border.after),
    };
    Verdict { cut, end: end.unfinished(), start: start.continuation(), join }
}

/// Why `before` ends inside a sentence, on its own evidence. None if it ends with a sentence, or may.
pub fn unfinished(before: &str) -> Option<Unfinished> {
    End::read(window::last_part(before)).unfinished()
}

/// Why `after` begins as the continuation of a sentence, on its own evidence. None if a sentence may begin so.
pub fn continuation(after: &str) -> Option<Continuation> {
    Start::read(window::first_part(after)).continuation()
}

/// Whether a sentence is cut, no word being cut.
fn sentence(end: End, start: Start, gap: Gap, before: &str, after: &str) -> Cut {
    let inline = matches!(gap, Gap::None | Gap::Space);
    let sure = sentence_cut;
    match (end, start) {
        _ if gap == Gap::Paragraph || before.is_empty() || after.is_empty() => Cut::None,
        (End::Period | End::Finished, Start::Resumed(Continuation::Punctuation)) if end::is_enclosed(before) => {
            sure(true)
        }
        (End::Finished, _) => Cut::None,
        (End::Period, _) => period(start, gap, before, after),
        (End::Unfinished(_), Start::Resumed(_) | Start::Caseless) => sure(true),
        (End::Unfinished(Unfinished::Abbreviation), Start::Fresh { .. }) => sure(true),
        (End::Unfinished(_), Start::Label | Start::Fresh { opener: true }) if !inline => Cut::None,
        (End::Unfinished(_), _) => sure(false),
        (End::Bare { .. } | End::Long, _) if !inline && !matches!(start, Start::Resumed(Continuation::Punctuation)) => {
            unmarked::judge(end, start, gap, before, after)
        }
        (End::Long, Start::Caseless) => sure(true),
        (End::Bare { worded, .. }, Start::Resumed(Continuation::LowerCase)) => sure(worded || inline),
        (End::Bare { .. } | End::Long, Start::Resumed(_)) => sure(true),
        (End::Trailing, Start::Caseless) if is_semicolon(before) => sure(false),
        (End::Trailing, Start::Resumed(Continuation::Punctuation)) => sure(true),
        (End::Trailing, Start::Resumed(_)) if inline || !before.ends_with([':', '：']) => {
            sure(inline || before.ends_with([';', '；', '؛']))
        }
        (End::Bare { .. } | End::Long, _) if inline => sure(false),
        (End::Bare { .. } | End::Long | End::Trailing, _) => Cut::None,
    }
}

fn sentence_cut(sure: bool) -> Cut {
    Cut::Sentence { sure }
}

/// Whether a semicolon stands after a letter of a script without capitals: after others it may be code.
fn is_semicolon(text: &str) -> bool {
    let word = text.trim_end_matches([';', '；', '؛']);
    word.len() < text.len() && word.ends_with(|c: char| c.is_alphabetic() && !c.is_lowercase() && !c.is_uppercase())
}

/// After a full stop: the segmenter knows abbreviations, and digits on both sides make a number.
fn period(start: Start, gap: Gap, before: &str, after: &str) -> Cut {
    let inline = matches!(gap, Gap::None | Gap::Space);
    let before = end::without_tail(before);
    let number = before.trim_end_matches('.').ends_with(|c: char| c.is_ascii_digit());
    let digit = after.starts_with(|c: char| c.is_ascii_digit());
    if number && digit {
        if end::ends_with_version(before) && matches!(gap, Gap::None | Gap::Unknown) {
            return sentence_cut(true);
        }
        let decimals = start::is_fraction(after) && before.contains(char::is_alphabetic);
        return if decimals { sentence_cut(false) } else { Cut::None };
    }
    let abbreviation = !end::ends_before(before, "Zorq") || !end::ends_before(before, "1");
    let open = abbreviation && before.contains(char::is_whitespace) && !end::ends_before(before, after);
    match start {
        Start::Resumed(_) if open => sentence_cut(true),
        Start::Label => Cut::None,
        _ if open && (inline || digit) => sentence_cut(digit && !end::ends_before(before, "1")),
        _ => Cut::None,
    }
}
