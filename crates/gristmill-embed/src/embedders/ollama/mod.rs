//! `ollama`: models that Ollama serves, in its own way of asking. Unlike its imitation of OpenAI it can be told not to
//! cut long texts silently.

use std::sync::Arc;
use std::time::Duration;

use gristmill_core::{EmbedError, EmbedLimits, Embedder, Entry, Error, Purpose, Result};
use gristmill_http::Headers;
use serde::{Deserialize, Serialize};

use crate::service::{Fault, Numbers, Profile, Row, Service, address, read};
use crate::{Build, EmbedderOptions};

const BASE: &str = "http://localhost:11434/api";

/// The line of this provider in the registry.
pub(crate) const ENTRY: Entry<Build> =
    Entry { name: "ollama", summary: "models that Ollama serves on this machine or another", item: &build };

fn build(options: &EmbedderOptions) -> Result<Arc<dyn Embedder>> {
    let Some(model) = options.model.clone() else {
        let error = Error::config("provider `ollama` needs a model");
        return Err(error.hint("set `[embed] model` to one that `ollama list` shows"));
    };
    let headers = match options.api_key.as_deref().filter(|key| !key.is_empty()) {
        Some(key) => Headers::new().with("authorization", format!("Bearer {key}")),
        None => Headers::new(),
    };
    let profile = Profile {
        provider: ENTRY.name,
        model: model.clone(),
        url: address(Some(&base(options)), BASE, "embed")?,
        headers,
        inputs: 32,
        tokens: 16_384,
        bytes: 1_500_000,
        timeout: Duration::from_secs(300),
    };
    Ok(Arc::new(Ollama { service: Service::new(profile, options)?, model, dimensions: options.dimensions }))
}

/// A base may be that of the host, or of the imitation of OpenAI.
fn base(options: &EmbedderOptions) -> String {
    let base = options.base_url.as_deref().unwrap_or(BASE).trim_end_matches('/');
    let base = base.strip_suffix("/v1").unwrap_or(base);
    if base.ends_with("/api") || base.ends_with("/embed") { base.to_owned() } else { format!("{base}/api") }
}

struct Ollama {
    service: Service,
    model: String,
    dimensions: Option<usize>,
}

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    input: &'a [&'a str],
    truncate: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    dimensions: Option<usize>,
}

#[derive(Deserialize)]
struct Answer {
    embeddings: Vec<Numbers>,
}

fn rows(body: &[u8]) -> Result<Vec<Row>, Fault> {
    let answer: Answer = read(body)?;
    Ok(answer.embeddings.into_iter().map(|numbers| Row { index: None, numbers: numbers.0 }).collect())
}

impl Embedder for Ollama {
    fn name(&self) -> &str {
        self.service.name()
    }

    fn dimensions(&self) -> Option<usize> {
        self.service.dimensions()
    }

    fn limits(&self) -> EmbedLimits {
        self.service.limits()
    }

    fn embed(&self, texts: &[&str], _purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbedError> {
        let request = Request { model: &self.model, input: texts, truncate: false, dimensions: self.dimensions };
        self.service.ask(&request, texts.len(), rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bases_of_all_kinds_lead_to_its_own_address() {
        for base_url in
            ["http://h:1", "http://h:1/", "http://h:1/v1", "http://h:1/v1/", "http://h:1/api", "http://h:1/api/embed"]
        {
            let options = EmbedderOptions { base_url: Some(base_url.into()), ..EmbedderOptions::default() };
            let address = address(Some(&base(&options)), BASE, "embed").unwrap();
            assert_eq!(address, "http://h:1/api/embed", "{base_url}");
        }
    }

    #[test]
    fn a_model_is_needed() {
        assert!(build(&EmbedderOptions::default()).is_err());
    }
}
