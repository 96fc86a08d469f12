//! Waiting until files change.
//!
//! The kernel tells where it can (inotify on Linux); elsewhere, on file systems of other machines, and where there are
//! more folders than it will watch, the folders are looked through about once a second.

#[cfg(target_os = "linux")]
mod notified;
mod polled;
mod scope;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use gristmill_core::{Error, Result};

use self::polled::Polled;
use self::scope::Scope;

/// A change may go on for this many times the quiet that is waited for.
const LONGEST: u32 = 10;

/// How often is looked whether something has happened.
const TICK: Duration = Duration::from_millis(50);

/// Files and folders under observation, from [`Watch::new`] on: what changes between two calls of [`Watch::next`] is
/// told by the second.
#[derive(Debug)]
pub struct Watch {
    scope: Scope,
    eyes: Eyes,
    /// A change that was seen and not told, because the wait was stopped.
    pending: Option<PathBuf>,
}

/// Why a wait has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changed {
    /// Something was made, changed, moved or deleted; the first path of perhaps many.
    Path(PathBuf),
    /// The caller asked for it.
    Stopped,
}

#[derive(Debug)]
enum Eyes {
    #[cfg(target_os = "linux")]
    Notified(notified::Notified),
    Polled {
        eyes: Polled,
        why: String,
    },
}

impl Watch {
    /// Begins to watch `paths`, files or folders with all that is in them, all absolute. A root may be a link; links
    /// below it are not followed, so what they lead to is watched only where it lies below a root itself. `.git` is never
    /// watched, nor what is named by `ignore`: a file together with those that SQLite keeps beside it, or a folder.
    ///
    /// # Errors
    /// Input: one of `paths` does not exist. It may be deleted and made again later.
    pub fn new(paths: &[PathBuf], ignore: &[PathBuf]) -> Result<Self> {
        for path in paths {
            let missing = |e| Error::input(format!("no such file or folder: {}", path.display())).because(e);
            std::fs::metadata(path).map_err(missing)?;
        }
        let scope = Scope::new(paths, ignore);
        let eyes = Eyes::open(&scope);
        Ok(Self { scope, eyes, pending: None })
    }

    /// Why folders are looked through instead of waiting for the kernel to tell; `None` where it tells. May change.
    pub fn polling(&self) -> Option<&str> {
        match &self.eyes {
            #[cfg(target_os = "linux")]
            Eyes::Notified(_) => None,
            Eyes::Polled { why, .. } => Some(why),
        }
    }

    /// Waits until something has changed and nothing has for `quiet`, but no longer than ten times that; or until `stop`
    /// is true, which is looked at many times a second.
    pub fn next(&mut self, quiet: Duration, stop: &AtomicBool) -> Changed {
        let tick = TICK.min(quiet / 4).max(Duration::from_millis(1));
        let first = loop {
            if stop.load(Ordering::Relaxed) {
                return Changed::Stopped;
            }
            if let Some(path) = self.pending.take().or_else(|| self.look(false)) {
                break path;
            }
            std::thread::sleep(tick);
        };
        let mut last = Instant::now();
        let end = last + quiet * LONGEST;
        loop {
            if stop.load(Ordering::Relaxed) {
                self.pending = Some(first);
                return Changed::Stopped;
            }
            let is_calm = last.elapsed() >= quiet;
            if self.look(is_calm).is_some() {
                last = Instant::now();
            } else if is_calm {
                return Changed::Path(first);
            }
            if Instant::now() >= end {
                return Changed::Path(first);
            }
            std::thread::sleep(tick);
        }
    }

    /// The first change since the last look. `now`: also when it is not yet time to look through the folders again.
    fn look(&mut self, now: bool) -> Option<PathBuf> {
        match &mut self.eyes {
            #[cfg(target_os = "linux")]
            Eyes::Notified(eyes) => match eyes.look(&self.scope) {
                Ok(seen) => seen,
                Err(why) => {
                    self.eyes = Eyes::polled(&self.scope, why);
                    // What happened meanwhile nobody knows.
                    self.scope.roots.first().cloned()
                }
            },
            Eyes::Polled { eyes, .. } => eyes.look(&self.scope, now),
        }
    }
}

impl Eyes {
    #[cfg(target_os = "linux")]
    fn open(scope: &Scope) -> Self {
        notified::Notified::new(scope).map_or_else(|why| Self::polled(scope, why), Self::Notified)
    }

    #[cfg(not(target_os = "linux"))]
    fn open(scope: &Scope) -> Self {
        Self::polled(scope, "there are no notifications on this system".to_owned())
    }

    fn polled(scope: &Scope, why: String) -> Self {
        Self::Polled { eyes: Polled::new(scope), why }
    }
}

/// True for a folder that holds no documents and changes all the time.
fn is_internal(name: &std::ffi::OsStr) -> bool {
    name == ".git"
}

/// Folders and files directly in a folder; none where it cannot be read.
fn entries(folder: &Path) -> impl Iterator<Item = std::fs::DirEntry> {
    std::fs::read_dir(folder).into_iter().flatten().filter_map(std::result::Result::ok)
}
