//! A model whose vectors are a function of its name and the text, and that remembers what it embedded.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use gristmill_core::{EmbedError, EmbedLimits, Embedder, Error, ErrorKind, Fingerprint, Purpose, Remedy};

#[derive(Clone)]
pub struct Stub {
    name: String,
    length: usize,
    tells: bool,
    refused: Option<String>,
    requests_left: Option<usize>,
    seen: Arc<Seen>,
}

#[derive(Default)]
struct Seen {
    texts: Mutex<Vec<String>>,
    requests: AtomicUsize,
    died: AtomicBool,
}

impl Stub {
    pub fn new(name: &str, length: usize) -> Self {
        Self { name: name.to_owned(), length, tells: false, refused: None, requests_left: None, seen: Arc::default() }
    }

    /// The same, that says how long its vectors are.
    pub fn telling(mut self) -> Self {
        self.tells = true;
        self
    }

    /// The same, that refuses texts with a word.
    pub fn refusing(mut self, word: &str) -> Self {
        self.refused = Some(word.to_owned());
        self
    }

    /// The same, that stops working after some requests.
    pub fn dying_after(mut self, requests: usize) -> Self {
        self.requests_left = Some(requests);
        self
    }

    /// Texts that got a vector, in the order in which they came.
    pub fn embedded(&self) -> Vec<String> {
        self.seen.texts.lock().unwrap().clone()
    }

    pub fn died(&self) -> bool {
        self.seen.died.load(Ordering::SeqCst)
    }

    pub fn length(&self) -> usize {
        self.length
    }

    /// A unit vector.
    pub fn vector(&self, text: &str) -> Vec<f32> {
        let hash = Fingerprint::of(format!("{} {text}", self.name).as_bytes()).0;
        let raw: Vec<f32> = hash[..self.length].iter().map(|byte| f32::from(*byte) + 1.0).collect();
        let norm = raw.iter().map(|x| x * x).sum::<f32>().sqrt();
        raw.iter().map(|x| x / norm).collect()
    }
}

impl Embedder for Stub {
    fn name(&self) -> &str {
        &self.name
    }

    fn dimensions(&self) -> Option<usize> {
        self.tells.then_some(self.length)
    }

    fn limits(&self) -> EmbedLimits {
        EmbedLimits { inputs: 3, tokens: usize::MAX, bytes: usize::MAX, input_tokens: usize::MAX, requests: 1 }
    }

    fn embed(&self, texts: &[&str], _: Purpose) -> Result<Vec<Vec<f32>>, EmbedError> {
        let requests = self.seen.requests.fetch_add(1, Ordering::SeqCst);
        if self.requests_left.is_some_and(|left| requests >= left) {
            self.seen.died.store(true, Ordering::SeqCst);
            let error = Error::new(ErrorKind::Remote, "the quota is spent");
            return Err(EmbedError::new(Remedy::Nothing, error));
        }
        if self.refused.as_ref().is_some_and(|word| texts.iter().any(|text| text.contains(word.as_str()))) {
            let error = Error::new(ErrorKind::Remote, "a text is refused");
            return Err(EmbedError::new(Remedy::Apart, error));
        }
        self.seen.texts.lock().unwrap().extend(texts.iter().map(|text| (*text).to_owned()));
        Ok(texts.iter().map(|text| self.vector(text)).collect())
    }
}
