//! Models that turn text into vectors, one folder each.
//!
//! A model joins by its folder in `embedders` and its line in [`EMBEDDERS`].
#![deny(missing_docs)]

mod embedders;
mod models;
mod options;
mod queue;
mod service;

use std::sync::Arc;

use gristmill_core::{Embedder, Entry, Error, Result};

#[cfg(feature = "local")]
pub use embedders::local::LocalModel;
pub use embedders::static_table::StaticTable;
pub use models::{Model, model, models};
pub use options::EmbedderOptions;
pub use queue::{Clock, Patience, Queue, QueueOptions, SystemClock};

/// Makes an embedder from its options.
pub type Build = dyn Fn(&EmbedderOptions) -> Result<Arc<dyn Embedder>> + Send + Sync;

/// Every provider, in the order people should think of them.
pub const EMBEDDERS: &[Entry<Build>] = &[
    embedders::static_table::ENTRY,
    #[cfg(feature = "local")]
    embedders::local::ENTRY,
    embedders::openai::ENTRY,
    embedders::cohere::ENTRY,
    embedders::voyage::ENTRY,
    embedders::ollama::ENTRY,
];

/// The embedder of a provider.
///
/// # Errors
/// A configuration error when there is no such provider, or it has no such model.
pub fn embedder(provider: &str, options: &EmbedderOptions) -> Result<Arc<dyn Embedder>> {
    let Some(entry) = EMBEDDERS.iter().find(|entry| entry.name == provider) else {
        let names: Vec<_> = EMBEDDERS.iter().map(|entry| format!("`{}`", entry.name)).collect();
        if provider == "local" {
            let error = Error::config("this program is built without embedding provider `local`");
            return Err(error.hint("build it with the feature `local`"));
        }
        let error = Error::config(format!("unknown embedding provider: `{provider}`"));
        return Err(error.hint(format!("the providers are {}", names.join(", "))));
    };
    (entry.item)(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_provider_names_what_exists() {
        let error = embedder("statik", &EmbedderOptions::default()).err().unwrap();
        assert_eq!(error.to_string(), "unknown embedding provider: `statik`");
        let hint = error.hint_text().unwrap_or_default();
        assert!(hint.starts_with("the providers are `static`, "), "{hint}");
        assert!(hint.ends_with("`openai`, `cohere`, `voyage`, `ollama`"), "{hint}");
    }

    #[cfg(not(feature = "local"))]
    #[test]
    fn local_models_are_a_feature() {
        let error = embedder("local", &EmbedderOptions::default()).err().unwrap();
        assert_eq!(error.to_string(), "this program is built without embedding provider `local`");
    }

    #[test]
    fn unknown_model_names_what_exists() {
        let options = EmbedderOptions { model: Some("bge-m3".into()), ..EmbedderOptions::default() };
        let error = embedder("static", &options).err().unwrap();
        assert_eq!(error.to_string(), "provider `static` has no model: `bge-m3`");
        assert_eq!(error.hint_text(), Some("its model is `gm-multi-66k-256-i4`"));
    }

    #[test]
    fn providers_are_named_once() {
        let mut names: Vec<_> = EMBEDDERS.iter().map(|entry| entry.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), EMBEDDERS.len());
    }
}
