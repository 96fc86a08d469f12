//! `gristmill diff`: what two sets of chunks have in common, and what they do not.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use gristmill::config::{Options, Task};
use gristmill::{ChangedChunk, ChunkChange, ChunkChanges, Comparison, Result, compare};

use super::Form;
use crate::args::Global;
use crate::exit;
use crate::output::{print, write_text};
use crate::paint::{ADDED, BOLD, CHANGED, MOVED, REMOVED, columns, paint, visible};
use crate::settings::settle;
use crate::words::{cut, number, width};

/// Compare two files of chunks, or two stores
#[derive(Debug, clap::Args)]
pub struct Args {
    /// File of chunks (.json, .jsonl, .parquet, .txt, .md) or store (.db)
    #[arg(value_name = "BEFORE")]
    before: PathBuf,
    /// The one to compare with it
    #[arg(value_name = "AFTER")]
    after: PathBuf,
    /// Exit with 1 when chunks differ
    #[arg(long, help_heading = "Output")]
    check: bool,
    /// text or json
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Text, help_heading = "Output")]
    #[arg(hide_possible_values = true)]
    format: Form,
}

pub fn run(global: &Global, args: &Args) -> Result<ExitCode> {
    let settings = settle(Task::Ingest, global, Options::default())?;
    let comparison = compare(&settings, &args.before, &args.after)?;
    match args.format {
        Form::Json => write_text(None, &super::json(&comparison)?)?,
        Form::Text if !global.quiet => {
            print(&text(&comparison, columns(), if global.verbose { usize::MAX } else { SHOWN }))?;
        }
        Form::Text => {}
    }
    Ok(ExitCode::from(if args.check && !comparison.totals.is_empty() { exit::GATE } else { 0 }))
}

/// Chunks that are listed unless more is asked for.
const SHOWN: usize = 100;

fn text(comparison: &Comparison, columns: usize, most: usize) -> String {
    let mut out = String::new();
    let mut by_source: BTreeMap<&str, Vec<&ChangedChunk>> = BTreeMap::new();
    // What was re-cut is told as it is now.
    for chunk in comparison.changes.iter().filter(|chunk| chunk.change != ChunkChange::RecutBefore) {
        by_source.entry(&chunk.source).or_default().push(chunk);
    }
    let (mut left, mut unlisted) = (most, 0);
    // Writing to a string cannot fail.
    for source in &comparison.sources {
        let chunks = by_source.remove(source.source.as_str()).unwrap_or_default();
        if left == 0 && !chunks.is_empty() {
            unlisted += chunks.len();
            continue;
        }
        let name = if source.source.is_empty() { "(no source named)".to_owned() } else { visible(&source.source) };
        let _ = writeln!(out, "{}  {}", paint(BOLD, name), counts(&source.chunks));
        for chunk in chunks.iter().take(left) {
            out.push_str(&line(chunk, columns));
        }
        unlisted += chunks.len().saturating_sub(left);
        left = left.saturating_sub(chunks.len());
    }
    if unlisted > 0 {
        let _ = writeln!(out, "… {} more (-v or --format json lists all)", number(unlisted as u64));
    }
    if !out.is_empty() {
        out.push('\n');
    }
    let _ = writeln!(out, "chunks: {}", counts(&comparison.totals));
    out
}

fn counts(chunks: &ChunkChanges) -> String {
    let recut = match (chunks.recut_before, chunks.recut_after) {
        (0, 0) => None,
        (before, after) => Some(format!("{} re-cut into {}", number(before), number(after))),
    };
    let some = |n: u64, what: &str| (n > 0).then(|| format!("{} {what}", number(n)));
    let context = (chunks.other_context > 0).then(|| format!("({} with other context)", number(chunks.other_context)));
    let kept =
        some(chunks.kept, "kept").map(|kept| [Some(kept), context].into_iter().flatten().collect::<Vec<_>>().join(" "));
    let all = [kept, recut, some(chunks.moved, "moved"), some(chunks.new, "new"), some(chunks.gone, "gone")];
    let there: Vec<String> = all.into_iter().flatten().collect();
    if there.is_empty() { "none".to_owned() } else { there.join(", ") }
}

fn line(chunk: &ChangedChunk, columns: usize) -> String {
    let (mark, style) = match chunk.change {
        ChunkChange::Moved => (">", MOVED),
        ChunkChange::Recut | ChunkChange::RecutBefore => ("~", CHANGED),
        ChunkChange::New => ("+", ADDED),
        ChunkChange::Gone => ("-", REMOVED),
    };
    let from = chunk.from.as_ref().map(|from| format!(" (from {})", visible(from))).unwrap_or_default();
    let at = chunk.line.map(|line| format!("{line}: ")).unwrap_or_default();
    let room = columns.saturating_sub(4 + width(&at) + width(&from)).max(20);
    format!("  {} {at}{}{from}\n", paint(style, mark), cut(&visible(&chunk.text), room))
}
