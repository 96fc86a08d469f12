//! Inline Markdown as it is read.

use crate::segment::opaque::{code_end, destination_end, tag_end};

/// The parts of `text` that are read as words: without code, tags and the destinations of links.
pub(crate) fn plain(text: &str) -> impl Iterator<Item = &str> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at;
        let (end, next) = next_opaque(text, start);
        at = next;
        (start < text.len()).then(|| &text[start..end])
    })
}

/// Where the next part that is no words begins and ends, looking from `at`; the end of the text, twice, if there is none.
fn next_opaque(text: &str, mut at: usize) -> (usize, usize) {
    while let Some(found) = memchr::memchr3(b'`', b'<', b']', &text.as_bytes()[at..]) {
        let sign = at + found;
        let end = match text.as_bytes()[sign] {
            b'`' => code_end(text, sign),
            b'<' => tag_end(text, sign),
            _ => destination_end(text, sign + 1),
        };
        match end {
            Some(end) => return (sign, end),
            None => at = sign + text.as_bytes()[sign..].iter().take_while(|b| **b == text.as_bytes()[sign]).count(),
        }
    }
    (text.len(), text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_words_is_left_out() {
        let parts: Vec<&str> = plain("See [the *page*](https://a.org/b), `run()` and <b>this</b> <").collect();
        assert_eq!(parts, ["See [the *page*", ", ", " and ", "this", " <"]);
        assert_eq!(plain("``").collect::<Vec<_>>(), ["``"]);
        assert_eq!(plain("").count(), 0);
    }
}
