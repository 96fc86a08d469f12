//! `local`: a transformer from a folder, on this machine's processor or card. Nothing is downloaded.
//!
//! The folder is one of Sentence Transformers or Transformers: `config.json`, `tokenizer.json`, `model.safetensors`, and
//! what says how vectors are pooled, what is put before queries and passages, and how long a text may be.

mod architecture;
mod bert;
mod elementwise;
mod folder;
mod nomic;
mod product;
mod prompts;
mod tokens;
mod transformer;
mod weights;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use candle_core::{Device, Tensor};
use gristmill_core::{EmbedError, EmbedLimits, Embedder, Entry, Error, Purpose, Remedy, Result};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use sha2::{Digest, Sha256};

use crate::{Build, EmbedderOptions};
use architecture::{Architecture, CONFIG};
use folder::{Folder, Pooling};
use tokens::{TOKENIZER, Tokens};
use transformer::Transformer;
use weights::{Weights, failed};

/// The file of weights.
const WEIGHTS: &str = "model.safetensors";

/// Raised whenever the same text in the same model gets another vector than before.
const VERSION: u8 = 1;

/// Texts in a request, unless told otherwise.
const BATCH: usize = 64;

/// Tokens that go through the model at once on a processor: enough for full matrices, few enough for its caches.
const TOGETHER: usize = 512;

/// The same on a card.
const TOGETHER_ON_CARD: usize = 16_384;

/// The line of this provider in the registry.
pub(crate) const ENTRY: Entry<Build> = Entry {
    name: "local",
    summary: "transformer from a folder (BERT, XLM-RoBERTa, Nomic): the best vectors without a network, slow without a card",
    item: &build,
};

fn build(options: &EmbedderOptions) -> Result<Arc<dyn Embedder>> {
    let Some(model) = options.model.as_deref() else {
        let error = Error::config("provider `local` needs the folder of a model");
        return Err(error.hint("name it as the model, for example `models/multilingual-e5-small`"));
    };
    let below = options.models_folder.as_ref().map(|folder| folder.join(model)).filter(|path| path.is_dir());
    let mut local = LocalModel::open(&below.unwrap_or_else(|| PathBuf::from(model)))?;
    let width = local.transformer.width();
    if let Some(other) = options.dimensions.filter(|&dimensions| dimensions != width) {
        return Err(Error::config(format!("model `{model}` makes vectors of {width} dimensions, not of: {other}")));
    }
    local.tokens.limit(options.max_tokens.unwrap_or(usize::MAX))?;
    local.batch = options.batch_size.unwrap_or(BATCH).max(1);
    local.threads = options.concurrency.map(threads).transpose()?;
    Ok(Arc::new(local))
}

fn threads(count: usize) -> Result<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(count.max(1)).build();
    pool.map_err(|error| Error::config(format!("threads cannot be started: {count}")).because(error))
}

/// A transformer with its tokenizer.
///
/// A text's vector does not depend on the texts beside it, beyond the last digits of a number. A text that is longer
/// than the model can read is refused, never cut; one of which the tokenizer knows nothing gets an empty vector.
pub struct LocalModel {
    name: String,
    transformer: Transformer,
    tokens: Tokens,
    pooling: Pooling,
    device: Device,
    /// Those of the whole program where unset.
    threads: Option<ThreadPool>,
    batch: usize,
}

impl LocalModel {
    /// The model in the folder at `path`: on a CUDA card where the program is built for one and finds it.
    ///
    /// # Errors
    /// A configuration error that names the file which is missing or cannot be used, and why.
    pub fn open(path: &Path) -> Result<Self> {
        let folder = Folder::open(path)?;
        let config = folder.need(CONFIG)?;
        let architecture = Architecture::parse(&folder, &config)?;
        let (pooling, prompts) = (folder.pooling()?, folder.prompts(&architecture.origin)?);
        let longest = folder.max_tokens()?.unwrap_or(usize::MAX).min(architecture.max_tokens());
        let tokenizer = folder.need(TOKENIZER)?;
        let device = Device::cuda_if_available(0).map_err(failed)?;
        let weights = Weights::open(&folder.find(WEIGHTS)?, device.clone())?;

        let mut hash = Sha256::new();
        hash.update([VERSION, u8::from(pooling == Pooling::Mean), u8::from(folder.lower_case()?)]);
        for part in [&config, &tokenizer, prompts.query.as_bytes(), prompts.passage.as_bytes()] {
            hash.update(part.len().to_le_bytes());
            hash.update(part);
        }
        weights.fingerprint(&mut hash)?;
        let name = format!("local/{}@{}", folder.name, short(&hash.finalize()));

        let transformer = architecture.load(&weights)?;
        let tokens = Tokens::new(&folder, &tokenizer, prompts, transformer.vocabulary(), longest)?;
        Ok(Self { name, transformer, tokens, pooling, device, threads: None, batch: BATCH })
    }

