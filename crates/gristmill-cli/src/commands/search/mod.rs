//! `gristmill search`: the best hits for a question.

mod excerpt;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use gristmill::config::{Options, Task};
use gristmill::{Found, Hit, Passage, Result, Retriever, SearchOptions, search_passages};
use serde_json::{Value, json};

use super::Form;
use crate::args::Global;
use crate::output::{print, write_text};
use crate::paint::{BOLD, CYAN, DIM, columns, paint, visible};
use crate::settings::{at_least, settle};
use crate::words::{counted, cut, width};

/// Search the store
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The question
    question: String,
    /// Hits at most
    #[arg(short = 'k', long, value_name = "N", default_value_t = 5, help_heading = "Search")]
    #[arg(allow_negative_numbers = true, value_parser = at_least::<1, usize>)]
    limit: usize,
    /// hybrid (vectors and words), dense (vectors) or bm25 (words)
    #[arg(long, value_name = "WAY", value_enum, default_value_t = By::Hybrid, help_heading = "Search")]
    #[arg(hide_possible_values = true)]
    retriever: By,
    /// Only chunks with this value, such as source=docs/a.md; may be given several times
    #[arg(long, value_name = "FIELD=VALUE", help_heading = "Search")]
    filter: Vec<String>,
    /// Read on: take in so many chunks before and after each hit
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Search")]
    expand: u32,
    /// Read on: take in the whole section of each hit
    #[arg(long, help_heading = "Search")]
    parent: bool,
    /// Tokens of all that is read at most
    #[arg(long, value_name = "TOKENS", help_heading = "Search", value_parser = at_least::<1, usize>)]
    budget: Option<usize>,
    /// File of the store [default: .gristmill/store.db]
    #[arg(long, value_name = "FILE", help_heading = "Search")]
    store: Option<PathBuf>,
    /// text or json
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Text, help_heading = "Output")]
    #[arg(hide_possible_values = true)]
    format: Form,
}

/// How hits are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum By {
    Hybrid,
    Dense,
    Bm25,
}

impl From<By> for Retriever {
    fn from(by: By) -> Self {
        match by {
            By::Hybrid => Self::Hybrid,
            By::Dense => Self::Dense,
            By::Bm25 => Self::Bm25,
        }
    }
}

pub fn run(global: &Global, args: &Args) -> Result<ExitCode> {
    let mut options = Options::default();
    options.store.path.clone_from(&args.store);
    let settings = settle(Task::Ingest, global, options)?;
    let options = SearchOptions {
        retriever: args.retriever.into(),
        limit: args.limit,
        filters: args.filter.clone(),
        expand: args.expand,
        parent: args.parent,
        budget: args.budget,
    };
    let Found { hits, passages } = search_passages(&settings, &args.question, &options)?;
    let reads = args.expand > 0 || args.parent || args.budget.is_some();
    match args.format {
        Form::Json if reads => {
            let shown = json!({ "hits": hits.iter().map(object).collect::<Value>(), "passages": passages });
            write_text(None, &super::json(&shown)?)?;
        }
        Form::Json => write_text(None, &super::json(&hits.iter().map(object).collect::<Value>())?)?,
        Form::Text if hits.is_empty() => crate::say::line("no hits"),
        Form::Text if reads => print(&read(&passages, &hits))?,
        Form::Text => print(&text(&args.question, &hits, columns()))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Passages whole, each under its place.
fn read(passages: &[Passage], hits: &[Hit]) -> String {
    let mut out = String::new();
    let mut total = 0;
    for (n, passage) in passages.iter().enumerate() {
        let rank = paint(BOLD, format!("{}.", n + 1));
        let [first, last] = passage.lines;
        let lines = if last > first { format!(":{first}-{last}") } else { format!(":{first}") };
        let place = visible(&format!("{}{}", passage.source, if first > 0 { &lines } else { "" }));
        let tokens = paint(DIM, format!("{} tokens", passage.tokens));
        let _ = writeln!(out, "{rank} {}  {tokens}\n\n{}\n", paint(CYAN, place), visible_lines(&passage.text));
        total += passage.tokens;
    }
    let found: usize = passages.iter().map(|passage| passage.hits.len()).sum();
    let without = hits.len() - found;
    let left = if without > 0 { format!(", {without} left out by the budget") } else { String::new() };
    let _ = writeln!(
        out,
        "{}",
        paint(
            DIM,
            format!(
                "{} in {}, {}{left}",
                counted(found as u64, "hit"),
                counted(passages.len() as u64, "passage"),
                counted(total as u64, "token")
            )
        )
    );
    out
}

/// A text of several lines without what a terminal would obey.
fn visible_lines(text: &str) -> String {
    text.lines().map(visible).collect::<Vec<_>>().join("\n")
}

fn record(hit: &Hit) -> Value {
    serde_json::from_str(&hit.payload).unwrap_or(Value::Null)
}

fn object(hit: &Hit) -> Value {
    json!({ "score": hit.score, "dense": hit.dense, "bm25": hit.bm25, "record": record(hit) })
}

/// Lines of text shown of a hit.
const LINES: usize = 3;

fn text(question: &str, hits: &[Hit], columns: usize) -> String {
    let mut out = String::new();
    // The text stands under the place of a hit, not under its rank.
    let indent = hits.len().to_string().len() + 2;
    for (n, hit) in hits.iter().enumerate() {
        let record = record(hit);
        let metadata = &record["metadata"];
        let rank = format!("{}.", n + 1);
        let place = visible(&place(&hit.source, metadata));
        let score = format!("{:.3}", hit.score);
        let gap = columns.saturating_sub(indent + width(&place) + score.len()).max(2);
        let blanks = indent.saturating_sub(rank.len());
        let rank = paint(BOLD, rank);
        let _ = writeln!(out, "{rank}{:blanks$}{}{:gap$}{}", "", paint(CYAN, place), "", paint(DIM, score));
        let room = columns.saturating_sub(indent);
        let path = visible(&titles(metadata).join(" › "));
        if !path.is_empty() {
            let _ = writeln!(out, "{:indent$}{}", "", paint(BOLD, cut(&path, room)));
        }
        for line in excerpt::excerpt(&excerpt::body(&hit.text, metadata), question, room, LINES) {
            let _ = writeln!(out, "{:indent$}{line}", "");
        }
        if n + 1 < hits.len() {
            out.push('\n');
        }
    }
    out
}

/// `path:29-37`, what editors and people understand.
fn place(source: &str, metadata: &Value) -> String {
    match (metadata["line_start"].as_u64(), metadata["line_end"].as_u64()) {
        (Some(start), Some(end)) if end > start => format!("{source}:{start}-{end}"),
        (Some(start), _) => format!("{source}:{start}"),
        _ => source.to_owned(),
    }
}

fn titles(metadata: &Value) -> Vec<&str> {
    metadata["heading_path"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}
