//! What must hold for every chunk of every document, whatever it says and however it is cut: parts tile the content, the
//! bodies rebuild the text, positions lead back to the source, the limit holds, and threads change nothing.
//!
//! Runs over the example handbook always, and over every text of the shared corpora when they lie beside the project.

#![expect(clippy::print_stdout, reason = "says what was skipped and how much was looked at")]

mod buffer;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use buffer::Buffer;
use gristmill::config::{self, Layer, Options, Overlap, SizeUnit, Task};
use gristmill::format::{self, Record};
use gristmill::{Document, Inputs, RunCx, Unit, deliver, extract, sizer};

/// Where the documents are.
fn folders() -> Vec<PathBuf> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders = vec![project.join("examples/handbook")];
    let corpora = project.join("../shared/corpora");
    if corpora.is_dir() {
        let sets = std::fs::read_dir(corpora).unwrap().map(|entry| entry.unwrap().path());
        let wanted = ["md-", "mdx-", "rst-", "text", "retrieval-"];
        let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
        folders.extend(sets.filter(|path| wanted.iter().any(|w| name(path).starts_with(w))));
        folders.sort();
    } else {
        println!("skipped: the shared corpora are not beside the project; only the example handbook was tested");
    }
    folders
}

/// One way to cut.
#[derive(Clone, Copy, Debug)]
struct Way {
    strategy: &'static str,
    unit: SizeUnit,
    max: u32,
    overlap: u32,
    clean: bool,
}

const WAYS: &[Way] = &[
    Way { strategy: "markdown", unit: SizeUnit::Tokens, max: 512, overlap: 0, clean: true },
    Way { strategy: "markdown", unit: SizeUnit::Tokens, max: 96, overlap: 20, clean: false },
    Way { strategy: "recursive", unit: SizeUnit::Chars, max: 400, overlap: 60, clean: false },
    Way { strategy: "paragraph", unit: SizeUnit::Words, max: 120, overlap: 10, clean: false },
    Way { strategy: "sentence", unit: SizeUnit::Tokens, max: 200, overlap: 30, clean: true },
    Way { strategy: "fixed", unit: SizeUnit::Tokens, max: 128, overlap: 16, clean: false },
];

impl Way {
    fn settings(self) -> config::Settings {
        let mut options = Options::default();
        let chunk = &mut options.chunk;
        (chunk.strategy, chunk.unit, chunk.max) = (Some(self.strategy.to_owned()), Some(self.unit), Some(self.max));
        chunk.overlap = Some(Overlap::Size(self.overlap));
        chunk.tokenizer = Some("cl100k_base".to_owned());
        if !self.clean {
            (options.clean.blanks, options.clean.boilerplate) = (Some(false), Some(false));
        }
        config::resolve(Task::Chunk, Path::new("/"), &[Layer::flags(options)]).unwrap().value
    }
}

fn records(way: Way, folder: &Path, workers: usize) -> Vec<u8> {
    let buffer = Buffer::default();
    let writer = format::writer("jsonl", Box::new(buffer.clone())).unwrap();
    let mut cx = RunCx { workers, inspect: false, lint: false, progress: &mut |_, _, _| {} };
    let report = deliver(&way.settings(), &inputs(folder), writer, &mut cx).unwrap();
    let failed: Vec<_> = report.documents.iter().filter(|d| d.error.is_some()).map(|d| (&d.source, &d.error)).collect();
    assert!(failed.is_empty(), "{failed:?}");
    assert_eq!(report.totals.rejected.get("oversized-chunk"), None, "{}: {way:?}", folder.display());
    buffer.take()
}

fn inputs(folder: &Path) -> Inputs {
    Inputs { folder: folder.to_owned(), paths: vec![folder.to_owned()], ..Inputs::default() }
}

/// The documents of a folder, read without cleaning, with their decoded source.
fn documents(way: Way, folder: &Path) -> BTreeMap<String, (Document, String)> {
    let mut all = BTreeMap::new();
    extract(&way.settings(), &inputs(folder), &mut |source, outcome| {
        if let Ok(outcome) = outcome {
            let document = outcome.value;
            let bytes = std::fs::read(folder.join(source)).unwrap();
            // Of a text that is made from a file positions are those of the text.
            let made = gristmill_read::reader_by_name(document.format).is_some_and(gristmill_core::Reader::converts);
            let decoded = if made {
                document.text.clone()
            } else {
                gristmill_read::decode::source_text(&bytes, document.encoding).into_owned()
            };
            all.insert(source.to_owned(), (document, decoded));
        }
        Ok(())
    })
    .unwrap();
    all
}

