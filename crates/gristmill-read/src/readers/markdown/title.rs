//! The plain text of a heading.

use std::ops::Range;

use pulldown_cmark::Event;

/// Gathers a heading's words from the events within it: marks are dropped, code, link texts and image descriptions
/// kept, entities decoded. Mathematics stays as written.
pub(super) struct Title<'t> {
    /// The text that the parser reads.
    parsed: &'t str,
    words: String,
    /// Where a trailing identifier begins that Markdown itself does not know.
    stop: usize,
}

impl<'t> Title<'t> {
    pub(super) fn new(parsed: &'t str, heading: Range<usize>) -> Self {
        let text = parsed.get(heading.clone()).unwrap_or_default().trim_end();
        // Only headings with an underline have a line end within.
        let line = text.rfind('\n').map_or(text, |end| text[..end].trim_end());
        let stop = heading.start + suffix(line).unwrap_or(line.len());
        Self { parsed, words: String::new(), stop }
    }

    pub(super) fn take(&mut self, event: &Event<'_>, at: Range<usize>) {
        if at.start >= self.stop {
            return;
        }
        match event {
            Event::Text(text) if at.end > self.stop => {
                // The words before the identifier are in one piece with its first marks.
                let kept = text.len().saturating_sub(at.end - self.stop);
                self.words.push_str(text.get(..kept).unwrap_or(text));
            }
            Event::Text(text) | Event::Code(text) => self.words.push_str(text),
            Event::InlineMath(_) | Event::DisplayMath(_) => {
                self.words.push_str(self.parsed.get(at).unwrap_or_default());
            }
            Event::SoftBreak | Event::HardBreak => self.words.push(' '),
            _ => {}
        }
    }

    pub(super) fn finish(self) -> String {
        let mut title = String::with_capacity(self.words.len());
        for word in self.words.split_whitespace() {
            if !title.is_empty() {
                title.push(' ');
            }
            title.push_str(word);
        }
        title
    }
}

/// Where the identifier begins that a heading ends with: `{#id .class}`, `{: #id}` or `{/* id */}`. Other braces are
/// words.
fn suffix(line: &str) -> Option<usize> {
    let line = line.trim_end_matches('#').trim_end();
    if line.ends_with("*/}") {
        return line.rfind("{/*");
    }
    let at = line.strip_suffix('}')?.rfind('{')?;
    let is_word = line[..at].ends_with(['\\', '{']) || !line[at + 1..].trim_start().starts_with(['#', '.', ':']);
    (!is_word).then_some(at)
}
