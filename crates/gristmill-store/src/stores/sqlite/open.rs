//! Opening a store to read it. Whoever may read the file may search it, without the right to write there.
//!
//! SQLite keeps two files beside a store that is in use (`-wal`, `-shm`) and makes them even to read. Where that is not
//! allowed and no changes wait in `-wal`, the file alone is the whole store and is read as it stands (`immutable`). Where
//! changes wait, they are read with it as long as the files of the run that writes them can be used.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use gristmill_core::{Error, Result};
use rusqlite::{Connection, ErrorCode, MAIN_DB, OpenFlags};

use super::failure::{error, failed, not_a_store};
use super::schema;

/// Opens the store in a file and writes nothing into it.
///
/// # Errors
/// When the file is absent, cannot be read, is not a store, or was written by another version of the program.
pub(super) fn open(path: &Path) -> Result<Connection> {
    let size = std::fs::metadata(path).map_err(|cause| absent(path, cause))?.len();
    if size == 0 {
        // What a run leaves that is killed in its first moment.
        return Err(error(format!("the file of the store is empty: `{}`", path.display()))
            .hint("run `gristmill ingest`, which makes it a store"));
    }
    let db = connect(path)?;
    if !schema::is_store(&db, path)? {
        return Err(not_a_store(path));
    }
    schema::configure(&db, path)?;
    Ok(db)
}

fn absent(path: &Path, cause: std::io::Error) -> Error {
    if cause.kind() == std::io::ErrorKind::NotFound {
        return error(format!("there is no store: `{}`", path.display())).hint("run `gristmill ingest` first");
    }
    error(format!("the store cannot be read: `{}`", path.display())).because(cause)
}

/// A connection over which the file can be read.
fn connect(path: &Path) -> Result<Connection> {
    let failed = failed(path);
    // The system decides whether the file may be written; if not, this is a connection for reading only.
    let db = connection(path, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(&failed)?;
    if !db.is_readonly(MAIN_DB).map_err(&failed)? && readable(&db).map_err(&failed)? {
        return Ok(db);
    }
    drop(db);
    let file = std::fs::canonicalize(path).map_err(|cause| absent(path, cause))?;
    if !changes_wait(&file) {
        return immutable(&file).map_err(&failed);
    }
    let db = connection(path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(&failed)?;
    if readable(&db).map_err(&failed)? {
        return Ok(db);
    }
    Err(error(format!("the store cannot be read without permission to write beside it: `{}`", path.display()))
        .hint("a run has left changes in the file `-wal` beside it; search once as the user who ingested"))
}

fn connection(path: &Path, access: OpenFlags) -> rusqlite::Result<Connection> {
    let db = Connection::open_with_flags(path, access | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    db.busy_timeout(schema::BUSY_TIMEOUT)?;
    Ok(db)
}

/// Reads the first page. False when that takes a right that is missing.
fn readable(db: &Connection) -> rusqlite::Result<bool> {
    match db.pragma_query_value(None, "schema_version", |_| Ok(())) {
        Err(cause) if denied(&cause) => Ok(false),
        result => result.map(|()| true),
    }
}

fn denied(cause: &rusqlite::Error) -> bool {
    let code = cause.sqlite_error_code();
    matches!(code, Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied))
}

/// True when the store is more than its file.
fn changes_wait(file: &Path) -> bool {
    let mut log = file.as_os_str().to_owned();
    log.push("-wal");
    std::fs::metadata(PathBuf::from(log)).is_ok_and(|log| log.len() > 0)
}

/// Reads the file alone, without locks or files beside it.
fn immutable(file: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    Connection::open_with_flags(address(file), flags)
}

/// The `file:` URI of an absolute path for [`immutable`].
fn address(file: &Path) -> String {
    let mut out = String::from("file://");
    let path = file.as_os_str().as_encoded_bytes();
    if path.first() != Some(&b'/') {
        out.push('/');
    }
    for &byte in path {
        match byte {
            b'\\' if cfg!(windows) => out.push('/'),
            b'/' | b'.' | b'-' | b'_' => out.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            // Writing to a string cannot fail.
            _ => drop(write!(out, "%{byte:02X}")),
        }
    }
    out + "?immutable=1"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_read_without_a_trace() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("50 % ü?#&.db");
        drop(schema::open(&file).unwrap());
        let before = std::fs::read(&file).unwrap();
        assert!(!changes_wait(&file));
        let db = immutable(&file).unwrap();
        assert!(schema::is_store(&db, &file).unwrap());
        assert_eq!(names(folder.path()), ["50 % ü?#&.db"]);
        assert!(db.execute("DELETE FROM tenants", []).is_err_and(|cause| denied(&cause)));
        drop(db);
        assert_eq!(std::fs::read(&file).unwrap(), before);
    }

    #[test]
    fn changes_beside_the_file_are_seen() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("store.db");
        let writer = schema::open(&file).unwrap();
        writer.execute("INSERT INTO tenants(name) VALUES('a')", []).unwrap();
        assert!(changes_wait(&file));
        let db = connection(&file, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
        assert!(readable(&db).unwrap());
        assert_eq!(db.query_row("SELECT count(*) FROM tenants", [], |row| row.get::<_, i64>(0)).unwrap(), 1);
    }

    #[test]
    fn an_address_holds_any_path() {
        assert_eq!(address(Path::new("/a b/c?d#%.db")), "file:///a%20b/c%3Fd%23%25.db?immutable=1");
    }
}
