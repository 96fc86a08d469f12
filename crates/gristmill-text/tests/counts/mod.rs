//! Counts beside those of an independent implementation.

use std::sync::{Arc, OnceLock};

use bpe_openai::Tokenizer;
use gristmill_core::{Sizer, Unit};
use gristmill_text::count::sizer;

/// Both encodings, ours and the other one.
pub fn encodings() -> &'static [(Arc<dyn Sizer>, &'static Tokenizer); 2] {
    static ENCODINGS: OnceLock<[(Arc<dyn Sizer>, &'static Tokenizer); 2]> = OnceLock::new();
    let ours = |name| sizer(Unit::Tokens, name).expect("it is built in");
    ENCODINGS.get_or_init(|| {
        [(ours("cl100k_base"), bpe_openai::cl100k_base()), (ours("o200k_base"), bpe_openai::o200k_base())]
    })
}

/// Compares the counts of `text` and of its pieces of `step` bytes.
pub fn compare(name: &str, text: &str, step: usize) {
    for (ours, theirs) in encodings() {
        let measured = ours.measure(text);
        assert_eq!(measured.size(0..text.len()), theirs.count(text), "{name}, {}", ours.name());
        let mut start = 0;
        while start < text.len() {
            let end = text.ceil_char_boundary(start + step);
            let count = theirs.count(&text[start..end]);
            assert_eq!(ours.size(&text[start..end]), count, "{name}, {}, {start}..{end}", ours.name());
            assert_eq!(measured.size(start..end), count, "{name}, {}, measured {start}..{end}", ours.name());
            start = end;
        }
    }
}
