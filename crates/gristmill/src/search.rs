//! Search over a store: so that people can see what their chunks do.

use gristmill_core::{Embedder, Error, Filter, Hit, Purpose, Query, Result, Retriever};
use gristmill_format::record_schema;
use serde_json::Value;

use crate::config::Settings;
use crate::open::{open_embedder, open_store};

/// How to search.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// How hits are found.
    pub retriever: Retriever,
    /// Hits at most.
    pub limit: usize,
    /// `field=value`, all of which must hold. A field without a dot is one of the record (`content`), else of its metadata
    /// (`source`), else of the attributes that documents declare.
    pub filters: Vec<String>,
}

/// The best hits for a question, best first.
///
/// # Errors
/// When the store is absent or cannot be read, or a filter cannot be understood.
pub fn search(settings: &Settings, question: &str, options: &SearchOptions) -> Result<Vec<Hit>> {
    if question.trim().is_empty() {
        return Err(Error::usage("the question is empty"));
    }
    let filters = options.filters.iter().map(|text| filter(text)).collect::<Result<Vec<_>>>()?;
    let store = open_store(settings, false)?;
    let vector = match options.retriever {
        Retriever::Bm25 => None,
        Retriever::Dense | Retriever::Hybrid => query_vector(open_embedder(settings)?.as_ref(), question)?,
    };
    store.search(&Query {
        text: question,
        vector: vector.as_deref(),
        retriever: options.retriever,
        limit: options.limit,
        filters: &filters,
    })
}

fn query_vector(embedder: &dyn Embedder, question: &str) -> Result<Option<Vec<f32>>> {
    let made = embedder.embed(&[question], Purpose::Query).map_err(Error::from)?;
    Ok(made.into_iter().next().filter(|vector| !vector.is_empty()))
}

/// `field=value`; the value is read as JSON where it is a number or a boolean, else as text.
fn filter(text: &str) -> Result<Filter> {
    let Some((field, value)) = text.split_once('=') else {
        return Err(Error::usage(format!("a filter without `=`: `{text}`")).hint("write it as `field=value`"));
    };
    let parsed = serde_json::from_str(value).ok().filter(|v: &Value| v.is_number() || v.is_boolean());
    Ok(Filter { field: full_name(field.trim()), value: parsed.unwrap_or_else(|| Value::String(value.to_owned())) })
}

/// A field with the names of the objects around it.
fn full_name(field: &str) -> String {
    let schema = record_schema();
    let known = |properties: &str| schema.pointer(properties).is_some_and(|known| known.get(field).is_some());
    if field.is_empty() || field.contains('.') || known("/properties") {
        field.to_owned()
    } else if known("/$defs/Metadata/properties") {
        format!("metadata.{field}")
    } else {
        format!("metadata.attributes.{field}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_keep_types() {
        assert_eq!(filter("chapter=3").unwrap().value, Value::from(3));
        assert_eq!(filter("draft=true").unwrap().value, Value::from(true));
        assert_eq!(filter("title=3 = drei").unwrap().value, Value::from("3 = drei"));
        assert!(filter("chapter").is_err());
    }

    #[test]
    fn fields_may_be_named_in_short() {
        for (short, full) in [
            ("chunk_id", "chunk_id"),
            ("token_count", "token_count"),
            ("normalized_text_hash", "normalized_text_hash"),
            ("document_type", "metadata.document_type"),
            ("source", "metadata.source"),
            ("tags", "metadata.tags"),
            ("chapter", "metadata.attributes.chapter"),
            ("metadata.source", "metadata.source"),
            ("metadata.attributes.source", "metadata.attributes.source"),
        ] {
            assert_eq!(filter(&format!("{short} = x")).unwrap().field, full);
        }
        assert_eq!(filter("=x").unwrap().field, "");
    }
}
