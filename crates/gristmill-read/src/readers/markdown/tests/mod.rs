mod commonmark;
mod corpora;
mod dialects;
mod documents;
mod hostile;
mod invariants;
mod random;

use std::fmt::Write;

use gristmill_core::{Block, BlockKind, Document, DocumentId, Input, Outcome, Reader};

use super::Markdown;

/// Reads `text` as a file of this name.
fn read(source: &str, text: &str) -> Outcome<Document> {
    let input =
        Input { id: DocumentId::new("default", "", source), source, bytes: text.as_bytes(), open: &[], first: true };
    Markdown.read(&input).expect("text can be read")
}

/// Reads `text` as a file of this name and compares what [`shape`] shows, an empty line before it.
fn check(source: &str, text: &str, expected: &str) {
    let document = read(source, text).value;
    let shape = shape(&document);
    assert_eq!(shape.trim_end(), expected.trim(), "\n{shape}\nfor {text:?}");
    assert_eq!(invariants::faults(&document), Vec::<String>::new(), "{text:?}");
}

/// One line a block, indented by its depth: its kind, and for those without blocks in them the text, line ends as `⏎`.
/// The body of code and the header of tables stand in `«»`.
fn shape(document: &Document) -> String {
    let mut out = String::new();
    for block in &document.blocks {
        let line = format!("{}{}", name(block.kind), words(document, block)).replace('\n', "⏎");
        let _ = writeln!(out, "{:width$}{line}", "", width = usize::from(block.depth) * 2);
    }
    out
}

fn name(kind: BlockKind) -> String {
    match kind {
        BlockKind::Heading { level } => format!("h{level}"),
        BlockKind::List { ordered: true } => "ordered".into(),
        BlockKind::Code { closed: true, .. } => "code".into(),
        BlockKind::Code { closed: false, .. } => "unclosed".into(),
        other => format!("{other:?}").split([' ', '{']).next().unwrap_or_default().to_lowercase(),
    }
}

fn words(document: &Document, block: &Block) -> String {
    let text = &document.text;
    match block.kind {
        BlockKind::Table { header } => format!(" «{}»", &text[header.range()]),
        BlockKind::Code { body, .. } => {
            let (start, end) = (block.span.start as usize, block.span.end as usize);
            let before = &text[start..body.start as usize];
            format!(" {before}«{}»{}", &text[body.range()], &text[body.end as usize..end])
        }
        kind if kind.is_container() => String::new(),
        _ => format!(" {}", &text[block.span.range()]),
    }
}

/// `title > title` for every section but the root.
fn paths(document: &Document) -> Vec<String> {
    let sections = 1..u32::try_from(document.sections.len()).expect("few sections");
    sections.map(|section| document.heading_path(section).join(" > ")).collect()
}
