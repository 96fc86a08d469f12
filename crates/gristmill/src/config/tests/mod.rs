//! Settings as a whole: what follows from what, and what is said about mistakes.

mod errors;
mod files;
mod schema;
mod sizes;

use std::path::Path;

use gristmill_core::{ErrorKind, Outcome, Result};

use super::{Env, Options, Settings, Start, Task, load};

/// A folder with files.
pub(super) struct Project(tempfile::TempDir);

impl Project {
    pub(super) fn new(files: &[(&str, &str)]) -> Self {
        let project = Self(tempfile::tempdir().unwrap());
        for (path, text) in files {
            let path = project.folder().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        project
    }

    pub(super) fn with_toml(text: &str) -> Self {
        Self::new(&[("gristmill.toml", text)])
    }

    pub(super) fn folder(&self) -> &Path {
        self.0.path()
    }

    pub(super) fn load_with(&self, env: &[(&str, &str)], flags: Options) -> Result<Outcome<Settings>> {
        let env: Env = env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        load(
            Task::Ingest,
            flags,
            &Start { folder: self.folder(), env: &env, now: std::time::SystemTime::now, config: None, worker: None },
        )
    }

    pub(super) fn settings(&self) -> Settings {
        self.load_with(&[], Options::default()).unwrap().value
    }

    pub(super) fn error(&self) -> String {
        let error = self.load_with(&[], Options::default()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Config);
        error.to_string()
    }
}
