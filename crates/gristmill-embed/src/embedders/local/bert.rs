//! BERT, RoBERTa and XLM-RoBERTa: the same layers under the same names; they differ in the row of the first place.

use candle_core::Tensor;
use gristmill_core::Result;
use serde::Deserialize;

use super::elementwise::{Activation, add};
use super::transformer::{Layer, Linear, Mlp, Norm, Positions, Transformer};
use super::weights::{WORDS, Weights, failed};

/// The parts of `config.json` that shape the model.
#[derive(Deserialize)]
pub(super) struct Config {
    model_type: String,
    vocab_size: usize,
    hidden_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    intermediate_size: usize,
    hidden_act: Activation,
    max_position_embeddings: usize,
    type_vocab_size: usize,
    layer_norm_eps: f64,
    pad_token_id: Option<usize>,
    position_embedding_type: Option<String>,
}

impl Config {
    /// The most tokens that have a place.
    pub(super) fn max_tokens(&self) -> usize {
        self.max_position_embeddings.saturating_sub(self.first_place())
    }

    /// What in the configuration cannot be done.
    pub(super) fn objection(&self) -> Option<String> {
        if self.hidden_size == 0
            || self.num_attention_heads == 0
            || !self.hidden_size.is_multiple_of(self.num_attention_heads)
        {
            return Some(format!("`hidden_size` is no multiple of `num_attention_heads`: {}", self.hidden_size));
        }
        let kind = self.position_embedding_type.as_deref().filter(|kind| *kind != "absolute");
        kind.map(|kind| format!("unknown `position_embedding_type`: `{kind}`"))
    }

    /// The model with the weights of its file.
    pub(super) fn load(&self, weights: &Weights) -> Result<Transformer> {
        let places = [self.max_position_embeddings, self.hidden_size];
        let words = self.words(weights)?;
        let layers = (0..self.num_hidden_layers).map(|layer| self.layer(weights, &format!("encoder.layer.{layer}")));
        Ok(Transformer {
            words,
            layers: layers.collect::<Result<_>>()?,
            positions: Positions::Table {
                rows: weights.tensor("embeddings.position_embeddings.weight", &places)?,
                first: self.first_place(),
            },
            norm: self.norm(weights, "embeddings.LayerNorm")?,
            heads: self.num_attention_heads,
        })
    }

    /// RoBERTa counts places from the one behind the number of the token for padding.
    fn first_place(&self) -> usize {
        if self.model_type == "bert" { 0 } else { self.pad_token_id.unwrap_or(1).saturating_add(1) }
    }

    /// All our tokens are of the first type, so its row is added once, here.
    fn words(&self, weights: &Weights) -> Result<Tensor> {
        let words = weights.tensor(WORDS, &[self.vocab_size, self.hidden_size])?;
        let types = [self.type_vocab_size, self.hidden_size];
        let types = weights.tensor("embeddings.token_type_embeddings.weight", &types)?;
        types.narrow(0, 0, 1).and_then(|first| add(words, &first)).map_err(failed)
    }

    fn layer(&self, weights: &Weights, layer: &str) -> Result<Layer> {
        let (width, inner) = (self.hidden_size, self.intermediate_size);
        let linear = |part: &str, from, to| weights.linear(&format!("{layer}.{part}"), from, to, true);
        let head = |part: &str| linear(&format!("attention.self.{part}"), width, width);
        let query = head("query")?.scaled(scale(width, self.num_attention_heads)).map_err(failed)?;
        Ok(Layer {
            qkv: Linear::side_by_side(&[query, head("key")?, head("value")?]).map_err(failed)?,
            out: linear("attention.output.dense", width, width)?,
            attention_norm: self.norm(weights, &format!("{layer}.attention.output.LayerNorm"))?,
            mlp: Mlp::Plain {
                up: linear("intermediate.dense", width, inner)?,
                activation: self.hidden_act,
                down: linear("output.dense", inner, width)?,
            },
            mlp_norm: self.norm(weights, &format!("{layer}.output.LayerNorm"))?,
        })
    }

    fn norm(&self, weights: &Weights, name: &str) -> Result<Norm> {
        weights.norm(name, self.hidden_size, self.layer_norm_eps)
    }
}

/// What queries are multiplied by: one over the root of a head's width.
pub(super) fn scale(width: usize, heads: usize) -> f64 {
    (width as f64 / heads as f64).sqrt().recip()
}
