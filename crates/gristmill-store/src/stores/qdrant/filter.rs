//! Conditions of the server's filters.

use gristmill_core::{Error, Filter, Result};
use gristmill_format::PayloadNames;
use serde_json::{Value, json};

/// Whole numbers below this are floats without loss.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The condition of a filter.
///
/// # Errors
/// A usage error when it cannot be understood.
pub(super) fn condition(filter: &Filter, names: &PayloadNames) -> Result<Value> {
    let key = key(&filter.field, names)?;
    Ok(match &filter.value {
        Value::Bool(_) | Value::String(_) => is(&key, &filter.value),
        Value::Number(number) => match number.as_f64().filter(|n| n.abs() < EXACT) {
            // 3 is 3.0, whichever of them is stored.
            Some(n) => json!({"key": key, "range": {"gte": n, "lte": n}}),
            None => is(&key, &filter.value),
        },
        Value::Null | Value::Array(_) | Value::Object(_) => {
            let (field, value) = (&filter.field, &filter.value);
            return Err(Error::usage(format!("the filter on `{field}` needs a string, number or boolean: {value}")));
        }
    })
}

/// Equal to the field or to an element of it.
pub(super) fn is(key: &str, value: &Value) -> Value {
    json!({"key": key, "match": {"value": value}})
}

/// Equal to one of these.
pub(super) fn is_any(key: &str, values: &[impl AsRef<str>]) -> Value {
    match values {
        [one] => is(key, &one.as_ref().into()),
        _ => json!({"key": key, "match": {"any": values.iter().map(AsRef::as_ref).collect::<Vec<_>>()}}),
    }
}

/// A field of the record as a path of the server, with quotation marks around names that are no plain words.
fn key(field: &str, names: &PayloadNames) -> Result<String> {
    if field.contains('"') || field.split('.').any(str::is_empty) {
        return Err(Error::usage(format!("the filter names no field: `{field}`")));
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let quoted = |name: String| if name.chars().all(plain) { name } else { format!("\"{name}\"") };
    Ok(names.path(field).into_iter().map(quoted).collect::<Vec<_>>().join("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(field: &str, value: Value) -> Value {
        condition(&Filter { field: field.into(), value }, &PayloadNames::default()).unwrap()
    }

    #[test]
    fn types_are_kept() {
        assert_eq!(of("tags", json!("x")), json!({"key": "tags", "match": {"value": "x"}}));
        assert_eq!(of("draft", json!(true)), json!({"key": "draft", "match": {"value": true}}));
        assert_eq!(of("chapter", json!(3)), json!({"key": "chapter", "range": {"gte": 3.0, "lte": 3.0}}));
        let large = 9_007_199_254_740_993u64;
        assert_eq!(of("n", json!(large)), json!({"key": "n", "match": {"value": large}}));
    }

    #[test]
    fn fields_are_those_of_the_payload() {
        assert_eq!(of("metadata.attributes.version", json!("2"))["key"], "attributes.version");
        assert_eq!(of("metadata.attributes.a'b.가", json!("2"))["key"], "\"a'b\".\"가\"");
    }
}
