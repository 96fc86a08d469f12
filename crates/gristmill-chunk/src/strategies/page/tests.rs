use gristmill_core::{BlockKind, Chunker, Unit};
use gristmill_text::count::sizer;

use super::super::Auto;
use super::{Page, of_least_size};
use crate::apart::tests::Bytes;
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
fn small_pages_share_a_chunk_where_nothing_else_is_said() {
    let least = |starts: &[u32], least| of_least_size(starts, &Bytes, 100, least);
    assert_eq!(least(&[0, 40, 70], 30), [0, 40, 70]);
    // 30 and 30 are each too little.
    assert_eq!(least(&[0, 40, 70], 31), [0, 40]);
    // The first takes the second, and what is left at the end goes with what is before it.
    assert_eq!(least(&[0, 5, 50, 95], 20), [0, 50]);
    assert_eq!(least(&[0, 50], 1000), [0]);
}

#[test]
fn a_pdf_is_cut_at_its_pages() {
    let blocks = [(TEXT, 1, "A page of text."), (TEXT, 2, "1"), (TEXT, 3, "Another page of text.")];
    let (mut document, sizer) = (document(&blocks), sizer(Unit::Chars, "").expect("characters can be counted"));
    document.format = "pdf";
    let made = Auto.chunk(&document, &cx(sizer.as_ref(), 60)).expect("it can be cut");
    let texts: Vec<_> = made.value.iter().map(|chunk| chunk.body_text(&document.text)).collect();
    assert_eq!(texts, ["A page of text.", "1\n\nAnother page of text."]);
}

#[test]
fn without_pages_the_structure_is_used_and_that_is_told() {
    let document = document(&[(TEXT, 0, "One."), (TEXT, 0, "Two.")]);
    let sizer = sizer(Unit::Chars, "").expect("characters can be counted");
    let made = Page.chunk(&document, &cx(sizer.as_ref(), 100)).expect("it can be cut");
    assert_eq!((made.value.len(), made.diagnostics[0].code), (1, "no-pages"));
}
