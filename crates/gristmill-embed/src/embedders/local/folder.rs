//! What the files beside the weights say of a model.

use std::path::{Path, PathBuf};

use gristmill_core::{Error, Result};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::prompts::{self, Prompts};

/// Lengths beyond this in `tokenizer_config.json` mean that nobody has set one.
const NO_LENGTH: f64 = 1e9;

/// A model's folder in the layout of Sentence Transformers; a plain one of Transformers does too.
pub(super) struct Folder {
    path: PathBuf,
    /// The model's name for people.
    pub(super) name: String,
}

/// How the vectors of a text's tokens become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pooling {
    /// Their mean.
    Mean,
    /// The first one.
    First,
}

impl Folder {
    /// The folder at `path`.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let whole = path.canonicalize().ok().filter(|whole| whole.is_dir());
        let whole = whole.ok_or_else(|| {
            let error = Error::config(format!("no folder with a model: `{}`", path.display()));
            error.hint(
                "models are not downloaded here: fetch it first, for example by \
                 `hf download intfloat/multilingual-e5-small --local-dir models/multilingual-e5-small`, and name that folder",
            )
        })?;
        Ok(Self { name: name(&whole), path: path.to_owned() })
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The bytes of a file; `None` when there is none of this name.
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let path = self.file(name);
        match std::fs::read(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::config(format!("cannot read `{}`", path.display())).because(error)),
        }
    }

    /// The path of a file that no model goes without.
    pub(super) fn find(&self, name: &str) -> Result<PathBuf> {
        let path = self.file(name);
        if path.is_file() {
            return Ok(path);
        }
        let error = Error::config(format!("the model's folder has no `{name}`: `{}`", self.path.display()));
        Err(match name {
            "model.safetensors" => error.hint("weights in other formats must be saved as safetensors in one file"),
            "tokenizer.json" => error.hint("a vocabulary alone must be saved as a fast tokenizer"),
            _ => error,
        })
    }

    /// The bytes of a file that no model goes without.
    pub(super) fn need(&self, name: &str) -> Result<Vec<u8>> {
        self.find(name)?;
        Ok(self.read(name)?.unwrap_or_default())
    }

    /// The same for something wrong with the file called `name`.
    pub(super) fn broken(&self, name: &str, why: impl std::fmt::Display) -> Error {
        Error::config(format!("cannot use `{}`: {why}", self.file(name).display()))
    }

    /// A file of JSON.
    pub(super) fn parse<T: DeserializeOwned>(&self, name: &str, bytes: &[u8]) -> Result<T> {
        serde_json::from_slice(bytes).map_err(|error| self.broken(name, error))
    }

    /// How tokens are pooled. A folder that does not say so means their mean.
    pub(super) fn pooling(&self) -> Result<Pooling> {
        let Some(path) = self.pooling_file()? else { return Ok(Pooling::Mean) };
        let Some(file): Option<Map<String, Value>> = self.json(&path)? else { return Ok(Pooling::Mean) };
        if file.get("include_prompt") == Some(&Value::Bool(false)) {
            return Err(self.broken(&path, "pooling without the prompt is not supported"));
        }
        let modes = modes(&file);
        match modes.as_slice() {
            ["mean"] | ["mean_tokens"] => Ok(Pooling::Mean),
            ["cls"] | ["cls_token"] => Ok(Pooling::First),
            _ => Err(self.broken(&path, format!("pooling must be `mean` or `cls`: {modes:?}"))),
        }
    }

    /// The most tokens of a text, those at its ends and of a prompt included, where the folder limits them.
    pub(super) fn max_tokens(&self) -> Result<Option<usize>> {
        #[derive(Deserialize)]
        struct Sentence {
            max_seq_length: Option<usize>,
        }
        #[derive(Deserialize)]
        struct Tokens {
            model_max_length: Option<f64>,
        }
        let sentence: Option<Sentence> = self.json("sentence_bert_config.json")?;
        if let Some(length) = sentence.and_then(|file| file.max_seq_length) {
            return Ok(Some(length));
        }
        let tokens: Option<Tokens> = self.json("tokenizer_config.json")?;
        let length = tokens.and_then(|file| file.model_max_length);
        Ok(length.filter(|length| (1.0..NO_LENGTH).contains(length)).map(|length| length as usize))
    }

    /// Whether text is set in lower case before the tokenizer sees it.
    pub(super) fn lower_case(&self) -> Result<bool> {
        #[derive(Deserialize)]
        struct Sentence {
            #[serde(default)]
            do_lower_case: bool,
        }
        Ok(self.json::<Sentence>("sentence_bert_config.json")?.is_some_and(|file| file.do_lower_case))
    }

    /// What is put before queries and passages: as the folder says, else as the model's authors do. `origin` is the name
    /// that `config.json` gives the model.
    pub(super) fn prompts(&self, origin: &str) -> Result<Prompts> {
        let said: Option<prompts::File> = self.json("config_sentence_transformers.json")?;
        let known = [self.name.as_str(), origin].into_iter().find_map(prompts::known);
        Ok(said.and_then(prompts::File::prompts).or(known).unwrap_or_default())
    }

    /// The pooling step's file, if the folder lists its steps. A step that would change vectors and is unknown is an error.
    fn pooling_file(&self) -> Result<Option<String>> {
        #[derive(Deserialize)]
        struct Module {
            #[serde(rename = "type")]
            class: String,
            #[serde(default)]
            path: String,
        }
        let Some(modules): Option<Vec<Module>> = self.json("modules.json")? else {
            return Ok(Some("1_Pooling/config.json".to_owned()));
        };
        let mut pooling = None;
        for module in modules {
            match module.class.rsplit('.').next() {
                Some("Transformer" | "Normalize") => {}
                Some("Pooling") => pooling = Some(format!("{}/config.json", module.path)),
                _ => return Err(self.broken("modules.json", format!("unknown step: `{}`", module.class))),
            }
        }
        Ok(pooling)
    }

    fn json<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>> {
        self.read(name)?.map(|bytes| self.parse(name, &bytes)).transpose()
    }
}

