//! Makes the tables of the built-in encodings, so that no command has to when it starts.

#[path = "src/count/bpe/layout.rs"]
mod layout;
#[path = "src/count/bpe/make/mod.rs"]
mod make;

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=src/count/bpe/layout.rs");
    println!("cargo::rerun-if-changed=src/count/bpe/make");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    for name in ["cl100k_base", "o200k_base"] {
        let asset = format!("assets/{name}.bpe");
        println!("cargo::rerun-if-changed={asset}");
        let words = make::tables(&fs::read(asset)?);
        let bytes: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
        fs::write(out.join(name).with_extension("tables"), bytes)?;
    }
    Ok(())
}
