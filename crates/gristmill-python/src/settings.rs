//! From what a caller says to settings.

use std::path::PathBuf;

use gristmill::config::{self, Env, Layer, Options, Settings, Start, Task};
use gristmill::{Diagnostic, Error, Outcome, Result};
use serde_json::{Value, json};

/// The settings that hold, and notes about them. `options` is JSON in the shape of a settings file. A file is read only
/// where one is named; then the environment and the user's own file are heard as well, as the command does.
///
/// # Errors
/// Config: an option that is not known or not allowed, or a file that is wrong.
pub fn settle(task: Task, options: &str, config: Option<PathBuf>) -> Result<Outcome<Settings>> {
    settle_options(task, options_of(options)?, config)
}

/// Options from JSON in the shape of a settings file.
///
/// # Errors
/// Config: an option that is not known.
pub fn options_of(options: &str) -> Result<Options> {
    serde_json::from_str(options)
        .map_err(|error| Error::config(format!("wrong setting: {}", without_place(&error.to_string()))))
}

/// The settings that hold under these options, and notes about them.
///
/// # Errors
/// Config: an option that is not allowed, or a file that is wrong.
pub fn settle_options(task: Task, options: Options, config: Option<PathBuf>) -> Result<Outcome<Settings>> {
    let folder = current_folder()?;
    match config {
        None => config::resolve(task, &folder, &[Layer::flags(options)]),
        Some(path) => {
            let env: Env = std::env::vars_os()
                .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
                .collect();
            config::load(
                task,
                options,
                &Start {
                    folder: &folder,
                    env: &env,
                    now: std::time::SystemTime::now,
                    config: Some(&path),
                    worker: None,
                },
            )
        }
    }
}

/// The current folder.
///
/// # Errors
/// When it has gone.
pub fn current_folder() -> Result<PathBuf> {
    std::env::current_dir().map_err(|error| Error::usage("the current folder cannot be found").because(error))
}

/// How many threads work where nobody says.
pub fn workers(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).max(1)
}

/// Problems as the Python side reads them.
pub fn told(diagnostics: &[Diagnostic]) -> Value {
    let one = |diagnostic: &Diagnostic| {
        json!({ "code": diagnostic.code, "severity": diagnostic.severity.name(), "source": diagnostic.place.source,
                "line": diagnostic.place.line, "message": diagnostic.message, "help": diagnostic.help })
    };
    diagnostics.iter().map(one).collect()
}

/// Lines and columns of JSON that the caller never saw are left out.
fn without_place(message: &str) -> &str {
    message.rsplit_once(" at line ").map_or(message, |(text, _)| text)
}
