//! The traits at which models that turn text into vectors meet.

use std::fmt;
use std::time::Duration;

use crate::{Error, Result};

/// What one request may hold. All bounds hold at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmbedLimits {
    /// Texts in one request.
    pub inputs: usize,
    /// Tokens of all texts of a request.
    pub tokens: usize,
    /// Bytes of all texts of a request.
    pub bytes: usize,
    /// Tokens of one text. A longer one is refused, never cut.
    pub input_tokens: usize,
    /// Requests at the same time.
    pub requests: usize,
}

/// What a text is embedded for; some models treat the two apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// Text to be found.
    Passage,
    /// Text to search with.
    Query,
}

/// Why a request gave no vectors.
#[derive(Debug)]
pub struct EmbedError {
    /// What may help.
    pub remedy: Remedy,
    /// What happened.
    pub error: Error,
    /// With [`Remedy::Apart`]: one entry a text, with the vectors of an answer that are right although others of it are not;
    /// empty when the answer gave none. What is here is paid for and need not be asked for again.
    pub partial: Box<[Option<Vec<f32>>]>,
}

impl EmbedError {
    /// An error without vectors.
    pub fn new(remedy: Remedy, error: Error) -> Self {
        Self { remedy, error, partial: Box::default() }
    }
}

/// What may help when a request gave no vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// The same request again: at once, after the service's own pause, or after a growing one.
    Again(Option<Duration>),
    /// Fewer texts: together they are too much.
    Fewer,
    /// The same texts one by one: at least one of them is refused.
    Apart,
    /// Nothing: the key is wrong, the quota spent, the model unknown.
    Nothing,
}

impl fmt::Display for EmbedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl From<EmbedError> for Error {
    fn from(error: EmbedError) -> Self {
        error.error
    }
}

/// Turns text into vectors.
pub trait Embedder: Send + Sync {
    /// Provider and model, and whatever else makes other vectors of the same text: the key under which vectors may be
    /// reused.
    fn name(&self) -> &str;

    /// Numbers in each vector; `None` when only the first answer tells.
    fn dimensions(&self) -> Option<usize>;

    /// What one request may hold.
    fn limits(&self) -> EmbedLimits;

    /// One vector of unit length for each text, in order. An empty one stands for a text the model knows nothing of:
    /// it is stored without a vector and found by its words. One request: nothing is tried again here.
    ///
    /// # Errors
    /// When the model cannot be used, a service fails, or its answer is not one finite vector of the right length for each
    /// text.
    fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbedError>;
}

/// Texts on their way to vectors: requests are filled, sent side by side, tried again and taken apart behind it.
pub trait EmbedQueue {
    /// Hands a text in; `key` names it in the answer, `tokens` is its size. Waits while too many texts are on their way.
    fn push(&mut self, key: u64, text: &str, tokens: usize);

    /// Vectors that have come, in no order. With `wait` it sends what is not sent yet and waits for at least one, as long as
    /// any is on its way: nothing means that all have come.
    ///
    /// # Errors
    /// When the service cannot be used any more: no further vector comes. Those that came before are given first.
    fn take(&mut self, wait: bool) -> Result<Vec<Embedded>>;
}

/// What became of a text.
#[derive(Debug)]
pub struct Embedded {
    /// As it was handed in.
    pub key: u64,
    /// The vector, as [`Embedder::embed`] gives it, or why this text has none.
    pub vector: Result<Vec<f32>>,
}
