//! What a text declares of itself in the fields at its start.

use gristmill_core::Attrs;
use serde_json::Value;

use super::markers::{self, Marker};
use crate::lines::Lines;

/// The fields of the list at line `from`: names in lower case; a field without a value is true.
pub(super) fn declared(lines: &Lines<'_>, from: usize, to: usize) -> Attrs {
    let indent = lines.indent(from);
    let mut fields: Vec<(String, String)> = Vec::new();
    for at in (from..to).filter(|&at| !lines.is_blank(at)) {
        let text = lines.trimmed(at);
        if lines.indent(at) > indent {
            if let Some((_, value)) = fields.last_mut() {
                value.push(' ');
                value.push_str(text);
            }
            continue;
        }
        let Some((Marker::Field, width)) = markers::of(text).filter(|_| lines.indent(at) == indent) else { break };
        let name = text[..width].trim_end().trim_matches(':').to_lowercase();
        fields.push((name, text[width..].to_owned()));
    }
    fields.into_iter().map(|(name, value)| (name, typed(value.trim()))).collect()
}

fn typed(value: &str) -> Value {
    if value.is_empty() { Value::Bool(true) } else { Value::String(value.to_owned()) }
}
