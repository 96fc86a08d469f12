//! Markdown: CommonMark and GFM, with front matter, and with what documentation sites add to them.
//!
//! The text stays the file's own. [`dialect`] finds the lines that CommonMark does not know (containers, components,
//! display mathematics, directives) and shows them to the parser as single lines of raw HTML, so that they stand alone
//! wherever they are, in lists and quotes too; [`blocks`] turns the parser's events into blocks at their places in
//! the text.

mod blocks;
mod containers;
mod dialect;
mod gaps;
mod title;

use gristmill_core::{
    Attrs, Block, Diagnostic, Document, Edit, EditKind, Input, OffsetMap, Origin, Outcome, Pages, Reader, Result,
    Section, Severity, Span,
};

use crate::decode::{Decoded, decode};
use crate::front_matter::{FrontMatter, Malformed, front_matter};

/// Reads Markdown and MDX.
#[derive(Clone, Copy, Debug, Default)]
pub struct Markdown;

impl Reader for Markdown {
    fn name(&self) -> &'static str {
        "markdown"
    }

    fn summary(&self) -> &'static str {
        "CommonMark and GFM with front matter, mathematics, admonitions, HTML and MDX components"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["md", "markdown", "mdx"]
    }

    fn read(&self, input: &Input<'_>) -> Result<Outcome<Document>> {
        let mut decoded = decode(input)?;
        let (attrs, lines_before) =
            if input.first { take_front_matter(&mut decoded, input.source) } else { Default::default() };
        let Decoded { text, encoding, edits, map, mut diagnostics } = decoded;
        let found = blocks::blocks(&text, is_mdx(input.source), input.open);
        diagnostics
            .extend(found.unclosed.iter().map(|&at| unclosed_fence(input.source, lines_before + line_of(&text, at))));
        let document = Document {
            id: input.id,
            source: input.source.to_owned(),
            format: self.name(),
            encoding,
            attrs,
            text: text.into_owned(),
            blocks: found.blocks,
            sections: found.sections,
            edits,
            map,
            origin: Origin::default(),
            pages: Pages::default(),
        };
        Ok(Outcome { value: document, diagnostics })
    }
}

/// Blocks and sections of Markdown that another reader has written.
pub(crate) fn outline(text: &str) -> (Vec<Block>, Vec<Section>) {
    let found = blocks::blocks(text, false, &[]);
    (found.blocks, found.sections)
}

fn is_mdx(source: &str) -> bool {
    source.rsplit_once('.').is_some_and(|(_, extension)| extension.eq_ignore_ascii_case("mdx"))
}

/// Takes the front matter off the text; gives what it declares and the number of its lines.
fn take_front_matter(decoded: &mut Decoded<'_>, source: &str) -> (Attrs, u64) {
    match front_matter(&decoded.text) {
        Ok(None) => Default::default(),
        Ok(Some(found)) => {
            let repeated = found.repeated.iter().map(|(line, name)| repeated_name(source, *line, name));
            decoded.diagnostics.extend(repeated);
            let lines = memchr::memchr_iter(b'\n', &decoded.text.as_bytes()[..found.len]).count() as u64;
            cut(decoded, &found);
            (found.attrs, lines)
        }
        Err(error) => {
            decoded.diagnostics.push(malformed(source, &error));
            Default::default()
        }
    }
}

/// Removes the front matter as a declared edit. Smaller edits within it are part of that one.
fn cut(decoded: &mut Decoded<'_>, found: &FrontMatter) {
    let taken = Span::new(0, found.len);
    let at = decoded.map.span(taken);
    let (text, map) =
        OffsetMap::apply(&decoded.text, &[Edit { kind: EditKind::FrontMatter, at: taken, with: String::new() }]);
    decoded.edits.retain(|edit| !at.covers(edit.at));
    let after = decoded.edits.partition_point(|edit| edit.at.start < at.start);
    decoded.edits.insert(after, Edit { kind: EditKind::FrontMatter, at, with: String::new() });
    decoded.map = map.then(&decoded.map);
    decoded.text = text.into();
}

fn malformed(source: &str, error: &Malformed) -> Diagnostic {
    let message = format!("front matter cannot be read, kept as text: {}", error.message);
    Diagnostic::new("malformed-front-matter", Severity::Medium, source, message)
        .at_line(error.line)
        .help("quote values that hold a colon, and close every bracket and quote")
}

fn repeated_name(source: &str, line: u64, name: &str) -> Diagnostic {
    let message = format!("front matter gives a name twice, the last value holds: `{name}`");
    Diagnostic::new("repeated-attribute", Severity::Low, source, message).at_line(line)
}

fn unclosed_fence(source: &str, line: u64) -> Diagnostic {
    Diagnostic::new("unclosed-fence", Severity::Medium, source, "code fence is never closed")
        .at_line(line)
        .help("close it with as many marks as opened it")
}

/// The line, from 1, of a position.
fn line_of(text: &str, at: u32) -> u64 {
    let before = text.as_bytes().get(..at as usize).unwrap_or_default();
    memchr::memchr_iter(b'\n', before).count() as u64 + 1
}

#[cfg(test)]
mod tests;
