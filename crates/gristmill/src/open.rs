//! Embedder and store of the settings.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use gristmill_core::{EmbedQueue, Embedder, Result, Store, VectorSpec};
use gristmill_embed::{EmbedderOptions, embedder};
use gristmill_store::{StoreOptions, store};

use crate::config::Settings;

/// The embedder of the settings.
pub(crate) fn open_embedder(settings: &Settings) -> Result<Arc<dyn Embedder>> {
    let embed = &settings.embed;
    let options = EmbedderOptions {
        model: embed.model.clone(),
        base_url: embed.base_url.clone(),
        api_key: embed.api_key.as_ref().map(|secret| secret.reveal(&settings.world.env)).transpose()?,
        dimensions: embed.dimensions,
        batch_size: Some(embed.batch_size),
        concurrency: Some(embed.concurrency),
        timeout: Some(Duration::from_secs(embed.timeout_seconds)),
        api_version: embed.api_version.clone(),
        max_tokens: embed.max_tokens,
        ..EmbedderOptions::default()
    };
    embedder(&embed.provider, &options)
}

/// Many texts at a time.
pub(crate) fn open_queue(_: &Settings, embedder: &Arc<dyn Embedder>) -> Box<dyn EmbedQueue> {
    Box::new(Inline { embedder: Arc::clone(embedder), waiting: Vec::new(), ready: Vec::new() })
}

/// The model whose vectors are wanted.
pub(crate) fn wanted(embedder: &dyn Embedder) -> VectorSpec {
    VectorSpec { model: embedder.name().to_owned(), dimensions: embedder.dimensions() }
}

/// Dollars for a million tokens; `None` when nobody has said.
pub(crate) fn price(settings: &Settings) -> Option<f64> {
    let embed = &settings.embed;
    if embed.price.is_some() {
        return embed.price;
    }
    (embed.provider == "static").then_some(0.0)
}

/// The store of the settings, bound to their project. `create` makes it when it is absent.
pub(crate) fn open_store(settings: &Settings, create: bool) -> Result<Arc<dyn Store>> {
    let own = &settings.store;
    let key = own.api_key.as_ref().map(|secret| secret.reveal(&settings.world.env)).transpose()?;
    let indexes: BTreeMap<String, String> =
        own.payload_indexes.iter().map(|(field, kind)| (field.clone(), kind.name().to_owned())).collect();
    let options = StoreOptions {
        tenant: &settings.project,
        create,
        path: Some(&own.path),
        url: own.url.as_deref(),
        api_key: key.as_deref(),
        collection: &own.collection,
        batch_size: own.batch_size,
        indexes: &indexes,
        names: &own.payload_names,
        clock: settings.world.clock.seconds(),
    };
    store(&own.kind, &options)
}

/// The store of the settings; `None` when it is a file that nobody has made yet.
pub(crate) fn open_store_if_there(settings: &Settings) -> Result<Option<Arc<dyn Store>>> {
    if settings.store.kind == "sqlite" && !settings.store.path.exists() {
        return Ok(None);
    }
    open_store(settings, false).map(Some)
}

struct Inline {
    embedder: Arc<dyn Embedder>,
    waiting: Vec<(u64, String)>,
    ready: Vec<gristmill_core::Embedded>,
}

impl EmbedQueue for Inline {
    fn push(&mut self, key: u64, text: &str, _: usize) {
        self.waiting.push((key, text.to_owned()));
        if self.waiting.len() >= 256 {
            self.send();
        }
    }
    fn take(&mut self, wait: bool) -> Result<Vec<gristmill_core::Embedded>> {
        if wait {
            self.send();
        }
        Ok(std::mem::take(&mut self.ready))
    }
}
impl Inline {
    fn send(&mut self) {
        let texts: Vec<&str> = self.waiting.iter().map(|w| w.1.as_str()).collect();
        let made = self.embedder.embed(&texts, gristmill_core::Purpose::Passage).unwrap();
        for (w, v) in self.waiting.drain(..).zip(made) {
            self.ready.push(gristmill_core::Embedded { key: w.0, vector: Ok(v) });
        }
    }
}
