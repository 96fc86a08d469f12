//! Search over a store: so that people can see what their chunks do.

mod filter;
mod passage;

use std::sync::Arc;

use gristmill_core::{Embedder, Error, Hit, Purpose, Query, Result, Retriever, Store, Unit};

pub use self::passage::Passage;
use crate::config::Settings;
use crate::open::{open_embedder, open_store, wanted};

/// How to search.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// How hits are found.
    pub retriever: Retriever,
    /// Hits at most.
    pub limit: usize,
    /// `field=value`, all of which must hold. A field without a dot is one of the record (`content`), else of its metadata
    /// (`source`), else of the attributes that documents declare.
    pub filters: Vec<String>,
    /// Neighbours before and after each hit that its passage takes in.
    pub expand: u32,
    /// The passage of a hit takes in the section it stands in.
    pub parent: bool,
    /// Tokens of all passages together at most.
    pub budget: Option<usize>,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self { retriever: Retriever::Hybrid, limit: 5, filters: Vec::new(), expand: 0, parent: false, budget: None }
    }
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The best hits, best first.
    pub hits: Vec<Hit>,
    /// What to read of them, when neighbours, sections or a budget were asked for; best first.
    pub passages: Vec<Passage>,
}

/// The best hits for a question with what stands around them.
///
/// # Errors
/// As for [`search`].
pub fn search_passages(settings: &Settings, question: &str, options: &SearchOptions) -> Result<Found> {
    ensure_asked(question)?;
    let store = open_store(settings, false)?;
    let hits = hits(store.as_ref(), settings, question, options)?;
    let asked = options.expand > 0 || options.parent || options.budget.is_some();
    let sizer = gristmill_text::count::sizer(Unit::Tokens, &settings.chunk.tokenizer)?;
    let passages = if asked { passage::passages(store.as_ref(), &hits, options, sizer.as_ref())? } else { Vec::new() };
    Ok(Found { hits, passages })
}

/// The best hits for a question, best first.
///
/// # Errors
/// When the store is absent or cannot be read, a filter cannot be understood, or nothing was found and a filter names a field
/// that nothing in the store has.
pub fn search(settings: &Settings, question: &str, options: &SearchOptions) -> Result<Vec<Hit>> {
    ensure_asked(question)?;
    hits(open_store(settings, false)?.as_ref(), settings, question, options)
}

fn ensure_asked(question: &str) -> Result<()> {
    if question.trim().is_empty() { Err(Error::usage("the question is empty")) } else { Ok(()) }
}

fn hits(store: &dyn Store, settings: &Settings, question: &str, options: &SearchOptions) -> Result<Vec<Hit>> {
    let filters = options.filters.iter().map(|text| filter::read(text)).collect::<Result<Vec<_>>>()?;
    let vector = match options.retriever {
        Retriever::Bm25 => None,
        Retriever::Dense | Retriever::Hybrid => query_vector(embedder_of(store, settings)?.as_ref(), question)?,
    };
    let hits = store.search(&Query {
        text: question,
        vector: vector.as_deref(),
        retriever: options.retriever,
        limit: options.limit,
        filters: &filters,
    })?;
    if hits.is_empty() && options.limit > 0 {
        filter::ensure_known(store, &filters)?;
    }
    Ok(hits)
}

/// The model of the vectors that answer: that of the settings, or the one before it while the new one is being built up.
/// Vectors of different models never meet in one search.
fn embedder_of(store: &dyn Store, settings: &Settings) -> Result<Arc<dyn Embedder>> {
    let embedder = open_embedder(settings)?;
    let Some(there) = store.spec()?.filter(|there| !there.agrees(&wanted(embedder.as_ref()))) else {
        return Ok(embedder);
    };
    let mut before = settings.clone();
    if let Some((provider, model)) = there.model.split_once('/') {
        let model = model.split_once('@').map_or(model, |(model, _)| model);
        let same = provider == settings.embed.provider;
        before.embed.provider = provider.to_owned();
        before.embed.model = Some(model.to_owned());
        before.embed.dimensions = there.dimensions.filter(|_| there.model.contains('@'));
        if !same {
            (before.embed.base_url, before.embed.api_key) = (None, None);
        }
    }
    match open_embedder(&before) {
        Ok(embedder) if there.agrees(&wanted(embedder.as_ref())) => Ok(embedder),
        _ => {
            let message =
                format!("the store holds vectors of `{}`, the settings name `{}`", there.model, embedder.name());
            Err(Error::config(message)
                .hint("run `gristmill ingest` with these settings, or search by words alone with `--retriever bm25`"))
        }
    }
}

fn query_vector(embedder: &dyn Embedder, question: &str) -> Result<Option<Vec<f32>>> {
    let made = embedder.embed(&[question], Purpose::Query).map_err(Error::from)?;
    Ok(made.into_iter().next().filter(|vector| !vector.is_empty()))
}
