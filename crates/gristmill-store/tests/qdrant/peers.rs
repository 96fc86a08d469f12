//! The store over other servers than our stand-in, and our stand-in beside them: the engine itself and the in-memory mode
//! of the client (Python packages, see `tests/oracles/serve.py`), the stand-in of the shared cases, and a real server.
//! What is not there is skipped with a line that says so.

use std::io::{BufRead, BufReader};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use gristmill_http::{Client, ClientOptions, Headers, Method};
use serde_json::{Value, json};

use crate::contract::{self, Check};
use crate::double::{Behaviour, Double};
use crate::flow::{expect_left, live};
use crate::open::Opened;

/// A server in a process of its own, which ends when its standard input does.
struct Peer {
    process: Child,
    url: String,
}

impl Peer {
    /// Starts it; it prints its port or URL. `None` when it ends without doing so.
    fn start(command: &mut Command) -> Option<Self> {
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
        let mut line = String::new();
        BufReader::new(process.stdout.take()?).read_line(&mut line).ok()?;
        let told = line.trim();
        if told.is_empty() {
            _ = process.wait();
            return None;
        }
        let url = if told.starts_with("http") { told.to_owned() } else { format!("http://127.0.0.1:{told}") };
        Some(Self { process, url })
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        _ = self.process.wait();
    }
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// `GRISTMILL_TEST_PYTHON`, else the environment that `cargo xtask python` makes, else the system's.
fn python() -> Command {
    let own = repository().join("target/python/venv/bin/python");
    match std::env::var_os("GRISTMILL_TEST_PYTHON") {
        Some(python) => Command::new(python),
        None if own.exists() => Command::new(own),
        None => Command::new("python3"),
    }
}

fn oracle(kind: &str, package: &str) -> Option<Peer> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracles/serve.py");
    let peer = Peer::start(python().arg("-B").arg(script).arg(kind));
    if peer.is_none() {
        println!("skipped: install the Python package `{package}` and name its Python in GRISTMILL_TEST_PYTHON");
    }
    peer
}

/// Runs every check on a collection of its own.
fn holds_the_contract(opened: impl Fn() -> Opened) {
    contract::all(|check: Check| {
        let opened = opened();
        check(&|tenant| Box::new(opened.store(tenant)));
    });
}

fn named(url: &str) -> Opened {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let mut opened = Opened::new(url);
    opened.collection = format!("docs{}", NUMBER.fetch_add(1, Ordering::SeqCst));
    opened
}

#[test]
fn holds_the_contract_over_the_engine_itself() {
    let Some(peer) = oracle("edge", "qdrant-edge-py==0.9.0") else { return };
    holds_the_contract(|| named(&peer.url));
}

#[test]
fn lives_over_the_client_in_memory() {
    let Some(peer) = oracle("memory", "qdrant-client==1.20") else { return };
    let opened = named(&peer.url);
    live(&opened).unwrap();
    expect_left(&opened);
}

#[test]
fn lives_over_the_stand_in_of_the_cases() {
    let cases = repository().join("../shared/cases");
    if !cases.join("runner/qdrant.py").exists() {
        println!("skipped: the shared cases are not beside the repository");
        return;
    }
    for behaviour in ["{}", r#"{"strict": True, "page_size": 2}"#] {
        let script = format!(
            "import sys\nfrom runner.qdrant import QdrantStub\nstub = QdrantStub()\nstub.configure({behaviour})\n\
             print(stub.url, flush=True)\nsys.stdin.read()"
        );
        let Some(peer) = Peer::start(Command::new("python3").args(["-B", "-c", &script]).current_dir(&cases)) else {
            println!("skipped: `python3` does not run the stand-in of the cases");
            return;
        };
        let opened = named(&peer.url);
        live(&opened).unwrap_or_else(|error| panic!("{behaviour}: {}", error.chain()));
        expect_left(&opened);
    }
}

