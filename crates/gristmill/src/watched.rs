//! What to watch for changes.

use std::path::PathBuf;

use crate::config::Settings;
use crate::documents::Inputs;

/// Files and folders of this machine that the documents of a run come from, absolute; and whether some come from elsewhere,
/// where only looking again tells.
pub fn watched_paths(settings: &Settings, inputs: &Inputs) -> (Vec<PathBuf>, bool) {
    if !inputs.paths.is_empty() {
        return (inputs.paths.iter().map(|path| inputs.folder.join(path)).collect(), false);
    }
    let (remote, local): (Vec<_>, Vec<_>) = settings.source.iter().partition(|source| source.is_remote());
    (local.into_iter().map(|source| inputs.folder.join(&source.path)).collect(), !remote.is_empty())
}
