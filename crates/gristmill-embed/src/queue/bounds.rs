//! What a request may hold, as far as it is known: what was said at first, and what refusals have taught.

use gristmill_core::EmbedLimits;

use super::batch::Size;

/// What a request may hold.
#[derive(Debug)]
pub(super) struct Bounds {
    known: Size,
    /// What was learnt: its number and what it allows.
    learnt: Vec<(u64, Size)>,
    next: u64,
}

impl Bounds {
    pub fn new(limits: EmbedLimits) -> Self {
        let known = Size { inputs: limits.inputs.max(1), tokens: limits.tokens.max(1), bytes: limits.bytes.max(1) };
        Self { known, learnt: Vec::new(), next: 0 }
    }

    /// What a request may hold now.
    pub fn now(&self) -> Size {
        self.learnt.iter().fold(self.known, |least, (_, size)| Size {
            inputs: least.inputs.min(size.inputs),
            tokens: least.tokens.min(size.tokens),
            bytes: least.bytes.min(size.bytes),
        })
    }

    /// A request of this size was too much. Which part of it was is not told: it is taken to be the one that came nearest
    /// to its bound, and half of it is allowed from now on. Gives the number of what was learnt.
    pub fn refused(&mut self, size: Size) -> u64 {
        let now = self.now();
        let any = Size { inputs: usize::MAX, tokens: usize::MAX, bytes: usize::MAX };
        let half = |part: usize| (part / 2).max(1);
        let parts = [
            (fill(size.inputs, now.inputs), Size { inputs: half(size.inputs), ..any }),
            (fill(size.tokens, now.tokens), Size { tokens: half(size.tokens), ..any }),
            (fill(size.bytes, now.bytes), Size { bytes: half(size.bytes), ..any }),
        ];
        let [first, rest @ ..] = parts;
        let (_, allowed) = rest.into_iter().fold(first, |most, part| if part.0 > most.0 { part } else { most });
        self.next += 1;
        self.learnt.push((self.next, allowed));
        self.next
    }

    /// One text alone was at fault: what was learnt from requests it was in is forgotten.
    pub fn forget(&mut self, causes: &[u64]) {
        self.learnt.retain(|(number, _)| !causes.contains(number));
    }
}

/// How full a part is, in millionths; without a bound it is never full.
fn fill(part: usize, bound: usize) -> u128 {
    if bound == usize::MAX { 0 } else { part as u128 * 1_000_000 / bound.max(1) as u128 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(inputs: usize, tokens: usize, bytes: usize) -> Bounds {
        Bounds::new(EmbedLimits { inputs, tokens, bytes, input_tokens: usize::MAX, requests: 1 })
    }

    #[test]
    fn the_fullest_part_is_halved() {
        let mut bounds = bounds(500, 16_000, usize::MAX);
        bounds.refused(Size { inputs: 60, tokens: 6_000, bytes: 24_000 });
        assert_eq!(bounds.now(), Size { inputs: 500, tokens: 3_000, bytes: usize::MAX });
        bounds.refused(Size { inputs: 400, tokens: 1_000, bytes: 4_000 });
        assert_eq!(bounds.now(), Size { inputs: 200, tokens: 3_000, bytes: usize::MAX });
    }

    #[test]
    fn without_any_bound_texts_are_counted() {
        let mut bounds = bounds(usize::MAX, usize::MAX, usize::MAX);
        bounds.refused(Size { inputs: 9, tokens: 900, bytes: 3_600 });
        assert_eq!(bounds.now().inputs, 4);
    }

    #[test]
    fn what_one_text_caused_is_forgotten() {
        let mut bounds = bounds(100, usize::MAX, usize::MAX);
        let first = bounds.refused(Size { inputs: 100, ..Size::default() });
        let second = bounds.refused(Size { inputs: 50, ..Size::default() });
        bounds.forget(&[second]);
        assert_eq!(bounds.now().inputs, 50);
        bounds.forget(&[first, second]);
        assert_eq!(bounds.now().inputs, 100);
    }

    #[test]
    fn one_text_is_always_allowed() {
        let mut bounds = bounds(0, 0, 0);
        bounds.refused(Size { inputs: 1, tokens: 0, bytes: 0 });
        assert_eq!(bounds.now(), Size { inputs: 1, tokens: 1, bytes: 1 });
    }
}
