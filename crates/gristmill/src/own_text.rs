//! The part of a chunk's text that is its own.

use serde_json::Value;

/// The body of a chunk's text: without what is injected or repeated. `parts` are those of a record; without a body among
/// them, all of the text is its own.
pub fn own_text<'t>(text: &'t str, parts: Option<&Value>) -> &'t str {
    let own = || {
        let body = parts?.as_array()?.iter().find(|part| part.get("kind").and_then(Value::as_str) == Some("body"))?;
        let at = |key: &str| {
            let code_point = usize::try_from(body.get(key)?.as_u64()?).ok()?;
            text.char_indices().map(|(byte, _)| byte).chain([text.len()]).nth(code_point)
        };
        text.get(at("start")?..at("end")?)
    };
    own().unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn positions_count_code_points() {
        let parts = json!([{ "kind": "heading", "start": 0, "end": 4 }, { "kind": "body", "start": 4, "end": 6 }]);
        assert_eq!(own_text("[한] é.", Some(&parts)), "é.");
        assert_eq!(own_text("é.", Some(&parts)), "é.", "parts of another text");
        assert_eq!(own_text("all", None), "all");
    }
}
