//! Sizes in tokens of a Hugging Face `tokenizer.json`.

use std::ops::Range;

use gristmill_core::{Error, Measured, Part, Result, Sizer, Unit};
use tokenizers::{Encoding, Tokenizer};

/// Text that a tokenizer without a token for the unknown cannot encode.
const PROBE: &str = "a Ж 中 🙂 \u{10fffd}";

/// Counts tokens as the file says, but for special tokens, truncation and padding.
pub(super) struct HuggingFace {
    path: String,
    tokenizer: Tokenizer,
}

impl HuggingFace {
    /// Reads the tokenizer in the file at `path`.
    ///
    /// # Errors
    /// When the file cannot be read, is no tokenizer, or is one that cannot encode every text.
    pub(super) fn open(path: &str) -> Result<Self> {
        let bytes = std::fs::read(path).map_err(|error| {
            Error::config(format!("cannot read the tokenizer: `{path}`"))
                .hint("give the path of a `tokenizer.json`, or use `cl100k_base` or `o200k_base`")
                .because(error)
        })?;
        let unusable = |error| {
            Error::config(format!("cannot use the tokenizer: `{path}`"))
                .hint("it must be a `tokenizer.json` of the Hugging Face tokenizers library")
                .because(error)
        };
        let mut tokenizer = Tokenizer::from_bytes(bytes).map_err(unusable)?;
        tokenizer.with_truncation(None).map_err(unusable)?;
        tokenizer.with_padding(None);
        tokenizer.set_encode_special_tokens(true);
        tokenizer.encode_fast(PROBE, false).map_err(unusable)?;
        Ok(Self { path: path.to_owned(), tokenizer })
    }
}

impl Sizer for HuggingFace {
    fn name(&self) -> &str {
        &self.path
    }

    fn unit(&self) -> Unit {
        Unit::Tokens
    }

    /// Text that cannot be encoded, which [`HuggingFace::open`] rules out, counts a token a byte: more than any has.
    fn size(&self, text: &str) -> usize {
        self.tokenizer.encode_fast(text, false).map_or(text.len(), |encoding| encoding.len())
    }

    fn measure<'t>(&'t self, text: &'t str) -> Box<dyn Measured + 't> {
        let starts = match self.tokenizer.encode(text, false) {
            Ok(encoding) => starts(&encoding),
            Err(_) => (0..text.len()).collect(),
        };
        Box::new(MeasuredTokens { tokenizer: self, text, starts })
    }
}

/// The bytes at which tokens begin, never falling.
fn starts(encoding: &Encoding) -> Vec<usize> {
    let mut latest = 0;
    let rising = encoding.get_offsets().iter().map(|(start, _)| {
        latest = latest.max(*start);
        latest
    });
    rising.collect()
}

struct MeasuredTokens<'t> {
    tokenizer: &'t HuggingFace,
    text: &'t str,
    starts: Vec<usize>,
}

impl MeasuredTokens<'_> {
    /// The number of tokens that begin before `at`.
    fn before(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start < at)
    }
}

impl Measured for MeasuredTokens<'_> {
    fn size(&self, range: Range<usize>) -> usize {
        self.before(range.end).saturating_sub(self.before(range.start))
    }

    fn reach(&self, start: usize, max: usize) -> usize {
        if max == 0 {
            return start;
        }
        let next = self.before(start).saturating_add(max);
        let end = self.starts.get(next).copied().unwrap_or(self.text.len());
        let end = self.text.floor_char_boundary(end);
        if end > start {
            return end;
        }
        let next_char = self.text.get(start..).and_then(|rest| rest.chars().next());
        start + next_char.map_or(0, char::len_utf8)
    }

    fn content_size(&self, content: &str, _: &[Part]) -> usize {
        self.tokenizer.size(content)
    }

    fn is_exact(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use gristmill_core::ErrorKind;

    use super::*;

    /// A WordPiece tokenizer with truncation, padding and special tokens, all of which must not count.
    const FILE: &str = r###"{
        "version": "1.0",
        "truncation": {"direction": "Right", "max_length": 4, "strategy": "LongestFirst", "stride": 0},
        "padding": {"strategy": {"Fixed": 64}, "direction": "Right", "pad_to_multiple_of": null, "pad_id": 0,
                    "pad_type_id": 0, "pad_token": "[PAD]"},
        "added_tokens": [
            {"id": 0, "content": "[PAD]", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false,
             "special": true},
            {"id": 1, "content": "[UNK]", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false,
             "special": true}],
        "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
                       "strip_accents": null, "lowercase": true},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "BertProcessing", "sep": ["[PAD]", 0], "cls": ["[PAD]", 0]},
        "decoder": null,
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100,
                  "vocab": {"[PAD]": 0, "[UNK]": 1, "grist": 2, "##mill": 3, "s": 4, "[": 5, "]": 6, "pad": 7, ".": 8}}
    }"###;

    fn open(file: &str) -> Result<HuggingFace> {
        let path = std::env::temp_dir().join(format!("gristmill-{}-{}.json", std::process::id(), file.len()));
        std::fs::write(&path, file).unwrap();
        let opened = HuggingFace::open(path.to_str().unwrap());
        std::fs::remove_file(path).unwrap();
        opened
    }

    #[test]
    fn truncation_padding_and_special_tokens_do_not_count() {
        let tokenizer = open(FILE).unwrap();
        assert_eq!(tokenizer.size("Gristmill gristmill s."), 6);
        assert_eq!(tokenizer.size(""), 0);
        assert_eq!(tokenizer.size("[PAD]"), 3);
    }

    #[test]
    fn ranges_are_close_and_contents_exact() {
        let tokenizer = open(FILE).unwrap();
        let text = "Gristmill s. Gristmill s.";
        let measured = tokenizer.measure(text);
        assert!(!measured.is_exact());
        assert_eq!((measured.size(0..text.len()), measured.size(0..13), measured.size(13..22)), (8, 4, 2));
        assert_eq!((measured.reach(0, 2), measured.reach(0, 99), measured.reach(3, 0)), (10, text.len(), 3));
        assert_eq!(measured.content_size("s. Gristmill", &[]), 4);
    }

    #[test]
    fn a_file_that_is_missing_or_no_tokenizer_is_a_config_error() {
        for error in [HuggingFace::open("no/such/tokenizer.json").err(), open("{}").err()] {
            let error = error.unwrap();
            assert_eq!(error.kind(), ErrorKind::Config);
            assert!(error.hint_text().is_some());
        }
    }
}
