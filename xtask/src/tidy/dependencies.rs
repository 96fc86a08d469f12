//! Which crate may know which.

use serde_json::Value;

/// Crates of the workspace and those of ours that each may depend on. `*` is all but the front ends.
const ALLOWED: &[(&str, &[&str])] = &[
    ("gristmill-core", &[]),
    ("gristmill-text", &["core"]),
    ("gristmill-format", &["core"]),
    ("gristmill-read", &["core", "text"]),
    ("gristmill-chunk", &["core", "text"]),
    ("gristmill-lint", &["core", "text"]),
    ("gristmill-source", &["core", "http"]),
    ("gristmill-http", &["core"]),
    ("gristmill-embed", &["core", "http"]),
    ("gristmill-store", &["core", "format", "http"]),
    ("gristmill-pipeline", &["core", "text", "format"]),
    ("gristmill-eval", &["core", "text", "format"]),
    ("gristmill", &["*"]),
    ("gristmill-bench", &["*"]),
    ("gristmill-cli", &["gristmill", "gristmill-server"]),
    ("gristmill-server", &["gristmill"]),
    ("gristmill-python", &["gristmill"]),
    ("xtask", &[]),
];

const FRONT_ENDS: &[&str] = &["gristmill-cli", "gristmill-server", "gristmill-python", "xtask"];

/// Libraries that belong to one crate.
const OWNED: &[(&str, &str)] = &[
    ("clap", "gristmill-cli"),
    ("clap_complete", "gristmill-cli"),
    ("indicatif", "gristmill-cli"),
    ("pyo3", "gristmill-python"),
    ("axum", "gristmill-server"),
    ("opentelemetry", "gristmill-server"),
    ("opentelemetry-otlp", "gristmill-server"),
    ("opentelemetry_sdk", "gristmill-server"),
];

const ASYNC: &[&str] = &["tokio", "async-std", "smol", "futures"];

const SYNCHRONOUS: &[&str] =
    &["gristmill-core", "gristmill-text", "gristmill-read", "gristmill-chunk", "gristmill-lint"];

/// `metadata` is what `cargo metadata --no-deps` prints. Dependencies of tests are free.
pub fn check(metadata: &Value, found: &mut Vec<String>) {
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let name = package["name"].as_str().unwrap_or_default();
        let Some((_, allowed)) = ALLOWED.iter().find(|(known, _)| *known == name) else {
            found.push(format!("`{name}` has no line in xtask/src/tidy/dependencies.rs"));
            continue;
        };
        let used = package["dependencies"].as_array().into_iter().flatten();
        for used in used.filter(|used| used["kind"] != "dev").filter_map(|used| used["name"].as_str()) {
            if let Some(why) = breach(name, allowed, used) {
                found.push(format!("`{name}` depends on `{used}`: {why}"));
            }
        }
    }
}

fn breach(name: &str, allowed: &[&str], used: &str) -> Option<&'static str> {
    let is_ours = ALLOWED.iter().any(|(known, _)| *known == used);
    let may = allowed.iter().any(|may| *may == used || used.strip_prefix("gristmill-") == Some(may));
    let may_any = allowed == ["*"] && !FRONT_ENDS.contains(&used);
    if is_ours && !may && !may_any {
        return Some("the two meet in the types and traits of core");
    }
    if OWNED.iter().any(|(library, owner)| *library == used && *owner != name) {
        return Some("the library belongs to another crate");
    }
    (SYNCHRONOUS.contains(&name) && ASYNC.contains(&used)).then_some("work on the processor is synchronous")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str, used: &str, kind: &Value) -> usize {
        let package = serde_json::json!({ "name": name, "dependencies": [{ "name": used, "kind": kind }] });
        let mut found = Vec::new();
        check(&serde_json::json!({ "packages": [package] }), &mut found);
        found.len()
    }

    #[test]
    fn forbidden_ways_are_found() {
        for (name, used) in [
            ("gristmill-read", "gristmill-chunk"),
            ("gristmill-pipeline", "gristmill-store"),
            ("gristmill-cli", "gristmill-core"),
            ("gristmill-core", "gristmill-text"),
            ("gristmill", "gristmill-cli"),
            ("gristmill", "clap"),
            ("gristmill-read", "tokio"),
            ("gristmill-new", "serde"),
        ] {
            assert_eq!(found(name, used, &Value::Null), 1, "{name} → {used}");
        }
    }

    #[test]
    fn allowed_ways_are_free() {
        for (name, used) in [
            ("gristmill-read", "gristmill-text"),
            ("gristmill", "gristmill-store"),
            ("gristmill-cli", "gristmill"),
            ("gristmill-cli", "clap"),
            ("gristmill-embed", "tokio"),
        ] {
            assert_eq!(found(name, used, &Value::Null), 0, "{name} → {used}");
        }
        assert_eq!(found("gristmill-read", "gristmill-chunk", &"dev".into()), 0);
    }
}
