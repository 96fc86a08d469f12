//! Exact counts of the byte-pair encodings that OpenAI publishes.

mod ascii;
mod bridges;
mod cache;
mod classes;
mod fit;
mod index;
mod layout;
#[cfg(test)]
mod make;
mod merge;
mod pretoken;
mod table;
#[cfg(test)]
pub(super) mod testing;
mod trie;
mod vocabulary;

use std::cell::RefCell;
use std::marker::PhantomData;
use std::sync::LazyLock;
use std::thread::LocalKey;

use gristmill_core::{Measured, Sizer, Unit};

use cache::Cache;
use classes::Classes;
use index::Index;
use pretoken::{Cl100k, O200k, Pattern};
use vocabulary::Vocabulary;

/// An encoding: a pattern that cuts text into pieces, and a vocabulary of byte pairs. Its tables are made when the crate is built.
struct Encoding<P> {
    name: &'static str,
    vocabulary: &'static LazyLock<Vocabulary>,
    cache: &'static LocalKey<RefCell<Cache>>,
    pattern: PhantomData<P>,
}

thread_local! {
    static CL100K_CACHE: RefCell<Cache> = RefCell::new(Cache::new());
    static O200K_CACHE: RefCell<Cache> = RefCell::new(Cache::new());
}

static CL100K_VOCABULARY: LazyLock<Vocabulary> =
    LazyLock::new(|| Vocabulary::open(include_bytes!(concat!(env!("OUT_DIR"), "/cl100k_base.tables"))));
static O200K_VOCABULARY: LazyLock<Vocabulary> =
    LazyLock::new(|| Vocabulary::open(include_bytes!(concat!(env!("OUT_DIR"), "/o200k_base.tables"))));

/// The encoding of GPT-4 and the `text-embedding-3` models.
pub(super) fn cl100k_base() -> impl Sizer {
    Encoding::<Cl100k> {
        name: "cl100k_base",
        vocabulary: &CL100K_VOCABULARY,
        cache: &CL100K_CACHE,
        pattern: PhantomData,
    }
}

/// The encoding of GPT-4o and later models.
pub(super) fn o200k_base() -> impl Sizer {
    Encoding::<O200k> { name: "o200k_base", vocabulary: &O200K_VOCABULARY, cache: &O200K_CACHE, pattern: PhantomData }
}

impl<P: Pattern> Encoding<P> {
    /// Runs `work` with what counting needs.
    fn with<R>(&self, work: impl FnOnce(&mut Counter<'_, P>) -> R) -> R {
        let (classes, vocabulary) = (Classes::get(), &**self.vocabulary);
        self.cache.with_borrow_mut(|cache| work(&mut Counter { classes, vocabulary, cache, pattern: PhantomData }))
    }
}

/// Cuts and counts pieces.
struct Counter<'a, P> {
    classes: &'a Classes,
    vocabulary: &'a Vocabulary,
    cache: &'a mut Cache,
    pattern: PhantomData<P>,
}

impl<P: Pattern> Counter<'_, P> {
    /// The end of the piece of `text` that begins at `at`, and the number of its tokens.
    fn piece(&mut self, text: &[u8], at: usize) -> (usize, usize) {
        let end = P::end(self.classes, text, at);
        (end, self.cache.count(self.vocabulary, text, at, end))
    }

    /// The number of tokens of `text[start..end]` taken alone.
    fn total(&mut self, text: &str, start: usize, end: usize) -> usize {
        let text = text.get(..end).unwrap_or_default().as_bytes();
        let (mut at, mut total) = (start, 0);
        while at < text.len() {
            let (end, count) = self.piece(text, at);
            at = end;
            total += count;
        }
        total
    }
}

impl<P: Pattern> Sizer for Encoding<P> {
    fn name(&self) -> &str {
        self.name
    }

    fn unit(&self) -> Unit {
        Unit::Tokens
    }

    fn size(&self, text: &str) -> usize {
        self.with(|counter| counter.total(text, 0, text.len()))
    }

    fn measure<'t>(&'t self, text: &'t str) -> Box<dyn Measured + 't> {
        Box::new(Index::new(self, text))
    }
}
