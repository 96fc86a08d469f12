//! Measures a local transformer: `measure_local MODEL FILE...`, with the feature `local`. Each file is embedded in pieces
//! of 500 bytes, some 120 tokens in English, on one thread.

use std::error::Error;
use std::time::Instant;

use gristmill_core::Purpose;
use gristmill_embed::{EmbedderOptions, embedder};

const PIECE: usize = 500;
const TEXTS: usize = 128;

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
    let mut arguments = std::env::args().skip(1);
    let start = Instant::now();
    let options = EmbedderOptions { model: arguments.next(), concurrency: Some(1), ..EmbedderOptions::default() };
    let model = embedder("local", &options)?;
    println!("{} opened in {:.0} ms", model.name(), start.elapsed().as_secs_f64() * 1000.0);
    for path in arguments {
        let text = std::fs::read_to_string(&path)?;
        let mut texts = pieces(&text);
        texts.truncate(TEXTS);
        let start = Instant::now();
        for batch in texts.chunks(model.limits().inputs) {
            model.embed(batch, Purpose::Passage).map_err(gristmill_core::Error::from)?;
        }
        println!("{:6.1} texts/s  {path}", texts.len() as f64 / start.elapsed().as_secs_f64());
    }
    Ok(())
}
