//! `gristmill extract`: what a reader makes of a file.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use gristmill::config::{Options, Task};
use gristmill::{Document, Inputs, Result, extract};
use serde_json::{Value, json};

use super::say;
use crate::args::Global;
use crate::exit;
use crate::output::write_text;
use crate::settings::{current_folder, settle};

/// Show what a reader makes of files
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files and folders
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// The form of the output
    #[arg(long, value_enum, default_value_t = Form::Markdown)]
    format: Form,
}

/// Forms of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// The text as Markdown
    Markdown,
    /// The canonical text that positions refer to
    Text,
    /// Text, blocks and sections
    Json,
}

pub fn run(global: &Global, args: &Args) -> Result<ExitCode> {
    let settings = settle(Task::Chunk, global, Options::default())?;
    let inputs = Inputs { folder: current_folder()?, paths: args.paths.clone(), ..Inputs::default() };
    let (mut read, mut failed) = (0, 0);
    extract(&settings, &inputs, &mut |source, outcome| {
        match outcome {
            Err(error) => {
                failed += 1;
                say(&format!("failed: {}", error.chain()));
            }
            Ok(outcome) => {
                read += 1;
                for diagnostic in outcome.diagnostics.iter().filter(|_| !global.quiet) {
                    say(&format!("note: {diagnostic}"));
                }
                write_text(None, &shown(&outcome.value, source, args.format))?;
            }
        }
        Ok(())
    })?;
    let code = match (read, failed) {
        (0, 1) => exit::PARTIAL,
        (0, _) => exit::USAGE,
        (_, 0) => 0,
        _ => exit::PARTIAL,
    };
    Ok(ExitCode::from(code))
}

fn shown(document: &Document, source: &str, form: Form) -> String {
    match form {
        Form::Markdown | Form::Text => document.text.clone(),
        Form::Json => format!("{:#}\n", outline(document, source)),
    }
}

fn outline(document: &Document, source: &str) -> Value {
    let blocks = document.blocks.iter().map(|block| {
        json!({ "kind": format!("{:?}", block.kind), "start": block.span.start, "end": block.span.end,
                "depth": block.depth, "section": block.section })
    });
    let sections = document.sections.iter().map(|s| json!({ "level": s.level, "title": s.title, "parent": s.parent }));
    json!({ "source": source, "format": document.format, "encoding": document.encoding, "attributes": document.attrs,
            "text": document.text, "blocks": blocks.collect::<Vec<_>>(), "sections": sections.collect::<Vec<_>>() })
}
