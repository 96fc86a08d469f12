//! All pieces of a set, by what was noted of each: the texts themselves need not be held.

use std::borrow::Cow;

use gristmill_core::{Result, Span};
use gristmill_text::similar::{self, Index, Options, Pair, Shared, Sketch};

use crate::{Check, Finding, Group, Piece, Rule};

/// What is noted of a piece for the rules that compare all pieces.
#[derive(Clone, Debug)]
pub struct Digest {
    /// Its index in the input.
    pub index: usize,
    /// Its identity, for messages.
    pub id: Option<Box<str>>,
    /// Number of its source; `None` when it names none.
    pub source: Option<u32>,
    /// Its place among the pieces of its source.
    pub order: u32,
    /// What duplicates are found by.
    sketch: Sketch,
    /// Where its own text lies in the text of the piece.
    own: Span,
    /// Bytes at the start of its own text that repeat the piece before, and bytes at the end of that piece.
    overlap: (u32, u32),
}

impl Digest {
    /// ``chunk `a` ``, or `chunk 3` when it has no identity.
    pub fn label(&self) -> String {
        self.id.as_ref().map_or_else(|| format!("chunk #{}", self.index), |id| format!("chunk `{id}`"))
    }
}

/// Gives pieces that were seen before.
pub trait Texts: Sync {
    /// The piece with this index, as it was when its digest was taken.
    ///
    /// # Errors
    /// When it cannot be read again.
    fn piece(&self, index: usize) -> Result<Cow<'_, Piece>>;
}

/// All pieces of a set.
pub struct Corpus<'a> {
    digests: &'a [Digest],
    pairs: Vec<Pair>,
}

impl<'a> Corpus<'a> {
    /// Compares the pieces. `digests` are in the order of their indices.
    ///
    /// # Errors
    /// When a text cannot be read again.
    pub fn new(digests: &'a [Digest], texts: &dyn Texts) -> Result<Self> {
        let mut index = Index::new(Options::default());
        for digest in digests {
            index.insert(digest.index as u64, digest.sketch.clone());
        }
        let corpus = Self { digests, pairs: Vec::new() };
        let text = |id: u64| {
            let piece = texts.piece(usize::try_from(id).unwrap_or(usize::MAX))?;
            // As it was noted: read again, a piece alone does not show what its neighbours do.
            let own = corpus.digest(id).and_then(|digest| piece.text.get(digest.own.range()));
            Ok(Cow::Owned(own.unwrap_or(&piece.text).to_owned()))
        };
        let shared = |a: u64, b: u64| corpus.shared(a, b);
        let pairs = index.pairs(&similar::Texts { text: &text, shared: &shared })?;
        Ok(Self { digests, pairs })
    }

    /// One a piece, in the order of the input.
    pub fn digests(&self) -> &'a [Digest] {
        self.digests
    }

    /// Pairs of pieces that say the same, by index; each piece is the second or the inner one of one pair at most.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// The digest of the piece with this index.
    pub fn digest(&self, index: u64) -> Option<&'a Digest> {
        let at = self.digests.binary_search_by_key(&index, |digest| digest.index as u64).ok()?;
        self.digests.get(at)
    }

    /// What the splitter put into two neighbours.
    fn shared(&self, a: u64, b: u64) -> Option<Shared> {
        let (a, b) = (self.digest(a)?, self.digest(b)?);
        if a.source != b.source || a.order.abs_diff(b.order) != 1 {
            return None;
        }
        let (left, right) = if a.order < b.order { (a, b) } else { (b, a) };
        let (in_right, in_left) = (right.overlap.0 as usize, right.overlap.1 as usize);
        if in_right == 0 {
            return None;
        }
        let tail = left.own.len().saturating_sub(in_left)..left.own.len();
        let head = 0..in_right;
        Some(if a.order < b.order {
            Shared { first: tail, second: head }
        } else {
            Shared { first: head, second: tail }
        })
    }
}

/// Where the text of a piece lies without what was injected before and after it, and without white space at its end.
fn own_text(piece: &Piece) -> Span {
    let start = piece.shown_start();
    let own = piece.text[start..piece.body_end().max(start)].trim_end();
    Span::new(start, start + own.len())
}

/// Notes what the rules that compare all pieces need of each piece of a checked group.
pub fn digest(group: &Group, source: Option<u32>) -> Vec<Digest> {
    let count = |len: usize| u32::try_from(len).unwrap_or(u32::MAX);
    let note = |(order, piece): (usize, &Piece)| {
        let own = own_text(piece);
        Digest {
            index: piece.index,
            id: piece.id.as_deref().map(Into::into),
            source,
            order: count(order),
            sketch: Sketch::of(&piece.text[own.range()]),
            own,
            overlap: (count(piece.overlap_len()), count(piece.overlap_before)),
        }
    };
    group.pieces.iter().enumerate().map(note).collect()
}

/// Adds what rules find in the whole set. Findings name pieces by their index in the input.
pub fn check_corpus(corpus: &Corpus<'_>, rules: &[&'static Rule], out: &mut Vec<Finding>) {
    for rule in rules {
        if let Check::Corpus(check) = rule.check {
            check.check(corpus, out);
        }
    }
}
