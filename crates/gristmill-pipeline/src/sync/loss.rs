//! A file that became damaged does not take what was read of it before out of the store.

use gristmill_core::{Error, Reads, Result, StoredPoint};
use gristmill_format::Record;
use serde::Deserialize;

use super::diff::{Change, Why, Work};
use crate::run::Arrival;

/// The part of a record that tells where its text ends.
#[derive(Deserialize)]
struct Payload {
    metadata: Place,
}

#[derive(Deserialize)]
struct Place {
    char_end: u64,
}

/// A changed document of which text could not be read, and which would replace a version that answers. Nothing is to be done
/// with its chunks until all of them have come.
pub struct Doubtful {
    /// What was said about text that could not be read.
    missing: String,
    /// Where the text of its chunks ends, in characters.
    end: u64,
}

impl Doubtful {
    /// `None` for a document that may replace what there is.
    pub fn of(work: &Work, arrival: &Arrival<'_>) -> Option<Self> {
        let missing = arrival.incomplete?.message.clone();
        (work.answers && work.change == Change::Modified(Why::Bytes)).then_some(Self { missing, end: 0 })
    }

    /// A chunk of it has come.
    pub fn add(&mut self, record: &Record<'_>) {
        self.end = self.end.max(record.metadata.char_end);
    }

    /// Why it may not replace what is `stored`, once all of its chunks have come: its text ends before that of the version
    /// that answers.
    ///
    /// # Errors
    /// Those of the store.
    pub fn loss(&self, work: &Work, source: &str, stored: &dyn Reads) -> Result<Option<Error>> {
        let before = stored.points(work.document)?.iter().filter_map(end).max().unwrap_or(0);
        let (now, missing) = (self.end, &self.missing);
        let message = || {
            format!(
                "its last version stays (`ingest --only '{source}' --rebuild` replaces it): {now} characters of text instead \
                 of {before}; {missing}"
            )
        };
        Ok((now < before).then(|| Error::input(message())))
    }
}

/// Where the text of a point ends in its document, in characters.
fn end(point: &StoredPoint) -> Option<u64> {
    serde_json::from_str::<Payload>(&point.payload).ok().map(|payload| payload.metadata.char_end)
}
