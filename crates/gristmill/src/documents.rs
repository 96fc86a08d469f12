//! The documents of a run: sources are opened and listed, every document gets its identity and the facts of its path.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use gristmill_core::{Diagnostic, DocumentId, Error, Fingerprint, Reader, Result};
use gristmill_pipeline::{Content, Job};
use gristmill_source::{Listed, Raw, SOURCES, Source, SourceSpec};

use crate::config::{PathRule, Settings, SourceSettings};
use crate::given::Given;
use crate::ready::Ready;

/// What is to be read.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// The current folder, absolute: what relative paths are relative to.
    pub folder: PathBuf,
    /// Files and folders; empty to read the sources of the settings.
    pub paths: Vec<PathBuf>,
    /// The folder that the `source` of records is relative to.
    pub root: Option<PathBuf>,
    /// Documents that are at hand. Where there may be some, none does not stand for the sources of the settings.
    pub given: Option<Vec<Given>>,
    /// Files that a folder may hold and that are no documents of it: settings, and what the run writes.
    pub own: Vec<PathBuf>,
}

/// The documents of a run, listed and not yet read.
#[derive(Default)]
pub struct Documents {
    sources: Vec<Box<dyn Source>>,
    /// One a document, in the order of sources and paths.
    pub jobs: Vec<Job>,
    /// Where each document is: index of its source and its entry there.
    places: Vec<(usize, Listed)>,
    /// Who reads them all; where nobody is named, each is read by its name and first bytes.
    pub(crate) reader: Option<&'static dyn Reader>,
    /// Files of ready chunks.
    pub(crate) ready: Vec<Ready>,
    /// Every document that is listed, also those that are not selected.
    pub(crate) all: HashSet<DocumentId>,
    /// Files that no reader takes, with the reason: a first ingest would not have them.
    pub(crate) passed_over: Vec<(String, String)>,
    /// Names of the sources that hold nothing, and how they are called in messages.
    pub(crate) empty: Vec<(Option<String>, String)>,
    /// What could not be looked at.
    pub unseen: Vec<String>,
    /// Selected paths at which there is no document, here or in the store.
    pub(crate) unmatched: Vec<String>,
    /// Problems of listing.
    pub diagnostics: Vec<Diagnostic>,
}

impl Documents {
    /// Lists what `inputs` name, or the sources of the settings when they name nothing.
    ///
    /// # Errors
    /// When a source cannot be opened or listed, or two documents would have one identity.
    pub fn list(settings: &Settings, inputs: &Inputs) -> Result<Self> {
        let mut all = Self::default();
        let mut own: Vec<PathBuf> = inputs.own.iter().filter_map(|path| path.canonicalize().ok()).collect();
        own.extend(files_of_store(&settings.store.path));
        for given in inputs.given.iter().flatten() {
            all.take(settings, None, Box::new(given.clone()), &own)?;
        }
        if !inputs.paths.is_empty() {
            let spec = SourceSpec {
                folder: inputs.folder.clone(),
                paths: inputs.paths.clone(),
                root: inputs.root.clone(),
                readmes: true,
                ..SourceSpec::default()
            };
            all.add(settings, None, &spec, &own)?;
        }
        if inputs.given.is_some() || !inputs.paths.is_empty() {
            all.distinct()?;
            return Ok(all);
        }
        if settings.source.is_empty() {
            return Err(Error::usage("nothing to read: no path was given and no source is configured")
                .hint("name files or folders, or add a `[[source]]` to gristmill.toml"));
        }
        for source in &settings.source {
            if source.is_chunks() {
                all.ready.push(Ready::open(settings, source, &inputs.folder)?);
            } else {
                let spec = source.spec(&inputs.folder, &settings.root, &settings.world.env)?;
                all.add(settings, Some(source), &spec, &own)?;
            }
        }
        all.distinct()?;
        Ok(all)
    }

    /// Documents that are at hand, in their order. Those of equal names are told apart by how many stand before them.
    ///
    /// # Errors
    /// When settings are wrong.
    pub(crate) fn at_hand(settings: &Settings, given: Vec<Given>) -> Result<Self> {
        let mut all = Self::default();
        let mut before: BTreeMap<String, usize> = BTreeMap::new();
        for document in given {
            let namesakes = before.entry(document.name.clone()).or_default();
            let rank = if *namesakes == 0 { String::new() } else { namesakes.to_string() };
            *namesakes += 1;
            let id = DocumentId::new(&settings.project, &rank, &document.name);
            all.take(settings, None, Box::new(document), &[])?;
            all.jobs.last_mut().into_iter().for_each(|job| job.id = id);
        }
        Ok(all)
    }

