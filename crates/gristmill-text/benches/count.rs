//! Megabytes a second of counting tokens, against the fastest public counter of the same encodings, in turn.
//!
//! `cargo bench -p gristmill-text --bench count [-- <folder>…]` reads the files of the folders, else the Markdown of the
//! corpora next to the repository, else a text made here. Each run has a thread of its own and so an empty cache, as a
//! program has that counts a folder once; `warm` runs again in the same thread.
#![expect(clippy::print_stdout, reason = "the figures are the output of this program")]

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

use bpe_openai::Tokenizer;
use gristmill_core::{Sizer, Unit};
use gristmill_text::count::sizer;

const RUNS: usize = 7;

fn main() {
    let texts = texts();
    let bytes: usize = texts.iter().map(String::len).sum();
    println!("{} texts, {:.2} MB; median of {RUNS} runs in turn, MB/s", texts.len(), bytes as f64 / 1e6);
    for (name, theirs) in [("cl100k_base", bpe_openai::cl100k_base()), ("o200k_base", bpe_openai::o200k_base())] {
        let begin = Instant::now();
        let ours = sizer(Unit::Tokens, name).expect("a built-in tokenizer");
        black_box(ours.size("x"));
        println!("{name}: first use {:.1} ms", begin.elapsed().as_secs_f64() * 1e3);
        compare(&texts, bytes, ours.as_ref(), theirs);
    }
}

fn compare(texts: &[String], bytes: usize, ours: &dyn Sizer, theirs: &'static Tokenizer) {
    let size = || texts.iter().map(|text| ours.size(text)).sum();
    let measure = || texts.iter().map(|text| ours.measure(text).size(0..text.len())).sum();
    let other = || texts.iter().map(|text| theirs.count(text.as_str())).sum();
    let works: [(&str, &(dyn Fn() -> usize + Sync)); 3] =
        [("size", &size), ("measure", &measure), ("bpe-openai", &other)];
    let mut cold = [const { Vec::new() }; 3];
    let mut warm = [const { Vec::new() }; 3];
    let mut totals = [0; 3];
    for _ in 0..RUNS {
        for (at, (_, work)) in works.iter().enumerate() {
            let run = || (timed(work), timed(work));
            let (first, second) = std::thread::scope(|scope| scope.spawn(run).join().expect("a run"));
            totals[at] = first.0;
            cold[at].push(first.1);
            warm[at].push(second.1);
        }
    }
    assert!(totals.iter().all(|total| *total == totals[2]), "all count the same");
    let speed = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        bytes as f64 / 1e6 / times[times.len() / 2]
    };
    let reference = speed(&mut cold[2]);
    for (at, (name, _)) in works.iter().enumerate() {
        let (cold, warm) = (speed(&mut cold[at]), speed(&mut warm[at]));
        println!("  {name:<11}{cold:>8.1}  ({:.1}x)   warm {warm:>8.1}", cold / reference);
    }
}

fn timed(work: &(dyn Fn() -> usize + Sync)) -> (usize, f64) {
    let begin = Instant::now();
    let total = black_box(work());
    (total, begin.elapsed().as_secs_f64())
}

fn texts() -> Vec<String> {
    let named: Vec<PathBuf> = std::env::args().skip(1).filter(|arg| arg != "--bench").map(PathBuf::from).collect();
    let folders = if named.is_empty() { corpora() } else { named };
    let mut texts = Vec::new();
    folders.iter().for_each(|folder| read(folder, &mut texts));
    if texts.is_empty() { (0..400).map(mixed).collect() } else { texts }
}

fn corpora() -> Vec<PathBuf> {
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora");
    let entries = fs::read_dir(corpora).into_iter().flatten().flatten();
    entries.filter(|entry| entry.file_name().to_string_lossy().starts_with("md")).map(|entry| entry.path()).collect()
}

fn read(path: &Path, texts: &mut Vec<String>) {
    if path.is_dir() {
        fs::read_dir(path).into_iter().flatten().flatten().for_each(|entry| read(&entry.path(), texts));
    } else if let Ok(text) = fs::read_to_string(path) {
        texts.push(text);
    }
}

/// A document of about 12 kB: prose of words that repeat as they do in real text, headings, lists and code.
fn mixed(seed: usize) -> String {
    const SYLLABLES: [&str; 16] =
        ["con", "ter", "ing", "a", "re", "mill", "o", "chunk", "s", "data", "ver", "un", "the", "e", "de", "ly"];
    let mut state = seed as u64 * 2 + 1;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as usize) % below
    };
    let mut text = String::new();
    for line in 0..160 {
        text.push_str(["", "", "", "- ", "## ", "    let x = ", "| "][next(7)]);
        for _ in 0..12 {
            let rank = next(80) * next(80);
            text.push_str(SYLLABLES[rank % 16]);
            text.push_str(SYLLABLES[rank / 16 % 16]);
            text.push_str(if rank > 1000 { SYLLABLES[rank / 256 % 16] } else { "" });
            text.push_str([" ", " ", " ", " ", ", ", ". ", " (", "() "][next(8)]);
        }
        text.push_str(if line % 5 == 0 { "\n\n" } else { "\n" });
    }
    text
}
