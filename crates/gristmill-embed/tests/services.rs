//! Services that misbehave: every text gets its own vector, none is paid for twice, and what cannot be helped ends.

mod stub;

use std::sync::Arc;
use std::time::Duration;

use gristmill_core::Purpose;
use gristmill_embed::{EmbedderOptions, embedder};
use serde_json::{Value, json};
use stub::{Reply, Request, Stub, good, lines, refusal, vector_of};

const TEXTS: &[&str] =
    &["one", "two words", "three more words", "four", "five", "six", "seven", "bad one", "nine", "ten"];

/// Serves well, but what `spoil` does to the lines of an answer.
fn spoiled(spoil: impl Fn(&Request, &mut Vec<Value>) + Send + Sync + 'static) -> Stub {
    Stub::new(move |request| {
        let mut lines = lines(request);
        spoil(request, &mut lines);
        Reply::Json(200, json!({ "data": lines }))
    })
}

/// Changes the line of the bad text.
fn spoiled_for_bad(spoil: impl Fn(&mut Value) + Send + Sync + 'static) -> Stub {
    spoiled(move |request, lines| {
        let texts = request.texts();
        lines.iter_mut().zip(texts).filter(|(_, text)| *text == "bad one").for_each(|(line, _)| spoil(line));
    })
}

fn assert_only_bad_is_lost(stub: &Stub) {
    let trial = stub.run(&stub.options(), TEXTS);
    trial.assert_right_but(TEXTS, &["bad one"]);
    let why = trial.answers[&7].as_ref().unwrap_err();
    assert!(why.starts_with("`openai` model `stub-embed`: "), "{why}");
    assert!(stub.requests() <= 9, "halving of ten texts: {}", stub.requests());
}

#[test]
fn answers_are_put_in_order_by_index() {
    let stub = spoiled(|_, lines| lines.reverse());
    stub.run(&stub.options(), TEXTS).assert_right_but(TEXTS, &[]);
    assert_eq!(stub.requests(), 1);
}

#[test]
fn answers_without_index_are_in_order() {
    let stub = spoiled(|_, lines| {
        lines.iter_mut().for_each(|line| drop(line.as_object_mut().unwrap().remove("index")));
    });
    stub.run(&stub.options(), TEXTS).assert_right_but(TEXTS, &[]);
}

