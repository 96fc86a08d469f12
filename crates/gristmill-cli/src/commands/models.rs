//! `gristmill models`: models to choose from, and what embedding costs with each.

use std::path::PathBuf;
use std::process::ExitCode;

use gristmill::config::{FailOn, Settings, Task};
use gristmill::{CorpusTokens, EMBEDDERS, Error, Model, Result, RunCx, corpus_tokens, models};
use serde_json::{Value, json};

use super::Form;
use crate::args::Global;
use crate::inputs::InputArgs;
use crate::output::{print, write_text};
use crate::paint::{DIM, columns, paint};
use crate::progress::Meter;
use crate::settings::{ChunkArgs, at_least, settle};
use crate::tell;
use crate::words::{Side, Table, counted, cut, number, width};

/// List embedding models, and what embedding costs with each
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only models of this provider
    #[arg(long, value_name = "NAME", help_heading = "Models")]
    provider: Option<String>,
    /// Cost of these files and folders [default: configured sources]
    #[arg(long, value_name = "PATH", num_args = 0.., help_heading = "Cost")]
    cost: Option<Vec<PathBuf>>,
    /// Cost of so many tokens
    #[arg(long, value_name = "N", conflicts_with = "cost", help_heading = "Cost")]
    #[arg(allow_negative_numbers = true, value_parser = at_least::<0, u64>)]
    tokens: Option<u64>,
    #[command(flatten)]
    chunk: ChunkArgs,
    /// text or json
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Text, help_heading = "Output")]
    #[arg(hide_possible_values = true)]
    format: Form,
}

pub fn run(global: &Global, args: &Args) -> Result<ExitCode> {
    let settings = settle(Task::Ingest, global, args.chunk.options())?;
    let chosen = chosen(args.provider.as_deref())?;
    let mut code = ExitCode::SUCCESS;
    let mut corpus = args.tokens.map(|tokens| CorpusTokens { tokens, ..CorpusTokens::default() });
    if let Some(paths) = &args.cost {
        let (counted, judged) = count(global, &settings, paths)?;
        (corpus, code) = (Some(counted), judged);
    }
    let shown = Shown { models: chosen, corpus, settings: &settings };
    match args.format {
        Form::Json => write_text(None, &super::json(&shown.object())?)?,
        Form::Text => print(&shown.text())?,
    }
    Ok(code)
}

fn chosen(provider: Option<&str>) -> Result<Vec<&'static Model>> {
    let Some(provider) = provider else { return Ok(models().iter().collect()) };
    let chosen: Vec<&Model> = models().iter().filter(|model| model.provider == provider).collect();
    if !chosen.is_empty() || EMBEDDERS.iter().any(|entry| entry.name == provider) {
        return Ok(chosen);
    }
    let names: Vec<String> = EMBEDDERS.iter().map(|entry| format!("`{}`", entry.name)).collect();
    let error = Error::usage(format!("unknown embedding provider: `{provider}`"));
    Err(error.hint(format!("the providers are {}", names.join(", "))))
}

/// Counts the tokens of documents, and judges how reading them went.
fn count(global: &Global, settings: &Settings, paths: &[PathBuf]) -> Result<(CorpusTokens, ExitCode)> {
    let inputs = InputArgs { paths: paths.to_vec(), ..InputArgs::default() }.inputs(global, &[])?;
    let (corpus, report) = {
        let mut meter = Meter::new(global, false);
        let mut progress = |done: usize, all: usize, path: &str| meter.tick(done, all, path);
        let lint = settings.lint.fix;
        let mut cx = RunCx { workers: global.workers(), inspect: false, lint, progress: &mut progress };
        corpus_tokens(settings, &inputs, &mut cx)?
    };
    // What wants a look in the documents is told when they are cut to be used.
    let mut told = report.clone();
    told.documents.iter_mut().for_each(|document| document.warnings.clear());
    told.findings.retain(|finding| finding.severity == "high");
    tell::tell(global, &told);
    Ok((corpus, tell::judge(settings, &inputs, &report, FailOn::Never)?))
}

/// Columns of languages at most, and of notes at least.
const LANGUAGES: usize = 18;
const NOTES: usize = 12;

const OTHERS: &str = "other models can be named in `[embed] model`";

/// What is shown of models.
struct Shown<'a> {
    models: Vec<&'static Model>,
    corpus: Option<CorpusTokens>,
    settings: &'a Settings,
}

