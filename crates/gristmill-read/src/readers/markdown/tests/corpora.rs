//! Real documents, where they are at hand.

use std::path::{Path, PathBuf};

use gristmill_core::{BlockKind, Document};

use super::invariants::faults;
use super::read;

#[expect(clippy::print_stdout, reason = "a skipped check must be seen")]
fn skipped() {
    println!("skipped: no corpora beside the repository");
}

/// Every Markdown file of the corpora beside the repository, by its path.
fn files() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora");
    let mut found = Vec::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ext| ext == "md" || ext == "mdx") {
                found.extend(std::fs::read_to_string(&path).ok().map(|text| (path, text)));
            }
        }
    }
    found.sort();
    if found.is_empty() {
        skipped();
    }
    found
}

#[test]
fn real_documents_hold_the_invariants() {
    let mut all = Vec::new();
    for (path, text) in files() {
        let document = read(&path.to_string_lossy(), &text).value;
        all.extend(faults(&document).into_iter().map(|fault| format!("{}: {fault}", path.display())));
    }
    assert!(all.is_empty(), "{} faults:\n{}", all.len(), all.join("\n"));
}

/// A line that opens a fence, outside of others, begins a code block. A closing line is indented by less than four
/// columns more than the opening one (CommonMark 0.31, section 4.5).
#[test]
fn fences_of_real_documents_are_code() {
    let mut missed = Vec::new();
    for (path, text) in files() {
        let document = read(&path.to_string_lossy(), &text).value;
        let starts: Vec<usize> = code_starts(&document);
        for at in fence_starts(&document.text) {
            if starts.binary_search(&at).is_err() {
                let line = document.text[..at].matches('\n').count() + 1;
                missed.push(format!("{}:{line} {:?}", path.display(), document.text[at..].lines().next()));
            }
        }
    }
    assert!(missed.is_empty(), "{} fences:\n{}", missed.len(), missed.join("\n"));
}

fn code_starts(document: &Document) -> Vec<usize> {
    let codes = document.blocks.iter().filter(|block| matches!(block.kind, BlockKind::Code { .. }));
    codes.map(|block| block.span.start as usize).collect()
}

fn fence_starts(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut open: Option<(char, usize, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim_start_matches([' ', '\t', '>']);
        let bare = without_marker(content);
        let indent = line.len() - content.len();
        if let Some((mark, width, column)) = open {
            let marks = content.chars().take_while(|&c| c == mark).count();
            if marks >= width && indent < column + 4 && content[marks..].trim().is_empty() {
                open = None;
            }
        } else if let Some(mark) = bare.chars().next().filter(|mark| matches!(mark, '`' | '~')) {
            let marks = bare.chars().take_while(|&c| c == mark).count();
            if marks >= 3 && !(mark == '`' && bare[marks..].contains('`')) {
                open = Some((mark, marks, line.len() - bare.len()));
                found.push(at + (line.len() - bare.len()));
            }
        }
        at += line.len();
    }
    found
}

fn without_marker(content: &str) -> &str {
    let mut rest = content;
    loop {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let after = match rest.as_bytes().get(digits) {
            Some(b'-' | b'+' | b'*') if digits == 0 => &rest[1..],
            Some(b'.' | b')') if digits > 0 => &rest[digits + 1..],
            _ => return rest,
        };
        if !after.starts_with([' ', '\t']) {
            return rest;
        }
        rest = after.trim_start_matches([' ', '\t']);
    }
}
