//! Where the chunks of a comparison come from.

use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use gristmill_core::{Result, Store, StoredPoint};
use gristmill_format::chunk_file::{ChunkFile, Found};
use serde_json::Value;

use crate::config::Settings;
use crate::lint::open_chunks;
use crate::open::open_store;
use crate::own_text::own_text;
use crate::stored::each_point;

/// A set of chunks.
pub(super) enum Side {
    /// A file of any splitter.
    File(Box<ChunkFile>),
    /// A store, and its name.
    Store(Arc<dyn Store>, String),
}

/// What a chunk says of itself.
pub(super) struct Told<'a> {
    /// Its source; empty when it names none.
    pub source: Cow<'a, str>,
    /// The text that is embedded.
    pub content: &'a str,
    /// Its own part of that.
    pub own: &'a str,
    /// Its identity.
    pub id: Option<Cow<'a, str>>,
    /// First line of the source it stands on.
    pub line: Option<u64>,
}

/// How a store in a file begins.
const STORE: &[u8] = b"SQLite format 3\0";

impl Side {
    pub(super) fn open(settings: &Settings, path: &Path) -> Result<Self> {
        if !is_store(path) {
            return Ok(Self::File(Box::new(open_chunks(path)?)));
        }
        let mut settings = settings.clone();
        "sqlite".clone_into(&mut settings.store.kind);
        path.clone_into(&mut settings.store.path);
        Ok(Self::Store(open_store(&settings, false)?, path.display().to_string()))
    }

    pub(super) fn name(&self) -> String {
        match self {
            Self::File(file) => file.name().to_owned(),
            Self::Store(_, name) => name.clone(),
        }
    }

    /// Calls `take` with every chunk, in the same order each time.
    pub(super) fn each(&self, take: &mut dyn FnMut(&Told<'_>) -> Result<()>) -> Result<()> {
        match self {
            Self::File(file) => file.chunks().try_for_each(|found| take(&of_file(&found?))),
            Self::Store(store, _) => store.tracked()?.iter().try_for_each(|tracked| {
                each_point(store.as_ref(), tracked, &mut |point| of_store(&tracked.version.source, point, take))
            }),
        }
    }
}

fn is_store(path: &Path) -> bool {
    let mut start = [0; STORE.len()];
    File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok_and(|()| start == STORE)
}

fn of_file(found: &Found) -> Told<'_> {
    Told {
        source: found.source().unwrap_or_default(),
        content: found.text(),
        own: own_text(found.text(), found.field(&["parts"])),
        id: found.id(),
        line: found.field(&["line_start"]).and_then(Value::as_u64),
    }
}

fn of_store(source: &str, point: &StoredPoint, take: &mut dyn FnMut(&Told<'_>) -> Result<()>) -> Result<()> {
    let record: Value = serde_json::from_str(&point.payload).unwrap_or_default();
    let metadata = &record["metadata"];
    take(&Told {
        source: source.into(),
        content: &point.text,
        own: own_text(&point.text, metadata.get("parts")),
        id: Some(point.id.to_string().into()),
        line: metadata["line_start"].as_u64(),
    })
}
