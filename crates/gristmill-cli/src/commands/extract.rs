//! `gristmill extract`: what a reader makes of a file.

use std::process::ExitCode;

use clap::ValueEnum;
use gristmill::config::{FailOn, Options, Task};
use gristmill::report::{DocumentReport, RunReport};
use gristmill::{Block, BlockKind, Document, Result, extract};
use serde_json::{Value, json};

use crate::args::Global;
use crate::inputs::InputArgs;
use crate::output::write_text;
use crate::settings::{ReadArgs, settle};
use crate::tell;

/// Show what a reader makes of files
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    read: ReadArgs,
    /// markdown, text or json (one object a line)
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Markdown, help_heading = "Output")]
    #[arg(hide_possible_values = true)]
    format: Form,
}

/// Forms of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    Markdown,
    Text,
    Json,
}

pub fn run(global: &Global, args: &Args) -> Result<ExitCode> {
    let mut options = Options::default();
    args.read.put_into(&mut options);
    let settings = settle(Task::Chunk, global, options)?;
    let inputs = args.input.inputs(global, &[])?;
    let mut told = RunReport::default();
    extract(&settings, &inputs, &mut |source, outcome| {
        let entry = match outcome {
            Err(error) => {
                told.totals.failed += 1;
                DocumentReport::failed(source, &error)
            }
            Ok(outcome) => {
                write_text(None, &shown(&outcome.value, source, args.format))?;
                let mut entry = DocumentReport { source: source.to_owned(), ..DocumentReport::default() };
                outcome.diagnostics.iter().for_each(|diagnostic| entry.warn(diagnostic));
                entry
            }
        };
        told.totals.documents += 1;
        told.documents.push(entry);
        Ok(())
    })?;
    tell::tell(global, &told);
    tell::judge(&settings, &inputs, &told, FailOn::Never)
}

fn shown(document: &Document, source: &str, form: Form) -> String {
    match form {
        Form::Markdown | Form::Text => document.text.clone(),
        Form::Json => format!("{}\n", outline(document, source)),
    }
}

fn outline(document: &Document, source: &str) -> Value {
    let sections = document.sections.iter().map(|section| {
        json!({ "level": section.level, "title": section.title, "parent": section.parent,
                "start": section.heading.start, "end": section.heading.end })
    });
    let blocks = document.blocks.iter().map(|block| self::block(block, document));
    json!({ "source": source, "format": document.format, "encoding": document.encoding, "attributes": document.attrs,
            "text": document.text, "blocks": blocks.collect::<Vec<_>>(),
            "sections": sections.collect::<Vec<_>>() })
}

/// A block; positions are bytes of the text.
fn block(block: &Block, document: &Document) -> Value {
    let mut value = json!({ "kind": block.kind.name(), "start": block.span.start, "end": block.span.end,
                            "depth": block.depth, "section": block.section });
    match block.kind {
        BlockKind::Heading { level } => value["level"] = level.into(),
        BlockKind::Code { body, closed } => {
            value["body"] = json!([body.start, body.end]);
            value["closed"] = closed.into();
        }
        BlockKind::Table { header } => value["header"] = json!([header.start, header.end]),
        BlockKind::Unit { signature } => value["signature"] = json!([signature.start, signature.end]),
        BlockKind::List { ordered } => value["ordered"] = ordered.into(),
        _ => {}
    }
    if let Some(page) = document.page_at(block.span.start) {
        value["page"] = page.into();
    }
    value
}
