//! Nomic's BERT: places turn queries and keys, the inner part is gated, matrices have no bias.

use candle_core::Tensor;
use gristmill_core::Result;
use serde::Deserialize;

use super::bert::scale;
use super::elementwise::add;
use super::transformer::{Layer, Linear, Mlp, Norm, Positions, Transformer};
use super::weights::{WORDS, Weights, failed};

/// Places for which a table of angles is made at most.
const MAX_PLACES: usize = 1 << 20;

/// The parts of `config.json` that shape the model.
#[derive(Deserialize)]
pub(super) struct Config {
    vocab_size: usize,
    n_embd: usize,
    n_layer: usize,
    n_head: usize,
    n_inner: usize,
    n_positions: usize,
    type_vocab_size: usize,
    layer_norm_epsilon: f64,
    activation_function: String,
    rotary_emb_base: f64,
    rotary_emb_fraction: f64,
    rotary_scaling_factor: Option<f64>,
    max_trained_positions: Option<usize>,
    qkv_proj_bias: bool,
    mlp_fc1_bias: bool,
    mlp_fc2_bias: bool,
    #[serde(default)]
    rotary_emb_interleaved: bool,
    #[serde(default)]
    prenorm: bool,
    #[serde(default)]
    num_experts: usize,
}

impl Config {
    /// The most tokens that have a place. Where longer texts than those of the training would be turned by other angles,
    /// it is the training's length.
    pub(super) fn max_tokens(&self) -> usize {
        let trained = self.max_trained_positions.filter(|_| self.rotary_scaling_factor.is_some());
        self.n_positions.min(trained.unwrap_or(usize::MAX))
    }

    /// What in the configuration cannot be done.
    pub(super) fn objection(&self) -> Option<String> {
        let unknown = [
            (self.activation_function != "swiglu", "activation_function"),
            (self.rotary_emb_fraction != 1.0, "rotary_emb_fraction"),
            (self.rotary_emb_base <= 0.0, "rotary_emb_base"),
            (self.rotary_emb_interleaved, "rotary_emb_interleaved"),
            (self.prenorm, "prenorm"),
            (self.num_experts > 0, "num_experts"),
            (self.n_positions > MAX_PLACES, "n_positions"),
            (self.n_embd == 0, "n_embd"),
        ];
        if let Some((_, name)) = unknown.into_iter().find(|(is_unknown, _)| *is_unknown) {
            return Some(format!("its value of `{name}` is not supported"));
        }
        let even = self.n_head.checked_mul(2).filter(|&n| n > 0);
        let fits = even.is_some_and(|even| self.n_embd.is_multiple_of(even));
        (!fits).then(|| format!("`n_embd` is no even multiple of `n_head`: {}", self.n_embd))
    }

    /// The model with the weights of its file.
    pub(super) fn load(&self, weights: &Weights) -> Result<Transformer> {
        let words = self.words(weights)?;
        let layers = (0..self.n_layer).map(|layer| self.layer(weights, &format!("encoder.layers.{layer}")));
        Ok(Transformer {
            words,
            layers: layers.collect::<Result<_>>()?,
            positions: self.rotary(weights).map_err(failed)?,
            norm: self.norm(weights, "emb_ln")?,
            heads: self.n_head,
        })
    }

    fn words(&self, weights: &Weights) -> Result<Tensor> {
        let words = weights.tensor(WORDS, &[self.vocab_size, self.n_embd])?;
        if self.type_vocab_size == 0 {
            return Ok(words);
        }
        let types = [self.type_vocab_size, self.n_embd];
        let types = weights.tensor("embeddings.token_type_embeddings.weight", &types)?;
        types.narrow(0, 0, 1).and_then(|first| add(words, &first)).map_err(failed)
    }

    /// At place p, the pair of numbers i and i + d/2 of a head of width d is turned by p / base^(2i/d) (RoFormer,
    /// arXiv 2104.09864, with the halves of GPT-NeoX).
    fn rotary(&self, weights: &Weights) -> candle_core::Result<Positions> {
        let (places, width) = (self.max_tokens(), self.n_embd / self.n_head);
        let speed = |i: usize| self.rotary_emb_base.powf(-((2 * i) as f64) / width as f64);
        let angle = |place: usize| (0..width / 2).map(move |i| place as f64 * speed(i));
        let table = |function: fn(f64) -> f64| {
            let numbers: Vec<f32> = (0..places).flat_map(|place| angle(place).map(|a| function(a) as f32)).collect();
            Tensor::from_vec(numbers, (places, width / 2), weights.device())
        };
        Ok(Positions::Rotary { cos: table(f64::cos)?, sin: table(f64::sin)? })
    }

    fn layer(&self, weights: &Weights, layer: &str) -> Result<Layer> {
        let (width, inner) = (self.n_embd, self.n_inner);
        let linear = |part: &str, from, to, bias| weights.linear(&format!("{layer}.{part}"), from, to, bias);
        let qkv = linear("attn.Wqkv", width, 3 * width, self.qkv_proj_bias)?;
        Ok(Layer {
            qkv: self.scaled(&qkv).map_err(failed)?,
            out: linear("attn.out_proj", width, width, self.qkv_proj_bias)?,
            attention_norm: self.norm(weights, &format!("{layer}.norm1"))?,
            mlp: Mlp::Gated {
                up: linear("mlp.fc11", width, inner, self.mlp_fc1_bias)?,
                gate: linear("mlp.fc12", width, inner, self.mlp_fc1_bias)?,
                down: linear("mlp.fc2", inner, width, self.mlp_fc2_bias)?,
            },
            mlp_norm: self.norm(weights, &format!("{layer}.norm2"))?,
        })
    }

    /// The same with the queries scaled.
    fn scaled(&self, qkv: &Linear) -> candle_core::Result<Linear> {
        let (queries, rest) = (qkv.rows(0, self.n_embd)?, qkv.rows(self.n_embd, 2 * self.n_embd)?);
        Linear::side_by_side(&[queries.scaled(scale(self.n_embd, self.n_head))?, rest])
    }

    fn norm(&self, weights: &Weights, name: &str) -> Result<Norm> {
        weights.norm(name, self.n_embd, self.layer_norm_epsilon)
    }
}
