//! What SQLite's errors mean to the people who see them.

use std::path::Path;

use gristmill_core::{Error, ErrorKind, Retry};
use rusqlite::ErrorCode;

/// Turns an error of SQLite into ours, naming the file.
pub(super) fn failed(path: &Path) -> impl Fn(rusqlite::Error) -> Error + '_ {
    move |cause| {
        let at = path.display();
        let error = match cause.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => not_a_store(path),
            Some(ErrorCode::DatabaseCorrupt) => damaged(path),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                error(format!("the store is busy: `{at}`")).retry(Retry::Backoff)
            }
            Some(ErrorCode::DiskFull) => error(format!("no space is left for the store: `{at}`")),
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
                error(format!("the store cannot be written: `{at}`"))
            }
            // SQLite knows no more than that, and names the file again.
            Some(ErrorCode::CannotOpen) => {
                return error(format!("the store cannot be opened: `{at}`"))
                    .hint("see whether the file and its folder may be used by you");
            }
            _ if is_broken(&cause) => broken_row(path),
            _ => error(format!("the store failed: `{at}`")),
        };
        // Its own cause says the same once more.
        error.because(cause.to_string())
    }
}

/// True where something else stands than we write.
pub(super) fn is_broken(cause: &rusqlite::Error) -> bool {
    match cause {
        // A value of another type or size.
        rusqlite::Error::FromSqlConversionFailure(..)
        | rusqlite::Error::InvalidColumnType(..)
        | rusqlite::Error::IntegralValueOutOfRange(..)
        | rusqlite::Error::Utf8Error(..) => true,
        // Someone has dropped one of ours.
        _ => cause.to_string().contains("no such table"),
    }
}

/// An error for a file that is no store of ours.
pub(super) fn not_a_store(path: &Path) -> Error {
    error(format!("the file is not a gristmill store: `{}`", path.display()))
        .hint("name another file in `[store] path`")
}

/// An error for a file with values that we never write.
pub(super) fn damaged(path: &Path) -> Error {
    error(format!("the store is damaged: `{}`", path.display()))
        .hint("move the file away and ingest again; the sources hold everything that was in it")
}

/// An error for a file in which something else stands than we write.
fn broken_row(path: &Path) -> Error {
    error(format!("the store is damaged: `{}`", path.display()))
        .hint("`gristmill verify --repair` finds and mends what differs; else move the file away and ingest again")
}

/// An error of the store.
pub(super) fn error(message: String) -> Error {
    Error::new(ErrorKind::Store, message)
}
