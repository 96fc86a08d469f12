//! What is known of a file of chunks.

use std::fmt::Write as _;

use gristmill::ChunkFile;
use gristmill::report::{Bar, FieldCompleteness};

use super::percent;
use crate::paint::{BOLD, YELLOW, paint, visible};
use crate::words::{counted, number};

/// Columns of the longest bar.
const BAR: u64 = 40;

/// Fragmentation, duplication and gaps in metadata.
pub fn text(file: &ChunkFile) -> String {
    let sources = match file.sources {
        0 => "no source named".to_owned(),
        n => format!("from {}", counted(n, "source")),
    };
    let mut out = format!(
        "{}\n",
        paint(BOLD, format!("{}: {}, {sources}", visible(&file.source), counted(file.chunks, "chunk")))
    );
    if file.error.is_some() {
        let _ = writeln!(out, "  {}", paint(YELLOW, "read in part: the counts stop before the place of the error"));
    }
    if file.chunks == 0 {
        return out;
    }
    let mut row = |what: &str, value: &str| {
        let _ = writeln!(out, "  {what:<21} {value}");
    };
    let size = &file.size;
    if let (Some(mean), Some(median), Some(min), Some(max)) = (size.mean, size.median, size.min, size.max) {
        row(
            "size",
            &format!(
                "{} to {}, on average {mean:.1}, median {median}, in {}",
                number(min),
                number(max),
                size.measure()
            ),
        );
    }
    let share = |count: u64, share: Option<f64>| format!("{} ({})", number(count), percent(share));
    row(&format!("under {} tokens", file.fragments.bound), &share(file.fragments.count, file.fragments.share));
    row(&format!("over {} tokens", file.oversized.bound), &share(file.oversized.count, file.oversized.share));
    row("without visible text", &number(file.empty));
    row("duplicates", &share(file.duplicates.count, Some(file.duplicates.rate)));
    row("repeated identities", &number(file.repeated_ids));
    if file.other_token_count > 0 {
        let note = "the recorded token count is not the measured one: made with another tokenizer?";
        row("other token count", &format!("{} ({note})", number(file.other_token_count)));
    }
    row("metadata gaps", &gaps(&file.fields, file.chunks));
    out.push('\n');
    bars(&mut out, &size.histogram);
    out
}

/// The fields that not every chunk has.
fn gaps(fields: &[FieldCompleteness], chunks: u64) -> String {
    let missing = fields.iter().filter(|field| field.chunks < chunks).map(|field| match field.chunks {
        0 => format!("{} in all", field.field),
        filled => format!("{} in {}", field.field, number(chunks - filled)),
    });
    let missing: Vec<String> = missing.collect();
    if missing.is_empty() { "none".to_owned() } else { format!("no {}", missing.join(", no ")) }
}

fn bars(out: &mut String, bars: &[Bar]) {
    let most = bars.iter().map(|bar| bar.chunks).max().unwrap_or(1).max(1);
    let label =
        |bar: &Bar| if bar.from == bar.to { bar.from.to_string() } else { format!("{}–{}", bar.from, bar.to) };
    let width = bars.iter().map(|bar| label(bar).chars().count()).max().unwrap_or_default();
    for bar in bars {
        let length = (bar.chunks * BAR).div_ceil(most);
        let blocks = "█".repeat(usize::try_from(length).unwrap_or_default());
        let line = format!("  {:>width$}  {blocks} {}", label(bar), number(bar.chunks));
        let _ = writeln!(out, "{}", line.trim_end());
    }
}
