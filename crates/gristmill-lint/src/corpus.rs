//! All pieces of a set, by what was noted of each: the texts themselves need not be held.

use std::borrow::Cow;

use crate::shim::Sketch;
use gristmill_core::{Fingerprint, Result};

use crate::{Check, Finding, Group, Piece, Rule, is_invisible};

/// What is noted of a piece for the rules that compare all pieces.
#[derive(Clone, Debug)]
pub struct Digest {
    /// Its index in the input.
    pub index: usize,
    /// Number of its source; `None` when it names none.
    pub source: Option<u32>,
    /// Its place among the pieces of its source.
    pub order: u32,
    /// Hash of its identity.
    pub id: Option<Fingerprint>,
    /// Hash of its own text in small letters with each run of white space as one blank; `None` without visible text.
    pub text: Option<Fingerprint>,
    /// What near duplicates are found by; `None` without visible text.
    pub sketch: Option<Sketch>,
    /// Bytes of its text that repeat the piece before.
    pub overlap: u32,
}

/// Gives texts that were seen before.
pub trait Texts: Sync {
    /// The piece with this index, as it was when its digest was taken.
    ///
    /// # Errors
    /// When it cannot be read again.
    fn piece(&self, index: usize) -> Result<Cow<'_, Piece>>;
}

/// All pieces of a set.
pub struct Corpus<'a> {
    /// One a piece, in the order of the input.
    pub digests: &'a [Digest],
    /// The pieces themselves.
    pub texts: &'a dyn Texts,
}

/// Notes what the rules that compare all pieces need of each piece of a checked group.
pub fn digest(group: &Group, source: Option<u32>) -> Vec<Digest> {
    let mut scratch = String::new();
    let note = |(order, piece): (usize, &Piece)| {
        let own = &piece.text[piece.shown_start()..piece.body_end()];
        let visible = !own.chars().all(is_invisible);
        normalize(own, &mut scratch);
        Digest {
            index: piece.index,
            source,
            order: u32::try_from(order).unwrap_or(u32::MAX),
            id: piece.id.as_ref().map(|id| Fingerprint::of(id.as_bytes())),
            text: visible.then(|| Fingerprint::of(scratch.as_bytes())),
            sketch: visible.then(|| Sketch::of(own)),
            overlap: u32::try_from(piece.overlap_len()).unwrap_or(u32::MAX),
        }
    };
    group.pieces.iter().enumerate().map(note).collect()
}

/// The text in small letters with each run of white space as one blank.
fn normalize(text: &str, out: &mut String) {
    out.clear();
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.extend(word.chars().flat_map(char::to_lowercase));
    }
}

/// Adds what rules find in the whole set.
///
/// # Errors
/// When a text cannot be read again.
pub fn check_corpus(corpus: &Corpus<'_>, rules: &[&'static Rule], out: &mut Vec<Finding>) -> Result<()> {
    for rule in rules {
        if let Check::Corpus(check) = rule.check {
            check.check(corpus, out)?;
        }
    }
    Ok(())
}
