//! One folder per provider.

pub(crate) mod cohere;
#[cfg(feature = "local")]
pub(crate) mod local;
pub(crate) mod ollama;
pub(crate) mod openai;
pub(crate) mod static_table;
pub(crate) mod voyage;
