use serde_json::Value;

use super::Project;
use crate::config::schema;

fn holds(text: &str) -> bool {
    let value: Value = toml::from_str(text).unwrap();
    jsonschema::validator_for(&schema()).unwrap().is_valid(&value)
}

#[test]
fn what_is_written_fits_the_schema() {
    let text = r#"
[[source]]
path = "docs"
normalisers = { a = ["x"], b = "upper" }
path_metadata = "{a}-{b}.md"
defaults = { tier = 1, open = true, share = 0.5 }
[chunk]
overlap = "12.5%"
[chunk.by_type.faq]
max = 100
[embed]
api_key = "file:key"
[store]
payload_indexes = { chapter = "integer" }
"#;
    assert!(holds(text));
    assert!(holds(&Project::with_toml(text).settings().to_toml().unwrap()));
    assert!(holds(""));
}

#[test]
fn mistakes_do_not_fit_it() {
    for text in [
        "[chunk]\nmx = 1",
        "[chunk]\nmax = -1",
        "[chunk]\noverlap = \"15\"",
        "[chunk.by_type.a]\nmx = 1",
        "[embed]\napi_key = \"sk-1\"",
        "preset = \"doc\"",
        "[[source]]\nnormalisers = { a = \"uper\" }",
        "[store]\npayload_indexes = { a = \"int\" }",
    ] {
        assert!(!holds(text), "{text}");
    }
}
