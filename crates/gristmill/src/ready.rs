//! Files of ready chunks as a source: their chunks are stored as they are.

use std::borrow::Cow;
use std::path::Path;

use gristmill_core::{
    Attrs, Diagnostic, DocumentId, Error, Fingerprint, OccurrenceCounter, PartKind, Result, Severity, Sizer,
};
use gristmill_format::chunk_file::{ChunkFile, Found, Group, Index, keys};
use gristmill_format::report::{DocumentReport, ReportBuilder};
use gristmill_format::{Metadata, PartRecord, Record, normalized_hash};
use gristmill_pipeline::{Arrival, Job, Sink};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::config::{Settings, SourceSettings};
use crate::lint::open_chunks;

/// A file of ready chunks.
pub(crate) struct Ready {
    file: ChunkFile,
    index: Index,
    documents: Vec<ReadyDocument>,
}

/// The chunks of one document.
struct ReadyDocument {
    job: Job,
    fingerprint: Fingerprint,
    group: Group,
    selected: bool,
}

impl Ready {
    /// Opens a file of chunks and finds out which belong together.
    ///
    /// # Errors
    /// When it cannot be read or is no file of chunks.
    pub fn open(settings: &Settings, source: &SourceSettings, folder: &Path) -> Result<Self> {
        let file = open_chunks(&folder.join(&source.path))?;
        let index = file.index()?;
        let name = source.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let documents = index.groups().into_iter().map(|group| {
            let path = group.source.and_then(|at| index.sources.get(at)).unwrap_or(&name).clone();
            Ok(ReadyDocument {
                fingerprint: fingerprint(&file, &index, &group)?,
                job: Job {
                    id: DocumentId::new(&settings.project, source.name.as_deref().unwrap_or_default(), &path),
                    source: path,
                    attrs: Attrs::new(),
                    document_type: source.document_type.clone(),
                    created_at: None,
                },
                group,
                selected: true,
            })
        });
        let documents = documents.collect::<Result<_>>()?;
        Ok(Self { file, index, documents })
    }

    /// Its documents, each with the hash of its chunks.
    pub fn jobs(&self) -> impl Iterator<Item = (&Job, Fingerprint)> {
        self.documents.iter().map(|document| (&document.job, document.fingerprint))
    }

    /// Leaves out the documents for which `keep` does not hold.
    pub fn select(&mut self, mut keep: impl FnMut() -> bool) {
        self.documents.iter_mut().for_each(|document| document.selected = keep());
    }

    /// Hands on the chunks as records.
    ///
    /// # Errors
    /// When the file has changed meanwhile, or the sink fails.
    pub fn deliver(&self, sizer: &dyn Sizer, sink: &mut dyn Sink, report: &mut ReportBuilder) -> Result<()> {
        for document in self.documents.iter().filter(|document| document.selected) {
            self.document(document, sizer, sink, report)?;
        }
        Ok(())
    }

    fn document(
        &self,
        document: &ReadyDocument,
        sizer: &dyn Sizer,
        sink: &mut dyn Sink,
        report: &mut ReportBuilder,
    ) -> Result<()> {
        let job = &document.job;
        let mut entry =
            DocumentReport { source: job.source.clone(), format: "chunks".into(), ..DocumentReport::default() };
        let mut chunks = Vec::new();
        let mut ids = OccurrenceCounter::default();
        for at in &document.group.chunks {
            let found = self.found(*at)?;
            if found.text().trim().is_empty() {
                let message = format!("chunk {at} is empty and was left out");
                entry.warn(&Diagnostic::new("empty-chunk", Severity::Low, &job.source, message).at_line(found.line));
                continue;
            }
            let body = body(&found);
            chunks.push((*at, ids.next(job.id, &body).to_string()));
        }
        sink.begin(job, &Arrival { fingerprint: document.fingerprint, chunks: chunks.len(), incomplete: None })?;
        let source_hash = document.fingerprint.tagged();
        for (rank, (at, id)) in chunks.iter().enumerate() {
            let found = self.found(*at)?;
            let mut record = record(&found, job, sizer);
            record.chunk_id = Cow::Borrowed(id);
            let metadata = &mut record.metadata;
            (metadata.chunk_index, metadata.total_chunks) = (rank as u64, chunks.len() as u64);
            metadata.prev_chunk_id =
                rank.checked_sub(1).and_then(|at| chunks.get(at)).map(|(_, id)| Cow::Borrowed(&**id));
            metadata.next_chunk_id = chunks.get(rank + 1).map(|(_, id)| Cow::Borrowed(&**id));
            metadata.source_hash = Cow::Borrowed(&source_hash);
            report.chunk(&record, record.token_count);
            entry.tokens += record.token_count;
            entry.chunks += 1;
            sink.record(&record)?;
        }
        sink.document(job)?;
        report.document(entry);
        Ok(())
    }

