//! Which model a folder holds, by its `config.json`.

use gristmill_core::{Error, Result};
use serde::Deserialize;

use super::folder::Folder;
use super::transformer::Transformer;
use super::weights::Weights;
use super::{bert, nomic};

/// The file that tells it.
pub(super) const CONFIG: &str = "config.json";

/// A model's description.
pub(super) struct Architecture {
    /// The name that the model, or the one it was made from, had where it was saved; empty where unknown.
    pub(super) origin: String,
    family: Family,
}

enum Family {
    Bert(bert::Config),
    Nomic(nomic::Config),
}

impl Architecture {
    /// The description in `bytes`, which are those of the folder's file.
    pub(super) fn parse(folder: &Folder, bytes: &[u8]) -> Result<Self> {
        #[derive(Deserialize)]
        struct Kind {
            model_type: String,
            #[serde(default, rename = "_name_or_path")]
            origin: Option<String>,
        }
        let kind: Kind = folder.parse(CONFIG, bytes)?;
        let family = match kind.model_type.as_str() {
            "bert" | "roberta" | "xlm-roberta" | "camembert" => Family::Bert(folder.parse(CONFIG, bytes)?),
            "nomic_bert" => Family::Nomic(folder.parse(CONFIG, bytes)?),
            other => return Err(unknown(folder, other)),
        };
        let objection = match &family {
            Family::Bert(config) => config.objection(),
            Family::Nomic(config) => config.objection(),
        };
        match objection {
            Some(why) => Err(folder.broken(CONFIG, why)),
            None => Ok(Self { origin: kind.origin.unwrap_or_default(), family }),
        }
    }

    /// The most tokens that have a place.
    pub(super) fn max_tokens(&self) -> usize {
        match &self.family {
            Family::Bert(config) => config.max_tokens(),
            Family::Nomic(config) => config.max_tokens(),
        }
    }

    /// The model with the weights of its file.
    pub(super) fn load(&self, weights: &Weights) -> Result<Transformer> {
        match &self.family {
            Family::Bert(config) => config.load(weights),
            Family::Nomic(config) => config.load(weights),
        }
    }
}

fn unknown(folder: &Folder, model_type: &str) -> Error {
    folder
        .broken(CONFIG, format!("unknown `model_type`: `{model_type}`"))
        .hint("the types are `bert`, `roberta`, `xlm-roberta`, `camembert`, `nomic_bert`")
}
