//! Makes `assets/classes.bin`: the classes of characters that the pre-tokenizers tell apart, as runs.
//!
//! `cargo run -p gristmill-text --example classes -- assets/classes.bin`
//!
//! Each run is a varint (low seven bits first) of `length * 8 + class`. The classes come from the regex engine that the
//! reference tokenizer uses, so that both follow the same version of Unicode.

use std::error::Error;
use std::fs;

use fancy_regex::Regex;

/// In the order of `Class` in `src/count/bpe/classes.rs`; everything else is class 0.
const CLASSES: [&str; 7] =
    [r"[\s--[\r\n]]", r"[\r\n]", r"\p{N}", r"[\p{Lu}\p{Lt}]", r"\p{Ll}", r"[\p{Lm}\p{Lo}]", r"\p{M}"];

fn main() -> Result<(), Box<dyn Error>> {
    let to = std::env::args().nth(1).ok_or("usage: classes <out.bin>")?;
    let patterns = CLASSES.map(Regex::new).into_iter().collect::<Result<Vec<_>, _>>()?;
    let mut out = Vec::new();
    let (mut class, mut length) = (0, 0_usize);
    for code in 0..=u32::from(char::MAX) {
        let this = class_of(code, &patterns)?;
        if this != class {
            varint(length << 3 | class, &mut out);
            (class, length) = (this, 0);
        }
        length += 1;
    }
    varint(length << 3 | class, &mut out);
    fs::write(to, out)?;
    Ok(())
}

fn class_of(code: u32, patterns: &[Regex]) -> Result<usize, Box<dyn Error>> {
    let Some(char) = char::from_u32(code) else { return Ok(0) };
    for (class, pattern) in (1..).zip(patterns) {
        if pattern.is_match(char.encode_utf8(&mut [0; 4]))? {
            return Ok(class);
        }
    }
    Ok(0)
}

fn varint(mut value: usize, out: &mut Vec<u8>) {
    while value > 127 {
        out.push((value & 127) as u8 | 128);
        value >>= 7;
    }
    out.push((value & 127) as u8);
}