    fn found(&self, at: usize) -> Result<Found> {
        let entry = self.index.entries.get(at).ok_or_else(|| Error::bug("a chunk that the file does not have"))?;
        self.file.read_at(at, entry)
    }
}

/// The hash of all that the chunks of a document say.
fn fingerprint(file: &ChunkFile, index: &Index, group: &Group) -> Result<Fingerprint> {
    let mut hash = Sha256::new();
    for at in &group.chunks {
        let entry = index.entries.get(*at).ok_or_else(|| Error::bug("a chunk that the file does not have"))?;
        let found = file.read_at(*at, entry)?;
        hash.update(found.value().to_string().as_bytes());
        hash.update(b"\n");
    }
    Ok(Fingerprint(hash.finalize().into()))
}

/// The chunk's own text, as far as it says what of it was injected or repeated.
fn body(found: &Found) -> String {
    let text = found.text();
    let bodies: Vec<PartRecord> = found.parts().into_iter().filter(|part| part.kind == PartKind::Body).collect();
    if bodies.is_empty() {
        return text.to_owned();
    }
    let within = |at: u64| bodies.iter().any(|part| (part.start..part.end).contains(&at));
    text.chars().zip(0..).filter(|(_, at)| within(*at)).map(|(c, _)| c).collect()
}

/// A chunk as a record, without its rank. What it does not say is left empty.
fn record<'f>(found: &'f Found, job: &'f Job, sizer: &dyn Sizer) -> Record<'f> {
    if let Some(mut own) = found.record() {
        own.metadata.source = Cow::Owned(job.source.clone());
        own.token_count = sizer.size(&own.content) as u64;
        own.metadata.token_count = own.token_count;
        own.metadata.content_hash = Cow::Owned(Fingerprint::of(own.content.as_bytes()).tagged());
        return own;
    }
    let text = found.text();
    let tokens = sizer.size(text) as u64;
    let characters = text.chars().count() as u64;
    let (start, end) = found.span();
    let path: Vec<Cow<'f, str>> = found.headings().into_iter().map(Cow::Borrowed).collect();
    let filename = job.source.rsplit('/').next().unwrap_or(&job.source);
    let string = |key: &str| found.field(&[key]).and_then(Value::as_str).map(Cow::Borrowed);
    let start = start.unwrap_or_default();
    let origin = found.span().0.map(|start| [start, end.unwrap_or(start + characters)]);
    Record {
        chunk_id: Cow::Borrowed(""),
        content: Cow::Borrowed(text),
        token_count: tokens,
        normalized_text_hash: Cow::Owned(normalized_hash(&body(found), &mut Vec::new()).tagged()),
        metadata: Metadata {
            source: Cow::Borrowed(&job.source),
            filename: Cow::Borrowed(filename),
            document_title: string("document_title").or_else(|| string("title")).unwrap_or(Cow::Borrowed(filename)),
            section_title: path.last().cloned().unwrap_or_default(),
            heading_path: path,
            chunk_index: 0,
            total_chunks: 0,
            token_count: tokens,
            overlap_token_count: 0,
            word_count: text.split_whitespace().count() as u64,
            tags: Vec::new(),
            keywords: Vec::new(),
            document_type: job.document_type.as_deref().map(Cow::Borrowed).or_else(|| string("document_type")),
            language: string("language"),
            created_at: string("created_at"),
            char_start: start,
            char_end: end.unwrap_or(start + characters),
            byte_start: 0,
            byte_end: 0,
            line_start: 0,
            line_end: 0,
            pages: found.pages(),
            cite: None,
            format: Cow::Borrowed("chunks"),
            parts: vec![PartRecord { kind: PartKind::Body, start: 0, end: characters, origin }],
            prev_chunk_id: None,
            next_chunk_id: None,
            parent_id: None,
            content_hash: Cow::Owned(Fingerprint::of(text.as_bytes()).tagged()),
            source_hash: Cow::Borrowed(""),
            attributes: Cow::Owned(attributes(found)),
            merged_ids: Vec::new(),
        },
    }
}

/// Facts with a place of their own in the record.
const PLACED: &[&str] = &["document_title", "title", "document_type", "language", "created_at"];

/// What the metadata say besides.
fn attributes(found: &Found) -> Attrs {
    let placed = [keys::ID, keys::SOURCE, keys::ORDER, keys::START, keys::END, keys::HEADINGS, keys::PAGES, PLACED];
    let is_placed = |name: &str| placed.iter().any(|names| names.contains(&name));
    let plain = |value: &Value| !value.is_null() && !value.is_object();
    let all = found.metadata().into_iter().flatten();
    all.filter(|(name, value)| !is_placed(name) && plain(value))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}
