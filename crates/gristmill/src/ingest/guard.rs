//! What stops a run before it writes.

use gristmill_core::{DocumentId, Error, ErrorKind, Result, Tracked};
use gristmill_pipeline::sync::Gone;

use super::IngestOptions;
use crate::config::Settings;
use crate::documents::Documents;
use crate::inbox::is_there;

/// An empty source is not a deleted source. Where one of several was emptied by those who sent its documents, [`emptied`] looks at
/// the others.
pub(super) fn empty(settings: &Settings, documents: &Documents, tracked: &[Tracked], allowed: bool) -> Result<()> {
    let taken_back = || documents.empty.iter().any(|(name, _)| is_inbox(settings, name.as_deref()));
    if !documents.all.is_empty() || tracked.is_empty() || allowed || taken_back() {
        return Ok(());
    }
    let held = tracked.len();
    if let Some(unseen) = documents.unseen.first() {
        let name = if unseen.is_empty() { "the source" } else { unseen };
        let message = format!("{name} could not be looked at, the store holds {held} documents: nothing was removed");
        return Err(Error::new(ErrorKind::Guard, message).hint("is it there, and may it be read?"));
    }
    let message = format!("the source holds no document, the store holds {held}: nothing was removed");
    Err(Error::new(ErrorKind::Guard, message)
        .hint("if the source is meant to be empty, run with `--allow-empty-source`"))
}

fn is_inbox(settings: &Settings, name: Option<&str>) -> bool {
    name.is_some_and(|name| is_there(settings, name))
}

/// The same for one of several sources: its documents would all be gone.
pub(super) fn emptied(settings: &Settings, documents: &Documents, gone: &[Gone], allowed: bool) -> Result<()> {
    if allowed {
        return Ok(());
    }
    for (name, called) in documents.empty.iter().filter(|(name, _)| !is_inbox(settings, name.as_deref())) {
        let id = |path: &str| DocumentId::new(&settings.project, name.as_deref().unwrap_or_default(), path);
        let lost = gone.iter().filter(|gone| !gone.moved && gone.document == id(&gone.source)).count();
        if lost > 0 {
            let message =
                format!("the source `{called}` holds no document, the store holds {lost}: nothing was removed");
            return Err(Error::new(ErrorKind::Guard, message)
                .hint("if the source is meant to be empty, run with `--allow-empty-source`"));
        }
    }
    Ok(())
}

/// Percent of the documents that may be gone where documents are named on the command line and nothing else is said: who names
/// one file seldom means that all others are to be removed.
const NAMED: f64 = 50.0;

/// Fewer documents in the store are not guarded by [`NAMED`].
const FEW: usize = 4;

/// More documents that answer now would be gone than may be. `named`: the documents were named on the command line.
pub(super) fn deletions(gone: &[Gone], tracked: &[Tracked], options: &IngestOptions, named: bool) -> Result<()> {
    let unsaid = named && tracked.len() >= FEW && !options.allow_empty_source;
    let Some(most) = options.max_delete.or(unsaid.then_some(NAMED)) else { return Ok(()) };
    let gone: Vec<&Gone> = gone.iter().filter(|gone| !gone.moved).collect();
    let share = gone.len() as f64 * 100.0 / tracked.len().max(1) as f64;
    if share <= most {
        return Ok(());
    }
    let shown: Vec<String> = gone.iter().take(3).map(|gone| format!("`{}`", gone.source)).collect();
    let more = if gone.len() > shown.len() { ", …" } else { "" };
    let message = format!(
        "{} of {} documents would be removed ({share:.1} %, at most {most} % allowed): {}{more}",
        gone.len(),
        tracked.len(),
        shown.join(", ")
    );
    let hint = if options.max_delete.is_some() {
        "if that is meant, raise `--max-delete` or leave it out"
    } else {
        "what is not named is removed: name all sources in one call, keep them apart with `--project`, or run with \
         `--max-delete 100%`"
    };
    Err(Error::new(ErrorKind::Guard, message).hint(hint))
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
