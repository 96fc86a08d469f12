//! Chunk files of any splitter: read, and written back with nothing changed but what is to be.
//!
//! - `json`: a list of chunks, or an object with the list under `chunks`, `documents`, `data` or `items`. Of several such
//!   lists the first in this order counts.
//! - `jsonl`, `ndjson`: one chunk a line; blank lines are kept.
//! - `parquet`: one chunk a row.
//! - `txt`, `md`: chunks between lines that are `---` (blanks may follow, nothing else). Only if no such line stands
//!   outside of fenced code, chunks between blank lines. Neither kind of line ends a chunk within fenced code: from a
//!   line of three or more backticks or tildes, indented or not, to the next line of at least as many of the same alone;
//!   a fence that is never closed holds nothing together. Blank lines around a chunk are not part of it, and where only
//!   blank lines stand there is no chunk. Front matter (a first line `---`, lines of YAML without a blank one, a line
//!   `---`) is kept and is no chunk.
//!
//! A byte order mark at the start is kept. A chunk is a text, or an object as described in [`keys`].

mod change;
mod found;
mod grammar;
mod index;
pub mod keys;
mod members;
#[cfg(feature = "parquet")]
mod parquet;
mod pieces;
mod splice;
mod stream;
mod write;

use std::fs::File;
use std::path::Path;

use gristmill_core::{Error, Result};

use pieces::{Layout, Piece, Pieces};
use stream::{Input, Store, unreadable};

pub use change::{Change, Notes, Verdict};
pub use found::Found;
pub use index::{Entry, Group, Index};
#[cfg(feature = "parquet")]
pub use {arrow_array::RecordBatch, parquet::rewrite_table, parquet::table_lines};

/// How the chunks stand in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChunkFormat {
    /// A JSON list, alone or in an object.
    Json,
    /// One JSON value a line.
    JsonLines,
    /// Rows of a table.
    Parquet,
    /// Text with blank lines or rules between chunks.
    Text,
}

impl ChunkFormat {
    /// The format with a name, which is also the extension of its files: `json`, `jsonl`, `ndjson`, `parquet`, `txt` or
    /// `md`.
    pub fn named(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "json" => Some(Self::Json),
            "jsonl" | "ndjson" => Some(Self::JsonLines),
            "parquet" => Some(Self::Parquet),
            "txt" | "md" => Some(Self::Text),
            _ => None,
        }
    }

    /// The format that the extension of a path tells.
    pub fn of_path(path: &Path) -> Option<Self> {
        Self::named(path.extension()?.to_str()?)
    }

    /// The format that the bytes look like.
    fn of_store(store: &Store) -> Result<Self> {
        let unreadable = |error| Error::input("cannot read the input").because(error);
        if store.starts_with(b"PAR1").map_err(unreadable)? {
            return Ok(Self::Parquet);
        }
        let mut input = Input::new(store, "", 0, 1);
        input.skip_mark()?;
        Ok(match grammar::space(&mut input, None)? {
            Some(b'[') => Self::Json,
            Some(b'{') if Layout::find(store, "", Self::Json).is_ok() => Self::Json,
            Some(b'{') => Self::JsonLines,
            _ => Self::Text,
        })
    }

    /// Its name: `json`, `jsonl`, `parquet` or `text`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::JsonLines => "jsonl",
            Self::Parquet => "parquet",
            Self::Text => "text",
        }
    }
}

/// An open chunk file. Holds none of its chunks; several threads may read from it.
#[derive(Debug)]
pub struct ChunkFile {
    name: String,
    format: ChunkFormat,
    /// What chunks are read from: the file, of a table its rows as JSON Lines in a temporary file.
    store: Store,
    layout: Layout,
    #[cfg(feature = "parquet")]
    table: Option<parquet::Table>,
}

