//! Vectors of texts that are at hand.

use gristmill_core::{Error, Result, Unit};

use crate::config::Settings;
use crate::open::{open_embedder, open_queue};

/// A vector of unit length for each text, in order; an empty one for a text that is blank or that the model knows nothing of.
/// Equal texts are embedded once, services are asked as for an ingest.
///
/// # Errors
/// When settings are wrong, the service cannot be used, or a text cannot be embedded: the first such.
pub fn embed_given(settings: &Settings, texts: &[String]) -> Result<Vec<Vec<f32>>> {
    let embedder = open_embedder(settings)?;
    let sizer = gristmill_text::count::sizer(Unit::Tokens, &settings.chunk.tokenizer)?;
    let mut queue = open_queue(&embedder)?;
    let mut vectors = vec![Vec::new(); texts.len()];
    let mut asked = 0;
    for (index, text) in texts.iter().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
        queue.push(index as u64, text, sizer.size(text));
        asked += 1;
    }
    while asked > 0 {
        let come = queue.take(true)?;
        if come.is_empty() {
            return Err(Error::bug("texts that were to be embedded have gone"));
        }
        for embedded in come {
            let index = usize::try_from(embedded.key).unwrap_or(usize::MAX);
            let place = vectors.get_mut(index).ok_or_else(|| Error::bug("a vector of no text"))?;
            let failed = |error| Error::input(format!("the text at index {index} cannot be embedded")).because(error);
            *place = embedded.vector.map_err(failed)?;
            asked -= 1;
        }
    }
    Ok(vectors)
}
