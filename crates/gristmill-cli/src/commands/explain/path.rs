//! How a file would be read and cut.

use std::fmt::Write as _;

use gristmill::{CuttingTold, Preview, PreviewedChunk, Result};

use super::super::{Form, json};
use crate::output::{print, write_text};
use crate::paint::{CYAN, DIM, YELLOW, columns, paint, visible};
use crate::words::{counted, cut, number, width};

pub fn show(preview: &Preview, form: Form) -> Result<()> {
    match form {
        Form::Json => write_text(None, &json(preview)?),
        Form::Text => print(&text(preview, columns())),
    }
}

fn text(preview: &Preview, columns: usize) -> String {
    let mut out = format!("{}\n", paint(CYAN, visible(&preview.source)));
    // Writing to a string cannot fail.
    let mut row = |name: &str, value: &str| {
        let _ = writeln!(out, "{:11}{}", format!("{name}:"), visible(value));
    };
    if !preview.configured {
        row("source", "of none of the configured sources");
    }
    match (&preview.reader, &preview.problem) {
        (_, Some(problem)) => {
            row("read", &format!("no: {problem}"));
            return out;
        }
        (Some(reader), None) => row("read", &format!("as {reader}, {}", preview.encoding)),
        (None, None) => {
            row("read", "no");
            return out;
        }
    }
    preview.title.iter().for_each(|title| row("title", title));
    preview.document_type.iter().for_each(|kind| row("kind", kind));
    row("cut", &cutting(&preview.cutting));
    row("chunks", &chunks(preview));
    preview.first.iter().for_each(|chunk| out.push_str(&line(chunk, columns)));
    if preview.chunks > preview.first.len() as u64 {
        let _ = writeln!(out, "  {}", paint(DIM, "…"));
    }
    for warning in &preview.warnings {
        let line = warning.line.map(|line| format!("line {line}: ")).unwrap_or_default();
        let told = format!("{line}{} [{}]", warning.message, warning.code);
        let _ = writeln!(out, "{} {}", paint(YELLOW, "warning:"), visible(&told));
    }
    out
}

fn cutting(cutting: &CuttingTold) -> String {
    let CuttingTold { strategy, target, max, min, overlap, unit } = cutting;
    format!("by {strategy}: target {target}, max {max}, min {min}, overlap {overlap} {unit}")
}

fn chunks(preview: &Preview) -> String {
    let size = &preview.size;
    match (size.min, size.mean, size.max) {
        (Some(min), Some(mean), Some(max)) => {
            let of = format!("of {} to {}, on average {mean:.1} {}", number(min), number(max), size.measure());
            format!("{} {of}", number(preview.chunks))
        }
        _ => counted(preview.chunks, "chunk"),
    }
}

/// Lines, size, headings and first line of a chunk.
fn line(chunk: &PreviewedChunk, columns: usize) -> String {
    let [first, last] = chunk.lines;
    let lines = if last > first { format!("{first}-{last}") } else { first.to_string() };
    let start = format!("  {lines:>9}  {:>5}  ", number(chunk.tokens));
    let path = chunk.heading_path.join(" › ");
    let gap = if path.is_empty() { "" } else { "  " };
    let room = columns.saturating_sub(width(&start));
    let path = cut(&visible(&path), room / 2);
    let left = room.saturating_sub(width(&path) + gap.len());
    format!("{start}{path}{gap}{}\n", paint(DIM, cut(&visible(&chunk.first_line), left)))
}
