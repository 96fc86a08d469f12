//! Embedder and store of the settings.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use gristmill_core::{EmbedQueue, Embedder, Result, Store, VectorSpec};
use gristmill_embed::{EmbedderOptions, Queue, QueueOptions, embedder};
use gristmill_http::ProxyOptions;
use gristmill_store::{QdrantOptions, StoreOptions, store};

use crate::config::{Env, Settings};

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
        models_folder: Some(settings.root.clone()),
        proxy: proxy(&settings.world.env, embed.base_url.as_deref()),
        now: Some(settings.world.clock.source()),
    };
    embedder(&embed.provider, &options)
}

/// The proxy that the environment names for a URL, in capital letters or small ones.
pub(crate) fn proxy(env: &Env, url: Option<&str>) -> Option<ProxyOptions> {
    let value = |name: &str| {
        let value = env.get(name).or_else(|| env.get(&name.to_lowercase()));
        value.filter(|value| !value.trim().is_empty()).cloned()
    };
    let own = if url.is_some_and(|url| url.starts_with("http://")) { "HTTP_PROXY" } else { "HTTPS_PROXY" };
    let url = value(own).or_else(|| value("ALL_PROXY"))?;
    let except = value("NO_PROXY").unwrap_or_default();
    let except = except.split(',').map(str::trim).filter(|host| !host.is_empty()).map(str::to_owned);
    Some(ProxyOptions { url, except: except.chain(["localhost", "127.0.0.1", "::1"].map(str::to_owned)).collect() })
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
        qdrant: QdrantOptions {
            shard_number: own.shard_number,
            replication_factor: own.replication_factor,
            on_disk: own.on_disk,
            quantization: own.quantization,
        },
        clock: settings.world.clock.seconds(),
    };
    store(&own.kind, &options)
}

/// The store of the settings to read it; `None` when it is a file that nobody has made yet. A collection of a service is made
/// by its first writer: until then it is empty.
pub(crate) fn open_store_if_there(settings: &Settings) -> Result<Option<Arc<dyn Store>>> {
    if settings.store.kind == "sqlite" && !settings.store.path.exists() {
        return Ok(None);
    }
    open_store(settings, settings.store.kind != "sqlite").map(Some)
}
