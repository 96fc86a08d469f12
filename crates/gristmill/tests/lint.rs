//! Scan and repair through the façade: records stay true to their source.

mod buffer;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use buffer::Buffer;
use gristmill::chunk_file::{ChunkFile, ChunkFormat};
use gristmill::config::{self, Layer, Options, Settings, Task};
use gristmill::format::{self, Record};
use gristmill::{Inputs, LintCx, RunCx, deliver, fix, scan};

fn handbook() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/handbook")
}

fn settings(task: Task, options: Options) -> Settings {
    config::resolve(task, &handbook(), &[Layer::flags(options)]).unwrap().value
}

/// The handbook cut by size alone, through the middle of sentences, tables and code.
fn badly_cut() -> Vec<u8> {
    let mut options = Options::default();
    options.chunk.strategy = Some("fixed".to_owned());
    options.chunk.max = Some(48);
    options.chunk.min = Some(0);
    options.chunk.overlap = Some("0".parse().unwrap());
    options.chunk.context = Some(config::Context::None);
    options.validate.duplicates = Some(config::Duplicates::Keep);
    let buffer = Buffer::default();
    let writer = format::writer("jsonl", Box::new(buffer.clone())).unwrap();
    let inputs = Inputs { folder: handbook(), paths: vec![handbook()], ..Inputs::default() };
    let mut cx = RunCx { workers: 2, inspect: false, lint: false, progress: &mut |_, _, _| {} };
    let report = deliver(&settings(Task::Chunk, options), &inputs, writer, &mut cx).unwrap();
    assert_eq!(report.totals.failed, 0);
    buffer.take()
}

fn repaired(bytes: Vec<u8>, max_chars: usize) -> (Vec<u8>, u64) {
    let mut options = Options::default();
    options.lint.max_chars = Some(max_chars);
    let settings = settings(Task::Scan, options);
    let (settings, tokenizer) = (&settings.lint, "o200k_base");
    let cx = LintCx { settings, tokenizer, workers: 2, risky: false, max_findings: None, diff: false };
    let file = ChunkFile::from_bytes(bytes, "records.jsonl", Some(ChunkFormat::JsonLines)).unwrap();
    let shown = scan(&file, &cx).unwrap();
    assert!(shown.faults.is_empty(), "{:?}", shown.faults);
    let fixed = fix(&file, &cx).unwrap();
    assert!(fixed.faults.is_empty(), "{:?}", fixed.faults);
    assert_eq!(fixed.report.repairs(), shown.report.summary.fixable, "what scan shows as fixable is what fix repairs");
    let mut out = Vec::new();
    fixed.write(&file, &cx, &mut out).unwrap();
    (out, fixed.report.repairs())
}

fn records(bytes: &[u8]) -> Vec<Record<'static>> {
    bytes.split(|b| *b == b'\n').filter(|l| !l.is_empty()).map(|l| serde_json::from_slice(l).unwrap()).collect()
}

#[test]
fn records_stay_true_to_their_source() {
    let before = badly_cut();
    for max_chars in [4_000, 400] {
        let (after, repairs) = repaired(before.clone(), max_chars);
        assert!(repairs > 20, "{repairs} repairs");
        let schema = jsonschema::validator_for(&format::record_schema()).unwrap();
        for line in after.split(|b| *b == b'\n').filter(|l| !l.is_empty()) {
            let value = serde_json::from_slice(line).unwrap();
            assert!(schema.is_valid(&value), "{:?}", schema.iter_errors(&value).next());
        }
        let mut documents: BTreeMap<String, Vec<Record<'_>>> = BTreeMap::new();
        for record in records(&after) {
            documents.entry(record.metadata.source.clone().into_owned()).or_default().push(record);
        }
        assert_eq!(documents.len(), 24, "one of 25 documents is empty");
        documents.iter().for_each(|(source, records)| check(source, records));
        let (again, repairs) = repaired(after.clone(), max_chars);
        assert_eq!((again == after, repairs), (true, 0), "a second repair changes nothing");
    }
}

/// Places, order, counts and text of the records of one document.
fn check(source: &str, records: &[Record<'_>]) {
    // One document is in windows-1252; its places are those of the decoded text.
    let Ok(text) = std::fs::read_to_string(handbook().join(source)) else { return };
    let chars: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let line = |byte: usize| text[..byte].matches('\n').count() as u64 + 1;
    let tokens = gristmill::sizer(gristmill::Unit::Tokens, "o200k_base").unwrap();
    let dense = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let mut bodies = String::new();
    for (n, record) in records.iter().enumerate() {
        let m = &record.metadata;
        let (start, end) = (chars[m.char_start as usize], chars[m.char_end as usize]);
        assert_eq!((start as u64, end as u64), (m.byte_start, m.byte_end), "{source} {n}");
        assert_eq!((line(start), line(end)), (m.line_start, m.line_end), "{source} {n}");
        assert_eq!((m.chunk_index, m.total_chunks), (n as u64, records.len() as u64), "{source} {n}");
        let near = |at: Option<usize>| at.and_then(|at| records.get(at)).map(|record| record.chunk_id.as_ref());
        assert_eq!(m.prev_chunk_id.as_deref(), near(n.checked_sub(1)), "{source} {n}");
        assert_eq!(m.next_chunk_id.as_deref(), near(Some(n + 1)), "{source} {n}");
        assert_eq!((record.token_count, m.token_count), (tokens.size(&record.content) as u64, record.token_count));
        let content: Vec<char> = record.content.chars().collect();
        let mut body = String::new();
        for part in m.parts.iter().filter(|part| part.kind.name() == "body") {
            body.extend(&content[part.start as usize..part.end as usize]);
        }
        assert_eq!(dense(&body), dense(&text[start..end]), "{source} {n}");
        bodies.push_str(&dense(&body));
    }
    // Front matter is no text.
    let own = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")).map_or(&*text, |(_, body)| body);
    assert_eq!(bodies, dense(own), "{source}: every character is in one chunk");
}