impl Shown<'_> {
    /// True for the model that the settings name.
    fn is_configured(&self, model: &Model) -> bool {
        let embed = &self.settings.embed;
        let first = || models().iter().find(|first| first.provider == embed.provider).map(|first| first.name);
        let name = embed.model.as_deref().or_else(|| (embed.provider == "static").then(first).flatten());
        model.provider == embed.provider && Some(model.name) == name
    }

    /// Dollars for the corpus.
    fn cost(&self, model: &Model) -> Option<f64> {
        let corpus = self.corpus.as_ref()?;
        let own = self.settings.embed.price.filter(|_| self.is_configured(model));
        Some(own.or(model.price)? * corpus.tokens as f64 / 1e6)
    }

    /// True when a chunk of the corpus is longer than the model takes.
    fn is_too_small(&self, model: &Model) -> bool {
        let largest = self.corpus.as_ref().map_or(0, |corpus| corpus.largest);
        model.max_tokens.is_some_and(|max| (max as u64) < largest)
    }

    fn text(&self) -> String {
        if self.models.is_empty() {
            return format!("no model of this provider is in the list; {OTHERS}\n");
        }
        let mut header = vec![
            ("model", Side::Left),
            ("numbers", Side::Right),
            ("max tokens", Side::Right),
            ("$ per 1M", Side::Right),
        ];
        if self.corpus.is_some() {
            header.push(("cost", Side::Right));
        }
        header.extend([("languages", Side::Left), ("notes", Side::Left)]);
        let mut table = Table::new(&header);
        let room = columns().saturating_sub(self.left_of_notes()).max(NOTES);
        self.models.iter().for_each(|model| table.row(self.row(model, room)));
        let gone = table.fit(columns());
        format!("{}\n{}\n", table.text(), self.foot(gone > 0))
    }

    /// Columns that the table takes before the notes.
    fn left_of_notes(&self) -> usize {
        let names = self.models.iter().map(|model| width(&self.name(model))).max().unwrap_or_default();
        let cost = if self.corpus.is_some() { "1,234.56 $".len() + 2 } else { 0 };
        names + "  numbers  max tokens  $ per 1M".len() + cost + 2 + LANGUAGES + 2
    }

    fn name(&self, model: &Model) -> String {
        let mark = if self.is_configured(model) { " *" } else { "" };
        format!("{}/{}{mark}", model.provider, model.name)
    }

    fn row(&self, model: &Model, room: usize) -> Vec<String> {
        let small = if self.is_too_small(model) { "!" } else { "" };
        let max = model.max_tokens.map_or_else(|| "any".to_owned(), |max| number(max as u64));
        let mut row = vec![
            self.name(model),
            number(model.dimensions as u64),
            format!("{max}{small}"),
            model.price.map_or_else(|| "?".to_owned(), price),
        ];
        if self.corpus.is_some() {
            row.push(self.cost(model).map_or_else(|| "?".to_owned(), dollars));
        }
        row.extend([cut(model.languages, LANGUAGES), cut(model.notes, room)]);
        row
    }

    fn foot(&self, shortened: bool) -> String {
        let mut lines = Vec::new();
        if let Some(corpus) = &self.corpus {
            lines.push(size(corpus));
        }
        let signs = [
            ("*", "the configured model", self.models.iter().any(|model| self.is_configured(model))),
            ("!", "takes less than the largest chunk", self.models.iter().any(|model| self.is_too_small(model))),
            ("?", "not known; `[embed] price` sets it", self.models.iter().any(|model| model.price.is_none())),
        ];
        let signs: Vec<String> =
            signs.iter().filter(|(_, _, there)| *there).map(|(sign, what, _)| format!("{sign} {what}")).collect();
        if !signs.is_empty() {
            lines.push(paint(DIM, signs.join("   ")));
        }
        if shortened {
            lines.push(paint(DIM, "a wider terminal or --format json shows more columns"));
        }
        lines.push(paint(DIM, OTHERS));
        lines.join("\n")
    }

    fn object(&self) -> Value {
        let models = self.models.iter().map(|model| {
            json!({ "provider": model.provider, "model": model.name, "dimensions": model.dimensions,
                    "other_dimensions": model.choices, "max_tokens": model.max_tokens, "languages": model.languages,
                    "price_per_million_tokens": model.price, "notes": model.notes,
                    "configured": self.is_configured(model), "cost": self.cost(model) })
        });
        json!({ "corpus": self.corpus, "models": models.collect::<Vec<_>>() })
    }
}

fn dollars(cost: f64) -> String {
    match cost {
        0.0 => "free".to_owned(),
        small if small < 0.01 => format!("{small:.4} $"),
        cost => format!("{cost:.2} $"),
    }
}

fn price(dollars: f64) -> String {
    if dollars == 0.0 { "free".to_owned() } else { format!("{dollars:.2}") }
}

/// What is to be embedded.
fn size(corpus: &CorpusTokens) -> String {
    let tokens = counted(corpus.tokens, "token");
    if corpus.tokenizer.is_empty() {
        return format!("to embed: {tokens}");
    }
    format!(
        "to embed: {tokens} in {} of {}, counted with {}; a model may count otherwise",
        counted(corpus.texts, "chunk"),
        counted(corpus.documents, "document"),
        corpus.tokenizer
    )
}
