//! Documents that are larger than one window.

mod buffer;

use std::path::Path;

use buffer::Buffer;
use gristmill::config::{self, Layer, Options, Task};
use gristmill::format::{self, Record};
use gristmill::{Inputs, RunCx, deliver};

/// 9 MB of Markdown: sections with a paragraph, a fence and a table each.
fn document() -> String {
    let section = |n: usize| {
        let prose = format!("Sentence number {n} is about tides — and é. ").repeat(20);
        let prose = prose.trim_end();
        format!(
            "## Section {n}\n\n{prose}\n\n```sh\n# step {n}\n\nrun {n}\n```\n\n| a | b |\n|---|---|\n| {n} | x |\n\n"
        )
    };
    let mut text = String::from("# Large\n\n");
    let mut n = 0;
    while text.len() < 9_000_000 {
        text.push_str(&section(n));
        n += 1;
    }
    text
}

fn records(folder: &Path) -> Vec<Record<'static>> {
    let settings = config::resolve(Task::Chunk, folder, &[Layer::flags(Options::default())]).unwrap().value;
    let buffer = Buffer::default();
    let writer = format::writer("jsonl", Box::new(buffer.clone())).unwrap();
    let inputs = Inputs { folder: folder.to_owned(), paths: vec![folder.to_owned()], ..Inputs::default() };
    let mut cx = RunCx { workers: 2, inspect: false, lint: false, progress: &mut |_, _, _| {} };
    let report = deliver(&settings, &inputs, writer, &mut cx).unwrap();
    assert_eq!(report.totals.failed, 0);
    let bytes = buffer.take();
    bytes.split(|b| *b == b'\n').filter(|l| !l.is_empty()).map(|l| serde_json::from_slice(l).unwrap()).collect()
}

/// Positions, order and text of the records of one file.
fn check(text: &str, records: &[&Record<'_>]) {
    let chars: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let mut end = 0;
    for (n, record) in records.iter().enumerate() {
        let m = &record.metadata;
        assert_eq!((m.chunk_index, m.total_chunks), (n as u64, records.len() as u64));
        let (start, stop) = (chars[m.char_start as usize], chars[m.char_end as usize]);
        assert_eq!((start as u64, stop as u64), (m.byte_start, m.byte_end));
        assert!(text[end..start].trim().is_empty(), "lost {:?}", &text[end..start]);
        assert!(record.content.ends_with(&text[start..stop]), "{:?}", record.content);
        assert_eq!(m.heading_path.first().map(AsRef::as_ref), Some("Large"));
        assert_eq!(m.next_chunk_id.as_deref(), records.get(n + 1).map(|r| r.chunk_id.as_ref()));
        end = stop;
    }
    assert!(text[end..].trim().is_empty());
}

#[test]
fn large_documents_are_whole_in_any_encoding() {
    let folder = tempfile::tempdir().unwrap();
    let text = document();
    std::fs::write(folder.path().join("a.md"), &text).unwrap();
    let wide: Vec<u8> = [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    std::fs::write(folder.path().join("b.md"), wide).unwrap();
    let legacy = text.chars().map(|c| match c {
        '—' => 0x97,
        'é' => 0xe9,
        ascii => u8::try_from(ascii).unwrap(),
    });
    std::fs::write(folder.path().join("c.md"), legacy.collect::<Vec<u8>>()).unwrap();
    let records = records(folder.path());
    for name in ["a.md", "b.md", "c.md"] {
        let own: Vec<&Record<'_>> = records.iter().filter(|r| r.metadata.source == name).collect();
        assert!(own.len() > 1000);
        // A byte order mark is part of the decoded source; an em space has as many bytes and is white space, too.
        let mark = if name == "b.md" { "\u{2003}" } else { "" };
        check(&format!("{mark}{text}"), &own);
    }
}
