//! What a collector of traces is told.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value as Held;
use opentelemetry_proto::tonic::trace::v1::{Span, span::SpanKind, status::StatusCode};
use prost::Message;
use serde_json::json;

use super::http::send;
use super::server::{Server, configure, write_documents};
use crate::service::Service;

/// What a collector was sent: the head of the request, and the spans with the name of the service.
struct Sent {
    head: String,
    service: String,
    spans: Vec<Span>,
}

/// A collector that takes everything.
fn collector() -> (String, Receiver<Sent>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let (told, sent) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let told = told.clone();
            std::thread::spawn(move || while take(&stream, &told).is_some() {});
        }
    });
    (address, sent)
}

fn take(stream: &TcpStream, told: &Sender<Sent>) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        (reader.read_line(&mut head).ok()? > 0).then_some(())?;
    }
    let length = head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; length?];
    reader.read_exact(&mut body).ok()?;
    let request = ExportTraceServiceRequest::decode(&*body).ok()?;
    for all in request.resource_spans {
        let service = text(&all.resource?.attributes, "service.name")?;
        let spans = all.scope_spans.into_iter().flat_map(|scope| scope.spans).collect();
        told.send(Sent { head: head.clone(), service, spans }).ok()?;
    }
    (&mut &*stream).write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").ok()
}

fn text(attributes: &[opentelemetry_proto::tonic::common::v1::KeyValue], name: &str) -> Option<String> {
    match attributes.iter().find(|one| one.key == name)?.value.as_ref()?.value.as_ref()? {
        Held::StringValue(text) => Some(text.clone()),
        Held::IntValue(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(unix)]
#[test]
fn requests_and_jobs_are_traced_without_what_is_secret() {
    let (collector, sent) = collector();
    let (service, folder) = (Service::start(Duration::ZERO), tempfile::tempdir().unwrap());
    configure(folder.path(), &service, &format!("traces = \"http://{collector}\"\n"));
    write_documents(folder.path(), 2, 0);
    let server = Server::start(folder.path());
    // The identifiers are those of the W3C's example.
    let above = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    let headers = [("Traceparent", above), ("Content-Type", "application/json")];
    let asked = send(&server.address, "POST", "/v1/jobs?q=asked-secret", &headers, b"{}");
    let id = asked.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(server.ended(&id)["status"], "succeeded");
    assert_eq!(server.get("/healthz").status, 200);
    assert_eq!(server.post("/v1/search", &json!({ "query": "body-secret" })).status, 200);
    assert!(server.terminate());

    let sent: Vec<Sent> = sent.try_iter().collect();
    assert!(!sent.is_empty());
    for one in &sent {
        assert!(one.head.starts_with("POST /v1/traces HTTP/1.1\r\n"), "{}", one.head);
        assert_eq!(one.service, "gristmill");
    }
    let spans: Vec<&Span> = sent.iter().flat_map(|one| &one.spans).collect();
    let named =
        |name: &str| spans.iter().copied().find(|span| span.name == name).unwrap_or_else(|| panic!("no {name}"));
    let request = named("POST /v1/jobs");
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    assert_eq!(hex(&request.trace_id), "4bf92f3577b34da6a3ce929d0e0e4736");
    assert_eq!(hex(&request.parent_span_id), "00f067aa0ba902b7");
    assert_eq!(request.kind, SpanKind::Server as i32);
    assert_eq!(text(&request.attributes, "http.response.status_code").as_deref(), Some("202"));
    assert_eq!(text(&request.attributes, "gristmill.job.id"), Some(id.clone()));
    let job = named("job");
    assert_eq!(text(&job.attributes, "gristmill.job.id"), Some(id));
    assert_eq!(text(&job.attributes, "gristmill.job.status").as_deref(), Some("succeeded"));
    assert!(job.start_time_unix_nano <= job.end_time_unix_nano && job.start_time_unix_nano > 0);
    assert_eq!(job.events.last().unwrap().name, "succeeded");
    assert!(job.status.as_ref().is_none_or(|status| status.code != StatusCode::Error as i32));
    assert!(spans.iter().all(|span| !span.name.contains("healthz")));
    let all = format!("{spans:?}");
    for secret in ["asked-secret", "body-secret", "k-secret", "case-secret", "Paragraph"] {
        assert!(!all.contains(secret), "{secret}");
    }
}

#[cfg(unix)]
#[test]
fn a_collector_that_is_not_there_stops_nothing() {
    let (service, folder) = (Service::start(Duration::ZERO), tempfile::tempdir().unwrap());
    // Nobody listens at the port of discarded bytes.
    configure(folder.path(), &service, "traces = \"http://127.0.0.1:9\"\n");
    write_documents(folder.path(), 1, 0);
    let server = Server::start(folder.path());
    let job = server.ingest(&json!({}));
    assert_eq!(server.ended(&job)["status"], "succeeded");
    assert!(server.terminate());
}

#[test]
fn an_address_that_is_none_is_told() {
    let (service, folder) = (Service::start(Duration::ZERO), tempfile::tempdir().unwrap());
    for address in ["collector", "ftp://127.0.0.1", "http://127.0.0.1:1/?k=secret", "http://me:secret@127.0.0.1:1"] {
        configure(folder.path(), &service, &format!("traces = \"{address}\"\n"));
        let said = Server::try_start(folder.path()).err().unwrap();
        assert!(said.contains("`server.traces` is not an address of a collector"), "{said}");
        assert!(said.contains("http://127.0.0.1:4318") && !said.contains("secret"), "{said}");
    }
}
