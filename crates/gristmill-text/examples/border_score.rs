//! Judges borders read from standard input, one JSON object a line with `left`, `right` and `gap` (null for unknown, else
//! the white space that stood between the two), and prints what is found, one JSON object a line.
//!
//! ```text
//! cargo run -p gristmill-text --example border_score < borders.jsonl > verdicts.jsonl
//! ```

use std::io::{self, BufRead, Write};

use gristmill_text::resume::{Border, Cut, Gap, judge};
use serde_json::{Value, json};

fn main() -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let row: Value = serde_json::from_str(&line?)?;
        let text = |key: &str| row.get(key).and_then(Value::as_str).unwrap_or("");
        let gap = row.get("gap").and_then(Value::as_str).map_or(Gap::Unknown, gap_of);
        let verdict = judge(&Border { before: text("left"), after: text("right"), gap });
        let (cut, sure) = match verdict.cut {
            Cut::None => ("none", false),
            Cut::Word => ("word", true),
            Cut::Sentence { sure } => ("sentence", sure),
        };
        let why = format!("{:?} {:?}", verdict.end, verdict.start);
        writeln!(out, "{}", json!({ "cut": cut, "sure": sure, "why": why, "join": verdict.join }))?;
    }
    Ok(())
}

fn gap_of(white: &str) -> Gap {
    match (white.is_empty(), white.matches('\n').count()) {
        (true, _) => Gap::None,
        (_, 0) => Gap::Space,
        (_, 1) => Gap::Line,
        _ => Gap::Paragraph,
    }
}