impl ChunkFile {
    /// Opens a file. `name` stands for it in messages.
    ///
    /// # Errors
    /// Input: it cannot be read, or has no chunks where the format has them.
    pub fn open(path: &Path, name: &str, format: ChunkFormat) -> Result<Self> {
        let failed = |error| Error::input(format!("cannot open `{name}`")).because(error);
        let file = File::open(path).map_err(failed)?;
        if file.metadata().map_err(failed)?.is_file() {
            return Self::of_store(Store::File(file), name, format);
        }
        // What comes through a pipe cannot be read twice.
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut &file, &mut bytes).map_err(failed)?;
        Self::from_bytes(bytes, name, Some(format))
    }

    /// Takes bytes that are held already, such as those of standard input; without a format, the one they look like: a
    /// list or an object with one is `json`, other objects are `jsonl`, all else is text.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn from_bytes(bytes: Vec<u8>, name: &str, format: Option<ChunkFormat>) -> Result<Self> {
        let store = Store::Bytes(bytes);
        let format = format.map_or_else(|| ChunkFormat::of_store(&store), Ok)?;
        Self::of_store(store, name, format)
    }

    #[cfg(feature = "parquet")]
    fn of_store(store: Store, name: &str, format: ChunkFormat) -> Result<Self> {
        let (store, table) = match format {
            ChunkFormat::Parquet => {
                let (rows, table) = parquet::open(store, name)?;
                (rows, Some(table))
            }
            _ => (store, None),
        };
        let layout = Layout::find(&store, name, format)?;
        Ok(Self { name: name.to_owned(), format, store, layout, table })
    }

    #[cfg(not(feature = "parquet"))]
    fn of_store(store: Store, name: &str, format: ChunkFormat) -> Result<Self> {
        if format == ChunkFormat::Parquet {
            return Err(Error::input(format!("this build cannot read Parquet files: `{name}`"))
                .hint("build with the feature `parquet`"));
        }
        let layout = Layout::find(&store, name, format)?;
        Ok(Self { name: name.to_owned(), format, store, layout })
    }

    /// Its name in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its format.
    pub fn format(&self) -> ChunkFormat {
        self.format
    }

    /// Its chunks, one after another; after an error there is nothing more.
    pub fn chunks(&self) -> impl Iterator<Item = Result<Found>> + '_ {
        let mut walk = self.walk();
        std::iter::from_fn(move || walk.next().map(|next| next.map(|(found, _)| found)))
    }

    /// Where its chunks stand.
    ///
    /// # Errors
    /// Input: something is no chunk, or the file ends in the middle; with the line.
    pub fn index(&self) -> Result<Index> {
        let mut index = index::Builder::default();
        let mut walk = self.walk();
        while let Some(next) = walk.next() {
            let (found, place) = next?;
            index.add(&found, &self.name, place.0, place.1)?;
        }
        Ok(index.done())
    }

    /// The chunk at a place of the index; `index` is that place.
    ///
    /// # Errors
    /// Input: the file can no longer be read, or is no longer what it was.
    pub fn read_at(&self, index: usize, entry: &Entry) -> Result<Found> {
        let bytes = self.store.piece(entry.offset, entry.length as usize);
        self.found(&bytes.map_err(|error| unreadable(&self.name, error))?, index, entry.line)
    }

    /// True when a chunk of this file can have `text`. In a text file no chunk can hold what would end it.
    pub fn can_hold(&self, text: &str) -> bool {
        match &self.layout {
            Layout::Text(layout) => pieces::is_one_chunk(text, layout.ruled),
            Layout::Json(_) | Layout::Lines { .. } => true,
        }
    }

    fn walk(&self) -> Walk<'_> {
        let pieces = Pieces::new(&self.store, &self.name, &self.layout);
        Walk { file: self, pieces, piece: Piece::default(), count: 0, done: false }
    }

    /// What stands in the bytes of chunk `index`.
    fn found(&self, bytes: &[u8], index: usize, line: u64) -> Result<Found> {
        let place = |line: u64| match self.format {
            ChunkFormat::Parquet => format!("`{}`, row {line}", self.name),
            _ => format!("`{}`, line {line}", self.name),
        };
        let value = if self.format == ChunkFormat::Text {
            let text = std::str::from_utf8(bytes).map_err(|error| {
                let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
                let lines = memchr::memchr_iter(b'\n', before).count() as u64;
                Error::input(format!("{}: chunk {index} is not UTF-8", place(line + lines)))
            })?;
            text.into()
        } else {
            serde_json::from_slice(bytes).map_err(|error| {
                let (line, column) = (line + (error.line() as u64).saturating_sub(1), error.column());
                let text = error.to_string();
                let problem = text.rsplit_once(" at line ").map_or(text.as_str(), |(problem, _)| problem);
                let error =
                    Error::input(format!("{}: chunk {index} is not JSON: {problem}, at byte {column}", place(line)));
                let is_list = self.format == ChunkFormat::JsonLines && (bytes.starts_with(b"[") || bytes == b"{");
                if is_list { error.hint("a file with one list of chunks is to be named `.json`") } else { error }
            })?
        };
        Found::new(value, index, line).map_err(|why| Error::input(format!("{}: chunk {index} {why}", place(line))))
    }
}

/// Goes through the chunks of a file.
struct Walk<'a> {
    file: &'a ChunkFile,
    pieces: Pieces<'a>,
    piece: Piece,
    count: usize,
    done: bool,
}

impl Walk<'_> {
    /// The next chunk, and offset and length of its bytes.
    fn next(&mut self) -> Option<Result<(Found, (u64, usize))>> {
        if self.done {
            return None;
        }
        let next = self.advance().transpose();
        self.done = !matches!(next, Some(Ok(_)));
        next
    }

    fn advance(&mut self) -> Result<Option<(Found, (u64, usize))>> {
        if !self.pieces.next(&mut self.piece)? {
            return Ok(None);
        }
        let Piece { bytes, offset, line, .. } = &self.piece;
        let found = self.file.found(bytes, self.count, *line)?;
        self.count += 1;
        Ok(Some((found, (*offset, bytes.len()))))
    }
}
