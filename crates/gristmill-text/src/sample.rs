//! Documents for tests, built piece by piece without a parser.

use gristmill_core::{
    Attrs, Block, BlockKind, Document, DocumentId, Edit, EditKind, OffsetMap, Origin, Pages, ROOT, Section, Span,
};

/// Builds the text and the blocks of a Markdown document side by side.
pub(crate) struct Sample {
    text: String,
    blocks: Vec<Block>,
    sections: Vec<Section>,
    depth: u8,
}

impl Sample {
    pub(crate) fn new() -> Self {
        let root = Section { level: 0, title: String::new(), parent: ROOT, heading: Span::default() };
        Self { text: String::new(), blocks: Vec::new(), sections: vec![root], depth: 0 }
    }

    /// Text outside blocks.
    pub(crate) fn gap(mut self, text: &str) -> Self {
        self.text.push_str(text);
        self
    }

    /// A block without blocks in it.
    pub(crate) fn leaf(mut self, kind: BlockKind, text: &str) -> Self {
        let start = self.text.len();
        self.text.push_str(text);
        self.push(kind, start);
        self
    }

    pub(crate) fn paragraph(self, text: &str) -> Self {
        self.leaf(BlockKind::Paragraph, text)
    }

    pub(crate) fn heading(mut self, level: u8, title: &str) -> Self {
        let start = self.text.len();
        self.text.push_str(&"#".repeat(usize::from(level)));
        self.text.push(' ');
        self.text.push_str(title);
        let heading = Span::new(start, self.text.len());
        let mut parent = self.sections.len() - 1;
        while parent > 0 && self.sections[parent].level >= level {
            parent = self.sections[parent].parent as usize;
        }
        let parent = u32::try_from(parent).expect("few sections");
        self.sections.push(Section { level, title: title.to_owned(), parent, heading });
        self.push(BlockKind::Heading { level }, start);
        self
    }

    pub(crate) fn code(mut self, body: &str) -> Self {
        let start = self.text.len();
        self.text.push_str("```text\n");
        let from = self.text.len();
        self.text.push_str(body);
        let body = Span::new(from, self.text.len());
        self.text.push_str("```");
        self.push(BlockKind::Code { body, closed: true }, start);
        self
    }

    /// A table of one row.
    pub(crate) fn table(mut self, cell: &str) -> Self {
        let start = self.text.len();
        self.text.push_str("| h  h |\n|------|\n");
        let header = Span::new(start, self.text.len());
        let row = self.text.len();
        self.text.push_str(&format!("| {cell} |"));
        self.push(BlockKind::Table { header }, start);
        self.depth += 1;
        self.push(BlockKind::Row, row);
        self.depth -= 1;
        self
    }

    /// A container with what `fill` puts in it.
    pub(crate) fn within(mut self, kind: BlockKind, fill: impl FnOnce(Self) -> Self) -> Self {
        let (start, index) = (self.text.len(), self.blocks.len());
        self.push(kind, start);
        self.depth += 1;
        let mut filled = fill(self);
        filled.depth -= 1;
        filled.blocks[index].span.end =
            filled.blocks.last().map_or(0, |b| b.span.end).max(filled.blocks[index].span.start);
        filled
    }

    fn push(&mut self, kind: BlockKind, start: usize) {
        let section = u32::try_from(self.sections.len() - 1).expect("few sections");
        let span = Span::new(start, self.text.len());
        self.blocks.push(Block { kind, span, section, depth: self.depth });
    }

    pub(crate) fn build(self) -> Document {
        Document {
            id: DocumentId::new("test", "", "a.md"),
            source: "a.md".into(),
            format: "markdown",
            encoding: "utf-8",
            attrs: Attrs::new(),
            text: self.text,
            blocks: self.blocks,
            sections: self.sections,
            edits: Vec::new(),
            map: OffsetMap::default(),
            origin: Origin::default(),
            pages: Pages::default(),
        }
    }

    /// The document as it comes from a file with CRLF line ends and a control character before each `every`-th
    /// character; and that file.
    pub(crate) fn build_from_file(self, every: usize) -> (Document, String) {
        let mut document = self.build();
        let mut raw = String::new();
        for (n, c) in document.text.chars().enumerate() {
            let dirt = match c {
                '\n' => Some((EditKind::LineEnd, '\r')),
                _ if n % every == 0 => Some((EditKind::Control, '\u{1}')),
                _ => None,
            };
            if let Some((kind, dirt)) = dirt {
                document.edits.push(Edit { kind, at: Span::new(raw.len(), raw.len() + 1), with: String::new() });
                raw.push(dirt);
            }
            raw.push(c);
        }
        let (text, map) = OffsetMap::apply(&raw, &document.edits);
        assert_eq!(text, document.text);
        document.map = map;
        (document, raw)
    }
}
