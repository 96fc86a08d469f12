//! What embedding services have in common: one request over HTTP, its answer checked, its refusal understood.

mod address;
mod answer;
mod numbers;
mod refusal;

use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use gristmill_core::{EmbedError, EmbedLimits, Error, ErrorKind, Remedy, Result, Retry};
use gristmill_http::{Client, ClientOptions, Headers, Method, Response, Trouble, TroubleKind, retry_after};
use serde::Serialize;

use crate::{EmbedderOptions, models};
pub(crate) use address::address;
pub(crate) use answer::{Fault, Row, read};
pub(crate) use numbers::Numbers;
use refusal::Refusal;

/// A service and the model it is asked for.
pub(crate) struct Service {
    client: Client,
    url: String,
    headers: Headers,
    /// Provider and model, as errors name them.
    title: String,
    name: String,
    limits: EmbedLimits,
    /// Length of its vectors: asked for, known, or that of the first answer.
    length: OnceLock<usize>,
    /// True when a length was asked for.
    shortened: bool,
    secret: Option<String>,
    now: Option<fn() -> SystemTime>,
}

/// What makes a provider a service.
pub(crate) struct Profile {
    /// The provider's name in options.
    pub provider: &'static str,
    /// The model.
    pub model: String,
    /// Where requests are sent.
    pub url: String,
    /// Headers besides the content type.
    pub headers: Headers,
    /// Texts in one request at most.
    pub inputs: usize,
    /// Tokens in one request, where the catalogue knows none.
    pub tokens: usize,
    /// Bytes of text in one request.
    pub bytes: usize,
    /// Time for one request, where none is set.
    pub timeout: Duration,
}

/// Requests at the same time, where nothing is set.
const REQUESTS: usize = 4;

/// Bytes of an answer: 4,096 vectors of 4,096 numbers of 16 digits.
const ANSWER: usize = 256 << 20;

impl Service {
    pub(crate) fn new(profile: Profile, options: &EmbedderOptions) -> Result<Self> {
        let requests = options.concurrency.unwrap_or(REQUESTS).max(1);
        let client = Client::new(ClientOptions {
            timeout: options.timeout.unwrap_or(profile.timeout),
            body_limit: ANSWER,
            idle_connections: requests,
            proxy: options.proxy.clone(),
            ..ClientOptions::default()
        })?;
        let known = models::model(profile.provider, &profile.model);
        let length = options.dimensions.or(known.map(|model| model.dimensions));
        let shortened = options.dimensions.map(|length| format!("@{length}")).unwrap_or_default();
        let limits = limits(&profile, options, requests);
        Ok(Self {
            client,
            headers: profile.headers.with("content-type", "application/json"),
            title: format!("`{}` model `{}`", profile.provider, profile.model),
            name: format!("{}/{}{shortened}", profile.provider, profile.model),
            limits,
            length: length.map_or_else(OnceLock::new, OnceLock::from),
            shortened: options.dimensions.is_some(),
            secret: options.api_key.clone().filter(|key| !key.is_empty()),
            now: options.now,
            url: profile.url,
        })
    }

    /// Provider, model and length: the same vectors come from the same name, whoever serves the model.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn dimensions(&self) -> Option<usize> {
        self.length.get().copied()
    }

    pub(crate) fn limits(&self) -> EmbedLimits {
        self.limits
    }

    /// Sends one request. `read` takes the vectors out of an answer.
    pub(crate) fn ask(
        &self,
        body: &impl Serialize,
        texts: usize,
        read: impl FnOnce(&[u8]) -> Result<Vec<Row>, Fault>,
    ) -> Result<Vec<Vec<f32>>, EmbedError> {
        let body = serde_json::to_vec(body).map_err(|error| self.error(Remedy::Nothing, &error.to_string()))?;
        let response = self.client.send(Method::Post, &self.url, &self.headers, Some(&body));
        let response = response.map_err(|trouble| self.trouble(&trouble))?;
        if !response.is_success() {
            return Err(self.refused(&response));
        }
        let placed = read(response.body()).and_then(|rows| answer::place(rows, texts, &self.length));
        placed.map_err(|fault| match fault {
            Fault::Unreadable(why) => self.error(Remedy::Again(None), &format!("the answer cannot be read: {why}")),
            Fault::Wrong(why, partial) => {
                let error = self.error(Remedy::Apart, &format!("the answer is wrong: {why}"));
                EmbedError { partial: partial.into(), ..error }
            }
        })
    }

    fn trouble(&self, trouble: &Trouble) -> EmbedError {
        let remedy = match trouble.kind() {
            TroubleKind::Connect | TroubleKind::TimedOut | TroubleKind::CutOff => Remedy::Again(None),
            TroubleKind::TooLarge => Remedy::Fewer,
            TroubleKind::Request | TroubleKind::Tls => Remedy::Nothing,
        };
        let EmbedError { remedy, error, .. } = self.error(remedy, &trouble.to_string());
        let error = match trouble.kind() {
            TroubleKind::Connect => error.hint("is the service running, and is `[embed] base_url` right?"),
            TroubleKind::Tls => error.hint("the system's certificates count, or those that `SSL_CERT_FILE` names"),
            _ => error,
        };
        EmbedError::new(remedy, error)
    }

    fn refused(&self, response: &Response) -> EmbedError {
        let now = self.now.map(|now| now());
        // Without a clock, a date that is to be compared with it asks for nothing.
        let pause = retry_after(response, now.unwrap_or_else(|| SystemTime::UNIX_EPOCH + FAR));
        let refusal = Refusal::of(response.status(), response.body(), self.shortened);
        let remedy = refusal.remedy(pause.filter(|pause| !pause.is_zero()));
        let why = format!("refused with status {}: {}", response.status(), refusal.words);
        let EmbedError { remedy, error, .. } = self.error(remedy, &why);
        let error = if let Some(hint) = refusal.hint() { error.hint(hint) } else { error };
        EmbedError::new(remedy, error)
    }

    fn error(&self, remedy: Remedy, why: &str) -> EmbedError {
        let why = self.secret.as_ref().map_or_else(|| why.to_owned(), |secret| why.replace(secret, "…"));
        let retry = match remedy {
            Remedy::Again(Some(pause)) => Retry::After(pause),
            Remedy::Again(None) => Retry::Backoff,
            Remedy::Fewer | Remedy::Apart | Remedy::Nothing => Retry::Never,
        };
        EmbedError::new(remedy, Error::new(ErrorKind::Remote, format!("{}: {why}", self.title)).retry(retry))
    }
}

/// Later than any date a service names.
const FAR: Duration = Duration::from_secs(253_402_300_799);

fn limits(profile: &Profile, options: &EmbedderOptions, requests: usize) -> EmbedLimits {
    let known = models::model(profile.provider, &profile.model);
    let input_tokens = options.max_tokens.or_else(|| models::max_tokens(profile.provider, &profile.model));
    // Services count as their model does, and not every count here is the model's own.
    let request_tokens = known.and_then(|model| model.request_tokens).map(|tokens| tokens / 6 * 5);
    EmbedLimits {
        inputs: options.batch_size.unwrap_or(profile.inputs).max(1),
        tokens: request_tokens.unwrap_or(profile.tokens),
        bytes: profile.bytes,
        input_tokens: input_tokens.unwrap_or(usize::MAX),
        requests,
    }
}
