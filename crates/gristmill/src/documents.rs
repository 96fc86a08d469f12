//! The documents of a run: sources are opened and listed, every document gets its identity and the facts of its path.

use std::borrow::Cow;
use std::path::PathBuf;

use gristmill_core::{Diagnostic, DocumentId, Error, Fingerprint, Result};
use gristmill_pipeline::{Content, Job};
use gristmill_source::{Listed, Raw, SOURCES, Source, SourceSpec};

use crate::config::{PathRule, Settings, SourceSettings};

/// What is to be read.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// The current folder, absolute: what relative paths are relative to.
    pub folder: PathBuf,
    /// Files and folders; empty to read the sources of the settings.
    pub paths: Vec<PathBuf>,
    /// The folder that the `source` of records is relative to.
    pub root: Option<PathBuf>,
}

/// The documents of a run, listed and not yet read.
pub struct Documents {
    sources: Vec<Box<dyn Source>>,
    /// One a document, in the order of sources and paths.
    pub jobs: Vec<Job>,
    /// Where each document is: index of its source and its entry there.
    places: Vec<(usize, Listed)>,
    /// What could not be looked at.
    pub unseen: Vec<String>,
    /// Problems of listing.
    pub diagnostics: Vec<Diagnostic>,
}

impl Documents {
    /// Lists what `inputs` name, or the sources of the settings when they name nothing.
    ///
    /// # Errors
    /// When a source cannot be opened or listed, or two documents would have one identity.
    pub fn list(settings: &Settings, inputs: &Inputs) -> Result<Self> {
        let mut all = Self {
            sources: Vec::new(),
            jobs: Vec::new(),
            places: Vec::new(),
            unseen: Vec::new(),
            diagnostics: Vec::new(),
        };
        if !inputs.paths.is_empty() {
            let spec = SourceSpec {
                folder: inputs.folder.clone(),
                paths: inputs.paths.clone(),
                root: inputs.root.clone(),
                readmes: true,
                ..SourceSpec::default()
            };
            all.add(settings, None, &spec)?;
            return Ok(all);
        }
        if settings.source.is_empty() {
            return Err(Error::usage("nothing to read: no path was given and no source is configured")
                .hint("name files or folders, or add a `[[source]]` to gristmill.toml"));
        }
        for source in &settings.source {
            all.add(settings, Some(source), &source.spec(&inputs.folder))?;
        }
        all.distinct()?;
        Ok(all)
    }

    fn add(&mut self, settings: &Settings, source: Option<&SourceSettings>, spec: &SourceSpec) -> Result<()> {
        let kind = source.map_or("fs", |source| source.kind.as_str());
        let Some(entry) = SOURCES.iter().find(|entry| entry.name == kind) else {
            let names: Vec<&str> = SOURCES.iter().map(|entry| entry.name).collect();
            return Err(Error::config(format!("there is no kind of source `{kind}`"))
                .hint(format!("choose one of {}", names.join(", "))));
        };
        let rule = source.map_or(Ok(None), SourceSettings::path_rule)?;
        let opened = (entry.item)(spec)?;
        let listing = opened.list()?;
        self.diagnostics.extend(listing.diagnostics);
        self.unseen.extend(listing.value.unseen);
        let index = self.sources.len();
        self.sources.push(opened);
        for listed in listing.value.entries {
            self.jobs.push(job(settings, source, rule.as_ref(), &listed, &mut self.diagnostics));
            self.places.push((index, listed));
        }
        Ok(())
    }

    /// Two sources without a name must not hold the same path: their documents would be one.
    fn distinct(&self) -> Result<()> {
        let mut ids: Vec<(DocumentId, usize)> = self.jobs.iter().enumerate().map(|(n, job)| (job.id, n)).collect();
        ids.sort_unstable();
        let Some(pair) = ids.windows(2).find(|pair| pair[0].0 == pair[1].0) else { return Ok(()) };
        let path = &self.jobs[pair[0].1].source;
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

    /// The documents for which `keep` holds.
    pub(crate) fn select(&mut self, keep: impl Fn(usize) -> bool) {
        let mut index = 0..;
        let mut kept = |_: &Job| index.next().is_some_and(&keep);
        self.jobs.retain(&mut kept);
        let mut index = 0..;
        self.places.retain(|_| index.next().is_some_and(&keep));
    }
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
    }
}

/// Bytes of a source, as the pipeline takes them.
struct Bytes(Raw);

impl Content for Bytes {
    fn len(&self) -> u64 {
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
