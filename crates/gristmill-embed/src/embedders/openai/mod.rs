//! `openai`: any service that speaks `/v1/embeddings` as OpenAI does: OpenAI itself, Azure, vLLM, Text Embeddings
//! Inference, LM Studio, Ollama.
//!
//! Ollama cuts long texts silently behind this address; the provider `ollama` speaks to it in its own way, in which it
//! does not.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use gristmill_core::{EmbedError, EmbedLimits, Embedder, Entry, Error, Purpose, Remedy, Result};
use gristmill_http::Headers;
use serde::{Deserialize, Serialize};

use crate::service::{Fault, Numbers, Profile, Row, Service, address, read};
use crate::{Build, EmbedderOptions};

const BASE: &str = "https://api.openai.com/v1";
const MODEL: &str = "text-embedding-3-small";

/// The line of this provider in the registry.
pub(crate) const ENTRY: Entry<Build> = Entry {
    name: "openai",
    summary: "any service that speaks `/v1/embeddings`: OpenAI, Azure, vLLM, Text Embeddings Inference, LM Studio",
    item: &build,
};

fn build(options: &EmbedderOptions) -> Result<Arc<dyn Embedder>> {
    let (model, is_azure) = (model(options)?, is_azure(options));
    let mut url = address(options.base_url.as_deref(), BASE, "embeddings")?;
    if let Some(version) = options.api_version.as_ref().filter(|_| !url.contains("api-version=")) {
        url = format!("{url}{}api-version={version}", if url.contains('?') { '&' } else { '?' });
    }
    let is_openai = options.base_url.is_none() || url.starts_with(BASE);
    let profile = Profile {
        provider: ENTRY.name,
        model: model.clone(),
        url,
        headers: key(options, is_openai, is_azure)?,
        // What others take differs: their least, and halves where it is less.
        inputs: if is_openai || is_azure { 2_048 } else { 32 },
        tokens: if is_openai || is_azure { 250_000 } else { 16_384 },
        bytes: if is_openai || is_azure { 4 << 20 } else { 1_500_000 },
        timeout: Duration::from_secs(if is_openai || is_azure { 60 } else { 300 }),
    };
    let service = Service::new(profile, options)?;
    Ok(Arc::new(OpenAi { service, model, dimensions: options.dimensions, packed: AtomicBool::new(true) }))
}

fn model(options: &EmbedderOptions) -> Result<String> {
    match (&options.model, &options.base_url) {
        (Some(model), _) => Ok(model.clone()),
        (None, None) => Ok(MODEL.to_owned()),
        (None, Some(_)) => Err(Error::config("`[embed] model` is needed where `base_url` is set")),
    }
}

fn is_azure(options: &EmbedderOptions) -> bool {
    let host = options.base_url.as_deref().and_then(|base| base.split("://").nth(1)?.split(['/', ':', '?']).next());
    options.api_version.is_some() || host.is_some_and(|host| host.ends_with(".azure.com"))
}

fn key(options: &EmbedderOptions, is_openai: bool, is_azure: bool) -> Result<Headers> {
    match options.api_key.as_deref().filter(|key| !key.is_empty()) {
        Some(key) if is_azure => Ok(Headers::new().with("api-key", key)),
        Some(key) => Ok(Headers::new().with("authorization", format!("Bearer {key}"))),
        None if is_openai || is_azure => {
            Err(Error::config("provider `openai` needs a key").hint("name its variable in `[embed] api_key_env`"))
        }
        None => Ok(Headers::new()),
    }
}

struct OpenAi {
    service: Service,
    model: String,
    dimensions: Option<usize>,
    /// Whether base64 is asked for, a quarter of the bytes. Not every service knows it.
    packed: AtomicBool,
}

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    input: &'a [&'a str],
    encoding_format: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    dimensions: Option<usize>,
}

#[derive(Deserialize)]
struct Answer {
    data: Vec<Line>,
}

#[derive(Deserialize)]
struct Line {
    index: Option<usize>,
    embedding: Numbers,
}

/// Takes the vectors out of an answer of this shape.
pub(crate) fn rows(body: &[u8]) -> Result<Vec<Row>, Fault> {
    let answer: Answer = read(body)?;
    Ok(answer.data.into_iter().map(|line| Row { index: line.index, numbers: line.embedding.0 }).collect())
}

impl Embedder for OpenAi {
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
        let packed = self.packed.load(Ordering::Relaxed);
        let request = Request {
            model: &self.model,
            input: texts,
            encoding_format: if packed { "base64" } else { "float" },
            dimensions: self.dimensions,
        };
        self.service.ask(&request, texts.len(), rows).map_err(|mut error| {
            if packed && error.error.to_string().contains("encoding_format") {
                self.packed.store(false, Ordering::Relaxed);
                error.remedy = Remedy::Again(Some(Duration::ZERO));
            }
            error
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(base: Option<&str>) -> EmbedderOptions {
        EmbedderOptions { base_url: base.map(str::to_owned), ..EmbedderOptions::default() }
    }

    #[test]
    fn the_hosted_service_needs_a_key_and_has_a_model() {
        assert_eq!(build(&options(None)).err().unwrap().to_string(), "provider `openai` needs a key");
        let keyed = EmbedderOptions { api_key: Some("k".into()), ..options(None) };
        let embedder = build(&keyed).unwrap();
        assert_eq!((embedder.name(), embedder.dimensions()), ("openai/text-embedding-3-small", Some(1536)));
        let limits = embedder.limits();
        assert_eq!((limits.inputs, limits.tokens, limits.input_tokens), (2_048, 250_000, 8_192));
    }

    #[test]
    fn a_service_of_ones_own_needs_a_model_and_no_key() {
        let base = Some("http://localhost:8080/v1");
        assert!(build(&options(base)).is_err());
        let named = EmbedderOptions { model: Some("BAAI/bge-m3".into()), dimensions: Some(512), ..options(base) };
        let embedder = build(&named).unwrap();
        assert_eq!((embedder.name(), embedder.dimensions()), ("openai/BAAI/bge-m3@512", Some(512)));
        assert_eq!((embedder.limits().inputs, embedder.limits().input_tokens), (32, 8_192));
    }

    #[test]
    fn azure_is_known_by_its_host() {
        assert!(is_azure(&options(Some("https://x.openai.azure.com/openai/deployments/e"))));
        assert!(!is_azure(&options(Some("https://host/x.openai.azure.com"))));
    }

    #[test]
    fn settings_override_limits() {
        let set = EmbedderOptions {
            api_key: Some("k".into()),
            batch_size: Some(7),
            concurrency: Some(2),
            max_tokens: Some(100),
            ..options(None)
        };
        let limits = build(&set).unwrap().limits();
        assert_eq!((limits.inputs, limits.requests, limits.input_tokens), (7, 2, 100));
    }
}
