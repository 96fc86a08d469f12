//! `[embed]`: what turns text into vectors.

use std::path::Path;

use gristmill_core::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::resolve::Cx;
use super::{Secret, secret};

/// What turns text into vectors.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EmbedOptions {
    /// Who makes the vectors. Default: `"static"`, inside the program. Example: `provider = "openai"`.
    pub provider: Option<String>,
    /// Where the service answers. Default: the provider's own. Example: `base_url = "http://127.0.0.1:11434/v1"`.
    pub base_url: Option<String>,
    /// The model. Default: the provider's own. Example: `model = "text-embedding-3-small"`.
    pub model: Option<String>,
    /// The environment variable that holds the key of the service. Example: `api_key_env = "OPENAI_API_KEY"`.
    pub api_key_env: Option<String>,
    /// The key, by name: `"${NAME}"` or `"file:PATH"`. The key itself is never written here.
    pub api_key: Option<Secret>,
    /// Texts in one request at most. Default: `64`.
    pub batch_size: Option<u32>,
    /// Requests at the same time at most. Default: `4`.
    pub concurrency: Option<u32>,
    /// Seconds to wait for one answer. Default: `60`.
    pub timeout_seconds: Option<u32>,
    /// Numbers in each vector, where the model lets one choose. Default: the model's own.
    pub dimensions: Option<u32>,
    /// Dollars for a million tokens, for plans and `--max-cost`. Default: that of the list `gristmill models` shows.
    pub price: Option<f64>,
    /// The version of the API of an Azure service. Example: `api_version = "2024-10-21"`.
    pub api_version: Option<String>,
    /// Tokens of one text at most, for models that are not in the list. Default: `8192`.
    pub max_tokens: Option<u32>,
}

/// What turns text into vectors.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EmbedSettings {
    /// Who makes the vectors.
    pub provider: String,
    /// Where the service answers; the provider's own where none.
    pub base_url: Option<String>,
    /// The model; the provider's own where none.
    pub model: Option<String>,
    /// The key of the service.
    pub api_key: Option<Secret>,
    /// Texts in one request at most.
    pub batch_size: usize,
    /// Requests at the same time at most.
    pub concurrency: usize,
    /// Seconds to wait for one answer.
    pub timeout_seconds: u64,
    /// Numbers in each vector; the model's own where none.
    pub dimensions: Option<usize>,
    /// Dollars for a million tokens; that of the list where none.
    pub price: Option<f64>,
    /// The version of the API of an Azure service.
    pub api_version: Option<String>,
    /// Tokens of one text at most, for models that are not in the list.
    pub max_tokens: Option<usize>,
}

impl EmbedOptions {
    pub(super) fn rebase(&mut self, folder: &Path) {
        if let Some(secret) = &mut self.api_key {
            secret.rebase(folder);
        }
    }
}

impl EmbedSettings {
    pub(super) fn resolve(options: &EmbedOptions, cx: &Cx) -> Result<Self> {
        let EmbedOptions {
            provider,
            base_url,
            model,
            api_key_env,
            api_key,
            batch_size,
            concurrency,
            timeout_seconds,
            dimensions,
            price,
            api_version,
            max_tokens,
        } = options;
        if let Some(price) = price.filter(|price| !price.is_finite() || *price < 0.0) {
            return Err(cx.origins.blame("embed.price", format!("`embed.price` must be 0 or more, not: {price}")));
        }
        let max_tokens = max_tokens.map(|n| cx.at_least_one("embed.max_tokens", n)).transpose()?;
        let dimensions = dimensions.map(|n| cx.at_least_one("embed.dimensions", n)).transpose()?;
        Ok(Self {
            provider: provider.clone().unwrap_or_else(|| "static".to_owned()),
            base_url: base_url.clone(),
            model: model.clone(),
            api_key: secret::either("embed.api_key", api_key.as_ref(), api_key_env.as_ref(), cx)?,
            batch_size: cx.at_least_one("embed.batch_size", batch_size.unwrap_or(64))?,
            concurrency: cx.at_least_one("embed.concurrency", concurrency.unwrap_or(4))?,
            timeout_seconds: cx.at_least_one("embed.timeout_seconds", timeout_seconds.unwrap_or(60))? as u64,
            dimensions,
            price: *price,
            api_version: api_version.clone(),
            max_tokens,
        })
    }
}
