//! Jobs: they do their work once, can be followed, stopped and repeated, and survive a kill.

use std::time::Duration;

use serde_json::json;

use super::http::send;
use super::server::{Server, configure, nothing, stored, verifies, write_documents};
use crate::service::{Reply, Service};

#[test]
fn a_job_brings_the_store_in_step() {
    let (service, folder) = (Service::start(Duration::ZERO), tempfile::tempdir().unwrap());
    configure(folder.path(), &service, "");
    write_documents(folder.path(), 3, 0);
    let server = Server::start(folder.path());
    let job = server.ended(&server.ingest(&nothing()));
    assert_eq!((job["status"].as_str(), job["files"]["new"].as_u64()), (Some("succeeded"), Some(3)));
    assert!(job["chunks"]["upserted"].as_u64() >= Some(3));
    assert_eq!(job["progress"]["written"], job["chunks"]["upserted"]);
    assert_eq!(job["progress"]["embedded"], job["chunks"]["embedded"]);
    let report = server.get(&format!("/v1/jobs/{}/report", job["id"].as_str().unwrap())).json();
    assert_eq!(report["files"]["new"], 3);
    let again = server.ended(&server.ingest(&nothing()));
    assert_eq!((again["files"]["unchanged"].as_u64(), again["chunks"]["embedded"].as_u64()), (Some(3), Some(0)));
    assert!(verifies(folder.path()));
}

#[test]
fn the_command_starts_follows_and_stops_jobs() {
    let (service, folder) = (Service::start(Duration::ZERO), tempfile::tempdir().unwrap());
    configure(folder.path(), &service, "");
    write_documents(folder.path(), 3, 0);
    let server = Server::start(folder.path());
    let url = format!("http://{}", server.address);
    let jobs = |args: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_gristmill"));
        let ran = command.arg("jobs").args(args).args(["--url", &url]).current_dir(folder.path()).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (ran.status.code(), text(ran.stdout), text(ran.stderr))
    };
    let (code, said, _) = jobs(&["list"]);
    assert_eq!((code, said.as_str()), (Some(0), "no jobs yet; `gristmill jobs start` asks for one\n"));
    let (code, said, _) = jobs(&["start", "--wait", "--format", "json"]);
    let job: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!((code, job["status"].as_str(), job["files"]["new"].as_u64()), (Some(0), Some("succeeded"), Some(3)));
    let id = job["id"].as_str().unwrap();
    let (_, said, _) = jobs(&["list"]);
    assert!(said.contains(id) && said.contains("succeeded") && said.contains("3 new"), "{said}");
    let (_, said, _) = jobs(&["retry", id]);
    assert!(said.contains(&format!("repeats: {id}\n")), "{said}");
    // One that has ended stays as it is.
    let (_, said, _) = jobs(&["cancel", id]);
    assert!(said.contains("status:  succeeded\n"), "{said}");
    let (_, said, _) = jobs(&["report", id]);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&said).unwrap()["files"]["new"], 3);
    let (_, said, _) = jobs(&["list", "--project", "other"]);
    assert_eq!(said, "no jobs yet; `gristmill jobs start` asks for one\n");
    let (code, _, said) = jobs(&["start", "--project", "other"]);
    assert!(code == Some(2) && said.contains("other"), "{said}");
    let (code, _, said) = jobs(&["show", "job-999"]);
    assert!(code == Some(2) && said.starts_with("error: "), "{said}");
    let (code, _, said) = jobs(&["show", "../x"]);
    assert!(code == Some(2) && said.contains("no name of a job"), "{said}");
    drop(server);
    let (code, _, said) = jobs(&["list"]);
    assert!(code == Some(5) && said.contains("the server is not reached"), "{said}");
}

#[test]
fn events_end_with_the_job() {
    let (service, folder) = (Service::start(Duration::from_millis(20)), tempfile::tempdir().unwrap());
    configure(folder.path(), &service, "");
    write_documents(folder.path(), 5, 0);
    let server = Server::start(folder.path());
    let id = server.ingest(&nothing());
    let events = server.get(&format!("/v1/jobs/{id}/events"));
    assert_eq!(events.header("content-type"), Some("text/event-stream"));
    let text = events.text();
    let last = text.lines().rfind(|line| line.starts_with("data:")).unwrap();
    let last: serde_json::Value = serde_json::from_str(&last[5..]).unwrap();
    assert_eq!(last["status"], "succeeded");
    let history: Vec<&str> =
        last["history"].as_array().unwrap().iter().filter_map(|at| at["status"].as_str()).collect();
    assert_eq!(history, ["queued", "planning", "running", "succeeded"]);
    let path = format!("/v1/jobs/{id}/events");
    let version = last["version"].to_string();
    assert_eq!(send(&server.address, "GET", &path, &[("Last-Event-ID", &version)], b"").status, 204);
}

