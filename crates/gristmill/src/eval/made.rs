//! Questions made by rule from the documents themselves.

use gristmill_core::Result;
use gristmill_eval::{Asked, known_items};

use super::corpus::Corpus;
use crate::config::Settings;
use crate::documents::Inputs;

/// Questions that the documents answer by the way they are written, each labelled with the rule that made it.
///
/// # Errors
/// When settings are wrong or nothing can be read.
pub fn make_questions(settings: &Settings, inputs: &Inputs) -> Result<Vec<Asked>> {
    let corpus = Corpus::read(settings, inputs)?;
    Ok(known_items(&corpus.sources))
}
