//! The constants of Okapi BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009, equations 3.3 and
//! 3.15). A word counts `tf (k1 + 1) / (tf + k1 (1 - b + b length / mean))` in a text, times how rare it is.

/// Saturation, the usual value, and that of SQLite's `bm25()`.
pub(crate) const K1: f64 = 1.2;
/// Normalization by length, likewise.
pub(crate) const B: f64 = 0.75;