#[test]
fn base64_is_asked_for_and_read() {
    let stub = spoiled(|request, lines| {
        assert_eq!(request.body["encoding_format"], "base64");
        // "AACAPwAAAEAAAEBA" is 1, 2, 3 as little-endian 32-bit floats.
        lines[0]["embedding"] = json!("AACAPwAAAEAAAEBA");
    });
    let trial = stub.run(&stub.options(), &["x"]);
    let vector = trial.answers[&0].as_ref().unwrap();
    let expected = [1.0, 2.0, 3.0].map(|number: f32| number / 14f32.sqrt());
    assert!(vector.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{vector:?}");
}

#[test]
fn a_service_without_base64_is_asked_for_numbers() {
    let stub = Stub::new(|request| match request.body["encoding_format"].as_str() {
        Some("base64") => refusal(400, "unsupported value of encoding_format"),
        _ => good(request),
    });
    stub.run(&stub.options(), TEXTS).assert_right_but(TEXTS, &[]);
    assert_eq!(stub.requests(), 2);
}

#[test]
fn a_wrong_vector_costs_its_text_alone() {
    assert_only_bad_is_lost(&spoiled_for_bad(|line| line["embedding"][1] = Value::Null));
    assert_only_bad_is_lost(&spoiled_for_bad(|line| line["embedding"] = json!([0.0, 0.0, 0.0])));
    assert_only_bad_is_lost(&spoiled_for_bad(|line| line["embedding"] = json!([0.5, 0.5])));
    assert_only_bad_is_lost(&spoiled_for_bad(|line| line["index"] = json!(99)));
    assert_only_bad_is_lost(&Stub::new(|request| match request.texts().contains(&"bad one") {
        true => refusal(400, "an input is not acceptable"),
        false => good(request),
    }));
}

#[test]
fn answers_that_are_short_or_doubled_are_not_trusted() {
    let short = spoiled(|_, lines| {
        if lines.len() > 2 {
            lines.pop();
        }
    });
    short.run(&short.options(), TEXTS).assert_right_but(TEXTS, &[]);
    let doubled = spoiled(|_, lines| {
        if lines.len() > 3 {
            lines[3]["index"] = json!(2);
        }
    });
    doubled.run(&doubled.options(), TEXTS).assert_right_but(TEXTS, &[]);
}

#[test]
fn no_text_that_got_its_vector_is_sent_again() {
    let stub = Stub::new(|request| match request.texts() {
        texts if texts.len() > 4 => refusal(400, "too many inputs"),
        texts if texts.contains(&"bad one") => refusal(422, "not acceptable"),
        _ if request.number % 3 == 0 => refusal(503, "try again later"),
        _ => good(request),
    });
    let trial = stub.run(&EmbedderOptions { concurrency: Some(3), ..stub.options() }, TEXTS);
    trial.assert_right_but(TEXTS, &["bad one"]);
    let seen = stub.seen.lock().unwrap();
    let answered = seen.iter().filter(|request| {
        let texts = request.texts();
        texts.len() <= 4 && !texts.contains(&"bad one") && request.number % 3 != 0
    });
    assert!(stub::distinct(answered.flat_map(Request::texts)));
}

#[test]
fn a_request_that_is_too_large_is_halved() {
    for (status, words) in [(413, "the body is too large"), (400, "max tokens per request"), (400, "batch size 10 > 3")]
    {
        let stub = Stub::new(move |request| match request.texts().len() {
            4.. => refusal(status, words),
            _ => good(request),
        });
        stub.run(&stub.options(), TEXTS).assert_right_but(TEXTS, &[]);
        // Ten and five are refused, then two at most are sent: 2, 1, 2 of each five.
        assert_eq!(stub.requests(), 8, "{status}");
    }
}

/// Fails on two requests with this answer, and asserts that the service was left alone for `pause` after each.
fn assert_pause(pause: Duration, reply: impl Fn() -> Reply + Send + Sync + 'static) {
    let stub = Stub::new(move |request| if [2, 3].contains(&request.number) { reply() } else { good(request) });
    let options = EmbedderOptions { batch_size: Some(2), ..stub.options() };
    stub.run(&options, TEXTS).assert_right_but(TEXTS, &[]);
    let seen = stub.seen.lock().unwrap();
    assert_eq!(seen.len(), 7, "five requests, two of them three times");
    for number in [2, 3] {
        assert!(seen[number].at >= seen[number - 1].at + pause, "{:?} {:?}", seen[number].at, seen[number - 1].at);
    }
}

#[test]
fn the_pause_a_service_asks_for_is_kept() {
    assert_pause(Duration::from_secs(2), || Reply::Header(429, "Retry-After", "2".into(), json!({})));
    assert_pause(Duration::from_secs(3), || Reply::Header(503, "Retry-After", "3".into(), json!({})));
    // Dates against the service's own clock: RFC 9110, 5.6.7.
    let dates = "Sun, 06 Nov 1994 08:49:37 GMT\r\nDate: Sun, 06 Nov 1994 08:49:30 GMT";
    assert_pause(Duration::from_secs(7), move || Reply::Header(429, "Retry-After", dates.into(), json!({})));
}

#[test]
fn without_a_pause_asked_for_it_grows() {
    assert_pause(Duration::from_millis(375), || refusal(429, "slow down"));
    assert_pause(Duration::from_millis(375), || Reply::Html(502));
    assert_pause(Duration::from_millis(375), || Reply::Cut);
    assert_pause(Duration::from_millis(375), || Reply::Html(200));
}

#[test]
fn silence_is_borne() {
    let stub = Stub::new(|request| if request.number == 1 { Reply::Silence } else { good(request) });
    let options = EmbedderOptions { timeout: Some(Duration::from_millis(200)), ..stub.options() };
    stub.run(&options, TEXTS).assert_right_but(TEXTS, &[]);
}

#[test]
fn a_wrong_key_ends_it_and_is_not_shown() {
    let stub = Stub::new(|_| refusal(401, "incorrect API key provided: s3cret."));
    let trial = stub.run(&stub.options(), TEXTS);
    let error = trial.ended.unwrap();
    let expected = "`openai` model `stub-embed`: refused with status 401: incorrect API key provided: …";
    assert_eq!(error.to_string(), expected);
    assert!(error.hint_text().is_some_and(|hint| hint.contains("api_key_env")));
    assert_eq!((stub.requests(), trial.answers.len()), (1, 0));
}

#[test]
fn an_empty_purse_ends_it_after_what_was_paid_for() {
    let stub = Stub::new(|request| match request.number {
        1 | 2 => good(request),
        _ => Reply::Json(429, json!({"error": {"message": "no more", "code": "insufficient_quota"}})),
    });
    let trial = stub.run(&EmbedderOptions { batch_size: Some(2), ..stub.options() }, TEXTS);
    assert!(trial.ended.unwrap().to_string().ends_with("refused with status 429: no more"));
    assert_eq!(trial.answers.keys().copied().collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert_eq!(stub.requests(), 3);
}

#[test]
fn a_service_that_is_always_busy_is_given_up() {
    let stub = Stub::new(|_| refusal(503, "try again later"));
    let trial = stub.run(&stub.options(), TEXTS);
    let error = trial.ended.unwrap().to_string();
    assert!(error.starts_with("`openai/stub-embed` failed 5 times: ") && error.ends_with("try again later"), "{error}");
}

#[test]
fn a_service_that_is_not_there_is_told_with_a_hint() {
    let options = EmbedderOptions {
        model: Some("m".into()),
        base_url: Some("http://127.0.0.1:1/v1".into()),
        ..EmbedderOptions::default()
    };
    let trial = stub::run(embedder("openai", &options).unwrap(), Arc::<stub::Leap>::default(), TEXTS);
    let error = trial.ended.unwrap();
    assert!(error.to_string().contains("`127.0.0.1:1`"), "{error}");
    assert!(error.hint_text().is_some_and(|hint| hint.contains("base_url")));
}

#[test]
fn blank_texts_are_not_sent() {
    let stub = Stub::new(good);
    let trial = stub.run(&stub.options(), &["", " \n", "\u{200b}", "one"]);
    assert_eq!(trial.answers[&1], Ok(Vec::new()));
    assert_eq!(stub.seen.lock().unwrap()[0].texts(), ["one"]);
}

#[test]
fn equal_texts_are_sent_once() {
    let stub = Stub::new(good);
    let texts = ["one", "two", "one", "one"];
    stub.run(&stub.options(), &texts).assert_right_but(&texts, &[]);
    assert_eq!((stub.times("one"), stub.requests()), (1, 1));
}

#[test]
fn azure_is_asked_in_its_own_way() {
    let stub = Stub::new(good);
    let base_url = Some(format!("{}/openai/deployments/e", stub.url));
    let options = EmbedderOptions { base_url, api_version: Some("2024-10-21".into()), ..stub.options() };
    stub.run(&options, &["one"]).assert_right_but(&["one"], &[]);
    let seen = stub.seen.lock().unwrap();
    let head = &seen[0].head;
    assert!(head.starts_with("post /v1/openai/deployments/e/embeddings?api-version=2024-10-21 "), "{head}");
    assert!(head.contains("api-key: s3cret\r\n") && !head.contains("authorization"), "{head}");
}

/// Embeds two texts by a provider and gives what was asked.
fn asked(
    provider: &str,
    purpose: Purpose,
    serve: impl Fn(&Request) -> Reply + Send + Sync + 'static,
) -> (String, Value) {
    let stub = Stub::new(serve);
    let options = EmbedderOptions { dimensions: Some(3), ..stub.options() };
    let embedder = embedder(provider, &options).unwrap();
    let vectors = embedder.embed(&["one", "two"], purpose).unwrap();
    for (vector, text) in vectors.iter().zip(["one", "two"]) {
        let expected = vector_of(text);
        let dot: f32 = vector.iter().zip(&expected).map(|(a, b)| a * b).sum();
        let length = expected.iter().map(|number| number * number).sum::<f32>().sqrt();
        assert!((dot / length - 1.0).abs() < 1e-6, "{text}");
    }
    assert_eq!(embedder.name(), format!("{provider}/stub-embed@3"));
    let seen = stub.seen.lock().unwrap();
    assert!(seen[0].head.contains("authorization: bearer s3cret\r\n"), "{}", seen[0].head);
    (seen[0].head.split(' ').nth(1).unwrap().to_owned(), seen[0].body.clone())
}

fn numbers(request: &Request) -> Vec<Vec<f32>> {
    request.texts().into_iter().map(vector_of).collect()
}

#[test]
fn openai_is_asked_for_a_length() {
    let (path, body) = asked("openai", Purpose::Query, good);
    assert_eq!(path, "/v1/embeddings");
    let expected =
        json!({"model": "stub-embed", "input": ["one", "two"], "encoding_format": "base64", "dimensions": 3});
    assert_eq!(body, expected);
}

#[test]
fn voyage_tells_passages_from_queries_and_cuts_nothing() {
    let (path, body) = asked("voyage", Purpose::Passage, good);
    assert_eq!(path, "/v1/embeddings");
    let mut expected = json!({
        "model": "stub-embed", "input": ["one", "two"], "input_type": "document", "truncation": false,
        "encoding_format": "base64", "output_dimension": 3,
    });
    assert_eq!(body, expected);
    expected["input_type"] = json!("query");
    assert_eq!(asked("voyage", Purpose::Query, good).1, expected);
}

#[test]
fn cohere_tells_passages_from_queries_and_cuts_nothing() {
    let serve = |request: &Request| Reply::Json(200, json!({"embeddings": {"float": numbers(request)}}));
    let (path, body) = asked("cohere", Purpose::Passage, serve);
    assert_eq!(path, "/v1/embed");
    let mut expected = json!({
        "model": "stub-embed", "texts": ["one", "two"], "input_type": "search_document", "truncate": "NONE",
        "embedding_types": ["float"], "output_dimension": 3,
    });
    assert_eq!(body, expected);
    expected["input_type"] = json!("search_query");
    assert_eq!(asked("cohere", Purpose::Query, serve).1, expected);
}

#[test]
fn ollama_is_told_to_cut_nothing() {
    let serve = |request: &Request| Reply::Json(200, json!({"embeddings": numbers(request)}));
    let (path, body) = asked("ollama", Purpose::Passage, serve);
    assert_eq!(path, "/api/embed");
    let expected = json!({"model": "stub-embed", "input": ["one", "two"], "truncate": false, "dimensions": 3});
    assert_eq!(body, expected);
}
