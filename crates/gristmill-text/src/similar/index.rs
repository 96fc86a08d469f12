//! The sketches of many texts, and the pairs found among them.

use std::borrow::Cow;

use gristmill_core::Result;

use super::resolve::Resolve;
use super::sketch::Sketch;
use super::verify::{Relation, Shared};

/// Settings of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The least share of common shingles of near-duplicates, above 0 and at most 1.
    pub ratio: f64,
}

impl Default for Options {
    /// 72 %.
    fn default() -> Self {
        Self { ratio: 0.72 }
    }
}

/// Two texts that say the same, in the order of their ids.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The id of the first.
    pub a: u64,
    /// The id of the second.
    pub b: u64,
    /// What they are to each other.
    pub relation: Relation,
}

/// Where the texts are. They need not be in memory: each is asked for a few times, mostly in rising order of ids.
#[derive(Clone, Copy)]
pub struct Texts<'a> {
    /// The text of an id, the same that was sketched.
    pub text: &'a dyn Fn(u64) -> Result<Cow<'a, str>>,
    /// What a splitter put into both texts: asked for two ids, the smaller first. It does not count as shared.
    pub shared: &'a dyn Fn(u64, u64) -> Option<Shared>,
}

impl<'a> Texts<'a> {
    /// Texts that no splitter overlapped.
    pub fn new(text: &'a dyn Fn(u64) -> Result<Cow<'a, str>>) -> Self {
        Self { text, shared: &|_, _| None }
    }
}

/// The sketches of up to 2³² − 1 texts.
#[derive(Clone, Debug, Default)]
pub struct Index {
    options: Options,
    entries: Vec<Entry>,
}

/// A text and whose it is.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) id: u64,
    pub(super) sketch: Sketch,
}

impl Index {
    /// An empty one.
    pub fn new(options: Options) -> Self {
        Self { options, entries: Vec::new() }
    }

    /// Makes room for as many texts, so that memory does not grow by doubling.
    pub fn reserve(&mut self, texts: usize) {
        self.entries.reserve_exact(texts);
    }

    /// Adds a text. Ids are the caller's, each given once, rising in reading order; the order of calls does not matter.
    pub fn insert(&mut self, id: u64, sketch: Sketch) {
        self.entries.push(Entry { id, sketch });
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True when there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Finds the pairs, sorted by `a` and `b`. Every pair is verified on the texts.
    ///
    /// A text is reported once: equal to the first of its equals; else near to the first of its group, or to another
    /// text of it where the first is too unlike; else inside the first larger text that holds it.
    ///
    /// # Errors
    /// What `texts` answers.
    pub fn pairs(mut self, texts: &Texts<'_>) -> Result<Vec<Pair>> {
        self.entries.sort_unstable_by_key(|entry| (entry.id, entry.sketch.exact));
        Resolve::new(&self.entries, self.options.ratio, texts).pairs()
    }
}
