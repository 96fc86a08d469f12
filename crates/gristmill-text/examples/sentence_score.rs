//! Measures sentence splitting on JSON lines of `{"text": …, "sentences": […]}`.
//!
//! `cargo run --release -p gristmill-text --example sentence_score -- [--verbose] FILE…` prints, for each file, the cases
//! whose sentences all agree, white space disregarded, and precision and recall of the single borders.
#![expect(clippy::print_stdout, reason = "a report on standard output is the purpose of this program")]

use std::error::Error;
use std::fs;

use gristmill_text::segment::sentences;
use serde_json::Value;

/// Counts over one file.
#[derive(Default)]
struct Score {
    cases: usize,
    whole: usize,
    expected: usize,
    found: usize,
    agreed: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let (options, files): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|arg| arg.starts_with("--"));
    let verbose = options.iter().any(|option| option == "--verbose");
    for file in files {
        let score = score_file(&fs::read_to_string(&file)?, verbose)?;
        let share = |part: usize, all: usize| if all == 0 { 1.0 } else { part as f64 / all as f64 };
        println!(
            "{file}: {}/{} whole cases, borders: precision {:.3}, recall {:.3}",
            score.whole,
            score.cases,
            share(score.agreed, score.found),
            share(score.agreed, score.expected),
        );
    }
    Ok(())
}

fn score_file(lines: &str, verbose: bool) -> Result<Score, Box<dyn Error>> {
    let mut score = Score::default();
    for line in lines.lines().filter(|line| !line.trim().is_empty()) {
        let case: Value = serde_json::from_str(line)?;
        let text = case["text"].as_str().ok_or("a case without `text`")?;
        let expected = case["sentences"].as_array().ok_or("a case without `sentences`")?;
        let expected: Vec<String> = expected.iter().filter_map(Value::as_str).map(squeeze).collect();
        let found: Vec<String> = sentences(text).map(squeeze).collect();
        score.add(&expected, &found);
        if verbose && expected != found {
            report(&expected, &found);
        }
    }
    Ok(score)
}

impl Score {
    fn add(&mut self, expected: &[String], found: &[String]) {
        let (expected_borders, found_borders) = (borders(expected), borders(found));
        self.cases += 1;
        self.whole += usize::from(expected == found);
        self.expected += expected_borders.len();
        self.found += found_borders.len();
        self.agreed += found_borders.iter().filter(|border| expected_borders.contains(border)).count();
    }
}

/// Places at which a sentence ends, in bytes of the text without white space.
fn borders(sentences: &[String]) -> Vec<usize> {
    let ends = sentences.iter().scan(0, |end, sentence| {
        *end += sentence.len();
        Some(*end)
    });
    ends.collect()
}

fn squeeze(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Prints the sentences in which the two differ.
fn report(expected: &[String], found: &[String]) {
    println!("---");
    expected.iter().filter(|sentence| !found.contains(sentence)).for_each(|sentence| println!("  expected {sentence}"));
    found.iter().filter(|sentence| !expected.contains(sentence)).for_each(|sentence| println!("  found    {sentence}"));
}
