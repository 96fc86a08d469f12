//! Cuts the programs below a folder by the strategy `code` and prints the chunks as JSON Lines, with the fields of records that
//! say where a chunk is. What is not read, or not by its grammar, is told on standard error.
//!
//! ```text
//! cargo run --release -p gristmill-chunk -p gristmill-read --features gristmill-read/code-large --example code -- FOLDER MAX
//! ```

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};

use gristmill_chunk::strategy;
use gristmill_core::{Chunk, ChunkCx, ContextMode, Document, DocumentId, Fingerprint, Input, Limits, Unit};
use gristmill_text::count::sizer;
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(folder), Some(max)) = (args.next(), args.next()) else { return Err("give a folder and a limit".into()) };
    let max: usize = max.parse()?;
    let folder = Path::new(&folder);
    let counter = sizer(Unit::Tokens, "o200k_base")?;
    let limits = Limits { target: max * 2 / 3, max, min: max * 2 / 15, overlap: 0 };
    let cx = ChunkCx { limits, sizer: counter.as_ref(), context: ContextMode::Headings, sentences_per_chunk: None };
    let (mut out, mut err) = (std::io::stdout().lock(), std::io::stderr().lock());
    for path in files(folder)? {
        let source = path.strip_prefix(folder)?.to_string_lossy().into_owned();
        let Some(document) = read(&source, &std::fs::read(&path)?, &mut err)? else { continue };
        for chunk in strategy("code")?.chunk(&document, &cx)?.value {
            writeln!(out, "{}", record(&document, &chunk))?;
        }
    }
    Ok(())
}

fn read(source: &str, bytes: &[u8], err: &mut impl Write) -> Result<Option<Document>, Box<dyn Error>> {
    let gristmill_read::Choice::Reader(reader) = gristmill_read::choose(source, bytes) else { return Ok(None) };
    if reader.name() != "code" {
        writeln!(err, "{source}: no source code to this build")?;
        return Ok(None);
    }
    let id = DocumentId::new("default", "", source);
    let read =
        reader.read(&Input { id, source, fingerprint: Fingerprint::of(bytes), bytes, open: &[], first: true })?;
    for remark in &read.diagnostics {
        writeln!(err, "{source}: {}", remark.message)?;
    }
    Ok(Some(read.value))
}

fn record(document: &Document, chunk: &Chunk) -> Value {
    let (text, content) = (&document.text, &chunk.content);
    let chars = |text: &str| text.chars().count();
    let lines = |end: u32| text[..end as usize].matches('\n').count() + 1;
    let parts = chunk.parts.iter().map(|part| {
        let (start, end) = (chars(&content[..part.range.start as usize]), chars(&content[..part.range.end as usize]));
        json!({ "kind": part.kind.name(), "start": start, "end": end })
    });
    let body = chunk.body;
    json!({
        "content": content,
        "metadata": {
            "source": document.source,
            "heading_path": document.heading_path(chunk.section),
            "char_start": chars(&text[..body.start as usize]),
            "char_end": chars(&text[..body.end as usize]),
            "byte_start": body.start,
            "byte_end": body.end,
            "line_start": lines(body.start),
            "line_end": lines(body.end),
            "token_count": chunk.size,
            "parts": parts.collect::<Vec<Value>>(),
        },
    })
}

/// All files below a folder, in order.
fn files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    Ok(found)
}
