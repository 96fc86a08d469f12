//! What a document declares of itself, and what documented rules derive from it. Nothing is invented.

use gristmill_core::{Attrs, BlockKind, Document};
use gristmill_text::{keywords, language};
use serde_json::Value;

use crate::stages::{EnrichOptions, Job};

/// Front-matter fields with a place of their own in the record; they are not repeated in `attributes`.
const TITLE: &[&str] = &["title"];
const TAGS: &[&str] = &["tags"];
const KEYWORDS: &[&str] = &["keywords"];
const TYPE: &[&str] = &["document_type", "type"];
const LANGUAGE: &[&str] = &["language", "lang"];
const CREATED: &[&str] = &["created_at", "created", "date"];

/// The attribute of keywords that nobody declares.
const EXTRACTED: &str = "extracted_keywords";

/// The facts that all chunks of a document share.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// Declared title, else the first heading of level 1, else the file name.
    pub title: String,
    /// Last part of the path.
    pub filename: String,
    /// Declared tags.
    pub tags: Vec<String>,
    /// Declared keywords and the title.
    pub keywords: Vec<String>,
    /// Declared kind, else the one set on the source.
    pub document_type: Option<String>,
    /// Declared language, else the one that the prose is told to be in.
    pub language: Option<String>,
    /// Declared date.
    pub created_at: Option<String>,
    /// Fields of the path, and the declared fields that the settings name.
    pub attributes: Attrs,
    /// All declared fields.
    pub declared: Attrs,
}

impl Facts {
    /// Collects the facts of a document (of its first window).
    pub fn of(document: &Document, job: &Job, options: &EnrichOptions) -> Self {
        let declared = &document.attrs;
        let filename = job.source.rsplit('/').next().unwrap_or(&job.source).to_owned();
        let heading = document.sections.iter().find(|s| s.level == 1 && !s.title.is_empty());
        let title = text(declared, TITLE).or_else(|| heading.map(|h| h.title.clone()));
        let title = title.unwrap_or_else(|| filename.clone());
        let mut keywords = list(declared, KEYWORDS);
        if !keywords.contains(&title) {
            keywords.push(title.clone());
        }
        let detected = || options.detect_language.then(|| language::detect(prose(document))).flatten();
        let language = text(declared, LANGUAGE).or_else(|| detected().map(str::to_owned));
        let mut attributes = attributes(declared, job, options);
        if let Some(language) = language.as_deref().filter(|_| options.extract_keywords > 0) {
            let found = keywords::extract(prose(document), language, options.extract_keywords);
            attributes.insert(EXTRACTED.to_owned(), found.into());
        }
        Self {
            title,
            filename,
            tags: list(declared, TAGS),
            keywords,
            document_type: text(declared, TYPE).or_else(|| job.document_type.clone()),
            language,
            created_at: text(declared, CREATED).or_else(|| job.created_at.clone()),
            attributes,
            declared: declared.clone(),
        }
    }
}

/// The running text of a document: neither code nor tables, logs or headings.
fn prose(document: &Document) -> impl Iterator<Item = &str> {
    let prose = document.blocks.iter().filter(|block| matches!(block.kind, BlockKind::Paragraph | BlockKind::Turn));
    prose.map(|block| &document.text[block.span.range()])
}

fn attributes(declared: &Attrs, job: &Job, options: &EnrichOptions) -> Attrs {
    let all = options.copy.iter().any(|name| name == "*");
    let placed = [TITLE, TAGS, KEYWORDS, TYPE, LANGUAGE, CREATED].concat();
    let mut out = job.attrs.clone();
    for (name, value) in declared {
        let wanted = all && !placed.contains(&name.as_str()) || options.copy.contains(name);
        if wanted {
            out.insert(name.clone(), value.clone());
        }
    }
    out
}

/// The first of `names` that is declared as text, number or boolean, as text.
fn text(attrs: &Attrs, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| match attrs.get(*name)? {
        Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    })
}

/// A declared list; one text is read as a list separated by commas.
fn list(attrs: &Attrs, names: &[&str]) -> Vec<String> {
    let value = names.iter().find_map(|name| attrs.get(*name));
    match value {
        Some(Value::Array(values)) => values.iter().filter_map(plain).collect(),
        Some(Value::String(text)) => {
            text.split([',', '，', '、']).map(str::trim).filter(|t| !t.is_empty()).map(str::to_owned).collect()
        }
        Some(other) => plain(other).into_iter().collect(),
        None => Vec::new(),
    }
}

fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lists_may_be_written_as_text() {
        let attrs = Attrs::from([("tags".to_owned(), json!("a, b，c"))]);
        assert_eq!(list(&attrs, TAGS), ["a", "b", "c"]);
        let attrs = Attrs::from([("tags".to_owned(), json!(["x", 2024, true, null]))]);
        assert_eq!(list(&attrs, TAGS), ["x", "2024", "true"]);
    }

    #[test]
    fn empty_titles_are_no_titles() {
        assert_eq!(text(&Attrs::from([("title".to_owned(), json!(" "))]), TITLE), None);
        assert_eq!(text(&Attrs::from([("title".to_owned(), json!(1984))]), TITLE), Some("1984".into()));
    }
}
