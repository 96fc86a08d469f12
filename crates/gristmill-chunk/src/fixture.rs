//! Documents made in place, for tests.

use std::collections::BTreeMap;

use gristmill_core::{
    Block, BlockKind, ChunkCx, Document, DocumentId, Limits, OffsetMap, Origin, Pages, Section, Sizer, Span,
};

/// Blocks of these kinds on these pages (0 for none) with these texts, a blank line between them. A heading opens a section.
pub fn document(blocks: &[(BlockKind, u32, &str)]) -> Document {
    let mut made = Document {
        id: DocumentId::new("test", "", "a"),
        source: "a".to_owned(),
        format: "text",
        encoding: "utf-8",
        attrs: BTreeMap::new(),
        text: String::new(),
        blocks: Vec::new(),
        sections: vec![Section { level: 0, title: String::new(), parent: 0, heading: Span::default() }],
        edits: Vec::new(),
        map: OffsetMap::default(),
        origin: Origin::default(),
        pages: Pages::default(),
    };
    for (kind, page, text) in blocks {
        let start = made.text.len();
        made.text.push_str(text);
        let span = Span::new(start, made.text.len());
        if let BlockKind::Heading { level } = *kind {
            made.sections.push(Section { level, title: (*text).to_owned(), parent: 0, heading: span });
        }
        let section = u32::try_from(made.sections.len() - 1).expect("few sections");
        if *page > 0 && made.pages.starts.last().is_none_or(|(_, last)| last != page) {
            made.pages.starts.push((span.start, *page));
        }
        made.blocks.push(Block { kind: *kind, span, section, depth: 0 });
        made.text.push_str("\n\n");
    }
    made
}

/// No overlap, no context; the target is two thirds of `max`, the least size an eighth.
pub fn cx(sizer: &dyn Sizer, max: usize) -> ChunkCx<'_> {
    let limits = Limits { target: max * 2 / 3, max, min: max / 8, overlap: 0 };
    ChunkCx::new(limits, sizer)
}
