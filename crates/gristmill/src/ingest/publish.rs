//! When vectors of another model take over.

use std::collections::HashSet;

use gristmill_core::{DocumentId, Result, Tracked, Writer};

use super::IngestReport;
use crate::documents::Documents;

/// Lets a collection that was made for another model answer, once it has every document that answers now and is still
/// listed. Until then the old one answers.
pub(super) fn publish(
    report: &mut IngestReport,
    documents: &Documents,
    only: Option<&HashSet<DocumentId>>,
    answering: &[Tracked],
    writer: &mut dyn Writer,
) -> Result<()> {
    if !writer.is_shadow() {
        return Ok(());
    }
    let tracked = writer.tracked()?;
    let complete: HashSet<DocumentId> = tracked.iter().filter(|t| t.complete).map(|t| t.version.document).collect();
    // What was not looked at may still be there.
    let listed =
        |document: DocumentId| documents.all.contains(&document) || only.is_some_and(|only| !only.contains(&document));
    let missing = answering.iter().filter(|t| t.committed && listed(t.version.document));
    let missing: Vec<&Tracked> = missing.filter(|t| !complete.contains(&t.version.document)).collect();
    let Some(first) = missing.first() else {
        writer.publish()?;
        report.published = true;
        return Ok(());
    };
    let model = &writer.spec().model;
    report.unpublished = Some(format!(
        "the vectors of `{model}` do not answer yet, those of the model before do: {} of the documents that answer now \
         {} not complete, first `{}`",
        missing.len(),
        if missing.len() == 1 { "is" } else { "are" },
        first.version.source
    ));
    Ok(())
}
