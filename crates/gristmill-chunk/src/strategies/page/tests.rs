use gristmill_core::{BlockKind, Chunker, Unit};
use gristmill_text::count::sizer;

use super::Page;
use crate::fixture::{cx, document};

const TEXT: BlockKind = BlockKind::Paragraph;
const HEADING: BlockKind = BlockKind::Heading { level: 1 };

fn chunks(blocks: &[(BlockKind, u32, &str)], max: usize) -> Vec<String> {
    let (document, sizer) = (document(blocks), sizer(Unit::Chars, "").expect("characters can be counted"));
    let made = Page.chunk(&document, &cx(sizer.as_ref(), max)).expect("it can be cut");
    made.value.iter().map(|chunk| chunk.body_text(&document.text).to_owned()).collect()
}

#[test]
fn each_page_is_a_chunk_however_small() {
    let blocks = [(TEXT, 1, "One."), (TEXT, 1, "Two."), (TEXT, 2, "3."), (TEXT, 4, "Four.")];
    assert_eq!(chunks(&blocks, 1000), ["One.\n\nTwo.", "3.", "Four."]);
}

#[test]
fn a_large_page_is_cut_and_keeps_to_itself() {
    let blocks =
        [(TEXT, 1, "One."), (TEXT, 2, "Twenty letters here."), (TEXT, 2, "Twenty letters more."), (TEXT, 3, "3.")];
    assert_eq!(chunks(&blocks, 30), ["One.", "Twenty letters here.", "Twenty letters more.", "3."]);
}

#[test]
fn headings_at_the_foot_go_with_their_text() {
    let blocks = [(TEXT, 1, "One."), (HEADING, 1, "# A"), (TEXT, 2, "Two.")];
    assert_eq!(chunks(&blocks, 1000), ["One.", "# A\n\nTwo."]);
}

#[test]
fn a_page_of_headings_stays_a_page() {
    let blocks = [(HEADING, 1, "# A"), (TEXT, 2, "Two."), (HEADING, 3, "# B"), (TEXT, 3, "Three.")];
    assert_eq!(chunks(&blocks, 1000), ["# A", "Two.", "# B\n\nThree."]);
}

#[test]
fn without_pages_the_structure_is_used_and_that_is_told() {
    let document = document(&[(TEXT, 0, "One."), (TEXT, 0, "Two.")]);
    let sizer = sizer(Unit::Chars, "").expect("characters can be counted");
    let made = Page.chunk(&document, &cx(sizer.as_ref(), 100)).expect("it can be cut");
    assert_eq!((made.value.len(), made.diagnostics[0].code), (1, "no-pages"));
}
