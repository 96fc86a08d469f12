//! Chunks that are too large are split by `fix --unsafe` in files of every format.

mod buffer;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use buffer::Buffer;
use gristmill::chunk_file::{ChunkFile, ChunkFormat, Found};
use gristmill::config::{self, Layer, Options, Settings, Task};
use gristmill::findings::FixReport;
use gristmill::format::{self, Record};
use gristmill::{Inputs, LintCx, RunCx, deliver, fix, scan};
use serde_json::{Value, json};

const MAX: usize = 300;

fn handbook() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/handbook")
}

fn settings(task: Task, options: Options) -> Settings {
    config::resolve(task, &handbook(), &[Layer::flags(options)]).unwrap().value
}

/// The file after `fix --unsafe`, and what it says; a second one changes nothing.
fn repaired(text: &[u8], format: ChunkFormat) -> (Vec<u8>, FixReport) {
    let once = repaired_once(text, format);
    let again = repaired_once(&once.0, format);
    assert_eq!(again.1.repairs(), 0, "{:#?}", again.1.fixed);
    assert!(again.0 == once.0, "a second repair changes nothing");
    once
}

fn repaired_once(text: &[u8], format: ChunkFormat) -> (Vec<u8>, FixReport) {
    let mut options = Options::default();
    options.lint.max_chars = Some(MAX);
    let settings = settings(Task::Scan, options);
    let (settings, tokenizer) = (&settings.lint, "o200k_base");
    let cx = LintCx { settings, tokenizer, workers: 2, risky: true, max_findings: None, diff: true };
    let file = ChunkFile::from_bytes(text.to_vec(), "f", Some(format)).unwrap();
    let shown = scan(&file, &cx).unwrap();
    let fixed = fix(&file, &cx).unwrap();
    assert!(shown.faults.is_empty() && fixed.faults.is_empty(), "{:?}", fixed.faults);
    // Copies that show only when a chunk was split are dropped, too.
    let dropped = fixed.report.changes.get("exact-duplicate").copied().unwrap_or(0);
    let repairs = fixed.report.repairs() - dropped;
    assert_eq!(shown.report.summary.fixable, repairs, "what scan shows as fixable is what fix repairs");
    let mut out = Vec::new();
    fixed.write(&file, &cx, &mut out).unwrap();
    let after = ChunkFile::from_bytes(out.clone(), "f", Some(format)).unwrap();
    assert_eq!(after.chunks().count() as u64, fixed.report.chunks_after);
    let oversized = fixed.report.left.findings.iter().filter(|finding| finding.rule == "oversized-chunk").count();
    let large = after.chunks().filter(|found| found.as_ref().unwrap().text().chars().count() > MAX).count();
    assert_eq!(oversized, large);
    (out, fixed.report)
}

fn chunks(text: &[u8], format: ChunkFormat) -> Vec<Found> {
    ChunkFile::from_bytes(text.to_vec(), "f", Some(format)).unwrap().chunks().map(Result::unwrap).collect()
}

fn prose(of: &str, sentences: usize) -> String {
    let sentence = |n: usize| format!("Number {n} of {of} is told here at some length and in one sentence.");
    (0..sentences).map(sentence).collect::<Vec<_>>().join(" ")
}

fn told(chunks: &[Found]) -> Vec<(Option<String>, Option<u64>)> {
    chunks.iter().map(|found| (found.id().map(std::borrow::Cow::into_owned), found.order())).collect()
}

#[test]
fn parts_follow_each_other_in_a_list() {
    let chunks_before = json!([
        {"id": "a", "text": prose("the mill", 10), "source": "a.md", "order": 0, "metadata": {"lang": "en", "char_start": 0, "char_end": prose("the mill", 10).len()}},
        {"id": "a-2", "text": prose("the stone", 2), "source": "a.md", "order": 1},
        {"id": 7, "text": prose("the river", 10), "source": "b.md", "order": 5},
    ]);
    let text = serde_json::to_string_pretty(&chunks_before).unwrap();
    let (out, report) = repaired(text.as_bytes(), ChunkFormat::Json);
    let after = chunks(&out, ChunkFormat::Json);
    let name = |name: &str, order: u64| (Some(name.to_owned()), Some(order));
    let expected =
        [name("a", 0), name("a-3", 1), name("a-4", 2), name("a-2", 3), name("7", 5), name("7-2", 6), name("7-3", 7)];
    assert_eq!(told(&after), expected);
    assert_eq!((report.chunks_before, report.chunks_after, report.split), (3, 7, 2));
    let whole = prose("the mill", 10);
    for part in &after[..3] {
        let (Some(start), Some(end)) = part.span() else { panic!("a place") };
        assert_eq!(part.text(), &whole[start as usize..end as usize]);
        assert_eq!(part.metadata().unwrap()["lang"], "en");
        assert_eq!(part.source().as_deref(), Some("a.md"));
    }
    let value: Value = serde_json::from_slice(&out).unwrap();
    assert_eq!(serde_json::to_string_pretty(&value).unwrap(), String::from_utf8(out).unwrap(), "the look is kept");
    let shown = report.fixed.iter().find(|finding| finding.rule == "oversized-chunk").unwrap();
    assert_eq!(shown.diff.as_ref().map(|diff| (diff.before.len(), diff.after.len())), Some((1, 3)));
}

