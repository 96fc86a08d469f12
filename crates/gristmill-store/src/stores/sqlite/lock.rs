//! One writer a tenant: an operating system's lock on a file beside the store. It ends with the process, so that a
//! killed run never bars the next one, and needs no clock.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use gristmill_core::{Result, Retry};

use super::failure::error;

/// Held while writing.
pub(super) struct WriteLock {
    _file: File,
}

impl WriteLock {
    /// Takes the lock of a tenant.
    ///
    /// # Errors
    /// When another run holds it, or the file cannot be made.
    pub(super) fn take(store: &Path, key: i64, tenant: &str) -> Result<Self> {
        let path = lock_path(store, key);
        let unusable =
            |cause| error(format!("the lock of the store cannot be taken: `{}`", path.display())).because(cause);
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(unusable)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => {
                Err(error(format!("another run is writing project `{tenant}` in the store: `{}`", store.display()))
                    .hint("wait until it has ended, or stop it; what it has committed stays")
                    .retry(Retry::Backoff))
            }
            Err(TryLockError::Error(cause)) => Err(unusable(cause)),
        }
    }
}

fn lock_path(store: &Path, key: i64) -> PathBuf {
    let mut path = store.as_os_str().to_owned();
    path.push(format!("-lock{key}"));
    path.into()
}
