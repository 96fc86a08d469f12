//! From options to settings.

use std::path::Path;

use gristmill_core::{Diagnostic, Outcome, Result};

use super::layers::{Layer, merge};
use super::{
    ChunkSettings, CleanSettings, EmbedSettings, EnrichSettings, EvalSettings, LintSettings, Options, Origin, Origins,
    ReadSettings, ServerSettings, Settings, SourceSettings, StoreSettings, ValidateSettings, World,
};

/// What the settings are for. A few defaults depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// `curate`: one clean set of chunks, so repeated blocks and duplicates go.
    Curate,
    /// `chunk`, `inspect`, `extract`: the documents as they are.
    Chunk,
    /// `plan`, `ingest`, `serve`: each source holds its own.
    Ingest,
    /// `scan`: findings of severity high fail.
    Scan,
    /// `fix`: what is left fails only when asked for.
    Fix,
}

/// The settings that hold, and notes about values that could not hold as they were given.
///
/// `layers` are in order of precedence, the first on top. `root` is the folder of the project file, else the current
/// folder.
///
/// # Errors
/// Config: a value that makes no sense by itself or beside another.
pub fn resolve(task: Task, root: &Path, layers: &[Layer]) -> Result<Outcome<Settings>> {
    let (options, origins) = merge(layers)?;
    let mut cx = Cx { origins, notes: Vec::new() };
    let Options {
        version,
        project,
        preset,
        source,
        read,
        clean,
        chunk,
        enrich,
        validate,
        lint,
        embed,
        store,
        eval,
        server,
    } = &options;
    if let Some(version) = version.filter(|version| *version != 1) {
        return Err(cx.origins.blame("version", format!("`version` must be 1, not: {version}")));
    }
    if project.as_ref().is_some_and(|project| project.trim().is_empty()) {
        return Err(cx.origins.blame("project", "`project` must not be empty".to_owned()));
    }
    let chunk = ChunkSettings::resolve(chunk, *preset, &mut cx)?;
    let settings = Settings {
        project: project.clone().unwrap_or_else(|| "default".to_owned()),
        preset: *preset,
        source: SourceSettings::resolve_all(source.as_deref().unwrap_or_default(), &cx)?,
        read: ReadSettings::resolve(read, &cx)?,
        clean: CleanSettings::resolve(clean, task),
        enrich: EnrichSettings::resolve(enrich),
        validate: ValidateSettings::resolve(validate, task),
        lint: LintSettings::resolve(lint, task),
        embed: EmbedSettings::resolve(embed, &cx)?,
        store: StoreSettings::resolve(store, root, &cx)?,
        eval: EvalSettings::resolve(eval, &chunk.strategy),
        server: ServerSettings::resolve(server, &cx)?,
        chunk,
        origins: cx.origins,
        world: World::default(),
        root: root.to_owned(),
    };
    Ok(Outcome { value: settings, diagnostics: cx.notes })
}

/// What the sections share while they are resolved.
pub(super) struct Cx {
    pub(super) origins: Origins,
    pub(super) notes: Vec<Diagnostic>,
}

impl Cx {
    pub(super) fn note(&mut self, key: &str, code: &'static str, message: String) {
        let note = self.origins.note(key, code, message);
        // A value for all documents holds for each type, too.
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Records where the value of `table.name` came from, unless it was given there.
    pub(super) fn inherit(&mut self, table: &str, name: &str, given: bool, origin: &Origin) {
        if !given {
            self.origins.set(format!("{table}.{name}"), origin.clone());
        }
    }

    pub(super) fn at_least_one(&self, key: &str, value: u32) -> Result<usize> {
        match usize::try_from(value) {
            Ok(value) if value > 0 => Ok(value),
            _ => Err(self.origins.blame(key, format!("`{key}` must be at least 1, not: {value}"))),
        }
    }
}
