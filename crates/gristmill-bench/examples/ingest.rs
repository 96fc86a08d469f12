//! Ingests a folder with a model that costs no time, and prints one line of JSON about it:
//! `ingest FOLDER STORE [CHARACTERS]`. With a number, chunks are of so many characters at most, a tenth of them overlap;
//! without, the default settings hold. Seconds of the processor and memory are those that Linux tells, of the whole
//! process. What is measured is everything but embedding.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use gristmill::config::{self, Layer, Options, Overlap, Settings, SizeUnit, Task};
use gristmill::{IngestOptions, Inputs, RunCx, ingest_into};
use gristmill_core::{EmbedError, EmbedLimits, Embedder, Purpose};
use gristmill_store::SqliteStore;
use serde_json::json;

const DIMENSIONS: usize = 384;

#[expect(clippy::print_stdout, reason = "a command that prints figures")]
fn main() -> Result<(), Box<dyn Error>> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let [folder, store, rest @ ..] = given.as_slice() else {
        return Err("usage: ingest FOLDER STORE [CHARACTERS]".into());
    };
    let folder = Path::new(folder).canonicalize()?;
    let settings = settings(&folder, rest.first().map(|size| size.parse()).transpose()?)?;
    let inputs = Inputs { folder: folder.clone(), paths: vec![folder], ..Inputs::default() };
    let begun = Instant::now();
    let counting = Arc::new(Constant::default());
    let embedder: Arc<dyn Embedder> = Arc::clone(&counting) as Arc<dyn Embedder>;
    let store = SqliteStore::open(Path::new(store), "default", true)?;
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let mut cx = RunCx { workers, inspect: false, lint: true, progress: &mut |_, _, _| {} };
    let report = ingest_into(&store, &embedder, &settings, &inputs, &IngestOptions::default(), &mut cx)?;
    drop(store);
    println!(
        "{}",
        json!({
            "cpu": processor_seconds(),
            "wall": begun.elapsed().as_secs_f64(),
            "peak": peak_megabytes(),
            "embedded": counting.texts.load(Ordering::Relaxed),
            "files": report.files,
            "chunks": report.chunks,
            "failures": report.failures.len(),
        })
    );
    Ok(())
}

fn settings(folder: &Path, characters: Option<u32>) -> gristmill::Result<Settings> {
    let mut options = Options::default();
    if let Some(characters) = characters {
        options.chunk.unit = Some(SizeUnit::Chars);
        options.chunk.max = Some(characters);
        options.chunk.target = Some(characters);
        options.chunk.overlap = Some(Overlap::Size(characters / 10));
    }
    Ok(config::resolve(Task::Ingest, folder, &[Layer::flags(options)])?.value)
}

/// A model that has one vector of length 1 for all texts, as those of the other programs, and counts texts.
#[derive(Default)]
struct Constant {
    texts: AtomicU64,
}

impl Embedder for Constant {
    fn name(&self) -> &str {
        "bench/constant"
    }

    fn dimensions(&self) -> Option<usize> {
        Some(DIMENSIONS)
    }

    fn limits(&self) -> EmbedLimits {
        EmbedLimits { inputs: 256, tokens: usize::MAX, bytes: usize::MAX, input_tokens: usize::MAX, requests: 1 }
    }

    fn embed(&self, texts: &[&str], _: Purpose) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.texts.fetch_add(texts.len() as u64, Ordering::Relaxed);
        let unit = (DIMENSIONS as f32).sqrt().recip();
        Ok(texts.iter().map(|_| vec![unit; DIMENSIONS]).collect())
    }
}

/// Ticks are hundredths of a second wherever Linux runs.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2).filter_map(|ticks| ticks.parse::<u32>().ok());
    f64::from(ticks.sum::<u32>()) / 100.0
}

fn peak_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|peak| peak.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or_default() / 1024
}
