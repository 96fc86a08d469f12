//! A file that became damaged does not take what was read of it before out of the store.

use gristmill_core::{Error, Reads, Result, StoredPoint};
use serde::Deserialize;

use super::diff::{Change, Why};
use super::document::Open;

/// The part of a record that tells where its text ends.
#[derive(Deserialize)]
struct Payload {
    metadata: Place,
}

#[derive(Deserialize)]
struct Place {
    char_end: u64,
}

/// Why a changed document may not replace the version that answers: text of it could not be read, and what could ends
/// before the text of that version.
pub(super) fn loss(open: &Open, stored: &dyn Reads) -> Result<Option<Error>> {
    let Some(missing) = &open.incomplete else { return Ok(None) };
    if !open.replaces() || open.work.change != Change::Modified(Why::Bytes) {
        return Ok(None);
    }
    let before = stored.points(open.work.document)?.iter().filter_map(end).max().unwrap_or(0);
    let now = open.end;
    let message = || {
        format!(
            "its last version stays (`ingest --rebuild` replaces it): {now} characters of text instead of {before}; {missing}"
        )
    };
    Ok((now < before).then(|| Error::input(message())))
}

/// Where the text of a point ends in its document, in characters.
fn end(point: &StoredPoint) -> Option<u64> {
    serde_json::from_str::<Payload>(&point.payload).ok().map(|payload| payload.metadata.char_end)
}
