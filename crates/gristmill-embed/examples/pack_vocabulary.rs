//! Packs the vocabulary of a unigram `tokenizer.json` into the form that the static embedder carries.
//!
//! `cargo run -p gristmill-embed --example pack_vocabulary -- tokenizer.json out.vocab`

use std::error::Error;
use std::fs;

use serde_json::Value;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(input), Some(output)) = (args.next(), args.next()) else {
        return Err("usage: pack_vocabulary TOKENIZER_JSON OUTPUT".into());
    };
    let tokenizer: Value = serde_json::from_slice(&fs::read(input)?)?;
    let vocabulary = tokenizer.pointer("/model/vocab").and_then(Value::as_array).ok_or("no `model.vocab`")?;
    let pieces = vocabulary
        .iter()
        .map(|entry| Some((entry.get(0)?.as_str()?, entry.get(1)?.as_f64()?)))
        .collect::<Option<Vec<_>>>()
        .ok_or("an entry of `model.vocab` is not a piece and a number")?;
    fs::write(output, pack(&pieces)?)?;
    Ok(())
}

fn pack(pieces: &[(&str, f64)]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut out = u32::try_from(pieces.len())?.to_le_bytes().to_vec();
    out.extend(pieces.iter().flat_map(|&(_, score)| (score as f32).to_le_bytes()));
    let mut rows: Vec<u16> = (0..pieces.len()).map(u16::try_from).collect::<Result<_, _>>()?;
    rows.sort_by_key(|&row| pieces[usize::from(row)].0.as_bytes());
    let mut before: &[u8] = &[];
    for row in rows {
        let piece = pieces[usize::from(row)].0.as_bytes();
        let shared = piece.iter().zip(before).take_while(|(a, b)| a == b).count();
        out.push(u8::try_from(shared)?);
        out.push(u8::try_from(piece.len() - shared)?);
        out.extend(row.to_le_bytes());
        out.extend(&piece[shared..]);
        before = piece;
    }
    Ok(out)
}
