//! For tests: read a text and show what was found.

use std::fmt::Write;

use gristmill_core::{BlockKind, Document, DocumentId, Input, ROOT, Reader};

/// Reads `text` as the whole of a file.
pub(crate) fn read(reader: &dyn Reader, text: &str) -> Document {
    read_window(reader, text, &[])
}

/// Reads `text` as a window after which `open` sections stand open.
pub(crate) fn read_window(reader: &dyn Reader, text: &str, open: &[(u8, String)]) -> Document {
    let input = Input {
        id: DocumentId::new("default", "", "a.txt"),
        source: "a.txt",
        bytes: text.as_bytes(),
        open,
        first: open.is_empty(),
    };
    reader.read(&input).expect("text can be read").value
}

/// One line a block: its depth as indentation, its kind, and for leaves the text.
pub(crate) fn shape(document: &Document) -> String {
    let mut out = String::new();
    for block in &document.blocks {
        let text = &document.text[block.span.range()];
        let _ = write!(out, "{:width$}{}", "", name(document, block.kind), width = usize::from(block.depth) * 2);
        if !block.kind.is_container() {
            let _ = write!(out, " {text:?}");
        }
        out.push('\n');
    }
    out
}

fn name(document: &Document, kind: BlockKind) -> String {
    match kind {
        BlockKind::Heading { level } => format!("h{level}"),
        BlockKind::List { ordered: true } => "ordered".into(),
        BlockKind::List { ordered: false } => "list".into(),
        BlockKind::Code { body, closed: true } => format!("code {:?} in", &document.text[body.range()]),
        BlockKind::Code { body, closed: false } => format!("unclosed {:?} in", &document.text[body.range()]),
        BlockKind::Table { header } => format!("table {:?}", &document.text[header.range()]),
        other => format!("{other:?}").to_lowercase(),
    }
}

/// `parent/child` for every section but the root.
pub(crate) fn paths(document: &Document) -> Vec<String> {
    let sections = 1..u32::try_from(document.sections.len()).expect("few sections");
    sections.filter(|s| *s != ROOT).map(|s| document.heading_path(s).join("/")).collect()
}