    fn add(
        &mut self,
        settings: &Settings,
        source: Option<&SourceSettings>,
        spec: &SourceSpec,
        own: &[PathBuf],
    ) -> Result<()> {
        let kind = source.map_or("fs", |source| source.kind.as_str());
        let Some(entry) = SOURCES.iter().find(|entry| entry.name == kind) else {
            let names: Vec<&str> = SOURCES.iter().map(|entry| entry.name).collect();
            return Err(Error::config(format!("there is no kind of source `{kind}`"))
                .hint(format!("choose one of {}", names.join(", "))));
        };
        self.take(settings, source, (entry.item)(spec)?, own)
    }

    /// Lists an opened source, without the files of `own`.
    fn take(
        &mut self,
        settings: &Settings,
        source: Option<&SourceSettings>,
        opened: Box<dyn Source>,
        own: &[PathBuf],
    ) -> Result<()> {
        let rule = source.map_or(Ok(None), SourceSettings::path_rule)?;
        let listing = opened.list()?;
        self.diagnostics.extend(listing.diagnostics);
        self.unseen.extend(listing.value.unseen);
        let index = self.sources.len();
        let before = self.jobs.len();
        let entries = listing.value.entries.into_iter().filter(|listed| !is_one_of(own, opened.as_ref(), listed));
        let mut entries: Vec<Listed> = entries.collect();
        if entries.len() > 1 {
            entries.retain(|listed| !is_settings_file(&listed.path));
        }
        self.sources.push(opened);
        for listed in entries {
            self.jobs.push(job(settings, source, rule.as_ref(), &listed, &mut self.diagnostics));
            self.places.push((index, listed));
        }
        if let Some(source) = source.filter(|_| self.jobs.len() == before) {
            let called = source.name.clone().unwrap_or_else(|| source.path.display().to_string());
            self.empty.push((source.name.clone(), called));
        }
        Ok(())
    }

    /// Two sources without a name must not hold the same path: their documents would be one.
    fn distinct(&mut self) -> Result<()> {
        let mut ids: Vec<(DocumentId, &str)> = self.every_job().map(|job| (job.id, &*job.source)).collect();
        ids.sort_unstable();
        let twice = ids.windows(2).find(|pair| pair[0].0 == pair[1].0).map(|pair| pair[0].1.to_owned());
        let all = ids.into_iter().map(|(id, _)| id).collect();
        self.all = all;
        let Some(path) = twice else { return Ok(()) };
        Err(Error::config(format!("two sources hold a document with the same path: `{path}`"))
            .hint("give each source a `name` of its own"))
    }

    /// Opens a document.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn fetch(&self, index: usize) -> Result<Box<dyn Content>> {
        let (source, listed) = &self.places[index];
        Ok(Box::new(Bytes(self.sources[*source].fetch(listed)?)))
    }

    /// All bytes of a document.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn bytes(&self, index: usize) -> Result<Vec<u8>> {
        let content = self.fetch(index)?;
        let size = usize::try_from(content.size());
        let size = size.map_err(|error| Error::input("too large for this machine").because(error))?;
        content.window(0, size).map(Cow::into_owned)
    }

    /// All documents: those to read, then those of ready chunks.
    pub(crate) fn every_job(&self) -> impl Iterator<Item = &Job> {
        self.jobs.iter().chain(self.ready.iter().flat_map(|ready| ready.jobs().map(|(job, _)| job)))
    }

    /// The place of the document that is this file, whose path is canonical.
    pub(crate) fn of_file(&self, file: &Path) -> Option<usize> {
        let file = [file.to_owned()];
        let mut places = self.places.iter();
        places.position(|(source, listed)| {
            self.sources.get(*source).is_some_and(|source| is_one_of(&file, source.as_ref(), listed))
        })
    }

    /// Leaves out files that no reader takes, by their place in `jobs`.
    pub(crate) fn pass_over(&mut self, reasons: &[Option<String>]) {
        for (job, reason) in self.jobs.iter().zip(reasons) {
            if let Some(reason) = reason {
                self.passed_over.push((job.source.clone(), reason.clone()));
                self.all.remove(&job.id);
            }
        }
        if !self.passed_over.is_empty() {
            self.select(|index| reasons.get(index).is_none_or(Option::is_none));
        }
    }

    /// Leaves out the documents for which `keep` does not hold, by their place in [`Documents::every_job`].
    pub(crate) fn select(&mut self, keep: impl Fn(usize) -> bool) {
        let mut place = self.jobs.len()..;
        self.ready.iter_mut().for_each(|ready| ready.select(|| place.next().is_some_and(&keep)));
        let mut index = 0..;
        let mut kept = |_: &Job| index.next().is_some_and(&keep);
        self.jobs.retain(&mut kept);
        let mut index = 0..;
        self.places.retain(|_| index.next().is_some_and(&keep));
    }
}

