//! Search over a store: so that people can see what their chunks do.

use gristmill_core::{Embedder, Error, Filter, Hit, Purpose, Query, Result, Retriever};
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
    /// `field=value`, all of which must hold.
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
    let made = embedder.embed(&[question], Purpose::Query)?;
    Ok(made.into_iter().next().filter(|vector| !vector.is_empty()))
}

/// `field=value`; the value is read as JSON where it is a number or a boolean, else as text.
fn filter(text: &str) -> Result<Filter> {
    let Some((field, value)) = text.split_once('=') else {
        return Err(Error::usage(format!("a filter without `=`: `{text}`")).hint("write it as `field=value`"));
    };
    let parsed = serde_json::from_str(value).ok().filter(|v: &Value| v.is_number() || v.is_boolean());
    Ok(Filter { field: field.trim().to_owned(), value: parsed.unwrap_or_else(|| Value::String(value.to_owned())) })
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
}
