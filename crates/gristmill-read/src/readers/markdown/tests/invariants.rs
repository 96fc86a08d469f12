//! What holds for every document.

use gristmill_core::{Block, BlockKind, Document};

/// What is wrong with the blocks of a document; empty when all is right.
pub(super) fn faults(document: &Document) -> Vec<String> {
    let mut faults = Vec::new();
    nesting(document, &mut faults);
    for block in &document.blocks {
        own(document, block, &mut faults);
    }
    coverage(document, &mut faults);
    faults
}

fn excerpt(document: &Document, block: &Block) -> String {
    let text: String = document.text.get(block.span.range()).unwrap_or("?").chars().take(50).collect();
    format!("{:?} {:?} {text:?}", block.kind, block.span)
}

/// Sorted, containers before and around their blocks, siblings apart.
fn nesting(document: &Document, faults: &mut Vec<String>) {
    let mut around: Vec<&Block> = Vec::new();
    let mut before: Option<&Block> = None;
    for block in &document.blocks {
        // Depths stop at the greatest number that is counted.
        let deepest = block.depth == u8::MAX;
        while around.len() > usize::from(block.depth)
            && !(deepest && around.last().is_some_and(|outer| outer.span.covers(block.span)))
        {
            before = around.pop();
        }
        if around.len() < usize::from(block.depth) {
            faults.push(format!("too deep: {}", excerpt(document, block)));
        }
        if around.last().is_some_and(|outer| !outer.span.covers(block.span)) {
            faults.push(format!("outside its container: {}", excerpt(document, block)));
        }
        if !deepest && before.is_some_and(|sibling| sibling.span.end > block.span.start && sibling.depth == block.depth)
        {
            faults.push(format!("overlaps the one before: {}", excerpt(document, block)));
        }
        before = Some(block);
        if block.kind.is_container() {
            around.push(block);
        }
    }
    if !document.blocks.is_sorted_by_key(|block| block.span.start) {
        faults.push("not sorted".to_owned());
    }
}

/// Range, section and body of each.
fn own(document: &Document, block: &Block, faults: &mut Vec<String>) {
    let Some(text) = document.text.get(block.span.range()) else {
        return faults.push(format!("not on character borders: {:?}", block.span));
    };
    let is_code = matches!(block.kind, BlockKind::Code { .. });
    if text.is_empty() || text.ends_with(char::is_whitespace) || (!is_code && text.starts_with(char::is_whitespace)) {
        faults.push(format!("white space at its ends: {}", excerpt(document, block)));
    }
    if block.section != document.section_at(block.span.start) {
        faults.push(format!("wrong section: {}", excerpt(document, block)));
    }
    match block.kind {
        BlockKind::Code { body, .. } => {
            let opener = document.text.get(block.span.start as usize..body.start as usize);
            if !block.span.covers(body) || opener.is_none_or(|line| !line.is_empty() && line.lines().count() != 1) {
                faults.push(format!("body out of place: {}", excerpt(document, block)));
            }
        }
        BlockKind::Table { header } => {
            let lines = document.text.get(header.range()).map_or(0, |header| header.lines().count());
            if !block.span.covers(header) || lines != 2 {
                faults.push(format!("header out of place: {}", excerpt(document, block)));
            }
        }
        _ => {}
    }
}

/// What is in no leaf is white space, `>`, or the marker of an item or footnote.
fn coverage(document: &Document, faults: &mut Vec<String>) {
    let mut covered = 0;
    for block in &document.blocks {
        let start = block.span.start as usize;
        let text = &document.text[start..];
        let marks = match block.kind {
            BlockKind::Item => text.bytes().take_while(u8::is_ascii_digit).count() + 1,
            BlockKind::Footnote => text.find("]:").map_or(0, |at| at + 2),
            BlockKind::Table { header } => header.len(),
            kind if kind.is_container() => 0,
            _ => block.span.len(),
        };
        uncovered(document, covered, start, faults);
        covered = covered.max(start + marks);
    }
    uncovered(document, covered, document.text.len(), faults);
}

fn uncovered(document: &Document, from: usize, to: usize, faults: &mut Vec<String>) {
    let lost = document.text.get(from..to.max(from)).unwrap_or("?");
    if lost.contains(|c: char| !c.is_whitespace() && c != '>') {
        faults.push(format!("in no block: {lost:?}"));
    }
}
