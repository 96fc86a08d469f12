use proptest::prelude::*;
use serde_json::json;

use super::*;

fn read(text: &str) -> FrontMatter {
    front_matter(text).expect("well formed").expect("front matter")
}

fn attrs(text: &str) -> Value {
    Value::Object(read(text).attrs.into_iter().collect())
}

#[test]
fn yaml_values_keep_their_types() {
    let text = "---\ntitle: \"Pumps: old and new\"\n# a comment\ntags: [ops, 'two words', 3]\ndraft: false\nmark: \"---\"\n\
                date: 2024-05-01\nratio: 0.5\norder: -7\nnothing:\nowner:\n  name: Li\n  rooms:\n  - 1\n  - 0x10\n---\n# Text\n";
    assert_eq!(
        attrs(text),
        json!({
            "title": "Pumps: old and new", "tags": ["ops", "two words", 3], "draft": false, "mark": "---",
            "date": "2024-05-01", "ratio": 0.5, "order": -7, "nothing": null,
            "owner": {"name": "Li", "rooms": [1, 16]},
        })
    );
    assert_eq!(&text[read(text).len..], "# Text\n");
}

#[test]
fn numbers_that_json_cannot_hold_stay_as_written() {
    let text = "---\na: 18446744073709551615\nb: 18446744073709551616\nc: .inf\nd: 1e999\ne: 1.2.3\nf: 12:30\n---\n";
    assert_eq!(
        attrs(text),
        json!({"a": 18446744073709551615u64, "b": "18446744073709551616", "c": ".inf", "d": "1e999",
               "e": "1.2.3", "f": "12:30"})
    );
}

#[test]
fn quoted_and_tagged_scalars_are_text() {
    let text = "---\na: 'true'\nb: !!str 12\nc: |\n  two\n  lines\nd: >-\n  one\n  line\n1: x\ntrue: y\n...\nText";
    let expected = json!({"a": "true", "b": "12", "c": "two\nlines\n", "d": "one line", "1": "x", "true": "y"});
    assert_eq!(attrs(text), expected);
    assert_eq!(&text[read(text).len..], "Text");
}

#[test]
fn toml_and_json_blocks() {
    let toml = "+++\ntitle = \"A\"\ndate = 2024-05-01T10:00:00Z\nweight = 3\n[extra]\nok = true\n+++\nText";
    let expected = json!({"title": "A", "date": "2024-05-01T10:00:00Z", "weight": 3, "extra": {"ok": true}});
    assert_eq!(attrs(toml), expected);
    assert_eq!(attrs(";;;\n\"title\": \"A\", \"n\": 1\n;;;\nText"), json!({"title": "A", "n": 1}));
    assert_eq!(attrs(";;;\n{\"title\": \"A\"}\n;;;\nText"), json!({"title": "A"}));
    let json = "{\n \"title\": \"A }\",\n \"tags\": []\n}\n\nText";
    assert_eq!(attrs(json), json!({"title": "A }", "tags": []}));
    assert_eq!(&json[read(json).len..], "\nText");
}

#[test]
fn what_is_no_front_matter_stays_text() {
    for text in [
        "",
        "---",
        "---\n",
        "---\ntitle: never closed\n",
        "text\n---\na: 1\n---\n",
        "---\n\nA paragraph between rules.\n\n---\n",
        "---\n- a\n- list\n---\n",
        "---\n---\n",
        "{{#include x}}\n",
        "{ \"a\": 1 } and more text\n",
        "{}\n",
        "{% raw %}\n",
        "+++\nopen = true\n",
        "--- \t-\na: 1\n---\n",
    ] {
        assert_eq!(front_matter(text), Ok(None), "{text:?}");
    }
}

#[test]
fn a_block_of_comments_is_empty_front_matter() {
    let found = read("---\n# title: later\n---\nText");
    assert!(found.attrs.is_empty());
    assert_eq!(found.len, 23);
}

#[test]
fn broken_blocks_name_their_line() {
    let line = |text: &str| front_matter(text).expect_err("malformed").line;
    assert_eq!(line("---\ntitle: a\ntags: [a, b\nmore: x\n---\n"), 4);
    assert_eq!(line("+++\na = 1\nb = \n+++\n"), 3);
    assert_eq!(line(";;;\n\"a\": 1,\n\"b\": ?\n;;;\n"), 3);
    assert_eq!(line("---\na: 1\n? [x, y]\n: 2\n---\n"), 3);
}

#[test]
fn repeated_names_are_told() {
    let found = read("---\na: 1\nb: 2\na: 3\n---\n");
    assert_eq!(found.attrs["a"], json!(3));
    assert_eq!(found.repeated, [(4, "a".to_owned())]);
}

#[test]
fn aliases_copy_and_bombs_are_refused() {
    assert_eq!(attrs("---\na: &x [1, 2]\nb: *x\n---\n"), json!({"a": [1, 2], "b": [1, 2]}));
    let mut bomb = String::from("---\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..12 {
        let inside = vec![format!("*a{}", level - 1); 10].join(", ");
        bomb.push_str(&format!("a{level}: &a{level} [{inside}]\n"));
    }
    bomb.push_str("---\n");
    assert!(front_matter(&bomb).is_err_and(|e| e.message.contains("too large")));
    assert!(front_matter("---\na: &x [1, *x]\n---\n").is_err());
}

#[test]
fn deep_nesting_is_refused() {
    let deep = format!("---\na: {}1{}\n---\n", "[".repeat(100_000), "]".repeat(100_000));
    assert!(front_matter(&deep).is_err());
    let maps = format!("---\na: {}1\n---\n", "{a: ".repeat(100_000));
    assert!(front_matter(&maps).is_err());
    let json = format!("{{\"a\": {}", "[".repeat(100_000));
    assert_eq!(front_matter(&json), Ok(None));
    let toml = format!("+++\na = {}\n+++\n", "[".repeat(100_000));
    assert!(front_matter(&toml).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_input_makes_it_panic(body in "[-a-c:\\[\\]{}&*!|>'\"#%@` \t\n?,.0-9~]{0,80}", mark in "---|\\+\\+\\+|;;;|\\{") {
        let text = format!("{mark}\n{body}\n{mark}\n");
        if let Ok(Some(found)) = front_matter(&text) {
            prop_assert!(text.is_char_boundary(found.len));
        }
    }
}
