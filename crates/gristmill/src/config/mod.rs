//! Settings: what can be said, where it may be said, and what holds in the end.
//!
//! [`Options`] is what one place says: the command line, the environment, a file. Every key may be missing.
//! [`Settings`] is what holds: every key has a value, and [`Origins`] knows where each came from. [`resolve`] makes the
//! second from several of the first, in this order: flag, environment (`GRISTMILL_CHUNK_MAX=300`), project file, user
//! file, preset, default.
//!
//! Nothing here reads the environment, the current folder or the clock; front ends hand them in.

mod chunk;
mod clean;
mod complaint;
mod embed;
mod enrich;
mod environment;
mod eval;
mod guess;
mod layers;
mod lint;
mod load;
mod nearest;
mod origin;
mod overlap;
pub mod path_metadata;
mod presets;
mod read;
mod reading;
mod resolve;
mod scalar;
mod schema;
mod secret;
mod server;
mod show;
mod sizes;
mod source;
mod store;
mod threshold;
mod validate;
mod world;

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use chunk::{ChunkOptions, ChunkSettings, Context, SizeUnit, limits};
pub use clean::{CleanOptions, CleanSettings, DropKind, RepeatedBlocks, UnicodeForm};
pub use embed::{EmbedOptions, EmbedSettings};
pub use enrich::{EnrichOptions, EnrichSettings};
pub use eval::{EvalOptions, EvalSettings};
pub use guess::{Guess, Sample, guess_preset};
pub use layers::Layer;
pub use lint::{ALL, FailOn, LintOptions, LintSettings};
pub use load::{Start, find_project, load, user_file};
pub use nearest::nearest;
pub use origin::{Origin, Origins};
pub use overlap::Overlap;
pub use path_metadata::{Normaliser, PathRule};
pub use presets::Preset;
pub use reading::{Ocr, ReadOptions, ReadSettings};
pub use resolve::{Task, resolve};
pub use scalar::Scalar;
pub use schema::schema;
pub use secret::{Env, Secret};
pub use server::{ServerOptions, ServerSettings, TokenOptions, TokenScope, TokenSettings};
pub use source::{SourceOptions, SourceSettings, SymlinkMode};
pub use store::{IndexType, StoreOptions, StoreSettings};
pub use threshold::TopicThreshold;
pub use validate::{Duplicates, ValidateOptions, ValidateSettings};
pub use world::{Clock, World};

/// What one place says. Every key may be missing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "gristmill.toml")]
pub struct Options {
    /// Version of the format of this file. Default: `1`, the only one.
    pub version: Option<u32>,
    /// Whose documents these are; one store may hold several projects apart. Default: `"default"`.
    pub project: Option<String>,
    /// Sizes to start from, by kind of text. Default: none, which is near `docs`. Example: `preset = "legal"`.
    pub preset: Option<Preset>,
    /// Where documents come from. Each `[[source]]` adds one.
    pub source: Option<Vec<SourceOptions>>,
    /// How documents are read.
    #[serde(default)]
    pub read: ReadOptions,
    /// What is removed from documents before they are cut.
    #[serde(default)]
    pub clean: CleanOptions,
    /// How documents are cut.
    #[serde(default)]
    pub chunk: ChunkOptions,
    /// What is added to records.
    #[serde(default)]
    pub enrich: EnrichOptions,
    /// What is refused before delivery.
    #[serde(default)]
    pub validate: ValidateOptions,
    /// What lint may do inside `curate` and `ingest`.
    #[serde(default)]
    pub lint: LintOptions,
    /// What turns text into vectors.
    #[serde(default)]
    pub embed: EmbedOptions,
    /// Where vectors are kept.
    #[serde(default)]
    pub store: StoreOptions,
    /// What `eval` measures.
    #[serde(default)]
    pub eval: EvalOptions,
    /// How `serve` listens.
    #[serde(default)]
    pub server: ServerOptions,
}

/// What holds: every key with its value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Settings {
    /// Whose documents these are.
    pub project: String,
    /// The preset that sizes started from.
    pub preset: Option<Preset>,
    /// Where documents come from.
    pub source: Vec<SourceSettings>,
    /// How documents are read.
    pub read: ReadSettings,
    /// What is removed from documents before they are cut.
    pub clean: CleanSettings,
    /// How documents are cut.
    pub chunk: ChunkSettings,
    /// What is added to records.
    pub enrich: EnrichSettings,
    /// What is refused before delivery.
    pub validate: ValidateSettings,
    /// What lint may do.
    pub lint: LintSettings,
    /// What turns text into vectors.
    pub embed: EmbedSettings,
    /// Where vectors are kept.
    pub store: StoreSettings,
    /// What `eval` measures.
    pub eval: EvalSettings,
    /// How `serve` listens.
    pub server: ServerSettings,
    /// Where each value came from.
    #[serde(skip)]
    pub origins: Origins,
    /// What the run knows of the world outside.
    #[serde(skip)]
    pub world: World,
    /// The folder that default paths are relative to: that of the project file, else the current folder.
    #[serde(skip)]
    pub root: PathBuf,
}

#[cfg(test)]
mod tests;