#[test]
fn holds_the_contract_over_a_real_server() {
    let Ok(url) = std::env::var("GRISTMILL_TEST_QDRANT_URL") else {
        println!("skipped: name a Qdrant server in GRISTMILL_TEST_QDRANT_URL");
        return;
    };
    let prefix = format!("gristmill-test-{}", std::process::id());
    let http = Client::new(ClientOptions::default()).unwrap();
    let clean = || {
        let listed = ask(&http, Method::Get, &format!("{url}/collections"), &Value::Null);
        let names = listed["collections"].as_array().unwrap().iter().filter_map(|one| one["name"].as_str());
        for name in names.filter(|name| name.starts_with(&prefix)) {
            ask(&http, Method::Delete, &format!("{url}/collections/{name}"), &Value::Null);
        }
    };
    // One check may fail there: how rare a word is right after removals, since a server counts removed texts until it
    // rewrites a segment, which it does not do for a few points.
    let failed = AtomicUsize::new(0);
    contract::all(|check: Check| {
        clean();
        let mut opened = named(&url);
        opened.collection = format!("{prefix}-{}", opened.collection);
        let run = AssertUnwindSafe(|| check(&|tenant| Box::new(opened.store(tenant))));
        failed.fetch_add(usize::from(catch_unwind(run).is_err()), Ordering::SeqCst);
    });
    clean();
    assert!(failed.load(Ordering::SeqCst) <= 1, "see above");
}

fn ask(http: &Client, method: Method, url: &str, body: &Value) -> Value {
    let body = (!body.is_null()).then(|| body.to_string());
    let headers = Headers::new().with("content-type", "application/json");
    let answer = http.send(method, url, &headers, body.as_ref().map(String::as_bytes)).unwrap();
    let mut parsed: Value = serde_json::from_slice(answer.body()).unwrap();
    assert!(answer.is_success(), "{url}: {parsed}");
    parsed["result"].take()
}

/// Points with payloads of many shapes, some without vectors.
fn points() -> Value {
    let payloads = [
        json!({"n": 3, "s": "x", "b": true, "l": ["a", "b"], "o": {"k": "v", "가": "나"}}),
        json!({"n": 3.0, "s": "y", "b": false, "l": ["b"], "o": {"k": ["v", "w"]}}),
        json!({"n": "3", "s": ["x", "z"], "l": [], "o": "v", "a'b": "c"}),
        json!({"n": [1, 3, 9], "s": null, "b": [true]}),
        json!({"n": 2.5, "o": [{"k": "v"}]}),
        json!({}),
    ];
    let point = |(n, payload): (usize, &Value)| {
        let at = n as f32;
        let dense = json!([1.0, at / 5.0, -at / 3.0]);
        let bm25 = json!({"indices": [1, 7 + n % 2, 100 + n], "values": [1.0 + at, 0.5, 2.0 / (1.0 + at)]});
        let vector = match n % 3 {
            0 => json!({"dense": dense, "bm25": bm25}),
            1 => json!({"bm25": bm25}),
            _ => json!({"dense": dense, "kept": [0.0, 0.0, 1.0]}),
        };
        json!({"id": format!("00000000-0000-0000-0000-0000000000{:02x}", 37 * (n + 1) % 256), "vector": vector, "payload": payload})
    };
    (0..12).map(|n| point((n, &payloads[n % payloads.len()]))).collect()
}

