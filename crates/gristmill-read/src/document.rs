//! The way that is the same for every reader of line-based text: decode, walk over the lines, put together.

use gristmill_core::{Attrs, Document, Input, Origin, Outcome, Result};

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
    let document = Document {
        id: input.id,
        source: input.source.to_owned(),
        fingerprint: input.fingerprint,
        format,
        encoding: decoded.encoding,
        attrs,
        text: decoded.text,
        blocks,
        sections,
        edits: decoded.edits,
        map: decoded.map,
        origin: Origin::default(),
    };
    Ok(Outcome { value: document, diagnostics: decoded.diagnostics })
}