#[test]
fn lines_of_langchain_keep_all_else() {
    let text = format!(
        "{{\"page_content\": {:?}, \"metadata\": {{\"source\": \"a.md\", \"start_index\": 10}}}}\n{{\"page_content\": \"The \
         end is short, and it is told in one sentence.\", \"metadata\": {{\"source\": \"a.md\", \"start_index\": 900}}}}\n",
        prose("the mill", 10)
    );
    let (out, report) = repaired(text.as_bytes(), ChunkFormat::JsonLines);
    let after = chunks(&out, ChunkFormat::JsonLines);
    assert_eq!((after.len(), report.split), (4, 1));
    let whole = prose("the mill", 10);
    for part in &after[..3] {
        let start = part.span().0.unwrap() as usize - 10;
        assert_eq!(part.text(), &whole[start..start + part.text().len()]);
    }
    assert_eq!(String::from_utf8(out).unwrap().lines().last(), text.lines().last());
}

#[test]
fn texts_are_cut_where_their_separator_can_stand() {
    let text = format!("{}\n\n{}\n", prose("the mill", 10), prose("the stone", 2));
    let (out, report) = repaired(text.as_bytes(), ChunkFormat::Text);
    let out = String::from_utf8(out).unwrap();
    assert_eq!((chunks(out.as_bytes(), ChunkFormat::Text).len(), report.split), (4, 1));
    assert_eq!(out.replace("\n\n", " ").trim_end(), text.replace("\n\n", " ").trim_end());
    let code: String = (0..30).map(|n| format!("value_{n} = measure({n})\n")).collect();
    let text = format!("# Code\n\n```python\n{code}```\n---\n{}\n", prose("the mill", 3));
    let (out, _) = repaired(text.as_bytes(), ChunkFormat::Text);
    let after = chunks(&out, ChunkFormat::Text);
    assert!(after.len() > 3);
    for found in &after[1..after.len() - 1] {
        assert!(found.text().starts_with("[Code]\n\n```python\nvalue_"), "{}", found.text());
        assert!(found.text().ends_with(")\n```"), "{}", found.text());
    }
}

#[test]
fn a_part_that_stands_elsewhere_is_a_copy() {
    let (first, second) = (prose("the mill", 4), prose("the stone", 4));
    let text = format!("{}\n{}\n", json!({"text": format!("{first}\n\n{second}")}), json!({"text": second}));
    let (out, report) = repaired(text.as_bytes(), ChunkFormat::JsonLines);
    let texts: Vec<String> = chunks(&out, ChunkFormat::JsonLines).iter().map(|found| found.text().to_owned()).collect();
    assert_eq!(texts.len(), 2);
    assert!(texts.contains(&first) && texts.contains(&second));
    assert_eq!((report.chunks_before, report.chunks_after), (2, 2));
}

/// The handbook in chunks of many tokens.
fn records() -> Vec<u8> {
    let mut options = Options::default();
    options.chunk.max = Some(600);
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

#[test]
fn records_stay_true_to_their_source() {
    let (out, report) = repaired(&records(), ChunkFormat::JsonLines);
    assert!(report.split > 20, "{} split", report.split);
    let schema = jsonschema::validator_for(&format::record_schema()).unwrap();
    let lines = || out.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    for line in lines() {
        let value = serde_json::from_slice(line).unwrap();
        assert!(schema.is_valid(&value), "{:?}", schema.iter_errors(&value).next());
    }
    let records: Vec<Record<'_>> = lines().map(|line| serde_json::from_slice(line).unwrap()).collect();
    let ids: HashSet<&str> = records.iter().map(|record| record.chunk_id.as_ref()).collect();
    assert_eq!(ids.len(), records.len());
    let sources: HashSet<&str> = records.iter().map(|record| record.metadata.source.as_ref()).collect();
    for source in sources {
        let of_source: Vec<&Record<'_>> = records.iter().filter(|record| record.metadata.source == source).collect();
        check(source, &of_source);
    }
}

/// Places, order, counts and text of the records of one document.
fn check(source: &str, records: &[&Record<'_>]) {
    // One document is in windows-1252; its places are those of the decoded text.
    let Ok(text) = std::fs::read_to_string(handbook().join(source)) else { return };
    let bytes: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let line = |byte: usize| text[..byte].matches('\n').count() as u64 + 1;
    let dense = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    for (n, record) in records.iter().enumerate() {
        let m = &record.metadata;
        let (start, end) = (bytes[m.char_start as usize], bytes[m.char_end as usize]);
        assert_eq!((start as u64, end as u64), (m.byte_start, m.byte_end), "{source} {n}");
        assert_eq!((line(start), line(end)), (m.line_start, m.line_end), "{source} {n}");
        assert_eq!((m.chunk_index, m.total_chunks), (n as u64, records.len() as u64), "{source} {n}");
        let near = |at: Option<usize>| at.and_then(|at| records.get(at)).map(|record| record.chunk_id.as_ref());
        assert_eq!(m.prev_chunk_id.as_deref(), near(n.checked_sub(1)), "{source} {n}");
        assert_eq!(m.next_chunk_id.as_deref(), near(Some(n + 1)), "{source} {n}");
        let content: Vec<char> = record.content.chars().collect();
        let mut body = String::new();
        for part in m.parts.iter().filter(|part| part.kind.name() == "body") {
            body.extend(&content[part.start as usize..part.end as usize]);
            let [from, until] = part.origin.expect("the origin of a body");
            let own: String = content[part.start as usize..part.end as usize].iter().collect();
            assert_eq!(dense(&own), dense(&text[bytes[from as usize]..bytes[until as usize]]), "{source} {n}");
        }
        assert_eq!(dense(&body), dense(&text[start..end]), "{source} {n}");
        let heading = record.content.lines().find_map(|line| line.strip_prefix("## "));
        if let Some(title) = heading.filter(|title| record.content.starts_with(&format!("## {title}"))) {
            assert_eq!(m.section_title, title, "{source} {n}");
            assert_eq!(m.heading_path.last().map(AsRef::as_ref), Some(title), "{source} {n}");
        }
    }
}
