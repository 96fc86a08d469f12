//! Megabytes a second of finding sentences, per language.
//!
//! `cargo bench -p gristmill-text --bench segment [-- <file>…]` reads the named files, else texts made of the fixtures.
#![expect(clippy::print_stdout, reason = "the figures are the output of this program")]

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use gristmill_text::segment::{best_break, floor_grapheme, sentence_starts};
use serde_json::Value;

const RUNS: usize = 7;
const SIZE: usize = 4 << 20;

fn main() {
    let files: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let texts: Vec<(String, String)> = if files.is_empty() {
        fixtures()
    } else {
        files.into_iter().map(|file| (file.clone(), fs::read_to_string(file).expect("a file to read"))).collect()
    };
    println!("median of {RUNS} runs, MB/s");
    for (name, text) in texts {
        let mut starts = Vec::new();
        let sentences = speed(&text, || {
            sentence_starts(&text, &mut starts);
            starts.len()
        });
        let cuts = speed(&text, || cut_up(&text));
        let mean = text.len() / starts.len().max(1);
        println!("  {name:<12} sentences {sentences:>7.0} (mean {mean} bytes)   cuts of 500 bytes {cuts:>7.0}");
    }
}

/// Cuts the text into pieces as if it were one sentence.
fn cut_up(text: &str) -> usize {
    let (mut at, mut pieces) = (0, 0);
    while at < text.len() {
        at = best_break(text, at, at + 500);
        pieces += floor_grapheme(text, at);
    }
    pieces
}

fn speed(text: &str, mut work: impl FnMut() -> usize) -> f64 {
    let mut times: Vec<f64> = (0..RUNS)
        .map(|_| {
            let begin = Instant::now();
            black_box(work());
            begin.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    text.len() as f64 / 1e6 / times[RUNS / 2]
}

/// The prose of each fixture file, repeated to `SIZE` bytes.
fn fixtures() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sentences");
    let mut files: Vec<_> =
        fs::read_dir(folder).expect("fixtures").filter_map(Result::ok).map(|entry| entry.path()).collect();
    files.sort();
    files
        .iter()
        .map(|file| (file.file_stem().unwrap_or_default().to_string_lossy().into_owned(), prose(file)))
        .collect()
}

fn prose(file: &Path) -> String {
    let lines = fs::read_to_string(file).expect("a fixture");
    let cases: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let page: String =
        cases.iter().filter_map(|case| case["text"].as_str()).map(|text| format!("{text}\n\n")).collect();
    page.repeat(SIZE / page.len() + 1)
}
