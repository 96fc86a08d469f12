//! Overlaps between neighbours cut from real documents.
#![expect(clippy::print_stdout, reason = "says what was measured or skipped")]

use std::fs;
use std::path::{Path, PathBuf};

use gristmill_text::similar::overlap;

fn documents() -> Vec<String> {
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora");
    let mut files = Vec::new();
    for name in
        ["md-rust-book", "md-pingcap-zh", "md-react-ko", "md-vue", "md-fastapi", "md-site-policy", "md-material"]
    {
        let mut found = Vec::new();
        collect(&corpora.join(name), &mut found);
        found.sort();
        files.extend(found.into_iter().take(120));
    }
    files.iter().filter_map(|file| fs::read_to_string(file).ok()).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|ext| ext == "md") {
            files.push(path);
        }
    }
}

/// The byte position `chars` characters on.
fn on(text: &str, from: usize, chars: usize) -> usize {
    text[from..].char_indices().nth(chars).map_or(text.len(), |(at, _)| from + at)
}

fn back(text: &str, from: usize, chars: usize) -> usize {
    text[..from].char_indices().rev().nth(chars.saturating_sub(1)).map_or(0, |(at, _)| at)
}

/// Left and right texts with `overlap` characters in common, cut every `size` characters, or at the line end after.
fn neighbours(text: &str, size: usize, overlap: usize, at_lines: bool) -> Vec<(&str, &str, usize)> {
    let (mut start, mut pairs) = (0, Vec::new());
    loop {
        let mut cut = on(text, start, size);
        if at_lines {
            cut = text[cut..].find('\n').map_or(text.len(), |n| cut + n + 1);
        }
        if cut >= text.len() {
            return pairs;
        }
        let from = back(text, cut, overlap).max(start + 1);
        let from = if overlap == 0 { cut } else { text.ceil_char_boundary(from) };
        let end = on(text, cut, size);
        pairs.push((&text[start..cut], &text[from..end], cut - from));
        start = cut;
    }
}

#[test]
fn neighbours_of_real_documents() {
    let documents = documents();
    if documents.is_empty() {
        println!("skipped: ../shared/corpora is not there");
        return;
    }
    for (size, at_lines) in [(500, false), (500, true), (100, false), (100, true)] {
        let (mut all, mut found) = (0, 0);
        for (left, right, _) in documents.iter().flat_map(|text| neighbours(text, size, 0, at_lines)) {
            all += 1;
            if let Some(over) = overlap(left.trim(), right.trim()) {
                found += 1;
                println!("false: {:?}", &right.trim()[..over.right]);
            }
        }
        println!("without overlap, {size} characters, at lines {at_lines}: {found} of {all} found");
        assert!(found * 1000 <= all, "{found} of {all}");
    }
    for size in [20, 30, 40, 60, 100, 200] {
        let (mut all, mut found, mut exact) = (0, 0, 0);
        for (left, right, bytes) in documents.iter().flat_map(|text| neighbours(text, 500, size, false)) {
            let skipped = right.len() - right.trim_start().len();
            all += 1;
            if let Some(over) = overlap(left.trim(), right.trim()) {
                found += 1;
                let ends = left.len() - left.trim_end().len();
                exact += usize::from(over.right + skipped + ends == bytes);
            }
        }
        println!("overlap of {size}: {found} of {all} found, {exact} exactly");
        // Shorter ones are not told from words that are said twice.
        assert!(size < 100 || found * 100 >= all * 95, "{size}: {found} of {all}");
    }
}
