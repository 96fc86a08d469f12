//! The forward pass of an encoder: from the tokens of texts to a vector for each token.
//!
//! Texts are packed one behind the other, not padded to a common length: matrix products run over all tokens at once,
//! attention over each text alone. So no text can see another, and no work is done for padding.

use candle_core::{D, IndexOp, Result, Tensor};
use candle_nn::ops::{layer_norm, softmax_last_dim};
use candle_nn::rotary_emb::rope;

use super::elementwise::{Activation, activate, add, gated};
use super::product::product;

/// Rows of attention weights held at once, so that memory grows with the length of a text and not with its square.
const ROWS: usize = 512;

/// An encoder with its weights.
pub(super) struct Transformer {
    /// A row for each token of the vocabulary. The rows of token types and such that every token gets are in it.
    pub(super) words: Tensor,
    pub(super) positions: Positions,
    pub(super) norm: Norm,
    pub(super) layers: Vec<Layer>,
    pub(super) heads: usize,
}

/// How a token's place comes into its vector.
pub(super) enum Positions {
    /// A row is added for each place; the first place has the row `first`.
    Table { rows: Tensor, first: usize },
    /// Queries and keys are turned by an angle that grows with the place. Rows of cosines and sines, one for each place.
    Rotary { cos: Tensor, sin: Tensor },
}

/// One layer. Norms follow the sum with what went in.
pub(super) struct Layer {
    /// Queries, keys and values side by side. Queries are scaled by one over the root of a head's width.
    pub(super) qkv: Linear,
    pub(super) out: Linear,
    pub(super) attention_norm: Norm,
    pub(super) mlp: Mlp,
    pub(super) mlp_norm: Norm,
}

/// What is done to each token alone.
pub(super) enum Mlp {
    Plain {
        up: Linear,
        activation: Activation,
        down: Linear,
    },
    /// SwiGLU: the product of one matrix with the SiLU of another.
    Gated {
        up: Linear,
        gate: Linear,
        down: Linear,
    },
}

/// A matrix and what is added.
pub(super) struct Linear {
    pub(super) weight: Tensor,
    pub(super) bias: Option<Tensor>,
}

/// Layer normalisation.
pub(super) struct Norm {
    pub(super) weight: Tensor,
    pub(super) bias: Tensor,
    pub(super) epsilon: f32,
}

impl Transformer {
    /// Numbers in a token's vector.
    pub(super) fn width(&self) -> usize {
        self.words.dim(D::Minus1).unwrap_or_default()
    }

    /// Tokens that have a row.
    pub(super) fn vocabulary(&self) -> usize {
        self.words.dim(0).unwrap_or_default()
    }

    /// The vectors of all tokens of `texts`, one text behind the other: tokens × width.
    pub(super) fn forward(&self, texts: &[&[u32]]) -> Result<Tensor> {
        let mut hidden = self.norm.forward(&self.embed(texts)?)?;
        for layer in &self.layers {
            let attended = layer.out.forward(&self.attention(layer, &hidden, texts)?)?;
            hidden = layer.attention_norm.forward(&add(attended, &hidden)?)?;
            let changed = layer.mlp.forward(&hidden)?;
            hidden = layer.mlp_norm.forward(&add(changed, &hidden)?)?;
        }
        Ok(hidden)
    }

    fn embed(&self, texts: &[&[u32]]) -> Result<Tensor> {
        let ids = texts.concat();
        let words = self.words.index_select(&Tensor::new(ids, self.words.device())?, 0)?;
        let Positions::Table { rows, first } = &self.positions else { return Ok(words) };
        let places: Vec<u32> =
            texts.iter().flat_map(|text| (*first..*first + text.len()).map(|place| place as u32)).collect();
        add(words, &rows.index_select(&Tensor::new(places, rows.device())?, 0)?)
    }

    fn attention(&self, layer: &Layer, hidden: &Tensor, texts: &[&[u32]]) -> Result<Tensor> {
        let qkv = layer.qkv.forward(hidden)?;
        let mut start = 0;
        let attended = texts.iter().map(|text| {
            let attended = self.attend(&qkv.narrow(0, start, text.len())?);
            start += text.len();
            attended
        });
        Tensor::cat(&attended.collect::<Result<Vec<_>>>()?, 0)
    }

    /// Attention of one text's tokens to each other: tokens × (3 · width) → tokens × width.
    fn attend(&self, qkv: &Tensor) -> Result<Tensor> {
        let (tokens, width) = (qkv.dim(0)?, self.width());
        let split = qkv.reshape((tokens, 3, self.heads, width / self.heads))?.permute((1, 2, 0, 3))?.contiguous()?;
        let (queries, keys) = (self.turn(&split.i(0)?)?, self.turn(&split.i(1)?)?.t()?);
        let values = split.i(2)?;
        let blocks = (0..tokens).step_by(ROWS).map(|row| {
            let queries = queries.narrow(1, row, ROWS.min(tokens - row))?;
            product(&softmax_last_dim(&product(&queries, &keys)?)?, &values)
        });
        let attended = Tensor::cat(&blocks.collect::<Result<Vec<_>>>()?, 1)?;
        attended.transpose(0, 1)?.reshape((tokens, width))
    }

    /// Queries or keys with their places in them, where the model does it that way: heads × tokens × width of a head.
    fn turn(&self, heads: &Tensor) -> Result<Tensor> {
        match &self.positions {
            Positions::Table { .. } => Ok(heads.clone()),
            Positions::Rotary { cos, sin } => rope(&heads.unsqueeze(0)?, cos, sin)?.squeeze(0),
        }
    }
}

impl Mlp {
    fn forward(&self, hidden: &Tensor) -> Result<Tensor> {
        match self {
            Self::Plain { up, activation, down } => down.forward(&activate(up.forward(hidden)?, *activation)?),
            Self::Gated { up, gate, down } => down.forward(&gated(up.forward(hidden)?, &gate.forward(hidden)?)?),
        }
    }
}

impl Linear {
    /// One matrix that gives the results of all `parts` side by side.
    pub(super) fn side_by_side(parts: &[Self]) -> Result<Self> {
        let weights: Vec<_> = parts.iter().map(|part| &part.weight).collect();
        let biases: Vec<_> = parts.iter().filter_map(|part| part.bias.as_ref()).collect();
        let bias = if biases.is_empty() { None } else { Some(Tensor::cat(&biases, 0)?) };
        Ok(Self { weight: Tensor::cat(&weights, 0)?, bias })
    }

    /// Only `count` of the results, from `start` on.
    pub(super) fn rows(&self, start: usize, count: usize) -> Result<Self> {
        let bias = self.bias.as_ref().map(|bias| bias.narrow(0, start, count)).transpose()?;
        Ok(Self { weight: self.weight.narrow(0, start, count)?, bias })
    }

    /// The same with all results multiplied.
    pub(super) fn scaled(&self, by: f64) -> Result<Self> {
        let bias = self.bias.as_ref().map(|bias| bias * by).transpose()?;
        Ok(Self { weight: (&self.weight * by)?, bias })
    }

    fn forward(&self, hidden: &Tensor) -> Result<Tensor> {
        let product = product(hidden, &self.weight.t()?)?;
        match &self.bias {
            Some(bias) => add(product, bias),
            None => Ok(product),
        }
    }
}

impl Norm {
    fn forward(&self, hidden: &Tensor) -> Result<Tensor> {
        layer_norm(hidden, &self.weight, &self.bias, self.epsilon)
    }
}
