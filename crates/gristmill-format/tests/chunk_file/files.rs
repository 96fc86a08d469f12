//! Files on disk.

use std::path::Path;
use std::thread;

use gristmill_core::{ErrorKind, Result};
use gristmill_format::chunk_file::{Change, ChunkFile, ChunkFormat, Verdict};

#[test]
fn several_threads_read_from_one_file() -> Result<()> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.jsonl");
    let lines: Vec<String> = (0..2000).map(|n| format!("{{\"text\": \"text {n}\"}}\n")).collect();
    std::fs::write(&path, lines.concat()).unwrap();
    let file = ChunkFile::open(&path, "f.jsonl", ChunkFormat::JsonLines)?;
    let index = file.index()?;
    thread::scope(|scope| {
        for start in 0..4 {
            let (file, index) = (&file, &index);
            scope.spawn(move || {
                for (n, entry) in index.entries.iter().enumerate().skip(start).step_by(4) {
                    assert_eq!(file.read_at(n, entry).unwrap().text(), format!("text {n}"));
                }
            });
        }
    });
    Ok(())
}

#[test]
fn a_file_can_be_replaced_while_it_is_open() -> Result<()> {
    let folder = tempfile::tempdir().unwrap();
    let (path, new) = (folder.path().join("f.md"), folder.path().join(".f.md.part"));
    std::fs::write(&path, "---\ntitle: T\n---\n\na\n\nb\n").unwrap();
    let file = ChunkFile::open(&path, "f.md", ChunkFormat::of_path(&path).unwrap())?;
    let mut out = std::fs::File::create(&new).unwrap();
    let change = Verdict::Change(Change::text("a\nb"));
    file.write(&mut out, &mut |index| Ok(if index == 0 { change.clone() } else { Verdict::Remove }))?;
    std::fs::rename(&new, &path).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "---\ntitle: T\n---\n\na\nb\n");
    assert_eq!(file.chunks().count(), 2);
    Ok(())
}

#[test]
fn what_cannot_be_opened_is_an_input_error() {
    for path in ["/nowhere/at/all.json", env!("CARGO_MANIFEST_DIR")] {
        let error = ChunkFile::open(Path::new(path), "f", ChunkFormat::Json).unwrap_err();
        assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Input, "cannot open `f`"));
    }
    assert_eq!(ChunkFormat::of_path(Path::new("a/B.NDJSON")), Some(ChunkFormat::JsonLines));
    assert_eq!(ChunkFormat::of_path(Path::new("a.pdf")), None);
}

#[test]
fn the_exports_of_the_shared_case_are_read() {
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cases/175-chunk-exports-of-other-tools");
    if !case.exists() {
        println!("skipped: put the shared cases at {} to run this test", case.display());
        return;
    }
    for name in ["lc.json", "wrap.json"] {
        let file = ChunkFile::open(&case.join(name), name, ChunkFormat::Json).unwrap();
        assert_eq!(file.index().unwrap().entries.len(), 2);
        let mut out = Vec::new();
        assert!(file.write(&mut out, &mut |_| Ok(Verdict::Keep)).unwrap().is_unchanged());
        assert_eq!(out, std::fs::read(case.join(name)).unwrap());
    }
    let broken = ChunkFile::open(&case.join("bad.jsonl"), "bad.jsonl", ChunkFormat::JsonLines).unwrap();
    assert!(broken.index().unwrap_err().to_string().starts_with("`bad.jsonl`, line 3: chunk 2 is not JSON: "));
}
