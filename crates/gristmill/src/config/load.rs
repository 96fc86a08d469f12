//! Finding and reading what is said about settings.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use gristmill_core::{Error, Outcome, Result};

use super::read::{Said, read};
use super::{Clock, Env, Layer, Options, Origin, Origins, Settings, Task, World, resolve};

/// What a front end knows before it has settings.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// The current folder, absolute.
    pub folder: &'a Path,
    /// The environment.
    pub env: &'a Env,
    /// Tells the time.
    pub now: fn() -> SystemTime,
    /// The project file, where one was named; else it is looked for.
    pub config: Option<&'a Path>,
    /// What [`World::worker`] says.
    pub worker: Option<&'a [OsString]>,
}

/// The settings that hold, from `flags`, the environment, the project file, the user file and the defaults; and notes.
///
/// # Errors
/// Config: a named file that cannot be read, a file that is wrong, or values that do not hold together.
pub fn load(task: Task, flags: Options, start: &Start<'_>) -> Result<Outcome<Settings>> {
    let environment = Layer::environment(start.env)?;
    let project = match start.config {
        Some(path) => Some(start.folder.join(path)),
        None => find_project(start.folder)?,
    };
    let mut layers = vec![Layer::flags(flags), environment.value];
    let mut root = start.folder;
    if let Some(path) = &project {
        layers.push(Layer::project(path, start.folder)?);
        root = path.parent().unwrap_or(root);
    }
    if let Some(path) = user_file(start.env).filter(|path| path.is_file()) {
        layers.push(Layer::user(&path)?);
    }
    let mut outcome = resolve(task, root, &layers)?;
    outcome.diagnostics.splice(..0, environment.diagnostics);
    outcome.value.world =
        World { env: start.env.clone(), clock: clock(start), worker: start.worker.map(<[_]>::to_vec) };
    Ok(outcome)
}

/// The variable that moves the clock by some seconds, for tests.
const CLOCK: &str = "GRISTMILL_TEST_CLOCK_OFFSET";

fn clock(start: &Start<'_>) -> Clock {
    let shift = start.env.get(CLOCK).and_then(|seconds| seconds.trim().parse().ok()).unwrap_or_default();
    Clock::new(start.now, shift)
}

impl Layer {
    /// What a project file says. It is called by its path relative to `folder` in messages.
    ///
    /// # Errors
    /// Config: the file cannot be read or is wrong.
    pub fn project(path: &Path, folder: &Path) -> Result<Self> {
        let shown = path.strip_prefix(folder).unwrap_or(path);
        Self::from_file(path, shown, Origin::Project)
    }

    /// What the user's own file says.
    ///
    /// # Errors
    /// Config: the file cannot be read or is wrong.
    pub fn user(path: &Path) -> Result<Self> {
        Self::from_file(path, path, Origin::User)
    }

    fn from_file(path: &Path, shown: &Path, origin: fn(PathBuf, Option<u32>) -> Origin) -> Result<Self> {
        Self::from_text(path, shown, &text_of(path, shown)?, origin)
    }

    /// What the text of a settings file says; `path` is that of the file, `shown` what messages call it.
    ///
    /// # Errors
    /// Config: it is wrong.
    pub fn from_text(
        path: &Path,
        shown: &Path,
        text: &str,
        origin: fn(PathBuf, Option<u32>) -> Origin,
    ) -> Result<Self> {
        let missing = || Error::config(format!("file has no `[tool.gristmill]`: {}", shown.display()));
        let Said { options, lines } = read(shown, text)?.ok_or_else(missing)?;
        let mut origins = Origins::default();
        for (key, line) in lines {
            origins.set(key, origin(shown.to_owned(), Some(line)));
        }
        options.chunk.ensure_flat(&origins, Some(shown))?;
        let mut layer = Self { options, origins, whole: origin(shown.to_owned(), None) };
        layer.rebase(path.parent().unwrap_or(Path::new("")));
        Ok(layer)
    }
}

fn text_of(path: &Path, shown: &Path) -> Result<String> {
    let failed = || format!("cannot read settings: {}", shown.display());
    let bytes = std::fs::read(path).map_err(|e| Error::config(failed()).because(e))?;
    String::from_utf8(bytes).map_err(|e| Error::config(failed()).because(e.utf8_error()))
}

/// The project file: `gristmill.toml`, or a `pyproject.toml` with `[tool.gristmill]`, in `folder` or the nearest folder
/// above it. In one folder `gristmill.toml` comes first.
///
/// # Errors
/// Config: a `pyproject.toml` on the way mentions gristmill and is malformed.
pub fn find_project(folder: &Path) -> Result<Option<PathBuf>> {
    for folder in folder.ancestors() {
        let own = folder.join("gristmill.toml");
        if own.is_file() {
            return Ok(Some(own));
        }
        let python = folder.join("pyproject.toml");
        if mentions_us(&python)? {
            return Ok(Some(python));
        }
    }
    Ok(None)
}

fn mentions_us(path: &Path) -> Result<bool> {
    match std::fs::read_to_string(path) {
        // Not looked into any further without a reason: a malformed file of a stranger is none of our business.
        Ok(text) if text.contains("tool.gristmill") || text.contains("[tool]") => Ok(read(path, &text)?.is_some()),
        _ => Ok(false),
    }
}

/// Where the user's own file is, whether or not it exists: `gristmill/gristmill.toml` in `XDG_CONFIG_HOME`, `APPDATA` or
/// `.config` in `HOME`.
pub fn user_file(env: &Env) -> Option<PathBuf> {
    let folder = |name: &str| env.get(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = folder("XDG_CONFIG_HOME")
        .or_else(|| folder("APPDATA"))
        .or_else(|| folder("HOME").map(|home| home.join(".config")));
    folder.map(|folder| folder.join("gristmill/gristmill.toml"))
}
