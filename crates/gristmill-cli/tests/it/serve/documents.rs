//! Documents that are sent.

use std::time::Duration;

use serde_json::json;

use super::http::send;
use super::server::{Server, configure, stored};
use crate::service::Service;

#[test]
fn documents_come_and_go() {
    let (service, folder) = (Service::start(Duration::ZERO), tempfile::tempdir().unwrap());
    configure(folder.path(), &service, "push = \"docs\"\n");
    let server = Server::start(folder.path());
    let put = |text: &str| send(&server.address, "PUT", "/v1/documents/a%2Fb.md", &[], text.as_bytes());
    let job = put("# Title\n\nThe pump is sent.\n");
    assert_eq!(job.status, 202, "{}", job.text());
    assert_eq!(server.ended(job.json()["id"].as_str().unwrap())["files"]["new"], 1);
    let again = server.ended(put("# Title\n\nThe pump is sent.\n").json()["id"].as_str().unwrap());
    assert_eq!(again["files"]["unchanged"], 1);
    let document = server.get("/v1/documents/a%2Fb.md").json();
    assert_eq!(document["source"], "a/b.md");
    let id = document["id"].as_str().unwrap();
    let chunks = server.get(&format!("/v1/documents/{id}/chunks")).json();
    assert_eq!(chunks["chunks"][0]["content"], "# Title\n\nThe pump is sent.");
    let found = server.post("/v1/search", &json!({ "query": "pump", "retriever": "bm25" })).json();
    assert_eq!(found["hits"][0]["source"], "a/b.md");
    let gone = send(&server.address, "DELETE", "/v1/documents/a%2Fb.md", &[], b"");
    assert_eq!(server.ended(gone.json()["id"].as_str().unwrap())["files"]["deleted"], 1);
    assert_eq!(server.get("/v1/documents/a%2Fb.md").status, 404);
    assert_eq!(send(&server.address, "DELETE", "/v1/documents/a%2Fb.md", &[], b"").status, 404);
    assert!(stored(folder.path()).is_empty());
}

/// A file that is no document is taken, and told to be none: it is not in the store.
#[test]
fn what_cannot_be_read_is_no_success() {
    let (service, folder) = (Service::start(Duration::ZERO), tempfile::tempdir().unwrap());
    configure(folder.path(), &service, "push = \"docs\"\n");
    let server = Server::start(folder.path());
    let put = |path: &str, bytes: &[u8]| {
        let asked = send(&server.address, "PUT", &format!("/v1/documents/{path}"), &[], bytes);
        assert_eq!(asked.status, 202, "{}", asked.text());
        let job = server.ended(asked.json()["id"].as_str().unwrap());
        let report = server.get(&format!("/v1/jobs/{}/report", job["id"].as_str().unwrap())).json();
        (job, report["failures"].clone())
    };
    let (job, failures) = put("a.md", b"\x00\x01\x02\xff\xfe\x00 no text \x00\x07");
    assert_eq!((&job["status"], &job["files"]["failed"]), (&json!("partial"), &json!(1)), "{job}");
    assert_eq!(failures[0]["source"], "a.md", "{failures}");
    // What the source leaves out is not in the store either.
    std::fs::write(folder.path().join("docs/.gitignore"), "left.md\n").unwrap();
    let (job, failures) = put("left.md", b"# Left\n\nOut.\n");
    assert_eq!((&job["status"], &job["files"]["failed"]), (&json!("partial"), &json!(1)), "{job}");
    assert_eq!(failures[0]["source"], "left.md", "{failures}");
    let (job, _) = put("b.md", b"# Title\n\nText.\n");
    assert_eq!((&job["status"], &job["files"]["new"]), (&json!("succeeded"), &json!(1)), "{job}");
}

/// The folder is there and was emptied by those who may: no guard keeps what they took back, whichever job does it.
#[test]
fn all_that_was_sent_may_be_taken_back() {
    let (service, folder) = (Service::start(Duration::from_millis(200)), tempfile::tempdir().unwrap());
    configure(folder.path(), &service, "push = \"docs\"\n");
    let server = Server::start(folder.path());
    let sent = send(&server.address, "PUT", "/v1/documents/a.md", &[], b"# A\n\nText.\n");
    server.ended(sent.json()["id"].as_str().unwrap());
    assert_eq!(stored(folder.path()).len(), 1);
    let other = send(&server.address, "PUT", "/v1/documents/b.md", &[], b"# B\n\nText.\n");
    let gone = ["a.md", "b.md"].map(|name| send(&server.address, "DELETE", &format!("/v1/documents/{name}"), &[], b""));
    assert!(gone.iter().all(|gone| gone.status == 202));
    // It takes over those that wait.
    let last = server.ended(&server.ingest(&json!({})));
    server.ended(other.json()["id"].as_str().unwrap());
    assert_eq!(last["status"], "succeeded", "{last}");
    assert!(stored(folder.path()).is_empty());
    // A folder that is gone is another thing.
    let sent = send(&server.address, "PUT", "/v1/documents/a.md", &[], b"# A\n\nText.\n");
    server.ended(sent.json()["id"].as_str().unwrap());
    std::fs::remove_dir_all(folder.path().join("docs")).unwrap();
    let lost = server.ended(&server.ingest(&json!({})));
    assert_eq!(lost["status"], "failed", "{lost}");
    assert_eq!(stored(folder.path()).len(), 1);
}

#[test]
fn nothing_is_written_outside_the_folder() {
    let (service, folder) = (Service::start(Duration::ZERO), tempfile::tempdir().unwrap());
    configure(folder.path(), &service, "push = \"docs\"\n");
    let server = Server::start(folder.path());
    for path in [
        "..%2Fout.md",
        "%2Fetc%2Fout.md",
        "a%2F..%2F..%2Fout.md",
        "..%5Cout.md",
        "a%00.md",
        ".hidden",
        "%2e%2e%2Fout.md",
    ] {
        let answer = send(&server.address, "PUT", &format!("/v1/documents/{path}"), &[], b"x");
        assert_eq!(answer.status, 422, "{path}: {}", answer.text());
    }
    #[cfg(unix)]
    {
        std::fs::create_dir(folder.path().join("outside")).unwrap();
        std::os::unix::fs::symlink(folder.path().join("outside"), folder.path().join("docs/link")).unwrap();
        let answer = send(&server.address, "PUT", "/v1/documents/link%2Fout.md", &[], b"x");
        assert_eq!(answer.status, 422, "{}", answer.text());
        assert_eq!(std::fs::read_dir(folder.path().join("outside")).unwrap().count(), 0);
    }
    assert!(!folder.path().join("out.md").exists());
    assert_eq!(
        std::fs::read_dir(folder.path().join("docs")).unwrap().filter(|e| e.as_ref().unwrap().path().is_file()).count(),
        0
    );
}

#[test]
fn without_a_source_for_them_none_is_taken() {
    let (service, folder) = (Service::start(Duration::ZERO), tempfile::tempdir().unwrap());
    configure(folder.path(), &service, "");
    let server = Server::start(folder.path());
    let answer = send(&server.address, "PUT", "/v1/documents/a.md", &[], b"x");
    assert_eq!(answer.status, 422);
    assert!(answer.json()["hint"].as_str().unwrap().contains("push"));
}
