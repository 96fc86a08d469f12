//! A first settings file, from a look at the files.

mod ci;
mod file;
mod look;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gristmill_chunk::STRATEGIES;
use gristmill_core::{Error, Result};

use crate::config::{self, Guess, Layer, Options, Preset, Sample, Settings, Task, guess_preset};
use look::Look;

pub use ci::{CiFile, CiKind, ci_file};

/// A settings file that is proposed, and what it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The text of `gristmill.toml`.
    pub text: String,
    /// Where documents are.
    pub sources: Vec<ProposedSource>,
    /// The sizes to start from.
    pub preset: Option<Preset>,
    /// What the preset was guessed from; `None` when it was chosen, or nothing could be told.
    pub guess: Option<Guess>,
    /// Documents of kinds that have no reader, by kind.
    pub unread: BTreeMap<&'static str, u64>,
}

/// A folder or file with documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProposedSource {
    /// Relative to the settings file, with `/`.
    pub path: String,
    /// Documents in it, by reader.
    pub documents: BTreeMap<&'static str, u64>,
    /// Globs that take the documents and leave other files; empty where there are no others.
    pub include: Vec<String>,
}

impl ProposedSource {
    /// Documents in it.
    pub fn count(&self) -> u64 {
        self.documents.values().sum()
    }
}

/// Looks at `paths` (none: at `folder`, where it takes the folders with documents) and proposes settings for a file in
/// `folder`. Names and the first lines of some hundred documents are read; nothing is written.
///
/// # Errors
/// When there is no document that can be read, a path does not exist or lies outside of `folder`, or the preset needs
/// what this version cannot do.
pub fn propose(folder: &Path, paths: &[PathBuf], preset: Option<Preset>) -> Result<Proposal> {
    let look = Look::at(folder, paths)?;
    let sources = look.sources();
    if sources.is_empty() {
        return Err(nothing_found(folder, paths, &look));
    }
    let starts = look.starts(&sources);
    let samples: Vec<Sample<'_>> = starts.iter().map(|(name, start)| Sample { name, start }).collect();
    let guess = if preset.is_none() { guess_preset(&samples).filter(|guess| can(guess.preset)) } else { None };
    let preset = preset.or(guess.map(|guess| guess.preset));
    if let Some(preset) = preset.filter(|preset| !can(*preset)) {
        let message = format!("the preset `{preset}` needs the strategy `{}`, which is not there", preset.strategy());
        return Err(Error::config(message));
    }
    let settings = settings_of(folder, preset)?;
    let mut proposal = Proposal { text: String::new(), sources, preset, guess, unread: look.unread };
    proposal.text = file::text(folder, &proposal, &settings);
    Ok(proposal)
}

fn can(preset: Preset) -> bool {
    STRATEGIES.iter().any(|entry| entry.name == preset.strategy())
}

/// What holds with the preset alone.
fn settings_of(folder: &Path, preset: Option<Preset>) -> Result<Settings> {
    let options = Options { preset, ..Options::default() };
    Ok(config::resolve(Task::Curate, folder, &[Layer::flags(options)])?.value)
}

fn nothing_found(folder: &Path, paths: &[PathBuf], look: &Look) -> Error {
    let places = if paths.is_empty() { vec![folder.to_owned()] } else { paths.to_vec() };
    let places: Vec<String> = places.iter().map(|path| path.display().to_string()).collect();
    let unread = file::counted(look.unread.iter().map(|(kind, count)| (*kind, *count)));
    let but = if unread.is_empty() { String::new() } else { format!(", only kinds that are not read yet ({unread})") };
    Error::input(format!("no documents found{but}: {}", places.join(", ")))
        .hint("`gristmill formats` lists what is read")
}

#[cfg(test)]
mod tests;
