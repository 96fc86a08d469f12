//! How alike sentences are, by the vectors of a model.

use std::sync::Arc;

use gristmill_core::{Embedder, Purpose, Result, Similarity};
use gristmill_embed::{EmbedderOptions, embedder};

/// Compares the vectors of an embedder.
struct Vectors(Arc<dyn Embedder>);

/// By the table of vectors inside the program: no network, and the same everywhere.
pub(crate) fn built_in() -> Result<Arc<dyn Similarity>> {
    Ok(Arc::new(Vectors(embedder("static", &EmbedderOptions::default())?)))
}

impl Similarity for Vectors {
    fn neighbours(&self, texts: &[&str]) -> Result<Vec<f32>> {
        let mut alike = Vec::with_capacity(texts.len().saturating_sub(1));
        let mut before: Option<Vec<f32>> = None;
        for some in texts.chunks(self.0.limits().inputs.max(1)) {
            for vector in self.0.embed(some, Purpose::Passage)? {
                alike.extend(before.map(|before| cosine(&before, &vector)));
                before = Some(vector);
            }
        }
        Ok(alike)
    }
}

/// Of two vectors of unit length; not a number where a text has none.
fn cosine(a: &[f32], b: &[f32]) -> f32 {
    if a.is_empty() || b.is_empty() {
        return f32::NAN;
    }
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_of_one_subject_are_more_alike() {
        let texts = [
            "The cat chased the mouse through the kitchen.",
            "A mouse hid from the cat under the kitchen table.",
            "The central bank raised interest rates by a quarter point.",
            "Interest rates of the bank rise again next quarter.",
            // Hindi, of which the model has no pieces.
            "\u{0939}\u{093f}\u{0928}\u{094d}\u{0926}\u{0940} \u{092a}\u{093e}\u{0920}",
        ];
        let alike = built_in().unwrap().neighbours(&texts).unwrap();
        assert_eq!(alike.len(), 4);
        assert!(alike[0] > alike[1] && alike[2] > alike[1], "{alike:?}");
        assert!(alike[3].is_nan(), "the model knows nothing of this script: {alike:?}");
        assert!(built_in().unwrap().neighbours(&texts[..1]).unwrap().is_empty());
    }
}
