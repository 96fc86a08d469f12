//! Single texts: extract, cut, scan, repair.

use std::time::Duration;

use serde_json::json;

use super::server::{Server, configure};
use crate::service::Service;

fn server(folder: &std::path::Path, service: &Service) -> Server {
    configure(folder, service, "");
    Server::start(folder)
}

#[test]
fn a_text_is_read_and_cut() {
    let (service, folder) = (Service::start(Duration::ZERO), tempfile::tempdir().unwrap());
    let server = server(folder.path(), &service);
    let sent = json!({ "name": "a.md", "text": "---\nauthor: Ada\n---\n# T\n\nOne.\n\nTwo.\n" });
    let extracted = server.post("/v1/extract", &sent).json();
    assert_eq!((&extracted["format"], &extracted["attributes"]["author"]), (&json!("markdown"), &json!("Ada")));
    assert_eq!(extracted["text"], "# T\n\nOne.\n\nTwo.\n");
    let cut = json!({ "document": { "name": "a.txt", "text": "One two three. Four five six." },
                      "chunk": { "max": 3, "target": 3, "min": 0, "overlap": 0, "unit": "words", "context": "none" } });
    let cut = server.post("/v1/chunk", &cut).json();
    let texts: Vec<&str> = cut["chunks"].as_array().unwrap().iter().filter_map(|c| c["content"].as_str()).collect();
    assert_eq!(texts, ["One two three.", "Four five six."]);
}

#[test]
fn a_document_that_nobody_can_read_is_refused() {
    let (service, folder) = (Service::start(Duration::ZERO), tempfile::tempdir().unwrap());
    let server = server(folder.path(), &service);
    // `%PDF-1.4 bad`, and bytes that are no text.
    for (name, bytes) in [("a.pdf", "JVBERi0xLjQgYmFk"), ("a.docx", "UEsDBAAAAAA="), ("a.md", "AAH//gAHAAIAAQ==")] {
        let sent = json!({ "name": name, "base64": bytes });
        let extracted = server.post("/v1/extract", &sent);
        assert_eq!((extracted.status, &extracted.json()["code"]), (409, &json!("unreadable")), "{name}");
        let cut = server.post("/v1/chunk", &json!({ "document": sent }));
        assert_eq!((cut.status, &cut.json()["code"]), (409, &json!("unreadable")), "{name}");
        assert!(!cut.json()["detail"].as_str().unwrap().is_empty());
    }
}

#[test]
fn chunks_are_scanned_and_repaired() {
    let (service, folder) = (Service::start(Duration::ZERO), tempfile::tempdir().unwrap());
    let server = server(folder.path(), &service);
    let chunks = json!({ "chunks": ["Before.\n\n```python\nprint(1)\n", "print(2)\n```\n\nAfter the code.\n"] });
    let scanned = server.post("/v1/scan", &chunks).json();
    assert!(scanned["findings"].as_array().unwrap().iter().any(|f| f["rule"] == "unclosed-fence"), "{scanned}");
    let fixed = server.post("/v1/fix", &chunks).json();
    assert_eq!(fixed["chunks"].as_array().unwrap().len(), fixed["report"]["chunks_after"].as_u64().unwrap() as usize);
    assert_ne!(fixed["chunks"], chunks["chunks"]);
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let (service, folder) = (Service::start(Duration::ZERO), tempfile::tempdir().unwrap());
    let server = server(folder.path(), &service);
    let wrong = |path: &str, body| {
        let answer = server.post(path, &body);
        let problem = answer.json();
        assert_eq!(answer.header("content-type"), Some("application/problem+json"));
        (answer.status, problem["errors"][0]["pointer"].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(wrong("/v1/search", json!({ "query": "x", "k": 0 })), (422, "/k".into()));
    assert_eq!(wrong("/v1/search", json!({ "query": "x", "retriever": "psychic" })), (422, "/retriever".into()));
    assert_eq!(wrong("/v1/extract", json!({ "name": "a.md" })), (422, "/text".into()));
    assert_eq!(wrong("/v1/extract", json!({ "base64": "%" })), (422, "/base64".into()));
    // A tokenizer may be a file, but not one that a request names.
    let file = json!({ "document": { "text": "x" }, "chunk": { "tokenizer": "/etc/passwd" } });
    assert_eq!(wrong("/v1/chunk", file), (422, "/chunk/tokenizer".into()));
    let threshold = json!({ "document": { "text": "x" }, "chunk": { "topic_threshold": 2 } });
    assert_eq!(wrong("/v1/chunk", threshold), (422, "/chunk/topic_threshold".into()));
    let many = json!({ "chunks": vec!["a"; 10_001] });
    assert_eq!(wrong("/v1/fix", many), (422, "/chunks".into()));
    assert_eq!(wrong("/v1/jobs", json!({ "select": ["/x"] })), (422, "/select/0".into()));
    assert_eq!(wrong("/v1/jobs", json!({ "plan_id": "plan-9" })), (404, "/plan_id".into()));
    assert_eq!(server.get("/v1/jobs/job-99").status, 404);
    assert_eq!(server.get("/v1/jobs?limit=0").status, 422);
    let nowhere = server.get("/v2/jobs");
    assert_eq!((nowhere.status, nowhere.json()["code"].as_str()), (404, Some("not-found")));
    assert_eq!(server.post("/healthz", &json!({})).status, 405);
}
