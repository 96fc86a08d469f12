//! Makes `assets/<name>.bpe` from a `.tiktoken` file (one `base64 rank` a line), the form OpenAI publishes.
//!
//! `cargo run -p gristmill-text --example vocabulary -- cl100k_base.tiktoken assets/cl100k_base.bpe`
//!
//! A token is stored as the two tokens it was merged from, which says the same as its bytes in half the space and saves
//! working the merges out again: see `src/count/bpe/vocabulary.rs` for the layout.

use std::collections::HashMap;
use std::error::Error;
use std::fs;

type Ranks = HashMap<Vec<u8>, u32>;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(from), Some(to)) = (args.next(), args.next()) else {
        return Err("usage: vocabulary <in.tiktoken> <out.bpe>".into());
    };
    let tokens = read(&fs::read_to_string(from)?)?;
    let ranks: Ranks = tokens.iter().cloned().zip(0..).collect();
    let mut out = u32::try_from(tokens.len())?.to_le_bytes().to_vec();
    let (bytes, merged) = tokens.split_at(256);
    for byte in bytes {
        let [byte] = byte.as_slice() else { return Err("the first 256 tokens must be the single bytes".into()) };
        out.push(*byte);
    }
    let mut bits = Bits { out, last: 0, used: 0 };
    for (token, rank) in merged.iter().zip(256..) {
        let (left, right) = split(token, rank, &ranks).ok_or_else(|| format!("token {rank} is not merged of two"))?;
        bits.number(left);
        bits.number(right);
    }
    fs::write(to, bits.finish())?;
    Ok(())
}

fn read(text: &str) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let mut tokens = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        let (token, rank) = line.split_once(' ').ok_or("a line without rank")?;
        if rank.parse() != Ok(tokens.len()) {
            return Err(format!("ranks must count up from 0: {rank}").into());
        }
        tokens.push(base64(token).ok_or_else(|| format!("not base64: {token}"))?);
    }
    Ok(tokens)
}

fn base64(text: &str) -> Option<Vec<u8>> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut out, mut bits, mut have) = (Vec::new(), 0_u32, 0);
    for byte in text.bytes().filter(|byte| *byte != b'=') {
        bits = bits << 6 | u32::try_from(DIGITS.iter().position(|digit| *digit == byte)?).ok()?;
        have += 6;
        if have >= 8 {
            have -= 8;
            out.push((bits >> have & 255) as u8);
        }
    }
    Some(out)
}

/// The two tokens that the merges of lower rank leave of `token`.
fn split(token: &[u8], rank: u32, ranks: &Ranks) -> Option<(u32, u32)> {
    let mut parts: Vec<&[u8]> = token.chunks(1).collect();
    while parts.len() > 2 {
        let merged = |pair: &[&[u8]]| ranks.get(&pair.concat()).copied().filter(|merged| *merged < rank);
        let (_, at) = parts.windows(2).enumerate().filter_map(|(at, pair)| Some((merged(pair)?, at))).min()?;
        let start: usize = parts[..at].iter().map(|part| part.len()).sum();
        let length = parts[at].len() + parts[at + 1].len();
        parts.splice(at..at + 2, [&token[start..start + length]]);
    }
    Some((*ranks.get(*parts.first()?)?, *ranks.get(*parts.get(1)?)?))
}

struct Bits {
    out: Vec<u8>,
    last: u64,
    used: u32,
}

impl Bits {
    /// Four bits say how many bits follow: 0 for three plain bits, `k` for the `k + 2` bits below the leading one.
    fn number(&mut self, value: u32) {
        let length = (32 - value.leading_zeros()).max(3) - 3;
        let below = if length == 0 { 3 } else { length + 2 };
        self.push(length, 4);
        self.push(value & ((1 << below) - 1), below);
    }

    fn push(&mut self, value: u32, bits: u32) {
        self.last |= u64::from(value) << self.used;
        self.used += bits;
        while self.used >= 8 {
            self.out.push((self.last & 255) as u8);
            self.last >>= 8;
            self.used -= 8;
        }
    }

    fn finish(mut self) -> Vec<u8> {
        self.push(0, 7);
        self.out
    }
}
