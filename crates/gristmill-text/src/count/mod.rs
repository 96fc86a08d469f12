//! Sizes of text in characters, words and tokens.

mod bpe;
mod chars;
#[cfg(feature = "huggingface")]
mod huggingface;
mod words;

use std::path::Path;
use std::sync::Arc;

use gristmill_core::{Error, Result, Sizer, Unit};

/// The tokenizers that can be named, with a line for people.
pub const TOKENIZERS: &[(&str, &str)] = &[
    ("cl100k_base", "OpenAI GPT-4 and text-embedding-3, built in"),
    ("o200k_base", "OpenAI GPT-4o and later, built in"),
    #[cfg(feature = "huggingface")]
    ("<path>/tokenizer.json", "any tokenizer of the Hugging Face library, read from a file"),
];

/// What counts sizes in `unit`. `tokenizer` matters for [`Unit::Tokens`] only: one of [`TOKENIZERS`], or the path of a
/// `tokenizer.json` (any path that ends in `.json` or exists).
///
/// # Errors
/// Of kind `Config` when there is no such tokenizer or its file cannot be used. Nothing else is counted instead.
pub fn sizer(unit: Unit, tokenizer: &str) -> Result<Arc<dyn Sizer>> {
    Ok(match (unit, tokenizer) {
        (Unit::Chars, _) => Arc::new(chars::Chars),
        (Unit::Words, _) => Arc::new(words::Words),
        (Unit::Tokens, "cl100k_base") => Arc::new(bpe::cl100k_base()),
        (Unit::Tokens, "o200k_base") => Arc::new(bpe::o200k_base()),
        (Unit::Tokens, path) if is_path(path) => from_file(path)?,
        (Unit::Tokens, name) => return Err(unknown(name)),
    })
}

fn is_path(tokenizer: &str) -> bool {
    tokenizer.to_ascii_lowercase().ends_with(".json") || Path::new(tokenizer).is_file()
}

#[cfg(feature = "huggingface")]
fn from_file(path: &str) -> Result<Arc<dyn Sizer>> {
    Ok(Arc::new(huggingface::HuggingFace::open(path)?))
}

#[cfg(not(feature = "huggingface"))]
fn from_file(path: &str) -> Result<Arc<dyn Sizer>> {
    let error = Error::config(format!("this build cannot read tokenizer files: `{path}`"));
    Err(error.hint("build with the feature `huggingface`, or use `cl100k_base` or `o200k_base`"))
}

fn unknown(name: &str) -> Error {
    let names: Vec<String> = TOKENIZERS.iter().map(|(name, _)| format!("`{name}`")).collect();
    Error::config(format!("unknown tokenizer: `{name}`"))
        .hint(format!("use one of {}, or set the unit to `chars` or `words`", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use gristmill_core::ErrorKind;

    use super::*;

    fn tokens(tokenizer: &str, text: &str) -> usize {
        sizer(Unit::Tokens, tokenizer).unwrap().size(text)
    }

    #[test]
    fn known_counts_are_met() {
        assert_eq!(tokens("cl100k_base", "hello world"), 2);
        assert_eq!(tokens("cl100k_base", "The quick brown fox jumps over the lazy dog."), 10);
        assert_eq!(tokens("cl100k_base", "<|endoftext|>"), 7);
        assert_eq!(tokens("o200k_base", "hello world"), 2);
        assert_eq!(sizer(Unit::Chars, "").unwrap().size("héllo"), 5);
        assert_eq!(sizer(Unit::Words, "").unwrap().size("héllo  world"), 2);
    }

    #[test]
    fn an_unknown_tokenizer_is_an_error_that_names_what_there_is() {
        let error = sizer(Unit::Tokens, "cl100k").err().unwrap();
        assert_eq!(error.kind(), ErrorKind::Config);
        assert_eq!(error.to_string(), "unknown tokenizer: `cl100k`");
        let hint = error.hint_text().unwrap();
        assert!(TOKENIZERS.iter().all(|(name, _)| hint.contains(name)), "{hint}");
    }
}
