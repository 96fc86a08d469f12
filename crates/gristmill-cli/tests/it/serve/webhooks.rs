//! Webhooks: the signature first, then which pushes concern a source.

use std::fmt::Write;
use std::time::Duration;

use serde_json::{Value, json};

use super::http::{Answer, send};
use super::server::{SECRET, Server, configure, nothing, write_documents};
use crate::service::Service;

/// HMAC-SHA256 as hexadecimal digits, by the command `openssl`; `None` where there is none.
fn signed(body: &[u8]) -> Option<String> {
    use std::io::Write as _;
    use std::process::{Command, Stdio};
    let mut command = Command::new("openssl");
    command.args(["dgst", "-sha256", "-hmac", SECRET]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = command.spawn().ok()?;
    process.stdin.take()?.write_all(body).ok()?;
    let out = process.wait_with_output().ok()?;
    Some(String::from_utf8(out.stdout).ok()?.rsplit(' ').next()?.trim().to_owned())
}

fn push(server: &Server, delivery: &str, payload: &Value) -> Option<Answer> {
    let body = payload.to_string();
    let mut signature = String::from("sha256=");
    write!(signature, "{}", signed(body.as_bytes())?).ok()?;
    let headers = [
        ("Content-Type", "application/json"),
        ("X-GitHub-Event", "push"),
        ("X-GitHub-Delivery", delivery),
        ("X-Hub-Signature-256", &signature),
    ];
    Some(send(&server.address, "POST", "/v1/webhooks/github", &headers, body.as_bytes()))
}

fn payload(before: &str, after: &str) -> Value {
    let commit = json!({ "id": after, "added": [], "modified": ["docs/0.md"], "removed": [] });
    json!({ "ref": "refs/heads/main", "before": before, "after": after, "commits": [commit],
            "repository": { "full_name": "acme/docs" } })
}

#[test]
fn bursts_become_one_job_with_the_newest_commit() {
    let (service, folder) = (Service::start(Duration::from_millis(100)), tempfile::tempdir().unwrap());
    configure(folder.path(), &service, "");
    write_documents(folder.path(), 6, 0);
    let server = Server::start(folder.path());
    let first = server.ingest(&nothing());
    while server.job(&first)["status"] == "queued" {
        std::thread::sleep(Duration::from_millis(5));
    }
    for n in 1..5 {
        let Some(answer) = push(&server, &format!("d-{n}"), &payload(&n.to_string(), &(n + 1).to_string())) else {
            println!("skipped: signing needs the command openssl; install it to run this test");
            return;
        };
        assert_eq!(answer.status, 202, "{}", answer.text());
    }
    let late = push(&server, "d-late", &payload("2", "3")).unwrap();
    assert_eq!((late.status, late.json()["reason"].as_str()), (200, Some("a newer push is known")));
    let jobs = server.jobs();
    assert_eq!(jobs.iter().filter(|job| job["status"] == "superseded").count(), 3);
    let last = server.ended(jobs.last().unwrap()["id"].as_str().unwrap());
    assert_eq!((&last["commit"], &last["scope"]), (&json!("5"), &json!("delta")), "{last}");
    let again = push(&server, "d-4", &payload("4", "5")).unwrap();
    assert_eq!((again.status, again.json()["status"].as_str()), (200, Some("duplicate")));
}

#[test]
fn a_forced_push_means_all() {
    let (service, folder) = (Service::start(Duration::ZERO), tempfile::tempdir().unwrap());
    configure(folder.path(), &service, "");
    write_documents(folder.path(), 1, 0);
    let server = Server::start(folder.path());
    let mut forced = payload("1", "2");
    forced["forced"] = json!(true);
    let Some(answer) = push(&server, "d-1", &forced) else {
        println!("skipped: signing needs the command openssl; install it to run this test");
        return;
    };
    let job = server.ended(answer.json()["job_id"].as_str().unwrap());
    assert_eq!((&job["scope"], &job["select"], &job["cause"]), (&json!("full"), &json!([]), &json!("github")));
}

#[test]
fn a_late_push_of_gitlab_does_not_take_the_store_back() {
    let (service, folder) = (Service::start(Duration::ZERO), tempfile::tempdir().unwrap());
    configure(folder.path(), &service, "");
    let server = Server::start(folder.path());
    let push = |delivery: &str, before: &str, after: &str| {
        let body = json!({ "object_kind": "push", "ref": "refs/heads/main", "before": before, "after": after,
            "project": { "path_with_namespace": "acme/docs" }, "commits": [], "total_commits_count": 0 });
        let headers =
            [("X-Gitlab-Token", SECRET), ("X-Gitlab-Event-UUID", delivery), ("Content-Type", "application/json")];
        let answer = send(&server.address, "POST", "/v1/webhooks/gitlab", &headers, body.to_string().as_bytes());
        (answer.status, answer.json()["reason"].as_str().map(str::to_owned))
    };
    let nothing = "0".repeat(40);
    assert_eq!(push("d-1", &nothing, "a1"), (202, None));
    assert_eq!(push("d-2", "a1", "b2"), (202, None));
    let late = (200, Some("a newer push is known".to_owned()));
    assert_eq!(push("d-3", &nothing, "a1"), late);
    // Somebody puts the branch back, which GitLab does not tell from another push.
    assert_eq!(push("d-4", "b2", "a1"), (202, None));
    assert_eq!(push("d-5", "a1", "b2"), (202, None), "and forward again");
    // Pushes before this one were missed: nothing says that it is late.
    assert_eq!(push("d-6", "c3", "a1"), (202, None));
}

#[test]
fn gitlab_and_others_are_heard() {
    let (service, folder) = (Service::start(Duration::ZERO), tempfile::tempdir().unwrap());
    configure(folder.path(), &service, "");
    write_documents(folder.path(), 1, 0);
    let server = Server::start(folder.path());
    let body = json!({ "object_kind": "push", "ref": "refs/heads/main", "before": "1", "after": "2", "commits": [],
                       "total_commits_count": 0, "project": { "path_with_namespace": "acme/docs" } });
    let call = |token: &str| {
        let headers = [("Content-Type", "application/json"), ("X-Gitlab-Token", token), ("X-Gitlab-Event-UUID", "u-1")];
        send(&server.address, "POST", "/v1/webhooks/gitlab", &headers, body.to_string().as_bytes())
    };
    assert_eq!(call("wrong").status, 401);
    assert_eq!(call("").status, 401);
    assert_eq!(call(SECRET).status, 202);
    assert_eq!(call(SECRET).json()["status"], "duplicate");
    let body = br#"{"repository":"acme/docs","commit":"9f2c4e1"}"#;
    let Some(signature) = signed(body) else {
        println!("skipped: signing needs the command openssl; install it to run this test");
        return;
    };
    let signature = format!("sha256={signature}");
    let headers = [("Content-Type", "application/json"), ("X-Gristmill-Signature-256", &*signature)];
    assert_eq!(send(&server.address, "POST", "/v1/webhooks/generic", &headers, body).status, 202);
    assert_eq!(send(&server.address, "POST", "/v1/webhooks/generic", &headers[..1], body).status, 401);
    let odd = br#"{"repository":"acme/docs","commit":"--upload-pack=x"}"#;
    let signature = format!("sha256={}", signed(odd).unwrap());
    let headers = [("Content-Type", "application/json"), ("X-Gristmill-Signature-256", &*signature)];
    let refused = send(&server.address, "POST", "/v1/webhooks/generic", &headers, odd);
    assert_eq!((refused.status, &refused.json()["errors"][0]["pointer"]), (422, &json!("/commit")));
}