/// The poolings that are switched on, in either of the two ways to write them.
fn modes(file: &Map<String, Value>) -> Vec<&str> {
    match file.get("pooling_mode") {
        Some(Value::String(mode)) => vec![mode],
        Some(Value::Array(modes)) => modes.iter().filter_map(Value::as_str).collect(),
        _ => {
            let on = file.iter().filter(|(_, value)| **value == Value::Bool(true));
            on.filter_map(|(name, _)| name.strip_prefix("pooling_mode_")).collect()
        }
    }
}

/// The last part of the path; in a cache of the hub, where that is a hash, the model's name.
fn name(path: &Path) -> String {
    let part = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let above = |levels: usize| path.ancestors().nth(levels).and_then(part);
    let cached = above(1).filter(|name| name == "snapshots").and_then(|_| above(2));
    let cached = cached
        .and_then(|name| name.strip_prefix("models--").and_then(|name| name.rsplit("--").next()).map(str::to_owned));
    cached.or_else(|| part(path)).unwrap_or_else(|| "model".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> (tempfile::TempDir, Folder) {
        let root = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = root.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let folder = Folder::open(root.path()).unwrap();
        (root, folder)
    }

    #[test]
    fn a_model_in_a_cache_of_the_hub_has_its_own_name() {
        assert_eq!(name(Path::new("/m/bge-m3")), "bge-m3");
        assert_eq!(name(Path::new("/hub/models--intfloat--e5-small/snapshots/c007d7ef")), "e5-small");
        assert_eq!(name(Path::new("/")), "model");
    }

    #[test]
    fn pooling_is_read_in_both_ways_to_write_it() {
        let pooling = |text: &str| {
            let (_root, folder) = folder(&[("1_Pooling/config.json", text)]);
            folder.pooling().map_err(|error| error.to_string().rsplit(": ").next().unwrap_or_default().to_owned())
        };
        assert_eq!(
            pooling(r#"{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}"#),
            Ok(Pooling::First)
        );
        assert_eq!(pooling(r#"{"pooling_mode_mean_tokens": true, "include_prompt": true}"#), Ok(Pooling::Mean));
        assert_eq!(pooling(r#"{"pooling_mode": "cls"}"#), Ok(Pooling::First));
        assert_eq!(pooling(r#"{"pooling_mode": ["mean"]}"#), Ok(Pooling::Mean));
        assert_eq!(pooling(r#"{"pooling_mode_max_tokens": true}"#), Err(r#"["max_tokens"]"#.to_owned()));
        assert_eq!(pooling(r#"{"pooling_mode": ["mean", "cls"]}"#), Err(r#"["mean", "cls"]"#.to_owned()));
        assert!(pooling(r#"{"pooling_mode": "mean", "include_prompt": false}"#).unwrap_err().contains("prompt"));
    }

    #[test]
    fn steps_tell_where_the_pooling_is_described() {
        let steps = r#"[{"type": "sentence_transformers.models.Transformer"},
            {"type": "sentence_transformers.models.Pooling", "path": "pool"}]"#;
        let (_root, ours) = folder(&[("modules.json", steps), ("pool/config.json", r#"{"pooling_mode": "cls"}"#)]);
        assert_eq!(ours.pooling().unwrap(), Pooling::First);
        let dense = r#"[{"type": "sentence_transformers.models.Dense", "path": "2_Dense"}]"#;
        let (_root, theirs) = folder(&[("modules.json", dense)]);
        let error = theirs.pooling().unwrap_err().to_string();
        assert!(error.ends_with("modules.json`: unknown step: `sentence_transformers.models.Dense`"), "{error}");
    }

    #[test]
    fn the_length_comes_from_the_first_file_that_sets_one() {
        let length = |files: &[(&str, &str)]| folder(files).1.max_tokens().unwrap();
        let (sentence, tokens) = ("sentence_bert_config.json", "tokenizer_config.json");
        let set = (tokens, r#"{"model_max_length": 512}"#);
        assert_eq!(length(&[(sentence, r#"{"max_seq_length": 256}"#), set]), Some(256));
        assert_eq!(length(&[(sentence, r#"{"max_seq_length": null}"#), set]), Some(512));
        assert_eq!(length(&[(tokens, r#"{"model_max_length": 1000000000000000019884624838656}"#)]), None);
        assert_eq!(length(&[]), None);
    }

    #[test]
    fn a_file_that_is_no_json_is_named() {
        let (_root, folder) = folder(&[("modules.json", "[{")]);
        let error = folder.pooling().unwrap_err().to_string();
        assert!(error.contains("modules.json`: EOF while parsing"), "{error}");
    }
}
