//! `cohere`: the models of Cohere. Passages and queries are told apart; a text that is too long is refused, not cut.

use std::sync::Arc;
use std::time::Duration;

use gristmill_core::{EmbedError, EmbedLimits, Embedder, Entry, Error, Purpose, Result};
use gristmill_http::Headers;
use serde::{Deserialize, Serialize};

use crate::service::{Fault, Numbers, Profile, Row, Service, address, read};
use crate::{Build, EmbedderOptions};

const BASE: &str = "https://api.cohere.com/v2";
const MODEL: &str = "embed-v4.0";

/// The line of this provider in the registry.
pub(crate) const ENTRY: Entry<Build> =
    Entry { name: "cohere", summary: "the models of Cohere: many languages", item: &build };

fn build(options: &EmbedderOptions) -> Result<Arc<dyn Embedder>> {
    let Some(key) = options.api_key.as_deref().filter(|key| !key.is_empty()) else {
        let error = Error::config("provider `cohere` needs a key");
        return Err(error.hint("name its variable in `[embed] api_key_env`"));
    };
    let model = options.model.clone().unwrap_or_else(|| MODEL.to_owned());
    let profile = Profile {
        provider: ENTRY.name,
        model: model.clone(),
        url: address(options.base_url.as_deref(), BASE, "embed")?,
        headers: Headers::new().with("authorization", format!("Bearer {key}")),
        inputs: 96,
        tokens: usize::MAX,
        bytes: 4 << 20,
        timeout: Duration::from_secs(60),
    };
    Ok(Arc::new(Cohere { service: Service::new(profile, options)?, model, dimensions: options.dimensions }))
}

struct Cohere {
    service: Service,
    model: String,
    dimensions: Option<usize>,
}

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    texts: &'a [&'a str],
    input_type: &'a str,
    truncate: &'a str,
    embedding_types: &'a [&'a str],
    #[serde(skip_serializing_if = "Option::is_none")]
    output_dimension: Option<usize>,
}

#[derive(Deserialize)]
struct Answer {
    embeddings: Kinds,
}

#[derive(Deserialize)]
struct Kinds {
    float: Vec<Numbers>,
}

fn rows(body: &[u8]) -> Result<Vec<Row>, Fault> {
    let answer: Answer = read(body)?;
    Ok(answer.embeddings.float.into_iter().map(|numbers| Row { index: None, numbers: numbers.0 }).collect())
}

impl Embedder for Cohere {
    fn name(&self) -> &str {
        self.service.name()
    }

    fn dimensions(&self) -> Option<usize> {
        self.service.dimensions()
    }

    fn limits(&self) -> EmbedLimits {
        self.service.limits()
    }

    fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbedError> {
        let request = Request {
            model: &self.model,
            texts,
            input_type: match purpose {
                Purpose::Passage => "search_document",
                Purpose::Query => "search_query",
            },
            truncate: "NONE",
            embedding_types: &["float"],
            output_dimension: self.dimensions,
        };
        self.service.ask(&request, texts.len(), rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_those_of_the_model() {
        let options = EmbedderOptions {
            model: Some("embed-multilingual-v3.0".into()),
            api_key: Some("k".into()),
            ..EmbedderOptions::default()
        };
        let embedder = build(&options).unwrap();
        assert_eq!((embedder.limits().inputs, embedder.limits().input_tokens), (96, 512));
        assert_eq!(embedder.dimensions(), Some(1024));
        assert!(build(&EmbedderOptions::default()).is_err());
    }
}
