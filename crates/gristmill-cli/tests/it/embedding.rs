//! Embedding services that misbehave: nothing wrong is stored, nothing is paid twice, the exit code is right.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::run::{Folder, Ran};
use crate::service::{Reply, Service, vector};

/// Documents of one chunk each.
const DOCUMENTS: usize = 12;

fn folder(service: &Service) -> Folder {
    let folder = Folder::new();
    for n in 0..DOCUMENTS {
        folder.write(&format!("docs/{n}.md"), format!("# Document {n}\n\nWord-{n}- stands in document {n} alone.\n"));
    }
    let url = service.url();
    folder.write(
        "gristmill.toml",
        format!(
            "version = 1\n[[source]]\npath = \"docs\"\n[embed]\nprovider = \"openai\"\nmodel = \"stub\"\n\
            base_url = \"{url}\"\nbatch_size = 3\nconcurrency = 2\ntimeout_seconds = 1\n"
        ),
    );
    folder
}

/// What is stored: text and vector by source. Every vector is that of its text.
fn stored(folder: &Folder) -> BTreeMap<String, String> {
    let ran = folder.run(&["export", "--format", "jsonl", "--with-vectors"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let mut all = BTreeMap::new();
    for line in ran.stdout.lines() {
        let point: Value = serde_json::from_str(line).unwrap();
        let text = point["content"].as_str().unwrap();
        let found: Vec<f64> = point["vector"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
        let right = vector(text);
        assert_eq!(found.len(), right.len());
        assert!(found.iter().zip(&right).all(|(a, b)| (a - f64::from(*b)).abs() < 1e-5), "{text}: {found:?}");
        all.insert(point["metadata"]["source"].as_str().unwrap().to_owned(), text.to_owned());
    }
    all
}

fn once(texts: &[String]) {
    let distinct: BTreeSet<&String> = texts.iter().collect();
    assert_eq!(distinct.len(), texts.len(), "a text got its vector twice: {texts:?}");
}

/// A run with a service that misbehaves and then comes to itself.
fn comes_through(behaviour: impl Fn(usize, &[String]) -> Reply + Send + Sync + 'static) -> Ran {
    let service = Service::behaving(behaviour);
    let folder = folder(&service);
    let ran = folder.run(&["ingest"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(stored(&folder).len(), DOCUMENTS);
    once(&service.take());
    ran
}

#[test]
fn answers_in_any_order_are_placed_by_their_index() {
    comes_through(|_, _| Reply::Reversed);
}

#[test]
fn a_pause_that_is_asked_for_is_kept_by_all_requests() {
    let times: &'static Mutex<Vec<Instant>> = Box::leak(Box::default());
    comes_through(|n, _| {
        times.lock().unwrap().push(Instant::now());
        let wait = "Retry-After: 1\r\n".to_owned();
        if n == 1 { Reply::Status(429, wait, "{\"error\": {\"message\": \"slow down\"}}") } else { Reply::Vectors }
    });
    let times = times.lock().unwrap();
    // One other request may have been under way when the service asked for the pause.
    let after = times.iter().filter(|time| **time > times[1] + Duration::from_millis(50));
    assert!(after.clone().count() > 0);
    assert!(after.clone().all(|time| *time >= times[1] + Duration::from_millis(900)), "{times:?}");
}

#[test]
fn a_pause_until_a_date_is_kept() {
    comes_through(|n, _| {
        // As RFC 9110 writes it; the service tells its own time, too.
        let wait = "Date: Sun, 06 Nov 1994 08:49:36 GMT\r\nRetry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\n".to_owned();
        if n == 0 { Reply::Status(429, wait, "{}") } else { Reply::Vectors }
    });
}

#[test]
fn what_passes_is_waited_for() {
    comes_through(|n, _| match n {
        0 => Reply::Status(500, String::new(), "oops"),
        1 => Reply::Cut,
        2 => Reply::Late,
        _ => Reply::Vectors,
    });
}

#[test]
fn a_text_without_a_good_vector_fails_alone_and_is_tried_again() {
    let healed: &'static AtomicUsize = Box::leak(Box::default());
    let service = Service::behaving(|_, _| match healed.load(Ordering::SeqCst) {
        0 => Reply::Broken("Word-7-"),
        _ => Reply::Vectors,
    });
    let folder = folder(&service);
    let ran = folder.run(&["ingest"]);
    assert_eq!(ran.code, Some(4), "{}", ran.stderr);
    assert!(ran.stderr.contains("7.md"), "{}", ran.stderr);
    let there = stored(&folder);
    assert_eq!(there.len(), DOCUMENTS - 1);
    assert!(!there.contains_key("7.md"));
    once(&service.take());
    healed.store(1, Ordering::SeqCst);
    assert_eq!(folder.run(&["ingest"]).code, Some(0));
    assert_eq!(service.take().len(), 1, "only what was missing");
    assert_eq!(stored(&folder).len(), DOCUMENTS);
}

#[test]
fn a_short_answer_is_not_stored() {
    let service = Service::behaving(|n, _| if n == 0 { Reply::Short } else { Reply::Vectors });
    let folder = folder(&service);
    assert_eq!(folder.run(&["ingest"]).code, Some(0));
    assert_eq!(stored(&folder).len(), DOCUMENTS);
}

#[test]
fn a_wrong_key_ends_the_run_before_anything_is_written() {
    let service =
        Service::behaving(|_, _| Reply::Status(401, String::new(), "{\"error\": {\"message\": \"no such key\"}}"));
    let folder = folder(&service);
    let ran = folder.run(&["ingest"]);
    assert_eq!(ran.code, Some(5), "{}", ran.stderr);
    assert!(ran.stderr.contains("no such key"), "{}", ran.stderr);
    assert!(stored(&folder).is_empty());
}

#[test]
fn a_quota_that_is_spent_midway_keeps_what_was_paid_for() {
    let spent = "{\"error\": {\"message\": \"you have no money\", \"code\": \"insufficient_quota\"}}";
    let healed: &'static AtomicUsize = Box::leak(Box::default());
    let service = Service::behaving(move |n, _| match healed.load(Ordering::SeqCst) {
        0 if n >= 2 => Reply::Status(429, String::new(), spent),
        _ => Reply::Vectors,
    });
    let folder = folder(&service);
    let ran = folder.run(&["ingest"]);
    assert_eq!(ran.code, Some(4), "{}", ran.stderr);
    assert!(ran.stderr.contains("you have no money"), "{}", ran.stderr);
    let paid = service.take();
    assert_eq!(stored(&folder).len(), paid.len());
    healed.store(1, Ordering::SeqCst);
    assert_eq!(folder.run(&["ingest"]).code, Some(0));
    let again = service.take();
    once(&[paid, again].concat());
    assert_eq!(stored(&folder).len(), DOCUMENTS);
}
