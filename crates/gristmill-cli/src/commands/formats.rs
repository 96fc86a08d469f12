//! `gristmill formats`: what is read, written and used.

use std::fmt::Write as _;
use std::process::ExitCode;

use gristmill::{EMBEDDERS, READERS, Result, SOURCES, STORES, STRATEGIES, TOKENIZERS, format, unread_kinds};
use serde_json::{Value, json};

use super::Form;
use crate::output::print;
use crate::paint::{BOLD, paint};

/// List kinds, strategies, tokenizers, embedders and stores
#[derive(Debug, clap::Args)]
pub struct Args {
    /// text or json
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Text, help_heading = "Output")]
    #[arg(hide_possible_values = true)]
    format: Form,
}

/// A name with a line for people.
type Named = (String, String);

pub fn run(args: &Args) -> Result<ExitCode> {
    match args.format {
        Form::Text => print(&text())?,
        Form::Json => print(&super::json(&object())?)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Everything with a name, by heading and by key.
fn groups() -> [(&'static str, &'static str, Vec<Named>); 6] {
    let named = |name: &str, summary: &str| (name.to_owned(), summary.to_owned());
    [
        ("Strategies", "strategies", STRATEGIES.iter().map(|entry| named(entry.name, entry.summary)).collect()),
        ("Tokenizers", "tokenizers", TOKENIZERS.iter().map(|(name, summary)| named(name, summary)).collect()),
        ("Sources", "sources", SOURCES.iter().map(|entry| named(entry.name, entry.summary)).collect()),
        ("Embedders", "embedders", EMBEDDERS.iter().map(|entry| named(entry.name, entry.summary)).collect()),
        ("Stores", "stores", STORES.iter().map(|entry| named(entry.name, entry.summary)).collect()),
        (
            "Formats of chunks, written",
            "writers",
            format::FORMATS.iter().map(|name| named(name, written(name))).collect(),
        ),
    ]
}

fn written(format: &str) -> &'static str {
    match format {
        "json" => "one JSON array",
        "jsonl" => "one JSON object a line",
        "parquet" => "an Apache Parquet table",
        "arrow" => "an Apache Arrow IPC file",
        _ => "",
    }
}

fn text() -> String {
    let mut out = String::new();
    let readers = READERS.iter().map(|reader| {
        let extensions: Vec<String> = reader.extensions().iter().map(|extension| format!(".{extension}")).collect();
        let by = if extensions.is_empty() { "told by content".to_owned() } else { extensions.join(" ") };
        (reader.name().to_owned(), format!("{} ({by})", reader.summary()))
    });
    group(&mut out, "Documents that are read", &readers.collect::<Vec<_>>());
    let _ = writeln!(out, "  Other text files are read as plain text.");
    let _ = writeln!(out, "  Known and not read yet: {}\n", unread_kinds().join(", "));
    let groups = groups();
    for (index, (heading, _, entries)) in groups.iter().enumerate() {
        group(&mut out, heading, entries);
        if index + 1 < groups.len() {
            out.push('\n');
        }
    }
    out
}

fn group(out: &mut String, heading: &str, entries: &[Named]) {
    let _ = writeln!(out, "{}", paint(BOLD, heading));
    let width = entries.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    for (name, summary) in entries {
        let _ = writeln!(out, "  {name:width$}  {summary}");
    }
}

fn object() -> Value {
    let readers = READERS
        .iter()
        .map(|reader| json!({ "name": reader.name(), "summary": reader.summary(), "extensions": reader.extensions() }));
    let mut object = json!({ "readers": readers.collect::<Vec<_>>(), "unread": unread_kinds() });
    for (_, key, entries) in groups() {
        object[key] = entries.iter().map(|(name, summary)| json!({ "name": name, "summary": summary })).collect();
    }
    object
}