#[test]
fn a_stopped_job_ends_at_once_and_leaves_a_sound_store() {
    // Every request hangs: what is under way cannot end by itself.
    let service = Service::behaving(|number, _| if number < 2 { Reply::Vectors } else { Reply::Late });
    let folder = tempfile::tempdir().unwrap();
    configure(folder.path(), &service, "");
    write_documents(folder.path(), 20, 0);
    let server = Server::start(folder.path());
    let id = server.ingest(&nothing());
    while server.job(&id)["progress"]["embedded"].as_u64().unwrap() < 4 {
        std::thread::sleep(Duration::from_millis(10));
    }
    let job = server.post(&format!("/v1/jobs/{id}/cancel"), &nothing()).json();
    assert_eq!(job["status"], "cancelled");
    assert_eq!(server.job(&id)["status"], "cancelled");
    let before = stored(folder.path());
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(stored(folder.path()), before, "nothing is written after the stop");
    // The project is free again once the threads of the stopped job have ended.
    let second = server.ingest(&nothing());
    server.post(&format!("/v1/jobs/{second}/cancel"), &nothing());
    assert_eq!(server.ended(&second)["status"], "cancelled");
    assert_eq!(server.post(&format!("/v1/jobs/{id}/cancel"), &nothing()).json()["status"], "cancelled");
}

#[test]
fn jobs_that_wait_are_superseded_by_a_later_one() {
    let (service, folder) = (Service::start(Duration::from_millis(100)), tempfile::tempdir().unwrap());
    configure(folder.path(), &service, "");
    write_documents(folder.path(), 6, 0);
    let server = Server::start(folder.path());
    let first = server.ingest(&nothing());
    while server.job(&first)["status"] == "queued" {
        std::thread::sleep(Duration::from_millis(5));
    }
    let full = server.ingest(&json!({ "mode": "full" }));
    let some = server.ingest(&json!({ "select": ["1.md"] }));
    let last = server.ingest(&json!({ "select": ["2.md"] }));
    assert_eq!(server.ended(&full)["superseded_by"], some.as_str());
    assert_eq!(server.ended(&some)["superseded_by"], last.as_str());
    let last = server.ended(&last);
    // It does what all of them were to do: everything, anew.
    assert_eq!((&last["mode"], &last["scope"]), (&json!("full"), &json!("full")));
    assert_eq!(last["files"]["modified"], 6);
    assert_eq!(server.ended(&first)["status"], "succeeded");
    let run = server.jobs().iter().filter(|job| !job["started_at"].is_null()).count();
    assert_eq!(run, 2, "of four jobs two were run");
}

#[test]
fn a_selection_leaves_the_others_alone() {
    let (service, folder) = (Service::start(Duration::ZERO), tempfile::tempdir().unwrap());
    configure(folder.path(), &service, "");
    write_documents(folder.path(), 3, 0);
    let server = Server::start(folder.path());
    server.ended(&server.ingest(&nothing()));
    write_documents(folder.path(), 3, 1);
    std::fs::remove_file(folder.path().join("docs/2.md")).unwrap();
    let job = server.ended(&server.ingest(&json!({ "select": ["0.md"] })));
    assert_eq!(
        job["files"],
        json!({ "new": 0, "modified": 1, "moved": 0, "copied": 0, "unchanged": 0, "deleted": 0, "failed": 0 })
    );
    let job = server.ended(&server.ingest(&json!({ "select": ["2.md"] })));
    assert_eq!((&job["files"]["deleted"], &job["files"]["modified"]), (&json!(1), &json!(0)));
    let job = server.ended(&server.ingest(&nothing()));
    assert_eq!((&job["files"]["modified"], &job["files"]["unchanged"]), (&json!(1), &json!(1)));
    assert!(verifies(folder.path()));
}

