//! The tables, and how a file becomes a store.

use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Duration;

use gristmill_core::{Error, Result};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};

use super::failure::{error, failed};
use super::{collections, index};

/// Marks a file as ours: `gris`.
const APPLICATION_ID: i64 = 0x6772_6973;
/// Version of the tables.
const SCHEMA_VERSION: i64 = 4;
/// Versions before, which become this one when they are written: of 3 and 2 the words are in tables of FTS5, one for each
/// collection, and the vectors of 2 have no seals.
const OLDER: RangeInclusive<i64> = 2..=3;
/// How long a call waits for another one to end.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// Keys of chunks are `collection << COLLECTION_SHIFT` and a running number, so that a collection's rows lie together.
const COLLECTION_SHIFT: u32 = 40;

/// A tenant has a collection that answers and may have one that does not yet. `chunks.key` = `vectors.key` = key of a text
/// in the index of words. A seal tells which text a vector was stored for. `kept` holds vectors of texts that are
/// not searched yet. A collection's key is never used again, so that whoever still reads a collection that is gone never
/// sees another's.
const TABLES: &str = "
CREATE TABLE tenants(
    key INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE collections(
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant INTEGER NOT NULL,
    answers INTEGER NOT NULL,
    model TEXT NOT NULL,
    dimensions INTEGER,
    UNIQUE(tenant, answers)
) STRICT;
CREATE TABLE documents(
    key INTEGER PRIMARY KEY,
    collection INTEGER NOT NULL,
    id BLOB NOT NULL,
    source TEXT NOT NULL,
    source_hash BLOB NOT NULL,
    recipe TEXT NOT NULL,
    total_chunks INTEGER NOT NULL,
    committed INTEGER NOT NULL,
    complete INTEGER NOT NULL,
    UNIQUE(collection, id)
) STRICT;
CREATE TABLE chunks(
    key INTEGER PRIMARY KEY,
    collection INTEGER NOT NULL,
    id BLOB NOT NULL,
    document INTEGER NOT NULL,
    position INTEGER NOT NULL,
    content_hash BLOB NOT NULL,
    payload TEXT NOT NULL,
    text TEXT NOT NULL,
    UNIQUE(document, id)
) STRICT;
CREATE INDEX chunks_by_document ON chunks(document, position);
CREATE INDEX chunks_by_hash ON chunks(collection, content_hash);
CREATE TABLE vectors(
    key INTEGER PRIMARY KEY,
    vector BLOB NOT NULL,
    seal INTEGER
) STRICT;
CREATE TABLE kept(
    collection INTEGER NOT NULL,
    content_hash BLOB NOT NULL,
    document INTEGER NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY(collection, content_hash, document)
) STRICT;
CREATE INDEX kept_by_document ON kept(document);
";

/// Opens a file to write, and makes it and its tables when it is new.
///
/// # Errors
/// When the file cannot be written, is not a store, or was written by another version.
pub(super) fn open(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)
            .map_err(|cause| error(format!("the folder cannot be made: `{}`", folder.display())).because(cause))?;
    }
    let mut db = Connection::open_with_flags(path, flags).map_err(failed(path))?;
    set_up(&mut db, path)?;
    Ok(db)
}

fn set_up(db: &mut Connection, path: &Path) -> Result<()> {
    let failed = failed(path);
    db.busy_timeout(BUSY_TIMEOUT).map_err(&failed)?;
    // Only takes effect before the first table is made.
    db.execute_batch("PRAGMA page_size = 16384").map_err(&failed)?;
    upgrade(db).map_err(&failed)?;
    if !is_store(db, path)? {
        use_log(db).map_err(&failed)?;
        create(db, path)?;
    }
    configure(db, path)
}

/// How often, and after what pause, a step is tried again that SQLite does not wait for by itself.
const TRIES: u32 = 200;
const PAUSE: Duration = Duration::from_millis(25);

/// Changes to a write-ahead log. SQLite does not wait where another process reads or makes the file at the same moment.
fn use_log(db: &Connection) -> rusqlite::Result<()> {
    let mut tries = 0;
    loop {
        match db.execute_batch("PRAGMA journal_mode = WAL") {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && tries < TRIES => {
                tries += 1;
                std::thread::sleep(PAUSE);
            }
            other => return other,
        }
    }
}

