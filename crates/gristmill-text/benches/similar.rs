//! Megabytes a second of sketching, and how the search for near-duplicates grows.
//!
//! `cargo bench -p gristmill-text --bench similar [-- <largest number of texts> | <file>…]` reads the named files, else
//! makes texts of the fixtures.
#![expect(clippy::print_stdout, reason = "the figures are the output of this program")]

use std::borrow::Cow;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use gristmill_text::similar::{Index, Options, Sketch, Texts, overlap};
use serde_json::Value;

const RUNS: usize = 7;
const SIZE: usize = 4 << 20;
const TEXT: usize = 2000;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let largest = args.iter().find_map(|arg| arg.parse().ok()).unwrap_or(100_000);
    let files: Vec<&String> = args.iter().filter(|arg| arg.parse::<usize>().is_err()).collect();
    let texts: Vec<(String, String)> = if files.is_empty() {
        fixtures()
    } else {
        files.into_iter().map(|file| (file.clone(), fs::read_to_string(file).expect("a file to read"))).collect()
    };
    println!("median of {RUNS} runs, MB/s");
    for (name, text) in texts {
        let chunks = chunks(&text);
        let sketch = speed(&text, || chunks.iter().map(|chunk| Sketch::of(chunk).shingles()).sum());
        let overlaps = speed(&text, || chunks.windows(2).filter_map(|two| overlap(two[0], two[1])).count());
        println!("  {name:<12} sketch {sketch:>6.0}   overlap {overlaps:>6.0}");
    }
    println!("texts of {TEXT} bytes, one in ten near to an earlier one: seconds, MB/s");
    let mut count = 10_000;
    while count <= largest {
        growth(count);
        count *= 10;
    }
}

/// Sketches and pairs of `count` texts, made when they are asked for.
fn growth(count: usize) {
    let begin = Instant::now();
    let mut made = 0.0;
    let mut index = Index::new(Options::default());
    index.reserve(count);
    for id in 0..count as u64 {
        let begin = Instant::now();
        let text = generated(id);
        made += begin.elapsed().as_secs_f64();
        index.insert(id, Sketch::of(&text));
    }
    let sketched = begin.elapsed().as_secs_f64() - made;
    let begin = Instant::now();
    let asked = std::cell::Cell::new((0u64, 0.0));
    let read = |id| {
        let begin = Instant::now();
        let text = generated(id);
        let (calls, seconds) = asked.get();
        asked.set((calls + 1, seconds + begin.elapsed().as_secs_f64()));
        Ok(Cow::Owned(text))
    };
    let pairs = index.pairs(&Texts::new(&read)).expect("texts").len();
    let (calls, seconds) = asked.get();
    let searched = begin.elapsed().as_secs_f64() - seconds;
    let megabytes = (count * TEXT) as f64 / 1e6;
    println!(
        "  {count:>9} texts   sketch {sketched:>7.2} s   search {searched:>7.2} s   {:>5.0} MB/s   {pairs} pairs, texts asked for {:.2} times",
        megabytes / (sketched + searched),
        calls as f64 / count as f64
    );
}

/// A text of words that occur as often as words do; every tenth is an earlier one with a word changed.
fn generated(id: u64) -> String {
    let origin = if id % 10 == 9 { id / 2 } else { id };
    let mut random = Random(origin.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut text = String::with_capacity(TEXT + 16);
    let changed = if origin == id { usize::MAX } else { TEXT / 2 };
    while text.len() < TEXT {
        // Zipf's law: the rank is exponential in a uniform number.
        let rank = 50_000f64.powf(random.next() as f64 / u64::MAX as f64) as u64;
        if text.len() <= changed && changed < text.len() + 8 {
            text.push_str("changed");
        }
        word(rank, &mut text);
        text.push(' ');
    }
    text
}

/// A word of two to ten letters.
fn word(rank: u64, text: &mut String) {
    let mut rest = (rank + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for _ in 0..2 + rest % 9 {
        text.push(char::from(b'a' + (rest >> 40) as u8 % 26));
        rest = rest.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(17);
    }
}

/// Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

fn chunks(text: &str) -> Vec<&str> {
    let mut chunks = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (chunk, after) = rest.split_at(rest.ceil_char_boundary(TEXT.min(rest.len())));
        chunks.push(chunk);
        rest = after;
    }
    chunks
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
