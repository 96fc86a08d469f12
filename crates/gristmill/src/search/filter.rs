//! Filters as people write them.

use std::collections::BTreeSet;

use gristmill_core::{Error, Filter, Result, Store};
use gristmill_format::record_schema;
use serde_json::Value;

use crate::config::nearest;

/// What stands before the names of the fields that documents declare.
const DECLARED: &str = "metadata.attributes.";

/// `field=value`; the value is read as JSON where it is a number or a boolean, else as text.
pub(super) fn read(text: &str) -> Result<Filter> {
    let Some((field, value)) = text.split_once('=') else {
        return Err(Error::usage(format!("a filter without `=`: `{text}`")).hint("write it as `field=value`"));
    };
    let parsed = serde_json::from_str(value).ok().filter(|v: &Value| v.is_number() || v.is_boolean());
    Ok(Filter { field: full_name(field.trim()), value: parsed.unwrap_or_else(|| Value::String(value.to_owned())) })
}

/// A field with the names of the objects around it.
fn full_name(field: &str) -> String {
    if field.is_empty() || field.contains('.') || fields_of("/properties").contains(field) {
        field.to_owned()
    } else if fields_of("/$defs/Metadata/properties").contains(field) {
        format!("metadata.{field}")
    } else {
        format!("{DECLARED}{field}")
    }
}

/// Fails for a filter on a field that nothing in the store has. Only asked when nothing was found: whatever is found has all
/// the fields.
pub(super) fn ensure_known(store: &dyn Store, filters: &[Filter]) -> Result<()> {
    if filters.is_empty() || store.tracked()?.is_empty() {
        return Ok(());
    }
    let declared = store.attributes()?;
    match filters.iter().find(|filter| !is_known(&filter.field, declared.as_ref())) {
        Some(filter) => Err(unknown(&filter.field, &declared.unwrap_or_default())),
        None => Ok(()),
    }
}

/// `declared` is `None` where a store cannot tell; then any name may be declared.
fn is_known(field: &str, declared: Option<&BTreeSet<String>>) -> bool {
    if let Some(name) = field.strip_prefix(DECLARED) {
        let first = name.split('.').next().unwrap_or_default();
        return declared.is_none_or(|declared| declared.contains(name) || declared.contains(first));
    }
    let mut names = field.split('.');
    match (names.next(), names.next()) {
        (Some("metadata"), Some(name)) => fields_of("/$defs/Metadata/properties").contains(name),
        (Some(name), _) => fields_of("/properties").contains(name),
        (None, _) => false,
    }
}

/// Names in a part of the schema of records.
fn fields_of(properties: &str) -> BTreeSet<String> {
    let schema = record_schema();
    let fields = schema.pointer(properties).and_then(Value::as_object);
    fields.map(|fields| fields.keys().cloned().collect()).unwrap_or_default()
}

fn unknown(field: &str, declared: &BTreeSet<String>) -> Error {
    let short = field.strip_prefix(DECLARED).or_else(|| field.strip_prefix("metadata.")).unwrap_or(field);
    let mut of_records = fields_of("/properties");
    of_records.extend(fields_of("/$defs/Metadata/properties"));
    of_records.retain(|name| !matches!(name.as_str(), "attributes" | "metadata" | "parts"));
    let known = || declared.iter().chain(&of_records).map(String::as_str);
    let hint = nearest(short, known()).map_or_else(
        || {
            let names = |names: &BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>().join(", ");
            let declared = if declared.is_empty() { "no field".to_owned() } else { names(declared) };
            format!("documents declare {declared}; every record has {}", names(&of_records))
        },
        |near| format!("nearest is `{near}`"),
    );
    Error::usage(format!("the filter names a field that nothing in the store has: `{short}`")).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_keep_types() {
        assert_eq!(read("chapter=3").unwrap().value, Value::from(3));
        assert_eq!(read("draft=true").unwrap().value, Value::from(true));
        assert_eq!(read("title=3 = drei").unwrap().value, Value::from("3 = drei"));
        assert!(read("chapter").is_err());
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
            assert_eq!(read(&format!("{short} = x")).unwrap().field, full);
        }
        assert_eq!(read("=x").unwrap().field, "");
    }

    #[test]
    fn a_field_that_nothing_has_is_told_apart() {
        let declared: BTreeSet<String> = ["chapter", "layer"].map(str::to_owned).into();
        for (field, known) in [
            ("metadata.attributes.chapter", true),
            ("metadata.attributes.layer.name", true),
            ("metadata.attributes.chaptr", false),
            ("metadata.source", true),
            ("metadata.sauce", false),
            ("token_count", true),
            ("tokens", false),
        ] {
            assert_eq!(is_known(field, Some(&declared)), known, "{field}");
        }
        assert!(is_known("metadata.attributes.anything", None));
        let near = unknown("metadata.attributes.chaptr", &declared);
        assert_eq!(near.to_string(), "the filter names a field that nothing in the store has: `chaptr`");
        assert_eq!(near.hint_text(), Some("nearest is `chapter`"));
        let far = unknown("metadata.attributes.colour", &declared);
        let hint = far.hint_text().unwrap();
        assert!(hint.starts_with("documents declare chapter, layer; every record has byte_end, "), "{hint}");
    }
}
