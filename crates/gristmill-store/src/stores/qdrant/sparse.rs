//! Sparse vectors for BM25. A document's vector holds how much each of its words counts in it, the question's is 1 for
//! each of its words, and the server multiplies by how rare each word is (modifier `idf`).

use std::collections::BTreeMap;

use crate::{bm25, words};

const K1: f32 = bm25::K1 as f32;
const B: f32 = bm25::B as f32;
/// Words of a text of middling length. Fixed, so that a vector depends on its text alone: chunks of some 400 tokens have
/// about so many words.
const MIDDLING: f32 = 256.0;

/// Words by number, with weights.
pub(super) type Weights = BTreeMap<u32, f32>;

/// Weights of the words of a text: `tf (k1 + 1) / (tf + k1 (1 - b + b length / middling))`.
pub(super) fn of_text(tenant: &str, text: &str) -> Weights {
    let mut counts = Weights::new();
    let mut length = 0.0;
    words::each(text, |word| {
        *counts.entry(number(tenant, word)).or_default() += 1.0;
        length += 1.0;
    });
    let room = K1 * (1.0 - B + B * length / MIDDLING);
    counts.values_mut().for_each(|count| *count = *count * (K1 + 1.0) / (*count + room));
    counts
}

/// Weights of the words of a question.
pub(super) fn of_question(tenant: &str, text: &str) -> Weights {
    let mut weights = Weights::new();
    words::each(text, |word| _ = weights.insert(number(tenant, word), 1.0));
    weights
}

/// What the question's words weigh in a text, all equally rare.
pub(super) fn shared(question: &Weights, text: &Weights) -> f64 {
    question.keys().filter_map(|word| text.get(word)).map(|&weight| f64::from(weight)).sum()
}

/// As the server wants it.
pub(super) fn json(weights: &Weights) -> String {
    let (numbers, values): (Vec<String>, Vec<String>) =
        weights.iter().map(|(number, value)| (number.to_string(), value.to_string())).unzip();
    format!("{{\"indices\":[{}],\"values\":[{}]}}", numbers.join(","), values.join(","))
}

/// The number of a word: FNV-1a of tenant and word, mixed. Tenants have numbers of their own, so that how rare a word is
/// does not depend on the texts of others.
fn number(tenant: &str, word: &str) -> u32 {
    let bytes = tenant.bytes().chain([0x1f]).chain(word.bytes());
    let hash =
        bytes.fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    let mixed = (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_saturate_and_fall_with_length() {
        // Two words, one of them twice: lengths 3, room 1.2 * (0.25 + 0.75 * 3 / 256).
        let room = 1.2 * (0.25 + 0.75 * 3.0 / 256.0);
        let weights = of_text("t", "Pump pump valve");
        let (pump, valve) = (weights[&number("t", "pump")], weights[&number("t", "valve")]);
        assert!((pump - 2.0 * 2.2 / (2.0 + room)).abs() < 1e-6 && (valve - 2.2 / (1.0 + room)).abs() < 1e-6);
        let long = of_text("t", &"pump valve ".repeat(500));
        assert!(long[&number("t", "valve")] < 2.2);
        let of_256 = of_text("t", &(0..256).map(|n| format!("w{n} ")).collect::<String>());
        assert!((of_256[&number("t", "w7")] - 1.0).abs() < 1e-6, "a word once in a text of middling length weighs 1");
    }

    #[test]
    fn questions_count_each_word_once() {
        let question = of_question("t", "pump PUMP belt");
        assert_eq!(question.values().copied().collect::<Vec<_>>(), [1.0, 1.0]);
        let text = of_text("t", "a pump");
        assert!((shared(&question, &text) - f64::from(text[&number("t", "pump")])).abs() < 1e-9);
        assert_eq!(shared(&question, &of_text("other", "a pump")), 0.0, "tenants share no words");
    }

    #[test]
    fn numbers_are_the_same_for_ever() {
        // Stored vectors hold them. From the formula in another language.
        assert_eq!((number("default", "pump"), number("docs", "数据")), (436_711_583, 2_730_654_562));
        assert_ne!(number("a", "bc"), number("ab", "c"));
    }
}
