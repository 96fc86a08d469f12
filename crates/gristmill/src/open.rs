//! Embedder and store of the settings.

use std::sync::Arc;

use gristmill_core::{Embedder, Result, Store};
use gristmill_embed::{EmbedderOptions, embedder};
use gristmill_store::{StoreOptions, store};

use crate::config::Settings;

/// The embedder of the settings.
pub(crate) fn open_embedder(settings: &Settings) -> Result<Arc<dyn Embedder>> {
    embedder(&settings.embed.provider, &EmbedderOptions { model: settings.embed.model.as_deref() })
}

/// The store of the settings, bound to their project. `create` makes it when it is absent.
pub(crate) fn open_store(settings: &Settings, create: bool) -> Result<Arc<dyn Store>> {
    let options = StoreOptions { tenant: &settings.project, path: Some(&settings.store.path), create };
    store(&settings.store.kind, &options)
}
