//! The file that jobs are kept in.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use gristmill_core::{Error, ErrorKind, Result};
use rusqlite::{Connection, OpenFlags};

/// Marks a file as ours: `grij`.
const APPLICATION_ID: i64 = 0x6772_696a;
/// Version of the tables.
const VERSION: i64 = 1;

/// `job` is what is shown of a job; beside it stands what it is found by, and what is not shown. `ready_at` is in
/// milliseconds since 1970.
const TABLES: &str = "
CREATE TABLE jobs(
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    project TEXT NOT NULL,
    status TEXT NOT NULL,
    ready_at INTEGER NOT NULL,
    job TEXT NOT NULL,
    callback TEXT,
    report TEXT
) STRICT;
CREATE INDEX jobs_by_status ON jobs(status, project);
CREATE INDEX jobs_by_project ON jobs(project, key);
CREATE TABLE deliveries(
    provider TEXT NOT NULL,
    delivery TEXT NOT NULL,
    job INTEGER NOT NULL,
    at INTEGER NOT NULL,
    repository TEXT,
    branch TEXT,
    before_commit TEXT,
    after_commit TEXT,
    PRIMARY KEY(provider, delivery)
) STRICT;
CREATE INDEX deliveries_by_before ON deliveries(repository, branch, before_commit);
CREATE TABLE requests(
    project TEXT NOT NULL,
    key TEXT NOT NULL,
    digest TEXT NOT NULL,
    job INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY(project, key)
) STRICT;
CREATE TABLE plans(
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    project TEXT NOT NULL,
    at TEXT NOT NULL,
    plan TEXT NOT NULL
) STRICT;
";

pub(super) fn failed(error: rusqlite::Error) -> Error {
    Error::new(ErrorKind::Store, "the file of jobs cannot be used").because(error)
}

/// Opens the file, and makes it when it is new.
///
/// # Errors
/// When it cannot be written, or is of another version or program.
pub(super) fn open(path: &Path) -> Result<Connection> {
    if let Some(folder) = path.parent() {
        let unusable = || format!("the folder cannot be made: `{}`", folder.display());
        std::fs::create_dir_all(folder).map_err(|e| Error::new(ErrorKind::Store, unusable()).because(e))?;
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut db = Connection::open_with_flags(path, flags).map_err(failed)?;
    db.busy_timeout(Duration::from_secs(10)).map_err(failed)?;
    db.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF;")
        .map_err(failed)?;
    let transaction = db.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).map_err(failed)?;
    let pragma = |name| transaction.pragma_query_value(None, name, |row| row.get::<_, i64>(0)).map_err(failed);
    match (pragma("application_id")?, pragma("user_version")?) {
        (APPLICATION_ID, VERSION) => {}
        (0, 0) => {
            transaction.execute_batch(TABLES).map_err(failed)?;
            transaction.pragma_update(None, "application_id", APPLICATION_ID).map_err(failed)?;
            transaction.pragma_update(None, "user_version", VERSION).map_err(failed)?;
        }
        _ => {
            let message = format!("not a file of jobs of this version: `{}`", path.display());
            return Err(Error::new(ErrorKind::Store, message).hint("move it away; the server makes a new one"));
        }
    }
    transaction.commit().map_err(failed)?;
    Ok(db)
}

/// The right to run jobs of a file. It ends with the process, so that a killed server never bars the next one.
pub(super) struct RunLock {
    _file: File,
}

impl RunLock {
    /// Takes it.
    ///
    /// # Errors
    /// When another server has it.
    pub(super) fn take(jobs: &Path) -> Result<Self> {
        let mut path = jobs.as_os_str().to_owned();
        path.push("-lock");
        let path = PathBuf::from(path);
        let unusable = |cause| {
            let message = format!("the lock of the jobs cannot be taken: `{}`", path.display());
            Error::new(ErrorKind::Store, message).because(cause)
        };
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(unusable)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => {
                let message = format!("another server runs the jobs of this store: `{}`", jobs.display());
                Err(Error::new(ErrorKind::Store, message).hint("stop it, or name another `[store] path`"))
            }
            Err(TryLockError::Error(cause)) => Err(unusable(cause)),
        }
    }
}
