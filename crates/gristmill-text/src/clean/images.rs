//! Images in running text.

use std::ops::Range;

use gristmill_core::{Edit, EditKind, Span};

use super::inline;

/// Removes `![alt](target)` and `![alt][reference]`, and the link around it when it holds nothing else.
pub(super) fn find(text: &str) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    if memchr::memmem::find(text.as_bytes(), b"![").is_none() {
        return edits;
    }
    let code = inline::code_spans(text);
    let closers = Closers::of(text.as_bytes(), &code);
    let mut done = 0;
    for mark in memchr::memmem::find_iter(text.as_bytes(), b"![") {
        if text[..mark].ends_with('\\') {
            continue;
        }
        let Some(image) = closers.link(mark + 1, mark).filter(|image| image.start >= done) else { continue };
        let image = closers.wrapping_link(&image).filter(|link| link.start >= done).unwrap_or(image);
        done = image.end;
        edits.push(cut(text, image));
    }
    edits
}

/// Without the image, a `!` before it must not meet a link after it: the two would make a new image.
fn cut(text: &str, image: Range<usize>) -> Edit {
    let meets = text[..image.start].ends_with('!') && text[image.end..].starts_with('[');
    let with = if meets { " " } else { "" };
    Edit { kind: EditKind::Dropped, at: Span::from(image), with: with.to_owned() }
}

/// For every opening bracket and parenthesis, where it closes.
struct Closers<'t> {
    bytes: &'t [u8],
    /// By position; 0 for what does not close.
    ends: Vec<u32>,
}

impl<'t> Closers<'t> {
    fn of(bytes: &'t [u8], code: &[Range<usize>]) -> Self {
        let mut ends = vec![0; bytes.len()];
        let (mut square, mut round) = (Vec::new(), Vec::new());
        let mut code = code.iter().peekable();
        let mut at = 0;
        while at < bytes.len() {
            if let Some(span) = code.next_if(|span| span.start <= at) {
                at = at.max(span.end);
                continue;
            }
            match bytes[at] {
                b'\\' => at += 1,
                b'[' => square.push(at),
                b'(' => round.push(at),
                b']' => close(&mut ends, square.pop(), at),
                b')' => close(&mut ends, round.pop(), at),
                _ => {}
            }
            at += 1;
        }
        Self { bytes, ends }
    }

    fn end(&self, open: usize) -> Option<usize> {
        self.ends.get(open).copied().filter(|end| *end > 0).map(|end| end as usize)
    }

    /// The whole of `[text](target)` or `[text][reference]` whose bracket opens at `open`, from `start`.
    fn link(&self, open: usize, start: usize) -> Option<Range<usize>> {
        let target = self.end(open)? + 1;
        let end = matches!(self.bytes.get(target), Some(b'(' | b'[')).then(|| self.end(target))??;
        Some(start..end + 1)
    }

    /// The link that holds nothing but `image`.
    fn wrapping_link(&self, image: &Range<usize>) -> Option<Range<usize>> {
        let open = image.start.checked_sub(1)?;
        let around = self.bytes[open] == b'[' && self.end(open) == Some(image.end);
        around.then(|| self.link(open, open)).flatten()
    }
}

fn close(ends: &mut [u32], open: Option<usize>, at: usize) {
    if let Some(open) = open {
        ends[open] = Span::new(0, at).end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gristmill_core::OffsetMap;

    fn after(text: &str) -> String {
        let once = OffsetMap::apply(text, &find(text)).0;
        assert_eq!(OffsetMap::apply(&once, &find(&once)).0, once, "a second time");
        once
    }

    #[test]
    fn images_go_and_links_stay() {
        assert_eq!(after("a ![b [c]](d(e).png) f"), "a  f");
        assert_eq!(after("![b][ref] [link](x)"), " [link](x)");
        assert_eq!(after("[![badge](b.svg)](http://x) text"), " text");
        assert_eq!(after("[see ![icon](i.svg)](x)"), "[see ](x)");
    }

    #[test]
    fn what_is_no_image_stays() {
        for text in ["`![a](b)`", "a! [b](c)", r"\![a](b)", r"!\[a](b)", "![a", "![a](b", "![a] (b)"] {
            assert_eq!(after(text), text);
        }
    }

    #[test]
    fn no_new_image_appears() {
        assert_eq!(after("!![a](b)[c](d)"), "! [c](d)");
    }

    #[test]
    fn many_openers_take_one_pass() {
        for unit in ["![", "![a](", "[![a](b)", "![]"] {
            find(&unit.repeat(200_000));
        }
    }
}
