//! What a provider is told.

use std::fmt;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use gristmill_http::ProxyOptions;

/// What a provider is told. What is unset is the provider's own; what a provider has no use for it leaves alone.
#[derive(Clone, Default)]
pub struct EmbedderOptions {
    /// The provider's name of the model.
    pub model: Option<String>,
    /// Where the service is, as far as its version: `https://api.openai.com/v1`.
    pub base_url: Option<String>,
    /// The key of the service. Never shown.
    pub api_key: Option<String>,
    /// The version of an Azure service's API: `2024-10-21`.
    pub api_version: Option<String>,
    /// Texts in one request at most.
    pub batch_size: Option<usize>,
    /// Requests at the same time, or threads of a model that runs here.
    pub concurrency: Option<usize>,
    /// Time for one request, from the first step to the last byte of the answer.
    pub timeout: Option<Duration>,
    /// Numbers in each vector, of models that let it be chosen.
    pub dimensions: Option<usize>,
    /// Tokens of one text at most, of models that are not known here.
    pub max_tokens: Option<usize>,
    /// The folder in which the folders of local models are.
    pub models_folder: Option<PathBuf>,
    /// What services are reached through.
    pub proxy: Option<ProxyOptions>,
    /// Tells the time, to read the dates until which a service asks to be left alone where it does not tell its own.
    pub now: Option<fn() -> SystemTime>,
}

impl fmt::Debug for EmbedderOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EmbedderOptions")
            .field("model", &self.model)
            .field("base_url", &self.base_url)
            .field("api_key", &self.api_key.as_ref().map(|_| "…"))
            .field("api_version", &self.api_version)
            .field("batch_size", &self.batch_size)
            .field("concurrency", &self.concurrency)
            .field("timeout", &self.timeout)
            .field("dimensions", &self.dimensions)
            .field("max_tokens", &self.max_tokens)
            .field("models_folder", &self.models_folder)
            .field("proxy", &self.proxy)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_not_shown() {
        let options = EmbedderOptions { api_key: Some("s3cret".into()), ..EmbedderOptions::default() };
        assert!(!format!("{options:?}").contains("s3cret"));
    }
}
