//! Embedder and store of the settings.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use gristmill_core::{EmbedQueue, Embedder, Result, Store, VectorSpec};
use gristmill_embed::{EmbedderOptions, Queue, QueueOptions, embedder};
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
pub(crate) fn open_queue(embedder: &Arc<dyn Embedder>) -> Result<Box<dyn EmbedQueue>> {
    Ok(Box::new(Queue::new(Arc::clone(embedder), QueueOptions::default())?))
}

/// The model whose vectors are wanted.
pub(crate) fn wanted(embedder: &dyn Embedder) -> VectorSpec {
    VectorSpec { model: embedder.name().to_owned(), dimensions: embedder.dimensions() }
}

/// Dollars for a million tokens of a model, by the name of its embedder; `None` when nobody has said.
pub(crate) fn price(settings: &Settings, model: &str) -> Option<f64> {
    let embed = &settings.embed;
    if embed.price.is_some() {
        return embed.price;
    }
    if matches!(embed.provider.as_str(), "static" | "local" | "ollama") {
        return Some(0.0);
    }
    let name = embed.model.as_deref().or_else(|| Some(model.split_once('/')?.1))?;
    gristmill_embed::model(&embed.provider, name)?.price
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
        qdrant: gristmill_store::QdrantOptions::default(),
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
