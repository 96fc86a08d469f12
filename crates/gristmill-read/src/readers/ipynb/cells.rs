//! The cells of a notebook as Markdown.

use gristmill_core::BlockKind;
use serde_json::Value;

use super::outputs;
use crate::markup::Markdown;
use crate::pieces::append;
use crate::readers::markdown;

/// A notebook that is being written.
pub(super) struct Notebook<'n> {
    pub(super) out: String,
    /// Outputs of which only the start is there.
    pub(super) cut: usize,
    /// Outputs that are no text.
    pub(super) unreadable: usize,
    language: &'n str,
    /// Index of the cell at hand.
    at: usize,
}

impl<'n> Notebook<'n> {
    pub(super) fn new(language: &'n str) -> Self {
        Self { out: String::new(), cut: 0, unreadable: 0, language, at: 0 }
    }

    pub(super) fn cell(&mut self, cell: &Value) {
        let source = joined(cell.get("source").or_else(|| cell.get("input")));
        match cell.get("cell_type").and_then(Value::as_str).unwrap_or_default() {
            "markdown" => append(&mut self.out, &closed(source)),
            "heading" => {
                let level = cell.get("level").and_then(Value::as_u64).map_or(1, |level| level.clamp(1, 6));
                append(
                    &mut self.out,
                    &format!("{} {}", "#".repeat(usize::try_from(level).unwrap_or(1)), source.trim()),
                );
            }
            "code" => {
                self.code(magic(&source).unwrap_or(self.language), &source);
                let outputs = cell.get("outputs").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
                for (index, output) in outputs.iter().enumerate() {
                    outputs::add(self, output, &format!("output_{}_{index}", self.at));
                }
            }
            _ => self.code("", &source),
        }
        self.at += 1;
    }

    /// Adds a block of code.
    pub(super) fn code(&mut self, language: &str, code: &str) {
        let mut block = Markdown::default();
        block.code(language, code);
        append(&mut self.out, &block.finish());
    }
}

/// Text that is one string or a list of them.
pub(super) fn joined(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(lines)) => lines.iter().filter_map(Value::as_str).collect(),
        _ => String::new(),
    }
}

/// The language that a cell's first line asks for: `%%bash`.
fn magic(source: &str) -> Option<&str> {
    let name = source.strip_prefix("%%")?.split_whitespace().next()?;
    match name {
        "bash" | "html" | "javascript" | "latex" | "perl" | "ruby" | "sh" | "sql" | "svg" => Some(name),
        "js" => Some("javascript"),
        _ => None,
    }
}

/// Markdown with the fence or comment closed that would go on into the next cell.
pub(super) fn closed(mut text: String) -> String {
    let (blocks, _) = markdown::outline(&text);
    let Some(last) = blocks.last().filter(|block| block.depth == 0) else { return text };
    let shown = text.get(last.span.range()).unwrap_or_default().trim_start();
    let end = match last.kind {
        BlockKind::Code { closed: false, .. } => {
            let mark = shown.chars().next().filter(|c| matches!(c, '`' | '~'));
            mark.map(|mark| shown.chars().take_while(|c| *c == mark).collect())
        }
        _ if shown.starts_with("<!--") && !shown.contains("-->") => Some("-->".to_owned()),
        _ => None,
    };
    if let Some(end) = end {
        text.truncate(text.trim_end().len());
        text.push('\n');
        text.push_str(&end);
    }
    text
}
