//! The way that is the same for every reader of line-based text: decode, walk over the lines, put together.

use gristmill_core::{Attrs, Block, BlockKind, Diagnostic, Document, Input, Origin, Outcome, Pages, Result, Severity};

use crate::decode::decode;
use crate::lines::Lines;
use crate::outline::Outline;

/// Decodes the input and lets `walk` tell the outline what it finds in the lines; gives what the text declares of itself.
pub(crate) fn read_lines(
    input: &Input<'_>,
    format: &'static str,
    walk: impl FnOnce(&Lines<'_>, &mut Outline) -> Attrs,
) -> Result<Outcome<Document>> {
    let decoded = decode(input)?;
    let mut outline = Outline::new(input.open);
    let attrs = walk(&Lines::of(&decoded.text), &mut outline);
    let (blocks, sections) = outline.finish();
    let mut diagnostics = decoded.diagnostics;
    diagnostics.extend(blocks.iter().filter_map(|block| unclosed_fence(input.source, &decoded.text, block)));
    let document = Document {
        id: input.id,
        source: input.source.to_owned(),
        format,
        encoding: decoded.encoding,
        attrs,
        text: decoded.text.into_owned(),
        blocks,
        sections,
        edits: decoded.edits,
        map: decoded.map,
        origin: Origin::default(),
        pages: Pages::default(),
    };
    Ok(Outcome { value: document, diagnostics })
}

fn unclosed_fence(source: &str, text: &str, block: &Block) -> Option<Diagnostic> {
    let BlockKind::Code { closed: false, .. } = block.kind else { return None };
    let before = text.as_bytes().get(..block.span.start as usize).unwrap_or_default();
    let line = memchr::memchr_iter(b'\n', before).count() as u64 + 1;
    let found = Diagnostic::new("unclosed-fence", Severity::Medium, source, "code block is never closed");
    Some(found.at_line(line).help("close it with the line that opened it"))
}
