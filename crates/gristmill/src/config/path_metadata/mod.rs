//! Fields that a path holds: `module-{number:int}-{module}/{lesson:int}-{slug}.md`.
//!
//! `{name}` takes the shortest text that lets the rest match, never empty and never over a `/`; `{name:int}`,
//! `{name:float}` and `{name:bool}` take only text of that type. `{{` and `}}` stand for braces. Folders are compared one
//! by one from the left and the file name last; a path that stops matching keeps the fields of the folders before.

mod matching;
mod template;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use gristmill_core::{Attrs, Diagnostic, Error, Outcome, Result, Severity};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use self::matching::match_segment;
use self::template::{Field, Template};
use super::Scalar;
use super::nearest::nearest;

/// How the text of a field is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Normaliser {
    /// In upper case.
    Upper,
    /// In lower case.
    Lower,
    /// One of these, found whatever its letter case; other values are refused.
    OneOf(Vec<String>),
}

/// Reads fields from paths.
#[derive(Clone, Debug)]
pub struct PathRule {
    template: Template,
    values: BTreeMap<String, BTreeMap<String, Scalar>>,
    defaults: BTreeMap<String, Scalar>,
    normalisers: BTreeMap<String, Normaliser>,
}

impl PathRule {
    /// A rule from a template, values to set in place of what the path holds (by field and text), defaults for fields
    /// that the path does not give, and ways to write values.
    ///
    /// # Errors
    /// Config: a malformed template, with the position; values or a normaliser for a field that nothing gives.
    pub fn new(
        template: Option<&str>,
        values: BTreeMap<String, BTreeMap<String, Scalar>>,
        defaults: BTreeMap<String, Scalar>,
        normalisers: BTreeMap<String, Normaliser>,
    ) -> Result<Self> {
        let template = template.map(Template::parse).transpose()?.unwrap_or_default();
        let fields: BTreeSet<&str> = template.fields.iter().map(|f| f.name.as_str()).collect();
        for (what, names) in
            [("values", values.keys().collect::<Vec<_>>()), ("normalisers", normalisers.keys().collect())]
        {
            if let Some(unknown) = names.into_iter().find(|name| !fields.contains(name.as_str())) {
                let near = nearest(unknown, fields.iter().copied());
                let advice = near.map_or_else(String::new, |near| format!(", nearest is `{near}`"));
                return Err(Error::config(format!(
                    "`{what}` names a field that `path_metadata` has not{advice}: {unknown}"
                )));
            }
        }
        Ok(Self { template, values, defaults, normalisers })
    }

    /// The fields of `path`, which is relative to the root of the source, with `/`.
    ///
    /// A README or index page may lack the fields of deeper parts; for other files that is noted.
    pub fn fields(&self, path: &str) -> Outcome<Attrs> {
        let mut out = Outcome::<Attrs>::default();
        let whole = self.template.capture(path, |field, text| self.take(field, text, path, &mut out));
        if !whole && !is_index(path) {
            let message = "path does not match `path_metadata` to its end";
            out.diagnostics.push(Diagnostic::new("path-not-matched", Severity::Info, path, message));
        }
        for (name, default) in &self.defaults {
            out.value.entry(name.clone()).or_insert_with(|| default.value().clone());
        }
        out
    }

    fn take(&self, field: &Field, text: &str, path: &str, out: &mut Outcome<Attrs>) {
        let typed = field.kind.value(text);
        match self.mapped(field, text, &typed).map_or_else(|| self.normalised(field, typed), Ok) {
            Ok(value) => {
                out.value.insert(field.name.clone(), value);
            }
            Err(allowed) => {
                let message = format!("`{}` is none of {}: {text}", field.name, allowed.join(", "));
                out.diagnostics.push(Diagnostic::new("path-value-refused", Severity::Medium, path, message));
            }
        }
    }

    /// The value set for this text, or for the number it stands for (`1` for `01`).
    fn mapped(&self, field: &Field, text: &str, typed: &Value) -> Option<Value> {
        let values = self.values.get(&field.name)?;
        values.get(text).or_else(|| values.get(&typed.to_string())).map(|scalar| scalar.value().clone())
    }

    fn normalised(&self, field: &Field, value: Value) -> Result<Value, &[String]> {
        let (Some(normaliser), Value::String(text)) = (self.normalisers.get(&field.name), &value) else {
            return Ok(value);
        };
        match normaliser {
            Normaliser::Upper => Ok(text.to_uppercase().into()),
            Normaliser::Lower => Ok(text.to_lowercase().into()),
            Normaliser::OneOf(allowed) => {
                let lower = text.to_lowercase();
                let found = allowed.iter().find(|one| one.to_lowercase() == lower);
                found.map(|one| one.as_str().into()).ok_or(allowed)
            }
        }
    }
}

impl Template {
    /// Gives every field that the path holds to `take`; true when the whole template matched.
    fn capture(&self, path: &str, mut take: impl FnMut(&Field, &str)) -> bool {
        let Some((file_rule, folder_rules)) = self.segments.split_last() else { return true };
        let parts: Vec<&str> = path.split('/').collect();
        let Some((file, folders)) = parts.split_last() else { return false };
        for (rule, folder) in folder_rules.iter().zip(folders) {
            match match_segment(rule, &self.fields, folder) {
                Some(found) => found.into_iter().for_each(|(field, text)| take(&self.fields[field], text)),
                None => return false,
            }
        }
        let found =
            (folder_rules.len() == folders.len()).then(|| match_segment(file_rule, &self.fields, file)).flatten();
        let matched = found.is_some();
        found.into_iter().flatten().for_each(|(field, text)| take(&self.fields[field], text));
        matched
    }
}

fn is_index(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name).trim_start_matches('_');
    stem.eq_ignore_ascii_case("readme") || stem.eq_ignore_ascii_case("index")
}

impl Serialize for Normaliser {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Upper => serializer.serialize_str("upper"),
            Self::Lower => serializer.serialize_str("lower"),
            Self::OneOf(allowed) => allowed.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Normaliser {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NormaliserVisitor)
    }
}

struct NormaliserVisitor;

impl<'de> Visitor<'de> for NormaliserVisitor {
    type Value = Normaliser;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"upper\", \"lower\" or a list of the values allowed")
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Normaliser, E> {
        match value {
            "upper" => Ok(Normaliser::Upper),
            "lower" => Ok(Normaliser::Lower),
            _ => Err(E::invalid_value(de::Unexpected::Str(value), &self)),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Normaliser, A::Error> {
        let mut allowed = Vec::new();
        while let Some(value) = list.next_element()? {
            allowed.push(value);
        }
        Ok(Normaliser::OneOf(allowed))
    }
}

impl JsonSchema for Normaliser {
    fn schema_name() -> Cow<'static, str> {
        "Normaliser".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "oneOf": [
                { "enum": ["upper", "lower"] },
                { "type": "array", "items": { "type": "string" } }
            ]
        })
    }
}

#[cfg(test)]
mod tests;