/// Requests whose answers must be the same: how, where, with what.
fn requests() -> Vec<(&'static str, Value)> {
    let conditions = [
        json!({"key": "n", "match": {"value": 3}}),
        json!({"key": "n", "range": {"gte": 3.0, "lte": 3.0}}),
        json!({"key": "n", "range": {"gt": 1.0, "lt": 3.0}}),
        json!({"key": "n", "match": {"value": "3"}}),
        json!({"key": "s", "match": {"value": "x"}}),
        json!({"key": "s", "match": {"any": ["y", "z"]}}),
        json!({"key": "b", "match": {"value": true}}),
        json!({"key": "l", "match": {"value": "b"}}),
        json!({"key": "o.k", "match": {"value": "v"}}),
        json!({"key": "o", "match": {"value": "v"}}),
        json!({"key": "o.\"가\"", "match": {"value": "나"}}),
        json!({"key": "\"a'b\"", "match": {"value": "c"}}),
        json!({"key": "absent", "match": {"value": "c"}}),
        json!({"has_id": ["00000000-0000-0000-0000-000000000025", "00000000-0000-0000-0000-0000000000ff"]}),
        json!({"has_vector": "bm25"}),
        json!({"has_vector": "kept"}),
    ];
    let mut filters: Vec<Value> = conditions.iter().map(|one| json!({"must": [one]})).collect();
    filters.extend(conditions.iter().map(|one| json!({"must_not": [one]})));
    filters.push(json!({"must": [conditions[1]], "must_not": [conditions[7]]}));
    filters.push(json!({"should": [conditions[4], conditions[8]], "must": [conditions[6]]}));
    let mut requests = Vec::new();
    for filter in filters {
        requests.push((
            "points/scroll",
            json!({"filter": filter, "limit": 100, "with_payload": true, "with_vector": true}),
        ));
        requests.push(("points/count", json!({"filter": filter, "exact": true})));
        for (query, using) in
            [(json!([0.5, 0.4, 0.1]), "dense"), (json!({"indices": [1, 7, 104], "values": [1.0, 1.0, 1.0]}), "bm25")]
        {
            let search = json!({"query": query, "using": using, "filter": filter, "limit": 5, "with_payload": false});
            requests.push(("points/query/batch", json!({"searches": [search]})));
        }
    }
    let page = json!({"limit": 5, "with_payload": {"include": ["n"]}, "with_vector": ["kept"]});
    requests.push(("points/scroll", page.clone()));
    let mut next = page;
    next["offset"] = "00000000-0000-0000-0000-000000000050".into();
    requests.push(("points/scroll", next));
    requests.push(("facet", json!({"key": "s", "limit": 10, "exact": true})));
    requests.push(("facet", json!({"key": "s", "limit": 10, "exact": true, "filter": {"must": [conditions[6]]}})));
    requests.push((
        "points",
        json!({"ids": ["00000000-0000-0000-0000-000000000025", "00000000-0000-0000-0000-0000000000fe"]}),
    ));
    requests.push(("points/delete?wait=true", json!({"filter": {"must": [conditions[7]]}})));
    requests.push((
        "points/delete?wait=true",
        json!({"points": ["00000000-0000-0000-0000-0000000000de", "00000000-0000-0000-0000-0000000000fe"]}),
    ));
    requests.push(("points/scroll", json!({"limit": 100})));
    requests
}

/// The differences that mean nothing: numbers in their last digits, the order of facets with the same count.
fn rounded(mut answer: Value) -> Value {
    fn round(value: &mut Value) {
        match value {
            Value::Number(number) => {
                *value = number.as_f64().map_or(Value::Null, |n| json!((n * 1e4).round() / 1e4 + 0.0));
            }
            Value::Array(elements) => elements.iter_mut().for_each(round),
            Value::Object(members) => members.values_mut().for_each(round),
            _ => {}
        }
    }
    round(&mut answer);
    if let Some(Value::Array(hits)) = answer.get_mut("hits") {
        hits.sort_by_key(|hit| hit["value"].to_string());
    }
    answer
}

/// What a server answers to all requests.
fn answers(url: &str) -> Vec<Value> {
    let http = Client::new(ClientOptions::default()).unwrap();
    let collection = format!("{url}/collections/oracle");
    let size = json!({"size": 3, "distance": "Cosine"});
    let config = json!({"vectors": {"dense": size, "kept": size}, "sparse_vectors": {"bm25": {"modifier": "idf"}}});
    ask(&http, Method::Put, &collection, &config);
    ask(
        &http,
        Method::Put,
        &format!("{collection}/index?wait=true"),
        &json!({"field_name": "s", "field_schema": "keyword"}),
    );
    ask(&http, Method::Put, &format!("{collection}/points?wait=true"), &json!({"points": points()}));
    let requests = requests();
    let answer =
        |(path, body): &(&str, Value)| rounded(ask(&http, Method::Post, &format!("{collection}/{path}"), body));
    requests.iter().map(answer).collect()
}

fn answers_as(kind: &str, package: &str) {
    let Some(peer) = oracle(kind, package) else { return };
    let double = Double::start(Behaviour::default());
    let (ours, theirs) = (answers(&double.url()), answers(&peer.url));
    for ((request, ours), theirs) in requests().iter().zip(ours).zip(theirs) {
        let asked = format!("{} {}", request.0, request.1);
        if !request.0.contains("delete") {
            assert_eq!(ours, theirs, "{asked}");
        }
    }
}

#[test]
fn the_stand_in_answers_as_the_engine() {
    answers_as("edge", "qdrant-edge-py==0.9.0");
}

#[test]
fn the_stand_in_answers_as_the_client_in_memory() {
    answers_as("memory", "qdrant-client==1.20");
}
