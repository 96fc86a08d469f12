//! From arguments, environment and files to settings.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;
use gristmill::config::{self, Env, Options, Settings, Start, Task};
use gristmill::{Error, Outcome, Result};

use crate::args::Global;
use crate::say;

/// Arguments about sizes and borders.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Sizes and borders")]
pub struct ChunkArgs {
    /// Sizes for faq, docs, legal, paper, chat, book
    #[arg(long, value_name = "NAME")]
    pub preset: Option<config::Preset>,
    /// Size that is never exceeded [default: 600]
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, value_parser = at_least::<1, u32>)]
    pub max: Option<u32>,
    /// Size to aim at [default: 2/3 of max]
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, value_parser = at_least::<1, u32>)]
    pub target: Option<u32>,
    /// Merge chunks below this [default: 2/15 of max]
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, value_parser = at_least::<0, u32>)]
    pub min: Option<u32>,
    /// Repeated from the chunk before [default: 10%]
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true)]
    pub overlap: Option<config::Overlap>,
    /// Count tokens, chars or words [default: tokens]
    #[arg(long, value_name = "UNIT", value_parser = one_of::<config::SizeUnit>)]
    pub unit: Option<config::SizeUnit>,
    /// Name or tokenizer.json [default: o200k_base]
    #[arg(long, value_name = "NAME")]
    pub tokenizer: Option<String>,
    /// How borders are found [default: auto]
    #[arg(long, value_name = "NAME")]
    pub strategy: Option<String>,
    /// headings (default) or none before each chunk
    #[arg(long, value_name = "WHAT", value_parser = one_of::<config::Context>)]
    pub context: Option<config::Context>,
    /// So many sentences a chunk, without overlap
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = at_least::<1, u32>)]
    pub sentences_per_chunk: Option<u32>,
    /// Where semantic ends a topic: 0.5, 5%, 1.5sd
    #[arg(long, value_name = "LIMIT", allow_hyphen_values = true)]
    pub topic_threshold: Option<config::TopicThreshold>,
    #[command(flatten)]
    pub read: ReadArgs,
}

/// Reads a value by the names it has in settings files.
pub fn one_of<T: serde::de::DeserializeOwned>(text: &str) -> std::result::Result<T, String> {
    serde_json::from_value(text.into()).map_err(|e| e.to_string())
}

/// Reads a whole number that is not below `LEAST`.
pub fn at_least<const LEAST: i128, N: TryFrom<i128>>(text: &str) -> std::result::Result<N, String> {
    let number: i128 = text.parse().map_err(|_| "not a whole number".to_owned())?;
    if number < LEAST {
        return Err(format!("must be at least {LEAST}"));
    }
    N::try_from(number).map_err(|_| "too large".to_owned())
}

/// Arguments about how documents are read.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Input")]
pub struct ReadArgs {
    /// Text in pictures of PDFs: auto, images or off
    #[arg(long, value_name = "WHICH", value_parser = one_of::<config::Ocr>)]
    pub ocr: Option<config::Ocr>,
    /// Its languages for Tesseract [default: eng]
    #[arg(long, value_name = "eng+deu")]
    pub ocr_lang: Option<String>,
}

impl ReadArgs {
    /// Adds what was said to options.
    pub fn put_into(&self, options: &mut Options) {
        (options.read.ocr, options.read.ocr_lang) = (self.ocr, self.ocr_lang.clone());
    }
}

impl ChunkArgs {
    /// The same as options.
    pub fn options(&self) -> Options {
        let mut options = Options { preset: self.preset, ..Options::default() };
        let chunk = &mut options.chunk;
        (chunk.max, chunk.target, chunk.min, chunk.overlap) = (self.max, self.target, self.min, self.overlap);
        (chunk.unit, chunk.tokenizer, chunk.strategy) = (self.unit, self.tokenizer.clone(), self.strategy.clone());
        (chunk.context, chunk.sentences_per_chunk) = (self.context, self.sentences_per_chunk);
        chunk.topic_threshold = self.topic_threshold;
        self.read.put_into(&mut options);
        options
    }
}

/// The settings that hold for a command, notes about them told.
///
/// # Errors
/// When a setting is wrong, or needs a network that is refused.
pub fn settle(task: Task, global: &Global, mut options: Options) -> Result<Settings> {
    options.project.clone_from(&global.project);
    let folder = current_folder()?;
    let env = environment();
    let now = std::time::SystemTime::now;
    #[cfg(feature = "readers")]
    let worker = crate::commands::reading::worker();
    #[cfg(not(feature = "readers"))]
    let worker: Option<Vec<std::ffi::OsString>> = None;
    let start = Start { folder: &folder, config: global.config.as_deref(), env: &env, now, worker: worker.as_deref() };
    let Outcome { value, diagnostics } = config::load(task, options, &start)?;
    for note in diagnostics.iter().filter(|_| !global.quiet) {
        say::note(&note.to_string());
    }
    if global.offline {
        refuse_network(&value)?;
    }
    Ok(value)
}

/// The file that project settings come from, when there is one.
///
/// # Errors
/// When a `pyproject.toml` on the way is malformed.
pub fn project_file(global: &Global) -> Result<Option<PathBuf>> {
    let folder = current_folder()?;
    match &global.config {
        Some(path) => Ok(Some(folder.join(path))),
        None => config::find_project(&folder),
    }
}

/// Fails when settings name a service that is not on this machine.
fn refuse_network(settings: &Settings) -> Result<()> {
    let named = [("embed.base_url", &settings.embed.base_url), ("store.url", &settings.store.url)];
    if let Some(url) = settings.source.iter().filter_map(|source| source.url.as_deref()).find(|url| !is_here(url)) {
        let shown = url.rsplit('@').next().unwrap_or_default();
        return Err(Error::usage(format!("`--offline` does not allow sources of other machines: {shown}")));
    }
    let remote = named.iter().find_map(|(key, url)| Some((key, url.as_deref().filter(|url| !is_local(url))?)));
    match remote {
        Some((key, url)) => Err(Error::usage(format!("`--offline` does not allow `{key}`: {url}"))),
        None => Ok(()),
    }
}

/// True for a repository in a folder of this machine.
fn is_here(url: &str) -> bool {
    url.starts_with("file:") || !url.contains(':')
}

/// True for a URL of this machine.
fn is_local(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let host = host.strip_prefix('[').map_or_else(|| host.split(':').next(), |v6| v6.split(']').next());
    host.is_some_and(|host| host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback()))
}

/// The current folder.
///
/// # Errors
/// When it has gone.
pub fn current_folder() -> Result<PathBuf> {
    std::env::current_dir().map_err(|e| Error::usage("the current folder cannot be found").because(e))
}

/// The environment, as far as it is Unicode.
fn environment() -> Env {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_is_no_network() {
        for url in ["http://localhost:6333", "http://127.0.0.1:8000/v1", "http://[::1]:80", "localhost"] {
            assert!(is_local(url), "{url}");
        }
        for url in ["https://api.example.com/v1", "http://localhost.example", "http://127.0.0.1.example", "10.0.0.1"] {
            assert!(!is_local(url), "{url}");
        }
    }
}
