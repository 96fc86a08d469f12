//! How much text documents become, for what embedding it costs.

use std::collections::HashSet;

use gristmill_core::{Fingerprint, Result};
use gristmill_format::{Record, RunReport};
use gristmill_pipeline::Sink;
use serde::Serialize;

use crate::config::Settings;
use crate::documents::{Documents, Inputs};
use crate::run::{RunCx, run_over};
use crate::toolkit::Toolkit;

/// The text that embedding a corpus takes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CorpusTokens {
    /// Documents that were read.
    pub documents: u64,
    /// Chunks that they become.
    pub chunks: u64,
    /// Different texts among them: each is embedded once.
    pub texts: u64,
    /// Tokens of these.
    pub tokens: u64,
    /// Tokens of the largest.
    pub largest: u64,
    /// What tokens were counted with.
    pub tokenizer: String,
}

/// Reads and cuts documents and counts the tokens of what would be embedded, were nothing stored yet.
///
/// # Errors
/// When settings are wrong or nothing can be listed. Documents that cannot be read are in the report.
pub fn corpus_tokens(settings: &Settings, inputs: &Inputs, cx: &mut RunCx<'_>) -> Result<(CorpusTokens, RunReport)> {
    let toolkit = Toolkit::new(settings)?;
    let documents = Documents::list(settings, inputs)?;
    let mut count = Count::default();
    let report = run_over(settings, &toolkit, &documents, &mut count, cx)?;
    count.sum.documents = report.totals.documents - report.totals.failed;
    toolkit.tokens.name().clone_into(&mut count.sum.tokenizer);
    Ok((count.sum, report))
}

#[derive(Default)]
struct Count {
    seen: HashSet<Fingerprint>,
    sum: CorpusTokens,
}

impl Sink for Count {
    fn record(&mut self, record: &Record<'_>) -> Result<()> {
        self.sum.chunks += 1;
        if self.seen.insert(Fingerprint::of(record.content.as_bytes())) {
            self.sum.texts += 1;
            self.sum.tokens += record.token_count;
            self.sum.largest = self.sum.largest.max(record.token_count);
        }
        Ok(())
    }
}