fn squeeze(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

#[test]
fn every_chunk_of_every_document_keeps_the_promises() {
    let mut chunks = 0;
    for folder in folders() {
        for way in WAYS {
            let documents = documents(*way, &folder);
            let bytes = records(*way, &folder, 2);
            let records: Vec<Record<'static>> = bytes
                .split(|b| *b == b'\n')
                .filter(|l| !l.is_empty())
                .map(|l| serde_json::from_slice(l).unwrap())
                .collect();
            let mut by_source: BTreeMap<&str, Vec<&Record<'_>>> = BTreeMap::new();
            for record in &records {
                by_source.entry(&record.metadata.source).or_default().push(record);
            }
            for (source, records) in by_source {
                let (document, decoded) = &documents[source];
                check_document(*way, document, decoded, &records);
                chunks += records.len();
            }
        }
    }
    println!("{chunks} chunks held");
    assert!(chunks > 300, "only {chunks} chunks were looked at");
}

fn check_document(way: Way, document: &Document, decoded: &str, records: &[&Record<'_>]) {
    let chars: Vec<usize> = decoded.char_indices().map(|(at, _)| at).chain([decoded.len()]).collect();
    let counter = sizer(way.unit.into(), "cl100k_base").unwrap();
    let (mut end, mut counted, mut lines) = (0, 0, 0);
    let mut gaps = Vec::new();
    for (n, record) in records.iter().enumerate() {
        let at = || format!("{} chunk {n} of {way:?}", record.metadata.source);
        let metadata = &record.metadata;
        assert_eq!((metadata.chunk_index, metadata.total_chunks), (n as u64, records.len() as u64), "{}", at());
        let size = counter.size(&record.content);
        assert!(size <= way.max as usize, "{}: size {size}", at());
        check_parts(record, decoded, &chars, way, &at());
        let (start, stop) = (metadata.byte_start as usize, metadata.byte_end as usize);
        assert_eq!((chars[metadata.char_start as usize], chars[metadata.char_end as usize]), (start, stop), "{}", at());
        assert!(start >= end && stop > start, "{}: bodies overlap or stand still", at());
        lines += line_ends(&decoded[counted..start]);
        counted = start;
        assert_eq!(metadata.line_start, lines + 1, "{}", at());
        gaps.push((end, start));
        end = stop;
    }
    gaps.push((end, decoded.len()));
    check_gaps(way, document, decoded, &gaps, records[0].metadata.source.as_ref());
}

fn line_ends(text: &str) -> u64 {
    text.replace("\r\n", "\n").replace('\r', "\n").matches('\n').count() as u64
}

/// What no body holds is white space or lies in a declared removal.
fn check_gaps(way: Way, document: &Document, decoded: &str, gaps: &[(usize, usize)], source: &str) {
    if way.clean {
        return;
    }
    let declared = |at: usize| document.edits.iter().any(|edit| edit.at.range().contains(&at));
    for (from, to) in gaps {
        let visible = decoded[*from..*to].char_indices().filter(|(_, c)| !c.is_whitespace());
        let lost: String = visible.filter(|(at, _)| !declared(from + at)).map(|(_, c)| c).collect();
        assert!(lost.is_empty(), "{source} {way:?}: lost {lost:?}");
    }
}

fn check_parts(record: &Record<'_>, decoded: &str, chars: &[usize], way: Way, at: &str) {
    let content: Vec<char> = record.content.chars().collect();
    let mut end = 0;
    let mut bodies = 0;
    for part in &record.metadata.parts {
        assert_eq!(part.start, end, "{at}: parts do not tile");
        end = part.end;
        let text: String = content[part.start as usize..part.end as usize].iter().collect();
        let Some([from, to]) = part.origin else { continue };
        let source = &decoded[chars[from as usize]..chars[to as usize]];
        bodies += u32::from(matches!(part.kind, gristmill_core::PartKind::Body));
        let source = source.replace("\r\n", "\n").replace('\r', "\n");
        if way.clean || source.chars().any(is_removed) {
            // Declared cleaning takes blanks out of prose; nothing else is on by default.
            assert!(is_thinned(&squeeze(&text), &squeeze(&source)), "{at}: {text:?} is not {source:?}");
        } else {
            assert_eq!(text, source, "{at}");
        }
    }
    assert_eq!(end as usize, content.len(), "{at}: parts do not cover the content");
    assert_eq!(bodies, 1, "{at}");
}

/// Characters that decoding removes, and declares.
fn is_removed(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(c, '\u{feff}' | '\u{fffe}' | '\u{ffff}' | '\u{fdd0}'..='\u{fdef}')
}

/// True when `text` is `source` with some characters left out.
fn is_thinned(text: &str, source: &str) -> bool {
    let mut rest = source.chars();
    text.chars().all(|c| rest.any(|s| s == c))
}

#[test]
fn threads_change_nothing() {
    for folder in folders() {
        let way = WAYS[0];
        let one = records(way, &folder, 1);
        for workers in [2, 5] {
            assert!(one == records(way, &folder, workers), "{}: {workers} threads", folder.display());
        }
    }
}

#[test]
fn the_unit_of_a_way_is_what_is_counted() {
    assert_eq!(sizer(Unit::Words, "").unwrap().size("one two\nthree"), 3);
    assert_eq!(sizer(Unit::Chars, "").unwrap().size("한국"), 2);
}
