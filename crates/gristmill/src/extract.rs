//! What a reader makes of a file.

use gristmill_core::{Document, Error, Outcome, Result};
use gristmill_pipeline::read_whole;

use crate::config::Settings;
use crate::documents::{Documents, Inputs};
use crate::readers::Readers;

/// Takes a document by its path, or why it could not be read.
pub type Take<'a> = dyn FnMut(&str, Result<Outcome<Document>>) -> Result<()> + 'a;

/// Reads each document whole, without cleaning or cutting, and hands it on with its problems. Documents that cannot be
/// read come as errors with their path.
///
/// # Errors
/// When nothing can be listed, or `take` fails.
pub fn extract(settings: &Settings, inputs: &Inputs, take: &mut Take<'_>) -> Result<()> {
    let documents = Documents::list(settings, inputs)?;
    let readers = Readers::new(settings);
    let pick = |path: &str, head: &[u8]| readers.pick(path, head);
    for (index, job) in documents.jobs.iter().enumerate() {
        let read = documents.fetch(index).and_then(|content| read_whole(job, content.as_ref(), &pick));
        take(&job.source, read.map_err(|error| named(&job.source, error)))?;
    }
    Ok(())
}

fn named(source: &str, error: Error) -> Error {
    let text = error.chain();
    if text.contains(source) { error } else { Error::new(error.kind(), format!("{source}: {text}")) }
}
