//! `gristmill search`: the best hits for a question.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use gristmill::config::{Options, Task};
use gristmill::{Hit, Result, Retriever, SearchOptions, search};
use serde_json::{Value, json};

use crate::args::Global;
use crate::output::write_text;
use crate::settings::settle;

/// Search the store
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The question
    question: String,
    /// Hits at most
    #[arg(short = 'k', long, value_name = "N", default_value_t = 5)]
    limit: usize,
    /// How hits are found
    #[arg(long, value_enum, default_value_t = By::Hybrid)]
    retriever: By,
    /// Only chunks whose record has this value, such as `metadata.language=ko`; may be given several times
    #[arg(long, value_name = "FIELD=VALUE")]
    filter: Vec<String>,
    /// The store's file; default: .gristmill/store.db
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// The form of the output
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
}

/// How hits are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum By {
    /// By vectors and words
    Hybrid,
    /// By vectors
    Dense,
    /// By words
    Bm25,
}

/// Forms of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For people
    Text,
    /// For programs
    Json,
}

pub fn run(global: &Global, args: &Args) -> Result<ExitCode> {
    let mut options = Options::default();
    options.store.path = args.store.clone();
    let settings = settle(Task::Ingest, global, options)?;
    let retriever = match args.retriever {
        By::Hybrid => Retriever::Hybrid,
        By::Dense => Retriever::Dense,
        By::Bm25 => Retriever::Bm25,
    };
    let options = SearchOptions { retriever, limit: args.limit, filters: args.filter.clone() };
    let hits = search(&settings, &args.question, &options)?;
    let shown = match args.format {
        Form::Text => text(&hits),
        Form::Json => format!("{:#}\n", Value::Array(hits.iter().map(object).collect())),
    };
    write_text(None, &shown)?;
    Ok(ExitCode::SUCCESS)
}

fn object(hit: &Hit) -> Value {
    let record: Value = serde_json::from_str(&hit.payload).unwrap_or(Value::Null);
    json!({ "score": hit.score, "dense": hit.dense, "bm25": hit.bm25, "record": record })
}

fn text(hits: &[Hit]) -> String {
    if hits.is_empty() {
        return "no hits\n".to_owned();
    }
    let mut out = String::new();
    for (n, hit) in hits.iter().enumerate() {
        let record: Value = serde_json::from_str(&hit.payload).unwrap_or(Value::Null);
        let metadata = &record["metadata"];
        let line = metadata["line_start"].as_u64().unwrap_or(1);
        let _ = writeln!(out, "{}. {}:{line}  (score {:.3})", n + 1, hit.source, hit.score);
        for row in excerpt(&hit.text) {
            let _ = writeln!(out, "   {row}");
        }
        out.push('\n');
    }
    out
}

/// The first lines of a text, each cut to a terminal's width.
fn excerpt(text: &str) -> Vec<String> {
    const LINES: usize = 6;
    const WIDTH: usize = 100;
    let rows = text.lines().filter(|line| !line.trim().is_empty());
    rows.take(LINES)
        .map(|row| {
            if row.chars().count() > WIDTH {
                row.chars().take(WIDTH - 1).chain(['…']).collect()
            } else {
                row.to_owned()
            }
        })
        .collect()
}
