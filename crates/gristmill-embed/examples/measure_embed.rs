//! Measures the built-in model on files: `measure FILE...`. Each file is embedded in pieces of some 1,000 bytes. Times
//! are those of the processor where Linux tells them, else of the clock.

use std::error::Error;
use std::time::{Duration, Instant};

use gristmill_core::Purpose;
use gristmill_embed::{EmbedderOptions, embedder};

const PIECE: usize = 1000;
const ROUNDS: usize = 5;

/// Time used by this thread, or time passed since `start`.
fn now(start: Instant) -> Duration {
    let processor = || {
        let times = std::fs::read_to_string("/proc/self/schedstat").ok()?;
        times.split(' ').next()?.parse().ok().map(Duration::from_nanos)
    };
    processor().unwrap_or_else(|| start.elapsed())
}

fn pieces(text: &str) -> Vec<&str> {
    let (mut out, mut rest) = (Vec::new(), text);
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(rest.ceil_char_boundary(PIECE.min(rest.len())));
        out.push(piece);
        rest = after;
    }
    out
}

#[expect(clippy::print_stdout, reason = "a command that prints figures")]
fn main() -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let before = now(start);
    let model = embedder("static", &EmbedderOptions::default())?;
    println!("opened in {:.1} ms", (now(start) - before).as_secs_f64() * 1000.0);
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path)?;
        let texts = pieces(&text);
        let before = now(start);
        for _ in 0..ROUNDS {
            model.embed(&texts, Purpose::Passage).map_err(|error| error.error)?;
        }
        let seconds = (now(start) - before).as_secs_f64();
        println!("{:6.1} MB/s  {path}", (ROUNDS * text.len()) as f64 / 1e6 / seconds);
    }
    Ok(())
}