/// The files that a store in a file consists of: itself, and those that stand beside it while it is used.
fn files_of_store(store: &Path) -> Vec<PathBuf> {
    let store = std::path::absolute(store).unwrap_or_default();
    let (Some(folder), Some(name)) = (store.parent(), store.file_name().and_then(OsStr::to_str)) else {
        return Vec::new();
    };
    let is_part = |file: &Path| {
        let rest = file.file_name().and_then(OsStr::to_str).and_then(|file| file.strip_prefix(name));
        let is_end = |end: &str| end.starts_with('-') || end.bytes().all(|byte| byte.is_ascii_digit());
        let ends = |rest: &str| STORE_PARTS.iter().any(|part| rest.strip_prefix(part).is_some_and(is_end));
        rest.is_some_and(|rest| rest.is_empty() || ends(rest))
    };
    let beside = folder.canonicalize().and_then(std::fs::read_dir).into_iter().flatten().flatten();
    beside.map(|entry| entry.path()).filter(|file| is_part(file)).collect()
}

/// What follows the name of a store in the names of the files beside it.
const STORE_PARTS: [&str; 5] = ["-wal", "-shm", "-journal", "-lock", "-jobs"];

/// True when a document is one of these files, whose paths are canonical. Only files of the same name are looked up.
fn is_one_of(own: &[PathBuf], source: &dyn Source, listed: &Listed) -> bool {
    let Some(file) = source.file(listed) else { return false };
    let mut alike = own.iter().filter(|path| path.file_name() == file.file_name()).peekable();
    alike.peek().is_some() && file.canonicalize().is_ok_and(|file| alike.any(|path| *path == file))
}

/// Our own settings are no document, unless nothing else was named.
fn is_settings_file(path: &str) -> bool {
    path.rsplit('/').next() == Some("gristmill.toml")
}

/// The time of a file's last change as RFC 3339, in UTC.
fn file_time(listed: &Listed) -> Option<String> {
    let time = chrono::DateTime::<chrono::Utc>::from(listed.modified?);
    Some(time.to_rfc3339_opts(chrono::SecondsFormat::Secs, true))
}

fn job(
    settings: &Settings,
    source: Option<&SourceSettings>,
    rule: Option<&PathRule>,
    listed: &Listed,
    diagnostics: &mut Vec<Diagnostic>,
) -> Job {
    let mut attrs = gristmill_core::Attrs::new();
    if let Some(rule) = rule {
        let outcome = rule.fields(&listed.path);
        attrs = outcome.value;
        diagnostics.extend(outcome.diagnostics);
    }
    Job {
        id: DocumentId::new(
            &settings.project,
            source.and_then(|s| s.name.as_deref()).unwrap_or_default(),
            &listed.path,
        ),
        source: listed.path.clone(),
        attrs,
        document_type: source.and_then(|s| s.document_type.clone()),
        created_at: settings.enrich.file_time.then(|| file_time(listed)).flatten(),
    }
}

/// Bytes of a source, as the pipeline takes them.
struct Bytes(Raw);

impl Content for Bytes {
    fn size(&self) -> u64 {
        self.0.len()
    }

    fn window(&self, start: u64, len: usize) -> Result<Cow<'_, [u8]>> {
        self.0.window(start, len)
    }

    fn fingerprint(&self) -> Result<Fingerprint> {
        self.0.fingerprint()
    }

    fn ensure_unchanged(&self) -> Result<()> {
        self.0.ensure_unchanged()
    }
}
