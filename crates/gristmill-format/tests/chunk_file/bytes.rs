//! What holds for any bytes.

use gristmill_format::chunk_file::{Change, ChunkFile, ChunkFormat, Verdict};

/// In every format the bytes are refused, or read and written back as they were; a change of every chunk can be written.
pub fn check(bytes: &[u8]) {
    let formats = [ChunkFormat::Json, ChunkFormat::JsonLines, ChunkFormat::Text, ChunkFormat::Parquet];
    for format in [None].into_iter().chain(formats.map(Some)) {
        let Ok(opened) = ChunkFile::from_bytes(bytes.to_vec(), "f", format) else { continue };
        let read = opened.index();
        let mut out = Vec::new();
        let kept = opened.write(&mut out, &mut |_| Ok(Verdict::Keep));
        assert!(read.is_err() || kept.is_err() || out == bytes, "{format:?}: {out:?}");
        let mut out = Vec::new();
        let change = Change::text("x").metadata("k", Some(&1)).expect("a number can be written");
        let changed = opened.write(&mut out, &mut |_| Ok(Verdict::Change(change.clone())));
        assert!(changed.is_ok() || read.is_err(), "{format:?}: {changed:?}");
    }
}
