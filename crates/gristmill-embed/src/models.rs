//! What is known of models: a catalogue to choose from, and the limits that services keep.

/// A model that people may choose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model {
    /// The provider's name in options.
    pub provider: &'static str,
    /// The provider's name of the model.
    pub name: &'static str,
    /// Numbers in each vector, where nothing else is asked for.
    pub dimensions: usize,
    /// Other lengths that may be asked for.
    pub choices: &'static [usize],
    /// Tokens of one text at most, as the model counts them; `None` without a limit.
    pub max_tokens: Option<usize>,
    /// Tokens of one request at most; `None` where the provider names no limit.
    pub request_tokens: Option<usize>,
    /// Languages it is made for.
    pub languages: &'static str,
    /// US dollars for a million tokens; 0 for what runs here, `None` where it is not known.
    pub price: Option<f64>,
    /// What else helps to choose.
    pub notes: &'static str,
}

/// All models of the catalogue, by provider.
pub fn models() -> &'static [Model] {
    MODELS
}

/// The model of this provider with this name.
pub fn model(provider: &str, name: &str) -> Option<&'static Model> {
    MODELS.iter().find(|model| model.provider == provider && model.name == name)
}

/// Tokens of one text that a model of this name takes, whoever serves it: `BAAI/bge-m3` and `bge-m3:latest` are `bge-m3`.
pub(crate) fn max_tokens(provider: &str, name: &str) -> Option<usize> {
    let bare = name.rsplit('/').next().unwrap_or(name).split(':').next().unwrap_or(name);
    let known = model(provider, name).or_else(|| MODELS.iter().find(|model| model.name == bare));
    known.and_then(|model| model.max_tokens)
}

const MANY: &str = "many";
const ENGLISH: &str = "English";
/// What the newer models of Voyage let people choose.
const VOYAGE_CHOICES: &[usize] = &[256, 512, 2048];

/// A model of which only what differs is named.
const PLAIN: Model = Model {
    provider: "",
    name: "",
    dimensions: 1024,
    choices: &[],
    max_tokens: None,
    request_tokens: None,
    languages: MANY,
    price: None,
    notes: "",
};

const OPENAI: Model = Model { provider: "openai", max_tokens: Some(8_192), request_tokens: Some(300_000), ..PLAIN };
const COHERE: Model = Model { provider: "cohere", max_tokens: Some(512), ..PLAIN };
const VOYAGE: Model = Model { provider: "voyage", max_tokens: Some(32_000), request_tokens: Some(120_000), ..PLAIN };
const LOCAL: Model = Model { provider: "local", price: Some(0.0), ..PLAIN };

/// Figures of the providers' documentation, November 2026.
const MODELS: &[Model] = &[
    Model {
        provider: "static",
        name: "gm-multi-66k-256-i4",
        dimensions: 256,
        languages: "English, Korean, Chinese, Japanese, Thai, Arabic, and those of Latin and Cyrillic script",
        price: Some(0.0),
        notes: "inside the program: no network, no download",
        ..PLAIN
    },
    Model { name: "bge-m3", max_tokens: Some(8_192), notes: "open weights", ..LOCAL },
    Model { name: "multilingual-e5-large", max_tokens: Some(512), notes: "open weights", ..LOCAL },
    Model {
        name: "text-embedding-3-small",
        dimensions: 1536,
        price: Some(0.02),
        notes: "shorter vectors by `dimensions`",
        ..OPENAI
    },
    Model {
        name: "text-embedding-3-large",
        dimensions: 3072,
        price: Some(0.13),
        notes: "shorter vectors by `dimensions`",
        ..OPENAI
    },
    Model { name: "embed-v4.0", dimensions: 1536, choices: &[256, 512, 1024], max_tokens: Some(128_000), ..COHERE },
    Model { name: "embed-multilingual-v3.0", ..COHERE },
    Model { name: "embed-multilingual-light-v3.0", dimensions: 384, ..COHERE },
    Model { name: "embed-english-v3.0", languages: ENGLISH, ..COHERE },
    Model { name: "embed-english-light-v3.0", dimensions: 384, languages: ENGLISH, ..COHERE },
    Model {
        name: "voyage-4-large",
        choices: VOYAGE_CHOICES,
        price: Some(0.12),
        notes: "vectors of the family 4 may be compared",
        ..VOYAGE
    },
    Model {
        name: "voyage-4",
        choices: VOYAGE_CHOICES,
        request_tokens: Some(320_000),
        price: Some(0.06),
        notes: "vectors of the family 4 may be compared",
        ..VOYAGE
    },
    Model {
        name: "voyage-4-lite",
        choices: VOYAGE_CHOICES,
        request_tokens: Some(1_000_000),
        price: Some(0.02),
        notes: "vectors of the family 4 may be compared",
        ..VOYAGE
    },
    Model { name: "voyage-code-4", choices: VOYAGE_CHOICES, request_tokens: Some(320_000), notes: "code", ..VOYAGE },
    Model { name: "voyage-finance-2", notes: "finance", ..VOYAGE },
    Model { name: "voyage-law-2", max_tokens: Some(16_000), notes: "law", ..VOYAGE },
    Model { name: "voyage-multilingual-2", price: Some(0.12), notes: "previous generation", ..VOYAGE },
    Model { name: "voyage-3-large", choices: VOYAGE_CHOICES, notes: "previous generation", ..VOYAGE },
    Model {
        name: "voyage-3.5",
        choices: VOYAGE_CHOICES,
        request_tokens: Some(320_000),
        notes: "previous generation",
        ..VOYAGE
    },
    Model {
        name: "voyage-3.5-lite",
        choices: VOYAGE_CHOICES,
        request_tokens: Some(1_000_000),
        notes: "previous generation",
        ..VOYAGE
    },
    Model { name: "voyage-code-3", choices: VOYAGE_CHOICES, notes: "code, previous generation", ..VOYAGE },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_found_by_provider_and_name() {
        assert_eq!(model("openai", "text-embedding-3-small").map(|model| model.dimensions), Some(1536));
        assert_eq!(model("cohere", "text-embedding-3-small"), None);
    }

    #[test]
    fn every_model_stands_once_beside_those_of_its_provider() {
        let mut names: Vec<_> = models().iter().map(|model| (model.provider, model.name)).collect();
        let mut providers: Vec<_> = names.iter().map(|(provider, _)| *provider).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), models().len());
        providers.dedup();
        assert_eq!(providers.len(), 5, "{providers:?}");
    }

    #[test]
    fn limits_are_found_whoever_serves_the_model() {
        assert_eq!(max_tokens("ollama", "bge-m3:latest"), Some(8_192));
        assert_eq!(max_tokens("openai", "intfloat/multilingual-e5-large"), Some(512));
        assert_eq!(max_tokens("openai", "stub-embed"), None);
    }
}
