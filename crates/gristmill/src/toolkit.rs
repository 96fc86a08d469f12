//! Settings become tools: tokenizers, strategies, cleaning rules.

use std::collections::BTreeMap;
use std::sync::Arc;

use gristmill_chunk::strategy;
use gristmill_core::{Error, Result, Sizer, Unit};
use gristmill_pipeline::{Cutting, EnrichOptions};
use gristmill_text::clean::{self, CleanOptions, Cleaner};
use gristmill_text::count::sizer;

use crate::config::{
    ChunkSettings, CleanSettings, DropKind, EnrichSettings, RepeatedBlocks, Settings, UnicodeForm, limits,
};
use crate::readers::Readers;
use crate::similar;

/// The tools of a run.
pub(crate) struct Toolkit {
    /// Cuts documents without a kind of their own.
    pub cutting: Cutting,
    /// Cuts documents of a kind.
    pub by_type: BTreeMap<String, Cutting>,
    /// Counts the tokens of records.
    pub tokens: Arc<dyn Sizer>,
    /// Reads.
    pub readers: Readers,
    /// Cleans.
    pub cleaner: Cleaner,
    /// Says what is copied into records.
    pub enrich: EnrichOptions,
}

impl Toolkit {
    /// Everything that can be wrong with the settings shows here, before any document is read.
    pub fn new(settings: &Settings) -> Result<Self> {
        let chunk = &settings.chunk;
        let cutting = cutting(chunk).map_err(|error| blame(settings, error))?;
        let tokens = match cutting.sizer.unit() {
            Unit::Tokens => Arc::clone(&cutting.sizer),
            _ => sizer(Unit::Tokens, &chunk.tokenizer)?,
        };
        let by_type = chunk.by_type.iter().map(|(name, own)| Ok((name.clone(), self::cutting(own)?)));
        let by_type = by_type.collect::<Result<_>>()?;
        let EnrichSettings { copy, detect_language, extract_keywords, .. } = settings.enrich.clone();
        let enrich = EnrichOptions { copy, detect_language, extract_keywords };
        let cleaner = Cleaner::new(&clean_options(&settings.clean)).map_err(|error| blame(settings, error))?;
        Ok(Self { cutting, by_type, tokens, readers: Readers::new(settings), cleaner, enrich })
    }

    /// How documents of a kind are cut.
    pub fn cutting(&self, document_type: Option<&str>) -> Cutting {
        document_type.and_then(|name| self.by_type.get(name)).unwrap_or(&self.cutting).clone()
    }
}

fn cutting(settings: &ChunkSettings) -> Result<Cutting> {
    Ok(Cutting {
        chunker: strategy(&settings.strategy)?,
        sizer: sizer(settings.unit.into(), &settings.tokenizer)?,
        limits: limits(settings),
        context: settings.context.into(),
        sentences_per_chunk: settings.sentences_per_chunk,
        similarity: (settings.strategy == "semantic").then(similar::built_in).transpose()?,
        threshold: settings.topic_threshold.0,
    })
}

/// Errors of strategies and tokenizers have hints of their own; those without say where the value was set.
fn blame(settings: &Settings, error: Error) -> Error {
    if error.hint_text().is_some() { error } else { settings.origins.blame("chunk", error.chain()) }
}

fn clean_options(settings: &CleanSettings) -> CleanOptions {
    let drop = settings.drop.iter().map(|kind| match kind {
        DropKind::Code => clean::Dropped::Code,
        DropKind::Quotes => clean::Dropped::Quotes,
        DropKind::Images => clean::Dropped::Images,
    });
    CleanOptions {
        blanks: settings.blanks,
        boilerplate: settings.boilerplate,
        repeated_blocks: match settings.repeated_blocks {
            RepeatedBlocks::Drop => clean::RepeatedBlocks::Drop,
            RepeatedBlocks::Keep => clean::RepeatedBlocks::Keep,
        },
        long_urls: (settings.long_urls > 0).then_some(settings.long_urls),
        unicode: match settings.unicode {
            UnicodeForm::Keep => clean::Unicode::None,
            UnicodeForm::Nfc => clean::Unicode::Nfc,
            UnicodeForm::Nfkc => clean::Unicode::Nfkc,
        },
        drop: drop.collect(),
        patterns: settings.patterns.clone(),
    }
}
