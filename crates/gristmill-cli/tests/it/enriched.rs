//! What records say besides what their documents declare.

use serde_json::{Value, json};

use crate::run::{Folder, lines};

const ENGLISH: &str = "The valve must be closed by hand before the pump is started, and it should not be opened again until \
    the pressure has fallen to that of the tank.";

const GERMAN: &str = "Das Ventil muss von Hand geschlossen werden, bevor die Pumpe läuft, und es darf nicht wieder geöffnet \
    werden, bis der Druck so weit gefallen ist wie der im Tank.";

fn folder() -> Folder {
    let folder =
        Folder::with(&[("docs/en.md", ENGLISH), ("docs/de.txt", GERMAN), ("docs/short.md", "# Valves\n\nClosed.")]);
    folder.write("docs/said.md", format!("---\nlang: nl\n---\n{ENGLISH}"));
    folder.write("docs/code.py", format!("# {ENGLISH}\nclose()\n"));
    folder.write("docs/table.csv", format!("part,text\nvalve,\"{ENGLISH}\"\n"));
    folder.write("docs/log.log", format!("2024-01-31 12:00:00 INFO {ENGLISH}\n").repeat(3));
    folder.write("docs/ko.md", "펌프를 시동하기 전에 밸브를 손으로 닫아야 하며 압력이 같아질 때까지 열지 마십시오.\n\n```\nthe and of to\n```\n");
    folder
}

fn languages(records: &[Value]) -> Vec<(&str, Option<&str>)> {
    let metadata = records.iter().map(|record| &record["metadata"]);
    metadata.map(|m| (m["source"].as_str().unwrap_or_default(), m["language"].as_str())).collect()
}

#[test]
fn prose_tells_its_language_and_nothing_is_guessed() {
    let folder = folder();
    let ran = folder.run(&["chunk", "docs", "--source-root", "docs", "--run-report", "run.json", "-q"]);
    let records = lines(&ran.stdout);
    let told = [
        ("code.py", None),
        ("de.txt", Some("de")),
        ("en.md", Some("en")),
        ("ko.md", Some("ko")),
        ("log.log", None),
        ("said.md", Some("nl")),
        ("short.md", None),
        ("table.csv", None),
    ];
    assert_eq!(languages(&records), told);
    assert_eq!(folder.json("run.json")["totals"]["languages"], json!({ "de": 1, "en": 1, "ko": 1, "nl": 1 }));
    let shown = folder.run(&["inspect", "docs", "--source-root", "docs"]).stdout;
    assert!(shown.contains("\nlanguages: 1 de, 1 en, 1 ko, 1 nl\n"), "{shown}");
}

#[test]
fn what_is_told_of_documents_is_a_setting_that_a_store_follows() {
    let folder = folder();
    let stored = || {
        let ran = folder.run(&["ingest", "docs/en.md", "docs/said.md", "--format", "json"]);
        let report: Value = serde_json::from_str(&ran.stdout).unwrap();
        let exported = lines(&folder.run(&["export", "--format", "jsonl"]).stdout);
        let facts = |record: &Value| {
            let metadata = &record["metadata"];
            (metadata["language"].clone(), metadata["attributes"]["extracted_keywords"].clone())
        };
        (report["files"]["modified"].as_u64(), exported.iter().map(facts).collect::<Vec<_>>())
    };
    assert_eq!(stored(), (Some(0), vec![(json!("en"), Value::Null), (json!("nl"), Value::Null)]));
    folder.write("gristmill.toml", "[enrich]\ndetect_language = false\n");
    assert_eq!(stored(), (Some(2), vec![(Value::Null, Value::Null), (json!("nl"), Value::Null)]));
    folder.write("gristmill.toml", "[enrich]\nextract_keywords = 3\n");
    // Nothing is said twice in one of them, and the other is no Dutch.
    assert_eq!(stored().0, Some(2));
    assert_eq!(stored().0, Some(0));
}

#[test]
fn extracted_keywords_are_named_as_such() {
    let text = "---\nkeywords: [plant]\n---\n# Care\n\nThe soft valve is closed before the pump is started, and the soft valve is \
        opened when it has been stopped. Then the pump and the soft valve are to be cleaned with `soft soap soft soap`.\n";
    let folder = Folder::with(&[("a.md", text), ("gristmill.toml", "[enrich]\nextract_keywords = 2\n")]);
    let records = lines(&folder.run(&["chunk", "a.md"]).stdout);
    let metadata = &records[0]["metadata"];
    // 1.58 · 3 and 1 · 2: the log of the length, times how often it is said.
    assert_eq!(metadata["attributes"], json!({ "extracted_keywords": ["soft valve", "pump"] }));
    assert_eq!(metadata["keywords"], json!(["plant", "Care"]));
}
