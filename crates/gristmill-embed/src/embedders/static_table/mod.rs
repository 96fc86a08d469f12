//! `static`: a table of token vectors inside the program. A text's vector is the direction of the sum of its tokens'.
//!
//! No network, no file, no setup; English, Korean, Chinese, Japanese, Thai, Arabic and the languages of Latin, Greek and
//! Cyrillic script. Text of other scripts (Devanagari, Hebrew, …) gets no vector: see [`StaticTable`]. How the table was
//! made and how well it finds is told in `docs/study/embedding.md`; `fit/` in this crate makes it.

mod double_array;
mod segment;
mod table;
mod vocabulary;
mod words;

use std::sync::{Arc, OnceLock};

use gristmill_core::{EmbedError, EmbedLimits, Embedder, Entry, Error, Purpose, Result};

use crate::{Build, EmbedderOptions};
use segment::{Piece, Segmenter};
use table::{DIMENSIONS, Sum, Table};
use vocabulary::Vocabulary;

static TABLE: &[u8] = include_bytes!("assets/gm-multi-66k-256-i4.bin");
static VOCABULARY: &[u8] = include_bytes!("assets/gm-multi-66k-256-i4.vocab");

const MODEL: &str = "gm-multi-66k-256-i4";

/// Numbers in each vector.
const LENGTH: usize = 256;

/// The line of this provider in the registry.
pub(crate) const ENTRY: Entry<Build> = Entry {
    name: "static",
    summary: "table of token vectors inside the program: many languages, no network, no download",
    item: &build,
};

fn build(options: &EmbedderOptions) -> Result<Arc<dyn Embedder>> {
    if let Some(other) = options.dimensions.filter(|length| *length != LENGTH) {
        return Err(Error::config(format!("the vectors of provider `static` have {LENGTH} numbers, not: {other}"))
            .hint("leave out `[embed] dimensions`"));
    }
    match options.model.as_deref() {
        None | Some(MODEL) => {
            let table = StaticTable::new()?;
            Ok(Arc::new(options.concurrency.map_or(table, |threads| table.with_threads(threads))))
        }
        Some(other) => {
            Err(Error::config(format!("provider `static` has no model: `{other}`"))
                .hint(format!("its model is `{MODEL}`")))
        }
    }
}

/// The built-in model: 65,536 unigram pieces, 256 dimensions.
///
/// A text of which the model knows less than half the characters (white space aside) gets an empty vector, not a
/// misleading one made of its punctuation: search serves it by words. Passages and queries are treated alike.
#[derive(Clone, Copy)]
pub struct StaticTable {
    model: &'static Model,
    threads: usize,
}

struct Model {
    vocabulary: Vocabulary,
    table: Table,
}

impl StaticTable {
    /// The model, unpacked at the first call of the process.
    ///
    /// # Errors
    /// Never, unless the program itself is damaged.
    pub fn new() -> Result<Self> {
        static MODEL: OnceLock<Model> = OnceLock::new();
        if let Some(model) = MODEL.get() {
            return Ok(Self { model, threads: 1 });
        }
        let model = Model::open()?;
        Ok(Self { model: MODEL.get_or_init(|| model), threads: 1 })
    }

    /// The same for this many threads, at least one: what its limits say of requests at the same time.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads: threads.max(1), ..self }
    }
}

impl Model {
    fn open() -> Result<Self> {
        let (vocabulary, table) = (Vocabulary::unpack(VOCABULARY)?, Table::open(TABLE)?);
        if vocabulary.scores.len() != table.len() {
            return Err(Error::bug("the vocabulary and the table of the built-in model differ in length"));
        }
        Ok(Self { vocabulary, table })
    }

    fn embed(&self, text: &str, scratch: &mut Scratch) -> Vec<f32> {
        let mut sum = Sum::new();
        let (mut known, mut unknown) = (0usize, 0usize);
        words::each_word(text, &mut scratch.word, |word| {
            let mut at = 0;
            for &(piece, len) in scratch.segmenter.pieces(&self.vocabulary, word) {
                let piece_text = &word[at..at + len as usize];
                at += len as usize;
                match piece {
                    Piece::Unknown => unknown += 1,
                    Piece::Row(row) => {
                        known += piece_text.chars().count() - usize::from(piece_text.starts_with(words::MARK));
                        sum.add(&self.table, row);
                    }
                }
            }
        });
        if known < unknown { Vec::new() } else { sum.unit().filter(|_| known > 0).unwrap_or_default() }
    }
}

#[derive(Default)]
struct Scratch {
    word: String,
    segmenter: Segmenter,
}

impl Embedder for StaticTable {
    fn name(&self) -> &str {
        "static/gm-multi-66k-256-i4"
    }

    fn dimensions(&self) -> Option<usize> {
        Some(DIMENSIONS)
    }

    fn limits(&self) -> EmbedLimits {
        let any = usize::MAX;
        EmbedLimits { inputs: 256, tokens: any, bytes: any, input_tokens: any, requests: self.threads }
    }

    fn embed(&self, texts: &[&str], _purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbedError> {
        let mut scratch = Scratch::default();
        Ok(texts.iter().map(|text| self.model.embed(text, &mut scratch)).collect())
    }
}

#[cfg(test)]
mod tests;