/// Sets what holds for one connection, whether it reads or writes. Changes go from the log into the file when there are
/// 64 MB of them: hashes are random, so that every call changes pages all over their index, and the longer the log the
/// more often a page goes into the file once for several calls.
pub(super) fn configure(db: &Connection, path: &Path) -> Result<()> {
    db.set_prepared_statement_cache_capacity(64);
    // Otherwise a statement is planned anew for each value that is bound to it.
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map_err(failed(path))?;
    db.execute_batch(
        "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536;
        PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = 67108864;",
    )
    .map_err(failed(path))
}

/// True for a store of this version, false for an empty file.
pub(super) fn is_store(db: &Connection, path: &Path) -> Result<bool> {
    // One view of the file: another process may make the tables between two of the questions.
    let view = if db.is_autocommit() { Some(db.unchecked_transaction().map_err(failed(path))?) } else { None };
    let known = knows(db, path);
    view.map_or(Ok(()), Transaction::finish).map_err(failed(path))?;
    known
}

fn knows(db: &Connection, path: &Path) -> Result<bool> {
    let pragma = |name| db.pragma_query_value(None, name, |row| row.get::<_, i64>(0)).map_err(failed(path));
    let tables: i64 = db.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).map_err(failed(path))?;
    match (pragma("application_id")?, pragma("user_version")?) {
        (APPLICATION_ID, SCHEMA_VERSION) => Ok(true),
        (APPLICATION_ID, version) => Err(wrong_version(path, version)),
        (0, 0) if tables == 0 => Ok(false),
        _ => Err(error(format!("the file is a database of another program: `{}`", path.display()))
            .hint("name another file in `[store] path`")),
    }
}

fn wrong_version(path: &Path, version: i64) -> Error {
    error(format!("the store has version {version}, this program reads version {SCHEMA_VERSION}: `{}`", path.display()))
        .hint(if OLDER.contains(&version) {
            "run `gristmill ingest`, which makes it one of this version and embeds nothing anew"
        } else {
            "use the program that wrote it, or move the file away and ingest again"
        })
}

fn create(db: &mut Connection, path: &Path) -> Result<()> {
    let failed = failed(path);
    let transaction = db.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&failed)?;
    // Another process may have been faster.
    if !is_store(&transaction, path)? {
        transaction.execute_batch(TABLES).map_err(&failed)?;
        transaction.execute_batch(index::TABLES).map_err(&failed)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID).map_err(&failed)?;
        transaction.pragma_update(None, "user_version", SCHEMA_VERSION).map_err(&failed)?;
    }
    transaction.commit().map_err(&failed)
}

/// Makes a store of an older version one of this.
fn upgrade(db: &mut Connection) -> rusqlite::Result<()> {
    let version = |db: &Connection| {
        let ours = db.pragma_query_value(None, "application_id", |row| row.get::<_, i64>(0))? == APPLICATION_ID;
        db.pragma_query_value(None, "user_version", |row| row.get(0)).map(|version| if ours { version } else { 0 })
    };
    if !OLDER.contains(&version(db)?) {
        return Ok(());
    }
    let transaction = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have been faster.
    let version = version(&transaction)?;
    if OLDER.contains(&version) {
        if version == *OLDER.start() {
            transaction.execute_batch("ALTER TABLE vectors ADD COLUMN seal INTEGER")?;
        }
        for collection in collections::all(&transaction)? {
            transaction.execute_batch(&format!("DROP TABLE IF EXISTS words_{collection}"))?;
            index::rebuild(&transaction, collection)?;
        }
        transaction.execute_batch(index::TABLES)?;
        transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    }
    transaction.commit()
}

/// The first and the last key that a chunk of the collection may have.
pub(super) fn keys(collection: i64) -> [i64; 2] {
    let first = collection << COLLECTION_SHIFT;
    [first, first | ((1 << COLLECTION_SHIFT) - 1)]
}