    /// A vector of unit length for each text.
    fn vectors(&self, texts: &[&[u32]]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let trouble = |error| EmbedError::new(Remedy::Fewer, failed(error));
        let pooled = self.pooled(texts).map_err(trouble)?;
        pooled.iter().map(|vector| unit(vector)).collect()
    }

    fn pooled(&self, texts: &[&[u32]]) -> candle_core::Result<Vec<Vec<f32>>> {
        let hidden = self.transformer.forward(texts)?;
        let mut start = 0;
        let pooled = texts.iter().map(|text| {
            let own = hidden.narrow(0, start, text.len())?;
            start += text.len();
            match self.pooling {
                Pooling::Mean => own.mean(0),
                Pooling::First => own.get(0),
            }
        });
        Tensor::stack(&pooled.collect::<candle_core::Result<Vec<_>>>()?, 0)?.to_vec2()
    }

    /// The vectors of all texts, on as many threads as there are.
    fn all(&self, texts: &[&[u32]]) -> Result<Vec<Vec<f32>>, EmbedError> {
        if !self.device.is_cpu() {
            let batches = batches(texts, TOGETHER_ON_CARD).into_iter().map(|batch| self.vectors(batch));
            return Ok(batches.collect::<Result<Vec<_>, _>>()?.concat());
        }
        let batches = batches(texts, TOGETHER);
        let run = || batches.par_iter().map(|batch| self.vectors(batch)).collect::<Result<Vec<_>, _>>();
        Ok(self.threads.as_ref().map_or_else(run, |threads| threads.install(run))?.concat())
    }
}

impl Embedder for LocalModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn dimensions(&self) -> Option<usize> {
        Some(self.transformer.width())
    }

    fn limits(&self) -> EmbedLimits {
        EmbedLimits {
            inputs: self.batch,
            tokens: usize::MAX,
            bytes: usize::MAX,
            input_tokens: self.tokens.input_tokens(),
            requests: 1,
        }
    }

    fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbedError> {
        let ids = texts.iter().map(|text| self.tokens.read(text, purpose)).collect::<Result<Vec<_>, _>>()?;
        let known: Vec<_> = ids.iter().flatten().map(Vec::as_slice).collect();
        let mut vectors = self.all(&known)?.into_iter();
        Ok(ids.iter().map(|ids| ids.as_ref().and_then(|_| vectors.next()).unwrap_or_default()).collect())
    }
}

/// Runs of texts that have no more than so many tokens, or are one text.
fn batches<'t>(texts: &'t [&'t [u32]], most: usize) -> Vec<&'t [&'t [u32]]> {
    let (mut batches, mut rest) = (Vec::new(), texts);
    while !rest.is_empty() {
        let mut tokens = 0;
        let fits = rest.iter().take_while(|text| {
            tokens += text.len();
            tokens <= most
        });
        let (batch, after) = rest.split_at(fits.count().max(1));
        batches.push(batch);
        rest = after;
    }
    batches
}

/// The vector at unit length.
fn unit(vector: &[f32]) -> Result<Vec<f32>, EmbedError> {
    let length = vector.iter().map(|&x| f64::from(x).powi(2)).sum::<f64>().sqrt();
    if !length.is_finite() || length == 0.0 {
        let error = Error::input(format!("the model gives a vector without a direction, its length is: {length}"));
        return Err(EmbedError::new(Remedy::Apart, error));
    }
    Ok(vector.iter().map(|&x| (f64::from(x) / length) as f32).collect())
}

/// The first 12 digits.
fn short(hash: &[u8]) -> String {
    hash.iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_hold_as_many_tokens_as_fit() {
        let (short, long) = ([7; 2].as_slice(), [7; 9].as_slice());
        let sizes = |texts: &[&[u32]]| batches(texts, 5).iter().map(|batch| batch.len()).collect::<Vec<_>>();
        assert_eq!(sizes(&[]), [0; 0]);
        assert_eq!(sizes(&[short, short, short, long, short]), [2, 1, 1, 1]);
    }

    #[test]
    fn vectors_get_unit_length_or_an_error() {
        assert_eq!(unit(&[3.0, 4.0]).unwrap(), [0.6, 0.8]);
        assert_eq!(unit(&[1e30, 0.0]).unwrap(), [1.0, 0.0]);
        for broken in [[0.0, 0.0], [f32::NAN, 1.0], [f32::INFINITY, 0.0]] {
            assert_eq!(unit(&broken).unwrap_err().remedy, Remedy::Apart);
        }
    }
}
