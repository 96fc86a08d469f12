//! How alike texts are, for strategies that cut between topics.

use crate::Result;

/// Knows how alike texts are, as a model of language does.
pub trait Similarity: Send + Sync {
    /// How alike each text is to the one after it: the cosine of their vectors, from -1 to 1, one number fewer than texts.
    /// Not a number for two texts of which the model cannot tell. The texts are not blank, and none is larger than the
    /// limit of a chunk.
    ///
    /// # Errors
    /// When the model cannot be used.
    fn neighbours(&self, texts: &[&str]) -> Result<Vec<f32>>;
}

/// The similarity below which a topic ends, said in one of three ways.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Threshold {
    /// This similarity, the same for all documents.
    Absolute(f32),
    /// That of this percentage of the document's neighbours, the least alike: 5 cuts at about every twentieth border.
    Percentile(f32),
    /// So many standard deviations below the mean of the document's neighbours.
    Deviations(f32),
}

impl Default for Threshold {
    /// A similarity of 0.5.
    fn default() -> Self {
        Self::Absolute(0.5)
    }
}