#[test]
fn a_selection_in_vain_is_told() {
    let (service, folder) = (Service::start(Duration::ZERO), tempfile::tempdir().unwrap());
    configure(folder.path(), &service, "");
    write_documents(folder.path(), 2, 0);
    std::fs::create_dir(folder.path().join("docs/en")).unwrap();
    std::fs::write(folder.path().join("docs/en/a.md"), "# A\n\nText.\n").unwrap();
    let server = Server::start(folder.path());
    // Other ways to write a path are the same path.
    let job = server.ended(&server.ingest(&json!({ "select": ["en/", "./0.md"] })));
    assert_eq!((&job["files"]["new"], &job["warnings"]), (&json!(2), &json!([])), "{job}");
    assert_eq!(job["select"], json!(["0.md", "en"]));
    for asked in [json!({ "select": ["nope.md", "1.md"] }), json!({ "select": ["nope.md"], "dry_run": true })] {
        let job = server.ended(&server.ingest(&asked));
        assert_eq!(job["status"], "succeeded");
        let warnings = job["warnings"].as_array().unwrap();
        assert!(warnings.len() == 1 && warnings[0].as_str().unwrap().contains("`nope.md`"), "{job}");
    }
    let plan = server.post("/v1/plans", &json!({ "select": ["e", "en//"] })).json();
    assert_eq!(plan["plan"]["unmatched"], json!(["e"]), "{plan}");
    for wrong in ["", ".", "./", "..", "a/../b", "/a"] {
        let refused = server.post("/v1/jobs", &json!({ "select": [wrong] }));
        assert_eq!((refused.status, &refused.json()["errors"][0]["pointer"]), (422, &json!("/select/0")), "{wrong}");
    }
}

/// A plan remembers what it was made with, and counts what will be paid for.
#[test]
fn a_plan_is_followed_as_it_was_made() {
    let (service, folder) = (Service::start(Duration::ZERO), tempfile::tempdir().unwrap());
    configure(folder.path(), &service, "");
    write_documents(folder.path(), 3, 0);
    let server = Server::start(folder.path());
    server.ended(&server.ingest(&nothing()));
    for (asked, embedded, modified) in [
        (json!({ "mode": "recreate" }), 12, 3),
        (json!({ "mode": "full" }), 0, 3),
        (json!({ "mode": "full", "select": ["1.md"] }), 0, 1),
    ] {
        let saved = server.post("/v1/plans", &asked).json();
        assert_eq!(saved["plan"]["totals"]["embed"], embedded, "{asked}: {saved}");
        let job = server.ended(&server.ingest(&json!({ "plan_id": saved["id"] })));
        assert_eq!((&job["status"], &job["error"]), (&json!("succeeded"), &json!(null)), "{asked}: {job}");
        assert_eq!(
            (&job["chunks"]["embedded"], &job["files"]["modified"]),
            (&json!(embedded), &json!(modified)),
            "{asked}: {job}"
        );
    }
    let dry = server.ended(&server.ingest(&json!({ "mode": "recreate", "dry_run": true })));
    let report = server.get(&format!("/v1/jobs/{}/report", dry["id"].as_str().unwrap())).json();
    assert_eq!(report["totals"]["embed"], 12, "{report}");
}

#[test]
fn a_killed_server_begins_its_jobs_anew() {
    let (service, folder) = (Service::start(Duration::from_millis(5)), tempfile::tempdir().unwrap());
    configure(folder.path(), &service, "");
    write_documents(folder.path(), 12, 0);
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    for round in 1..=25 {
        write_documents(folder.path(), 12, round);
        let server = Server::start(folder.path());
        let before = server.jobs().len();
        let id = server.ingest(&nothing());
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        std::thread::sleep(Duration::from_millis(random % 150));
        server.kill();
        let server = Server::start(folder.path());
        assert_eq!(server.jobs().len(), before + 1, "the job is known");
        let job = server.ended(&id);
        assert_eq!(job["status"], "succeeded", "round {round}: {job}");
        // A chunk a paragraph, the heading with the first.
        let (texts, now) = (stored(folder.path()), format!("version {round} "));
        assert_eq!(texts.len(), 12 * 4, "round {round}");
        assert!(texts.iter().all(|text| text.contains(&now)), "round {round}");
        drop(server);
    }
    assert!(verifies(folder.path()));
}

