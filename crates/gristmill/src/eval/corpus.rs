//! The documents that questions are about, as text with places.

use std::borrow::Cow;
use std::collections::HashMap;

use gristmill_core::{DocumentId, Error, Result};
use gristmill_eval::Source;
use gristmill_pipeline::{Job, Pick, read_whole};
use gristmill_read::decode::source_text;

use crate::config::Settings;
use crate::documents::{Documents, Inputs};
use crate::toolkit::Toolkit;

/// Documents, read and cleaned once for all settings.
pub(super) struct Corpus {
    /// The documents that could be read.
    pub sources: Vec<Source>,
    /// Their place in `sources`.
    pub index: HashMap<DocumentId, usize>,
    /// Documents that could not be read, with the reason.
    pub failed: Vec<(String, String)>,
    /// How they are cut, by their kind.
    pub kinds: Vec<Option<String>>,
}

impl Corpus {
    /// Reads what `inputs` name.
    pub fn read(settings: &Settings, inputs: &Inputs) -> Result<Self> {
        let toolkit = Toolkit::new(settings)?;
        let documents = Documents::list(settings, inputs)?;
        if !documents.ready.is_empty() {
            return Err(Error::usage("`eval` cuts documents itself: a source of ready chunks cannot be measured")
                .hint("name the documents, or a project without `type = \"chunks\"`"));
        }
        let mut all = Self { sources: Vec::new(), index: HashMap::new(), failed: Vec::new(), kinds: Vec::new() };
        for (index, job) in documents.jobs.iter().enumerate() {
            match source(&documents, index, job, &toolkit) {
                Ok(Some(source)) => all.push(job, source),
                Ok(None) => {}
                Err(error) => all.failed.push((job.source.clone(), error.chain())),
            }
        }
        if all.sources.is_empty() {
            return Err(Error::input("no readable document").hint("`gristmill formats` lists the files that are read"));
        }
        Ok(all)
    }

    fn push(&mut self, job: &Job, source: Source) {
        self.index.insert(job.id, self.sources.len());
        self.kinds.push(job.document_type.clone());
        self.sources.push(source);
    }

    /// The documents that a question may mean by a name: the one of this path, else all whose path ends in it.
    pub fn named(&self, name: &str) -> Vec<usize> {
        let holds = |test: &dyn Fn(&str) -> bool| -> Vec<usize> {
            (0..self.sources.len()).filter(|index| test(&self.sources[*index].name)).collect()
        };
        let same = holds(&|path| path == name);
        if same.is_empty() { holds(&|path| path.ends_with(&format!("/{name}"))) } else { same }
    }
}

/// Reads a document; nothing when no reader takes it.
fn source(documents: &Documents, index: usize, job: &Job, toolkit: &Toolkit) -> Result<Option<Source>> {
    let content = documents.fetch(index)?;
    let bytes = documents.bytes(index)?;
    let pick = |path: &str, head: &[u8]| toolkit.readers.pick(path, head);
    let Pick::Reader(reader) = pick(&job.source, &bytes[..bytes.len().min(HEAD)]) else { return Ok(None) };
    let read = read_whole(job, content.as_ref(), &pick)?.value;
    let text = if reader.converts() { Cow::Owned(read.text.clone()) } else { source_text(&bytes, read.encoding) };
    let text = text.into_owned();
    Ok(Some(Source::new(job.source.clone(), text, toolkit.cleaner.clean(read))))
}

/// Bytes by which the reader is chosen.
const HEAD: usize = 64 * 1024;
