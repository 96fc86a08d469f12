//! From a text to the numbers of its tokens.

use std::panic::AssertUnwindSafe;

use gristmill_core::{EmbedError, Error, Purpose, Remedy, Result};
use serde_json::Value;
use tokenizers::Tokenizer;

use super::folder::Folder;
use super::prompts::Prompts;

/// The file that holds the tokenizer.
pub(super) const TOKENIZER: &str = "tokenizer.json";

/// A model's tokenizer with what else is done to a text.
pub(super) struct Tokens {
    tokenizer: Tokenizer,
    prompts: Prompts,
    lower_case: bool,
    /// The token for what the tokenizer does not know.
    unknown: Option<u32>,
    /// The most tokens of a text, with its prompt and the tokens at its ends.
    longest: usize,
    /// The most tokens of a prompt with those at the ends.
    around: usize,
}

impl Tokens {
    /// The tokenizer in `bytes`, which are those of the folder's file, for a model of so many tokens (`vocabulary`) that
    /// reads `longest` at once.
    pub(super) fn new(
        folder: &Folder,
        bytes: &[u8],
        prompts: Prompts,
        vocabulary: usize,
        longest: usize,
    ) -> Result<Self> {
        // Parsed twice, for the library panics where it meets no JSON in the middle of a file.
        let file: Value = folder.parse(TOKENIZER, bytes)?;
        let tokenizer = guarded(|| serde_json::from_value(file).map_err(Into::into));
        let mut tokenizer: Tokenizer = tokenizer.map_err(|error| folder.broken(TOKENIZER, error))?;
        // What is too long is refused, not cut, and texts are packed, not padded.
        tokenizer.with_truncation(None).map_err(|error| folder.broken(TOKENIZER, error))?;
        tokenizer.with_padding(None);
        let most = tokenizer.get_vocab(true).into_values().max().map_or(0, |id| id as usize + 1);
        if most > vocabulary {
            let why = format!("it has more tokens than the {vocabulary} of `config.json`: {most}");
            return Err(folder.broken(TOKENIZER, why));
        }
        let unknown = ["[UNK]", "<unk>"].iter().find_map(|token| tokenizer.token_to_id(token));
        let mut tokens = Self { tokenizer, prompts, lower_case: folder.lower_case()?, unknown, longest, around: 0 };
        for purpose in [Purpose::Query, Purpose::Passage] {
            let prompt = tokens.encode(tokens.prompts.get(purpose), true).map_err(|e| folder.broken(TOKENIZER, e))?;
            tokens.around = tokens.around.max(prompt.len());
        }
        tokens.limit(longest)?;
        Ok(tokens)
    }

    /// Texts longer than this are refused.
    pub(super) fn limit(&mut self, longest: usize) -> Result<()> {
        self.longest = self.longest.min(longest);
        if self.longest > self.around {
            return Ok(());
        }
        let (longest, around) = (self.longest, self.around);
        Err(Error::config(format!("a limit of {longest} tokens leaves no room for text, {around} stand around it")))
    }

    /// The most tokens of a text alone that surely are not refused.
    pub(super) fn input_tokens(&self) -> usize {
        self.longest - self.around
    }

    /// The tokens that the model reads for `text`; `None` where there is nothing in it that the tokenizer knows.
    pub(super) fn read(&self, text: &str, purpose: Purpose) -> Result<Option<Vec<u32>>, EmbedError> {
        let lower = self.lower_case.then(|| text.to_lowercase());
        let text = lower.as_deref().unwrap_or(text);
        let alone = self.encode(text, false).map_err(refused)?;
        if alone.iter().all(|id| Some(*id) == self.unknown) {
            return Ok(None);
        }
        let whole = self.encode(&format!("{}{text}", self.prompts.get(purpose)), true).map_err(refused)?;
        if whole.len() > self.longest {
            let (count, longest) = (whole.len(), self.longest);
            let error = Error::input(format!("text has more tokens than the model reads, {longest}: {count}"));
            return Err(refused(error.hint("tokens of the prompt and at the ends count; make chunks smaller")));
        }
        Ok(Some(whole))
    }

    fn encode(&self, text: &str, with_ends: bool) -> Result<Vec<u32>> {
        match guarded(|| self.tokenizer.encode_fast(text, with_ends)) {
            Ok(encoding) => Ok(encoding.get_ids().to_vec()),
            Err(error) => Err(Error::input("text cannot be tokenized").because(error)),
        }
    }
}

/// A panic of the library as its error: a table of characters that is damaged is trusted by it.
fn guarded<T>(call: impl FnOnce() -> tokenizers::Result<T>) -> tokenizers::Result<T> {
    std::panic::catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|_| Err("the tokenizer is damaged".into()))
}

fn refused(error: Error) -> EmbedError {
    EmbedError::new(Remedy::Apart, error)
}
