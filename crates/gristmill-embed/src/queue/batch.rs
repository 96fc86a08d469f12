//! Texts that are sent together.

use std::sync::Arc;

/// A text on its way.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub text: Arc<str>,
    pub tokens: usize,
}

/// How much a request holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Size {
    pub inputs: usize,
    pub tokens: usize,
    pub bytes: usize,
}

/// Texts that are sent together, and what they have been through.
#[derive(Debug)]
pub(super) struct Batch {
    pub texts: Vec<Text>,
    /// Requests that may be sent again and failed.
    pub tries: u32,
    /// Requests of others that had succeeded when it failed last.
    pub seen: Option<u64>,
    /// Others succeeded between two of its failures.
    pub outdone: bool,
    /// Bounds that were learnt from requests these texts were in.
    pub causes: Vec<u64>,
    /// Number of the request, in the order of sending.
    pub number: u64,
}

impl Size {
    pub fn of(text: &Text) -> Self {
        Self { inputs: 1, tokens: text.tokens, bytes: text.text.len() }
    }

    pub fn and(self, other: Self) -> Self {
        Self {
            inputs: self.inputs.saturating_add(other.inputs),
            tokens: self.tokens.saturating_add(other.tokens),
            bytes: self.bytes.saturating_add(other.bytes),
        }
    }

    pub fn without(self, other: Self) -> Self {
        Self {
            inputs: self.inputs.saturating_sub(other.inputs),
            tokens: self.tokens.saturating_sub(other.tokens),
            bytes: self.bytes.saturating_sub(other.bytes),
        }
    }

    /// True when no part is above that of `bound`.
    pub fn fits(self, bound: Self) -> bool {
        self.inputs <= bound.inputs && self.tokens <= bound.tokens && self.bytes <= bound.bytes
    }

    /// True when one part has come to that of `bound`.
    pub fn fills(self, bound: Self) -> bool {
        self.inputs >= bound.inputs || self.tokens >= bound.tokens || self.bytes >= bound.bytes
    }
}

impl Batch {
    pub fn new(texts: Vec<Text>) -> Self {
        Self { texts, tries: 0, seen: None, outdone: false, causes: Vec::new(), number: 0 }
    }

    pub fn texts(&self) -> Vec<&str> {
        self.texts.iter().map(|text| &*text.text).collect()
    }

    pub fn size(&self) -> Size {
        self.texts.iter().map(Size::of).fold(Size::default(), Size::and)
    }

    /// Two batches, each with half of the texts and the whole past.
    pub fn halves(mut self) -> (Self, Self) {
        let texts = self.texts.split_off(self.texts.len().div_ceil(2));
        let second = Self { texts, causes: self.causes.clone(), ..self };
        (self, second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_keep_order_and_past() {
        let texts = ["a", "b", "c"].map(|text| Text { text: text.into(), tokens: 1 });
        let batch = Batch { tries: 2, causes: vec![7], ..Batch::new(texts.to_vec()) };
        let (first, second) = batch.halves();
        assert_eq!((first.texts(), second.texts()), (vec!["a", "b"], vec!["c"]));
        assert_eq!((second.tries, second.causes.as_slice(), first.causes.as_slice()), (2, &[7][..], &[7][..]));
    }
}
