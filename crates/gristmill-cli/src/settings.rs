//! From arguments, environment and files to settings.

use std::path::PathBuf;

use clap::Args;
use gristmill::config::{self, Env, Options, Settings, Start, Task};
use gristmill::{Error, Outcome, Result};

use crate::args::Global;

/// Arguments about sizes and borders.
#[derive(Clone, Debug, Default, Args)]
pub struct ChunkArgs {
    /// Start from the sizes for this kind of text
    #[arg(long, value_name = "NAME")]
    pub preset: Option<config::Preset>,
    /// The size that is never exceeded
    #[arg(long, value_name = "SIZE")]
    pub max: Option<u32>,
    /// The size to aim at
    #[arg(long, value_name = "SIZE")]
    pub target: Option<u32>,
    /// Chunks below this are merged with a neighbour
    #[arg(long, value_name = "SIZE")]
    pub min: Option<u32>,
    /// How much of the chunk before is repeated: a size, or a share such as 15%
    #[arg(long, value_name = "SIZE|SHARE")]
    pub overlap: Option<config::Overlap>,
    /// What sizes are counted in: tokens, chars or words
    #[arg(long, value_name = "UNIT", value_parser = one_of::<config::SizeUnit>)]
    pub unit: Option<config::SizeUnit>,
    /// The tokenizer: cl100k_base, o200k_base, or the path of a tokenizer.json
    #[arg(long, value_name = "NAME|FILE")]
    pub tokenizer: Option<String>,
    /// How borders are found: markdown, recursive, paragraph, sentence or fixed
    #[arg(long, value_name = "NAME")]
    pub strategy: Option<String>,
    /// What is put in front of each chunk: headings or none
    #[arg(long, value_name = "WHAT", value_parser = one_of::<config::Context>)]
    pub context: Option<config::Context>,
    /// With the strategy `sentence`: so many sentences a chunk
    #[arg(long, value_name = "N")]
    pub sentences_per_chunk: Option<u32>,
}

/// Reads a value by the names it has in settings files.
fn one_of<T: serde::de::DeserializeOwned>(text: &str) -> std::result::Result<T, String> {
    serde_json::from_value(text.into()).map_err(|e| e.to_string())
}

impl ChunkArgs {
    /// The same as options.
    pub fn options(&self) -> Options {
        let mut options = Options { preset: self.preset, ..Options::default() };
        let chunk = &mut options.chunk;
        (chunk.max, chunk.target, chunk.min, chunk.overlap) = (self.max, self.target, self.min, self.overlap);
        (chunk.unit, chunk.tokenizer, chunk.strategy) = (self.unit, self.tokenizer.clone(), self.strategy.clone());
        (chunk.context, chunk.sentences_per_chunk) = (self.context, self.sentences_per_chunk);
        options
    }
}

/// The settings that hold for a command, notes about them printed.
pub fn settle(task: Task, global: &Global, mut options: Options) -> Result<Settings> {
    options.project.clone_from(&global.project);
    let folder = current_folder()?;
    let env = environment();
    let start = Start { folder: &folder, config: global.config.as_deref(), env: &env };
    let Outcome { value, diagnostics } = config::load(task, options, &start)?;
    for note in diagnostics.iter().filter(|_| !global.quiet) {
        crate::commands::say(&format!("note: {note}"));
    }
    Ok(value)
}

/// The current folder.
pub fn current_folder() -> Result<PathBuf> {
    std::env::current_dir().map_err(|e| Error::usage("the current folder cannot be found").because(e))
}

/// The environment, as far as it is Unicode.
pub fn environment() -> Env {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}