#[cfg(unix)]
#[test]
fn a_server_that_is_told_to_end_puts_its_job_back() {
    let (service, folder) = (Service::start(Duration::from_millis(50)), tempfile::tempdir().unwrap());
    configure(folder.path(), &service, "");
    write_documents(folder.path(), 30, 0);
    let server = Server::start(folder.path());
    let id = server.ingest(&nothing());
    while server.job(&id)["status"] == "queued" {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(server.terminate());
    let server = Server::start(folder.path());
    let job = server.ended(&id);
    assert_eq!((&job["status"], &job["attempts"]), (&json!("succeeded"), &json!(1)), "{job}");
}

#[test]
fn two_servers_do_not_share_a_store() {
    let (service, folder) = (Service::start(Duration::ZERO), tempfile::tempdir().unwrap());
    configure(folder.path(), &service, "");
    let _first = Server::start(folder.path());
    let said = Server::try_start(folder.path()).err().unwrap();
    assert!(said.contains("another server runs the jobs"), "{said}");
}

#[test]
fn a_failed_job_says_why_and_can_be_repeated() {
    let service = Service::behaving(|number, _| {
        if number == 0 {
            Reply::Status(401, String::new(), "{\"error\":{\"message\":\"bad key\"}}")
        } else {
            Reply::Vectors
        }
    });
    let folder = tempfile::tempdir().unwrap();
    configure(folder.path(), &service, "");
    write_documents(folder.path(), 1, 0);
    let server = Server::start(folder.path());
    let job = server.ended(&server.ingest(&nothing()));
    assert_eq!(job["status"], "failed");
    let error = job["error"].to_string();
    assert!(error.contains("401") && !error.contains("k-secret"), "{error}");
    let path = format!("/v1/jobs/{}/retry", job["id"].as_str().unwrap());
    let retried = server.post(&path, &nothing()).json();
    assert_eq!(retried["retry_of"], job["id"]);
    assert_eq!(server.ended(retried["id"].as_str().unwrap())["status"], "succeeded");
}

#[test]
fn a_job_waits_while_it_is_told_to() {
    let service = Service::behaving(|number, _| {
        if number == 0 { Reply::Status(429, "Retry-After: 1\r\n".into(), "{}") } else { Reply::Vectors }
    });
    let folder = tempfile::tempdir().unwrap();
    configure(folder.path(), &service, "");
    write_documents(folder.path(), 1, 0);
    let server = Server::start(folder.path());
    let job = server.ended(&server.ingest(&nothing()));
    let history: Vec<&str> = job["history"].as_array().unwrap().iter().filter_map(|at| at["status"].as_str()).collect();
    assert_eq!(history, ["queued", "planning", "running", "waiting", "running", "succeeded"]);
}

#[test]
fn a_plan_is_followed_or_refused() {
    let (service, folder) = (Service::start(Duration::ZERO), tempfile::tempdir().unwrap());
    configure(folder.path(), &service, "");
    write_documents(folder.path(), 2, 0);
    let server = Server::start(folder.path());
    let dry = server.ended(&server.ingest(&json!({ "dry_run": true })));
    assert_eq!((&dry["status"], &dry["files"]["new"]), (&json!("succeeded"), &json!(2)));
    let plan = server.post("/v1/plans", &nothing());
    assert_eq!(plan.status, 201);
    let plan = plan.json();
    assert_eq!(plan["plan"]["files"]["new"], 2);
    assert!(service.take().is_empty(), "a plan embeds nothing");
    let id = plan["id"].as_str().unwrap();
    assert_eq!(server.get(&format!("/v1/plans/{id}")).json()["plan"], plan["plan"]);
    assert_eq!(server.ended(&server.ingest(&json!({ "plan_id": id })))["status"], "succeeded");
    write_documents(folder.path(), 2, 1);
    let job = server.ended(&server.ingest(&json!({ "plan_id": id })));
    assert_eq!((&job["status"], &job["error"]["code"]), (&json!("failed"), &json!("guard")), "{job}");
}

#[test]
fn a_repeated_request_asks_for_nothing_new() {
    let (service, folder) = (Service::start(Duration::ZERO), tempfile::tempdir().unwrap());
    configure(folder.path(), &service, "");
    let server = Server::start(folder.path());
    let headers = [("Content-Type", "application/json"), ("Idempotency-Key", "k-1")];
    let ask = |body: &[u8]| send(&server.address, "POST", "/v1/jobs", &headers, body);
    let (one, other) = (ask(b"{}"), ask(b"{}"));
    assert_eq!((one.status, other.status), (202, 202));
    assert_eq!(one.json()["id"], other.json()["id"]);
    assert_eq!(ask(b"{\"mode\":\"full\"}").status, 409);
    assert_eq!(server.jobs().len(), 1);
}
