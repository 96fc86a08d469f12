//! Limits of embedding models, as their makers publish them.

use std::sync::Arc;

use gristmill_core::{Error, Result, Sizer, Unit};
use gristmill_text::count::sizer;

use crate::config::{LintSettings, nearest};

/// Models whose tokenizer is built in: name, tokenizer, most tokens of a text.
const MODELS: [(&str, &str, usize); 3] = [
    ("text-embedding-3-large", "cl100k_base", 8_191),
    ("text-embedding-3-small", "cl100k_base", 8_191),
    ("text-embedding-ada-002", "cl100k_base", 8_191),
];

/// The limit in tokens that settings ask for, and who counts them. `usual` is the tokenizer where nothing names one.
pub(super) fn limit(settings: &LintSettings, usual: &str) -> Result<Option<(Arc<dyn Sizer>, usize)>> {
    let model = settings.model.as_deref().map(model).transpose()?;
    let Some(max) = settings.max_tokens.or(model.map(|(_, max)| max)) else { return Ok(None) };
    let tokenizer = settings.tokenizer.as_deref().or(model.map(|(tokenizer, _)| tokenizer)).unwrap_or(usual);
    Ok(Some((sizer(Unit::Tokens, tokenizer)?, max)))
}

fn model(name: &str) -> Result<(&'static str, usize)> {
    let known = MODELS.iter().find(|(known, ..)| *known == name);
    known.map(|(_, tokenizer, max)| (*tokenizer, *max)).ok_or_else(|| {
        let near = nearest(name, MODELS.iter().map(|(known, ..)| *known));
        let near = near.map_or_else(String::new, |near| format!("did you mean `{near}`? "));
        Error::usage(format!("the limit of this model is not known: `{name}`"))
            .hint(format!("{near}for others, set `max_tokens` and `tokenizer`"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Task, resolve};

    #[test]
    fn a_model_has_a_limit_and_a_tokenizer_of_its_own() {
        let settings = resolve(Task::Scan, ".".as_ref(), &[]).unwrap().value.lint;
        let of = |settings: LintSettings| {
            limit(&settings, "o200k_base").map(|found| found.map(|(s, max)| (s.name().to_owned(), max)))
        };
        assert_eq!(of(settings.clone()).unwrap(), None);
        let named = LintSettings { model: Some("text-embedding-3-small".to_owned()), ..settings.clone() };
        assert_eq!(of(named.clone()).unwrap(), Some(("cl100k_base".to_owned(), 8_191)));
        assert_eq!(of(LintSettings { max_tokens: Some(512), ..named }).unwrap(), Some(("cl100k_base".to_owned(), 512)));
        let bare = LintSettings { max_tokens: Some(512), ..settings.clone() };
        assert_eq!(of(bare).unwrap(), Some(("o200k_base".to_owned(), 512)));
        let unknown = of(LintSettings { model: Some("text-embedding-3-smal".to_owned()), ..settings }).unwrap_err();
        assert!(unknown.hint_text().is_some_and(|hint| hint.contains("`text-embedding-3-small`")));
    }
}
