//! What a model wants to read before a query or a passage.

use std::collections::BTreeMap;

use gristmill_core::Purpose;
use serde::Deserialize;

/// What is put before a text, by what the text is for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Prompts {
    pub(super) query: String,
    pub(super) passage: String,
}

impl Prompts {
    /// The one for this purpose.
    pub(super) fn get(&self, purpose: Purpose) -> &str {
        match purpose {
            Purpose::Query => &self.query,
            Purpose::Passage => &self.passage,
        }
    }

    fn new(query: &str, passage: &str) -> Self {
        Self { query: query.to_owned(), passage: passage.to_owned() }
    }
}

/// `config_sentence_transformers.json`.
#[derive(Deserialize)]
pub(super) struct File {
    #[serde(default)]
    prompts: BTreeMap<String, String>,
    default_prompt_name: Option<String>,
}

impl File {
    /// The prompts of this file. One that holds only empty ones says nothing: they are written for every model.
    pub(super) fn prompts(self) -> Option<Prompts> {
        let default = self.default_prompt_name.as_deref().unwrap_or_default();
        let first = |names: &[&str]| {
            let found = names.iter().find_map(|name| self.prompts.get(*name));
            found.or_else(|| self.prompts.get(default)).cloned().unwrap_or_default()
        };
        let query = first(&["query", "search_query", "retrieval.query"]);
        let passage = first(&["document", "passage", "corpus", "search_document", "retrieval.passage"]);
        (!query.is_empty() || !passage.is_empty()).then_some(Prompts { query, passage })
    }
}

/// What the authors of a family of models ask for in its description, by the name of the model.
pub(super) fn known(name: &str) -> Option<Prompts> {
    let name = name.to_lowercase();
    let words: Vec<_> = name.split(|c: char| !c.is_alphanumeric()).collect();
    let has = |word: &str| words.contains(&word);
    match () {
        // It wants the task in the query's prompt: only who asks knows it.
        () if has("e5") && has("instruct") => None,
        () if has("e5") => Some(Prompts::new("query: ", "passage: ")),
        () if has("nomic") => Some(Prompts::new("search_query: ", "search_document: ")),
        () if has("bge") && has("en") => {
            Some(Prompts::new("Represent this sentence for searching relevant passages: ", ""))
        }
        () if has("bge") && has("zh") => Some(Prompts::new("为这个句子生成表示以用于检索相关文章：", "")),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Option<Prompts> {
        serde_json::from_str::<File>(text).unwrap().prompts()
    }

    #[test]
    fn a_file_of_prompts_is_followed() {
        let both = r#"{"prompts": {"query": "q: ", "document": "d: "}, "default_prompt_name": null}"#;
        assert_eq!(said(both), Some(Prompts::new("q: ", "d: ")));
        let query = r#"{"prompts": {"query": "q: ", "passage": ""}}"#;
        assert_eq!(said(query), Some(Prompts::new("q: ", "")));
        let default = r#"{"prompts": {"query": "q: ", "text": "t: "}, "default_prompt_name": "text"}"#;
        assert_eq!(said(default), Some(Prompts::new("q: ", "t: ")));
    }

    #[test]
    fn a_file_without_prompts_says_nothing() {
        assert_eq!(said(r#"{"prompts": {"query": "", "document": ""}}"#), None);
        assert_eq!(said(r#"{"__version__": {"pytorch": "1.8.1"}}"#), None);
    }

    #[test]
    fn families_are_known_by_their_names() {
        let query = |name: &str| known(name).map(|prompts| prompts.query);
        assert_eq!(known("intfloat/multilingual-e5-small"), Some(Prompts::new("query: ", "passage: ")));
        assert_eq!(query("e5-base-v2").as_deref(), Some("query: "));
        assert_eq!(query("multilingual-e5-large-instruct"), None);
        assert_eq!(query("nomic-embed-text-v1.5").as_deref(), Some("search_query: "));
        assert!(query("bge-small-en-v1.5").is_some_and(|prompt| prompt.ends_with("passages: ")));
        assert!(query("BAAI/bge-large-zh").is_some_and(|prompt| prompt.ends_with('：')));
        assert_eq!(query("bge-m3"), None);
        assert_eq!(query("all-MiniLM-L6-v2"), None);
    }
}
