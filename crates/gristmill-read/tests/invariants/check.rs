//! The invariants themselves.

use gristmill_core::{Block, BlockKind, Document, ROOT, Reader, Span};

/// A file name for bytes of no name: what it says matters to some readers, so all their extensions take part.
pub(crate) fn name(reader: &dyn Reader, bytes: &[u8]) -> String {
    let extensions = reader.extensions();
    format!("a.{}", extensions.get(bytes.len() % extensions.len().max(1)).unwrap_or(&"txt"))
}

/// Panics with the place and the reason when an invariant of documents does not hold.
pub(crate) fn check(document: &Document) {
    let mut around: Vec<&Block> = Vec::new();
    let mut last_end: Vec<u32> = vec![0];
    let mut before = 0;
    for block in &document.blocks {
        let fail = |why: &str| -> ! { panic!("{}: {why}: {}", document.source, excerpt(document, block)) };
        let depth = usize::from(block.depth);
        if depth > around.len() {
            fail("deeper than its container");
        }
        around.truncate(depth);
        last_end.truncate(depth + 1);
        if block.span.start < before {
            fail("not in order");
        }
        if around.last().is_some_and(|outer| !outer.span.covers(block.span)) {
            fail("outside its container");
        }
        if block.span.start < last_end[depth] {
            fail("overlaps its neighbour");
        }
        if let Some(why) = fault(document, block) {
            fail(why);
        }
        before = block.span.start;
        last_end[depth] = block.span.end;
        if block.kind.is_container() {
            around.push(block);
            last_end.push(block.span.start);
        }
    }
    sections(document);
    map(document);
}

fn excerpt(document: &Document, block: &Block) -> String {
    let text = document.text.get(block.span.range()).unwrap_or("(no characters)");
    format!("{:?} {:?} {:?}", block.kind, block.span, text.chars().take(60).collect::<String>())
}

/// What is wrong with a block by itself.
fn fault(document: &Document, block: &Block) -> Option<&'static str> {
    let text = document.text.get(block.span.range());
    let inside = |span: Span| block.span.covers(span) && document.text.get(span.range()).is_some();
    let wrong = |holds: bool, why| (!holds).then_some(why);
    wrong(text.is_some(), "not on character borders")
        .or_else(|| wrong(text.is_some_and(|text| !text.trim().is_empty()), "blank"))
        .or_else(|| wrong(text.is_some_and(|text| text.trim_end() == text), "ends with white space"))
        .or_else(|| wrong((block.section as usize) < document.sections.len(), "no such section"))
        .or_else(|| wrong(block.section == document.section_at(block.span.start), "another section governs the place"))
        .or_else(|| match block.kind {
            BlockKind::Code { body, .. } => wrong(inside(body), "body outside the block"),
            BlockKind::Table { header } => wrong(inside(header), "header outside the table"),
            BlockKind::Heading { .. } => {
                let section = &document.sections[block.section as usize];
                let own = block.depth > 0 || section.heading == block.span;
                wrong(own, "does not open its section")
            }
            _ => None,
        })
}

fn sections(document: &Document) {
    let sections = &document.sections;
    assert_eq!((sections[0].level, sections[0].parent), (0, ROOT), "{}", document.source);
    for (index, section) in sections.iter().enumerate().skip(1) {
        let parent = &sections[section.parent as usize];
        assert!((section.parent as usize) < index, "{}: {section:?}", document.source);
        assert!(parent.level < section.level, "{}: {section:?}", document.source);
        assert!((1..=6).contains(&section.level), "{}: {section:?}", document.source);
        assert!(sections[index - 1].heading <= section.heading, "{}: {section:?}", document.source);
    }
}

/// Edits are sorted and apart, and account for the difference in length.
fn map(document: &Document) {
    assert!(document.edits.windows(2).all(|two| two[0].at.end <= two[1].at.start), "{}", document.source);
    assert_eq!(document.edits.is_empty(), document.map.is_identity(), "{}", document.source);
    assert!(!document.text.contains(['\r', '\0', '\u{feff}']), "{}", document.source);
}

/// Every visible character is in a leaf: nothing is lost to a chunker that takes leaves.
pub(crate) fn check_leaves_hold_all(document: &Document) {
    let leaves = document.blocks.iter().filter(|block| !block.kind.is_container());
    check_gaps(document, leaves, |gap| gap.trim().is_empty() || is_list_marker(gap.trim()));
}

/// Every letter and digit is in a block of the outermost level.
pub(crate) fn check_blocks_hold_all(document: &Document) {
    let outer = document.blocks.iter().filter(|block| block.depth == 0);
    check_gaps(document, outer, |gap| !gap.contains(char::is_alphanumeric));
}

fn check_gaps<'d>(document: &'d Document, blocks: impl Iterator<Item = &'d Block>, allowed: impl Fn(&str) -> bool) {
    let mut covered = 0;
    for block in blocks {
        let gap = &document.text[covered..(block.span.start as usize).max(covered)];
        assert!(allowed(gap), "{}: {gap:?} before {}", document.source, excerpt(document, block));
        covered = covered.max(block.span.end as usize);
    }
    assert!(allowed(&document.text[covered..]), "{}: {:?}", document.source, &document.text[covered..]);
}

fn is_list_marker(gap: &str) -> bool {
    gap.len() <= 8 && !gap.contains(char::is_whitespace)
}
