//! Real documents, where they stand beside the repository.

use std::path::{Path, PathBuf};

use gristmill_core::BlockKind;
use gristmill_read::{Choice, choose};

use crate::check::{check, check_blocks_hold_all, check_leaves_hold_all};
use crate::read;

/// The folder of corpora, or none, which is told.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn corpus(name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora").join(name);
    let found = folder.is_dir();
    if !found {
        eprintln!("skipped: no corpus `{name}` beside the repository");
    }
    found.then_some(folder)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

/// Reads a file with the reader chosen for it; gives the reader's name and the document.
fn read_file(path: &Path) -> Option<gristmill_core::Document> {
    let bytes = std::fs::read(path).ok()?;
    let name = path.to_string_lossy();
    match choose(&name, &bytes) {
        Choice::Reader(reader) => Some(read(reader, &name, &bytes).value),
        _ => None,
    }
}

#[test]
fn plain_texts() {
    let Some(folder) = corpus("text") else { return };
    for path in files(&folder) {
        let Some(document) = read_file(&path) else { continue };
        check(&document);
        check_leaves_hold_all(&document);
        let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
        let format = match folder.to_str() {
            Some("chat") => "chat",
            Some("faq") => "faq",
            Some("logs") if path.extension().is_some() => "log",
            _ if path.extension().is_some_and(|extension| extension == "html") => "html",
            _ => "text",
        };
        assert_eq!(document.format, format, "{}", path.display());
    }
}

#[test]
fn turns_entries_and_pairs_are_the_units() {
    let Some(folder) = corpus("text") else { return };
    for (name, kind) in [("chat", BlockKind::Turn), ("logs", BlockKind::Line), ("faq", BlockKind::Pair)] {
        for path in files(&folder.join(name)).iter().filter(|path| path.extension().is_some()) {
            let Some(document) = read_file(path) else { panic!("{}", path.display()) };
            let lines = document.text.lines().count();
            let units = document.blocks.iter().filter(|block| block.kind == kind).count();
            let marked = match kind {
                BlockKind::Pair => document.text.lines().filter(|line| line.starts_with("Q:")).count(),
                BlockKind::Turn => {
                    document.text.lines().filter(|line| line.starts_with('[') && line.contains("] <")).count()
                }
                _ => lines,
            };
            assert_eq!(units, marked, "{}", path.display());
        }
    }
}

#[test]
fn restructured_texts() {
    let Some(folder) = corpus("rst-django") else { return };
    for path in files(&folder) {
        let Some(document) = read_file(&path) else { panic!("{}", path.display()) };
        assert_eq!(document.format, "rst");
        check(&document);
        check_blocks_hold_all(&document);
        let count = |kind: fn(&BlockKind) -> bool| document.blocks.iter().filter(|b| kind(&b.kind)).count();
        let code = document.text.lines().filter(|line| line.trim_start().starts_with(".. code-block::")).count();
        assert!(count(|kind| matches!(kind, BlockKind::Code { .. })) >= code, "{}", path.display());
        let titles =
            document.text.lines().filter(|line| line.len() > 3 && line.trim_matches(['=', '-', '~', '^']).is_empty());
        let headings = count(|kind| matches!(kind, BlockKind::Heading { .. }));
        assert!(headings <= titles.count() && headings > 0, "{}", path.display());
    }
}
