//! A row of a table is asked for by its first cell and the header of the others.

use gristmill_core::BlockKind;

use super::Made;
use crate::Source;

pub(super) fn make(source: &Source) -> Vec<Made> {
    let text = &source.document.text;
    let mut header: Vec<&str> = Vec::new();
    let mut out = Vec::new();
    for block in &source.document.blocks {
        match block.kind {
            BlockKind::Table { header: span } => header = cells(text[span.range()].lines().next().unwrap_or_default()),
            BlockKind::Row => {
                let first = cells(&text[block.span.range()]).into_iter().next().unwrap_or_default();
                let others: Vec<&str> = header.iter().skip(1).copied().filter(|cell| !cell.is_empty()).collect();
                let said = first.chars().filter(|c| c.is_alphabetic()).count();
                // Nobody asks for a picture.
                if said >= 2 && !first.contains('<') && !others.is_empty() {
                    out.push(Made { text: format!("{first} {}", others.join(" ")), evidence: block.span });
                }
            }
            _ => {}
        }
    }
    out
}

fn cells(line: &str) -> Vec<&str> {
    if !line.contains('|') {
        return Vec::new();
    }
    line.trim().trim_start_matches('|').trim_end_matches('|').split('|').map(str::trim).collect()
}
