//! Documents that are at hand: texts and bytes that a caller has in memory.

use std::cell::Cell;

use gristmill_core::{Document, Error, Result};
use gristmill_format::{Record, RunReport};
use gristmill_pipeline::{EnrichOptions, Facts, Job, Sink};
use gristmill_read::{READERS, reader_by_name};

use crate::config::Settings;
use crate::documents::Documents;
use crate::given::Given;
use crate::run::{RunCx, run_over};
use crate::toolkit::Toolkit;

/// Takes the index of a document and a record of it.
pub type TakeRecord<'a> = dyn FnMut(usize, &Record<'_>) -> Result<()> + 'a;

/// Cuts documents that are at hand and hands on their records, in the order of the documents. Several may have one name:
/// their chunks have different identities all the same.
///
/// `reader` names who reads them all, such as `markdown`; without it each is read by its name and first bytes.
///
/// # Errors
/// When settings are wrong, there is no such reader, or `take` fails. Documents that fail are in the report.
pub fn chunk_given(
    settings: &Settings,
    given: Vec<Given>,
    reader: Option<&str>,
    take: &mut TakeRecord<'_>,
    cx: &mut RunCx<'_>,
) -> Result<RunReport> {
    let toolkit = Toolkit::new(settings)?;
    let mut documents = Documents::at_hand(settings, given)?;
    documents.reader = reader.map(named).transpose()?;
    let done = Cell::new(0);
    let mut progress = |count: usize, all: usize, path: &str| {
        done.set(count);
        (cx.progress)(count, all, path);
    };
    let mut inner = RunCx { workers: cx.workers, inspect: cx.inspect, lint: cx.lint, progress: &mut progress };
    run_over(settings, &toolkit, &documents, &mut Taken { take, done: &done }, &mut inner)
}

/// The title of a document: the declared one, else the first heading of level 1, else the file name.
pub fn title(document: &Document) -> String {
    let attrs = gristmill_core::Attrs::new();
    let job = Job { id: document.id, source: document.source.clone(), attrs, document_type: None, created_at: None };
    Facts::of(document, &job, &EnrichOptions::default()).title
}

fn named(name: &str) -> Result<&'static dyn gristmill_core::Reader> {
    reader_by_name(name).ok_or_else(|| {
        let known: Vec<&str> = READERS.iter().map(|reader| reader.name()).collect();
        Error::usage(format!("there is no reader of this name: {name}"))
            .hint(format!("the readers are {}", known.join(", ")))
    })
}

struct Taken<'a, 'b> {
    take: &'a mut TakeRecord<'b>,
    /// Documents that are done: the index of the one that records come from.
    done: &'a Cell<usize>,
}

impl Sink for Taken<'_, '_> {
    fn record(&mut self, record: &Record<'_>) -> Result<()> {
        (self.take)(self.done.get(), record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Task, resolve};

    fn given(name: &str, text: &str) -> Given {
        Given { name: name.to_owned(), bytes: text.as_bytes().to_vec() }
    }

    /// Index of the document, identity and text of a chunk.
    type Chunk = (usize, String, String);

    fn chunks(given: Vec<Given>, reader: Option<&str>) -> Result<(Vec<Chunk>, RunReport)> {
        let settings = resolve(Task::Chunk, ".".as_ref(), &[])?.value;
        let mut taken = Vec::new();
        let mut take = |index: usize, record: &Record<'_>| {
            taken.push((index, record.chunk_id.to_string(), record.content.to_string()));
            Ok(())
        };
        let mut cx = RunCx { workers: 2, inspect: false, lint: false, progress: &mut |_, _, _| {} };
        let report = chunk_given(&settings, given, reader, &mut take, &mut cx)?;
        Ok((taken, report))
    }

    #[test]
    fn each_record_comes_with_the_index_of_its_document() {
        let all =
            vec![given("a.md", "One.\n"), given("b.bin", "\0\0\0"), given("a.md", "One.\n"), given("c", "Two.\n")];
        let (taken, report) = chunks(all, None).unwrap();
        let shown: Vec<(usize, &str)> = taken.iter().map(|(index, _, text)| (*index, text.as_str())).collect();
        assert_eq!(shown, [(0, "One."), (2, "One."), (3, "Two.")]);
        assert_ne!(taken[0].1, taken[1].1, "equal documents have identities of their own");
        assert_eq!(report.totals.skipped, 1);
    }

    #[test]
    fn a_named_reader_reads_whatever_the_name_says() {
        let (taken, _) = chunks(vec![given("report.pdf", "# Title\n\nText.\n")], Some("markdown")).unwrap();
        assert_eq!(taken.len(), 1);
        let error = chunks(Vec::new(), Some("marcdown")).unwrap_err();
        assert!(error.hint_text().is_some_and(|hint| hint.contains("markdown")));
    }
}
