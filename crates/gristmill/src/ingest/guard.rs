//! What stops a run before it writes.

use gristmill_core::{Error, ErrorKind, Result, Tracked};

use crate::documents::Documents;

/// An empty source is not a deleted source.
pub(super) fn empty(documents: &Documents, tracked: &[Tracked], allowed: bool) -> Result<()> {
    if documents.all.is_empty() && !tracked.is_empty() && !allowed {
        let message = format!("the source holds no document, the store holds {}: nothing was removed", tracked.len());
        return Err(Error::new(ErrorKind::Guard, message)
            .hint("if the source is meant to be empty, run with `--allow-empty-source`"));
    }
    Ok(())
}

/// More than `most` percent of the documents that answer now would be gone.
pub(super) fn deletions(documents: &Documents, tracked: &[Tracked], most: Option<f64>) -> Result<()> {
    let Some(most) = most else { return Ok(()) };
    let gone: Vec<&Tracked> = tracked.iter().filter(|t| !documents.all.contains(&t.version.document)).collect();
    let share = gone.len() as f64 * 100.0 / tracked.len().max(1) as f64;
    if share <= most {
        return Ok(());
    }
    let named: Vec<String> = gone.iter().take(3).map(|t| format!("`{}`", t.version.source)).collect();
    let more = if gone.len() > named.len() { ", …" } else { "" };
    let message = format!(
        "{} of {} documents would be removed ({share:.1} %, at most {most} % allowed): {}{more}",
        gone.len(),
        tracked.len(),
        named.join(", ")
    );
    Err(Error::new(ErrorKind::Guard, message).hint("if that is meant, raise `--max-delete` or leave it out"))
}

/// Embedding would cost more than allowed.
pub(super) fn cost(cost: Option<f64>, most: Option<f64>) -> Result<()> {
    let Some(most) = most else { return Ok(()) };
    match cost {
        Some(cost) if cost <= most => Ok(()),
        Some(cost) => {
            let message = format!("embedding would cost {cost:.4} $, at most {most} $ allowed");
            Err(Error::new(ErrorKind::Guard, message).hint("raise `--max-cost`, or leave out some documents"))
        }
        None => {
            Err(Error::new(ErrorKind::Guard, "the price of the model is not known, so `--max-cost` cannot be kept")
                .hint("set `[embed] price` in dollars per million tokens, or leave out `--max-cost`"))
        }
    }
}
