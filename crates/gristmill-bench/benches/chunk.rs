//! Whole-command chunking on one core, beside the fastest public tokenizer alone and text-splitter's Markdown splitter,
//! with the tokenizer it comes with (tiktoken-rs) and with the fastest one, all with `cl100k_base` over the same bytes: `cargo build --release && cargo bench -p gristmill-bench --bench chunk`.
#![expect(clippy::print_stdout, reason = "a bench prints")]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use gristmill_bench::{Case, Corpus, in_turn};
use text_splitter::{ChunkConfig, ChunkSizer, MarkdownSplitter};

const MAX: usize = 512;
const ROUNDS: usize = 5;

struct Counter;

impl ChunkSizer for Counter {
    fn size(&self, chunk: &str) -> usize {
        bpe_openai::cl100k_base().count(chunk)
    }
}

fn main() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let Some(command) = command() else {
        println!("skipped: no gristmill beside this bench; run `cargo build --release` first");
        return;
    };
    let folder = std::env::temp_dir().join(format!("gristmill-bench-{}", std::process::id()));
    let corpus = match Corpus::markdown(&project, folder.clone()) {
        Ok(corpus) => corpus,
        Err(error) => {
            println!("skipped: no documents to run over: {error}");
            return;
        }
    };
    report(&corpus, &command);
    // A left-over is in the folder for temporary files.
    let _ = std::fs::remove_dir_all(folder);
}

/// The command that was built with this bench: `target/release/gristmill`, beside `target/release/deps`.
fn command() -> Option<PathBuf> {
    let own = std::env::current_exe().ok()?;
    let path = own.parent()?.parent()?.join("gristmill");
    path.is_file().then_some(path)
}

fn report(corpus: &Corpus, command: &Path) {
    let tokenizer = bpe_openai::cl100k_base();
    let splitter = MarkdownSplitter::new(ChunkConfig::new(MAX).with_sizer(Counter));
    let own = MarkdownSplitter::new(ChunkConfig::new(MAX).with_sizer(tiktoken_rs::cl100k_base_singleton()));
    let count = || {
        black_box(corpus.texts.iter().map(|text| tokenizer.count(text)).sum::<usize>());
    };
    let split = || {
        black_box(corpus.texts.iter().map(|text| splitter.chunks(text).count()).sum::<usize>());
    };
    let split_own = || {
        black_box(corpus.texts.iter().map(|text| own.chunks(text).count()).sum::<usize>());
    };
    let mut cases: Vec<Case<'_>> = vec![
        ("bpe-openai count alone", Box::new(count)),
        ("gristmill chunk, whole command", Box::new(|| run(command, &corpus.folder))),
        ("text-splitter, its own tokenizer", Box::new(split_own)),
        ("text-splitter, bpe-openai", Box::new(split)),
    ];
    let times = in_turn(&mut cases, ROUNDS);
    let speeds: Vec<f64> = times.iter().map(|time| corpus.megabytes() / time.as_secs_f64()).collect();
    println!("{:.2} MB of Markdown, {MAX} tokens, one core, medians of {ROUNDS} rounds in turn", corpus.megabytes());
    for ((name, _), speed) in cases.iter().zip(&speeds) {
        println!("{name:<36} {speed:>8.2} MB/s");
    }
    println!("gristmill / tokenizer alone:  {:.2}", speeds[1] / speeds[0]);
    println!("gristmill / text-splitter with its own tokenizer:  {:.1}", speeds[1] / speeds[2]);
    println!("gristmill / text-splitter with bpe-openai:         {:.1}", speeds[1] / speeds[3]);
}

fn run(command: &Path, folder: &Path) {
    let status = Command::new(command)
        .args(["chunk", "--max", "512", "--overlap", "0", "--tokenizer", "cl100k_base", "-j", "1", "-q"])
        .args(["-o", "/dev/null", "--format", "jsonl"])
        .arg(folder)
        .stdout(Stdio::null())
        .status();
    assert!(status.is_ok_and(|status| status.success()), "the command failed");
}
