//! `voyage`: the models of Voyage AI. Passages and queries are told apart; a text that is too long is refused, not cut.

use std::sync::Arc;
use std::time::Duration;

use gristmill_core::{EmbedError, EmbedLimits, Embedder, Entry, Error, Purpose, Result};
use gristmill_http::Headers;
use serde::Serialize;

use super::openai::rows;
use crate::service::{Profile, Service, address};
use crate::{Build, EmbedderOptions};

const BASE: &str = "https://api.voyageai.com/v1";
const MODEL: &str = "voyage-4";

/// The line of this provider in the registry.
pub(crate) const ENTRY: Entry<Build> =
    Entry { name: "voyage", summary: "the models of Voyage AI: many languages, code, law, finance", item: &build };

fn build(options: &EmbedderOptions) -> Result<Arc<dyn Embedder>> {
    let Some(key) = options.api_key.as_deref().filter(|key| !key.is_empty()) else {
        let error = Error::config("provider `voyage` needs a key");
        return Err(error.hint("name its variable in `[embed] api_key_env`"));
    };
    let model = options.model.clone().unwrap_or_else(|| MODEL.to_owned());
    let profile = Profile {
        provider: ENTRY.name,
        model: model.clone(),
        url: address(options.base_url.as_deref(), BASE, "embeddings")?,
        headers: Headers::new().with("authorization", format!("Bearer {key}")),
        inputs: 1_000,
        tokens: 100_000,
        bytes: 4 << 20,
        timeout: Duration::from_secs(60),
    };
    Ok(Arc::new(Voyage { service: Service::new(profile, options)?, model, dimensions: options.dimensions }))
}

struct Voyage {
    service: Service,
    model: String,
    dimensions: Option<usize>,
}

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    input: &'a [&'a str],
    input_type: &'a str,
    truncation: bool,
    encoding_format: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_dimension: Option<usize>,
}

impl Embedder for Voyage {
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
            input: texts,
            input_type: match purpose {
                Purpose::Passage => "document",
                Purpose::Query => "query",
            },
            truncation: false,
            encoding_format: "base64",
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
        let options = |model: &str| EmbedderOptions {
            model: Some(model.into()),
            api_key: Some("k".into()),
            ..EmbedderOptions::default()
        };
        let of = |model| build(&options(model)).unwrap().limits();
        assert_eq!((of("voyage-law-2").input_tokens, of("voyage-law-2").tokens), (16_000, 100_000));
        assert_eq!((of("voyage-4").inputs, of("voyage-4").tokens), (1_000, 266_665));
        assert!(build(&EmbedderOptions::default()).is_err());
    }
}
