//! The JSON Schema of a settings file, and walking it by key.

use schemars::schema_for;
use serde_json::{Map, Value};

use super::Options;

/// The JSON Schema (draft 2020-12) of `gristmill.toml`, and of `[tool.gristmill]` in `pyproject.toml`.
pub fn schema() -> Value {
    let mut schema = schema_for!(Options).to_value();
    strip(&mut schema);
    schema
}

/// TOML has no null: a key that may be missing is simply not there.
fn strip(node: &mut Value) {
    match node {
        Value::Object(map) => {
            strip_null(map);
            map.retain(|name, value| !(name == "default" && (value.is_null() || value.is_object())));
            map.values_mut().for_each(strip);
        }
        Value::Array(list) => list.iter_mut().for_each(strip),
        _ => {}
    }
}

fn strip_null(map: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = map.get_mut("type") {
        types.retain(|t| t != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            map.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(choices)) = map.get_mut("anyOf") {
        choices.retain(|c| c.get("type").is_none_or(|t| t != "null"));
        if let [Value::Object(only)] = choices.as_slice() {
            let only = only.clone();
            map.remove("anyOf");
            only.into_iter().for_each(|(name, value)| {
                map.entry(name).or_insert(value);
            });
        }
    }
}

/// What the schema says about one table, list or value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known<'s> {
    whole: &'s Value,
    node: &'s Value,
}

impl<'s> Known<'s> {
    pub(super) fn new(whole: &'s Value) -> Self {
        Self { whole, node: whole }
    }

    fn at(self, node: &'s Value) -> Self {
        let named = node.get("$ref").and_then(Value::as_str).and_then(|name| name.strip_prefix('#'));
        Self { whole: self.whole, node: named.and_then(|name| self.whole.pointer(name)).unwrap_or(node) }
    }

    /// The keys of a table; none where any key may stand, or where it is no table.
    pub(super) fn keys(self) -> Vec<&'s str> {
        let properties = self.node.get("properties").and_then(Value::as_object);
        properties.into_iter().flat_map(Map::keys).map(String::as_str).collect()
    }

    /// What is known about the value of `key`; `None` for a key that may not stand here.
    pub(super) fn key(self, key: &str) -> Option<Self> {
        if let Some(node) = self.node.get("properties").and_then(|p| p.get(key)) {
            return Some(self.at(node));
        }
        match self.node.get("additionalProperties") {
            Some(Value::Bool(false)) => None,
            Some(node) => Some(self.at(node)),
            None => Some(self.at(&Value::Null)),
        }
    }

    /// What is known about the values of a list.
    pub(super) fn values(self) -> Self {
        self.at(self.node.get("items").unwrap_or(&Value::Null))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_described_with_its_default_or_an_example() {
        let schema = schema();
        let described = |node: &Value| {
            let text = node.get("description").and_then(Value::as_str).unwrap_or_default();
            text.contains("Default:") || text.contains("Example:") || text.contains("never written here")
        };
        let definitions = schema["$defs"].as_object().unwrap();
        for (name, definition) in definitions.iter().filter(|(name, _)| name.ends_with("Options")) {
            for (key, node) in definition["properties"].as_object().unwrap() {
                assert!(described(node) || key == "by_type", "{name}.{key} {node}");
            }
        }
        assert!(!schema.to_string().contains("null"));
    }

    #[test]
    fn keys_are_walked_through_references_lists_and_open_tables() {
        let schema = schema();
        let top = Known::new(&schema);
        assert!(top.keys().contains(&"chunk"));
        let typed = top.key("chunk").and_then(|k| k.key("by_type")).and_then(|k| k.key("faq"));
        assert!(typed.unwrap().key("max").is_some());
        assert!(typed.unwrap().key("mx").is_none());
        assert!(top.key("source").unwrap().values().key("path").is_some());
        assert!(top.key("source").unwrap().values().key("paht").is_none());
        assert!(top.key("store").unwrap().key("payload_indexes").unwrap().key("anything").is_some());
    }
}
