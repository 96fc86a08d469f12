//! Traces in the form of OpenTelemetry: a span for each request and each job, sent by OTLP over HTTP.
//!
//! What is sent when, how much of it, and with which headers is set by the variables of the environment that OpenTelemetry
//! names, such as `OTEL_EXPORTER_OTLP_HEADERS` and `OTEL_TRACES_SAMPLER`.

use std::env;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use axum::body::Body;
use axum::http::{Request, header};
use axum::response::Response;
use chrono::DateTime;
use gristmill::service::{Job, JobStatus, Poster};
use gristmill::{Error, Result};
use opentelemetry::propagation::TextMapPropagator;
use opentelemetry::trace::{Span, SpanKind, Status, Tracer, TracerProvider};
use opentelemetry::{Context, KeyValue};
use opentelemetry_http::{Bytes, HeaderExtractor, HttpClient, HttpError};
use opentelemetry_otlp::{SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider, Span as SdkSpan, SpanData};

use crate::app::WATCHED;

/// Where the specification of OTLP has traces, below the address of a collector.
const PATH: &str = "/v1/traces";
/// How long a collector may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long the end of the server waits for the last spans.
const LAST: Duration = Duration::from_secs(2);
/// The attribute that a request and the job it asked for share.
const JOB: &str = "gristmill.job.id";

/// Where spans go to, below the address of a collector.
///
/// # Errors
/// Config: not an address.
pub fn place(address: &str) -> Result<String> {
    let uri: axum::http::Uri = address.parse().map_err(|_| no_collector())?;
    let holds_secret = uri.query().is_some() || uri.authority().is_some_and(|host| host.as_str().contains('@'));
    if !matches!(uri.scheme_str(), Some("http" | "https")) || holds_secret {
        return Err(no_collector());
    }
    let base = address.trim_end_matches('/');
    Ok(if base.ends_with(PATH) { base.to_owned() } else { format!("{base}{PATH}") })
}

/// What stands there may hold a secret: it is not repeated.
fn no_collector() -> Error {
    Error::config("`server.traces` is not an address of a collector")
        .hint("such as `http://127.0.0.1:4318`; what it must be told goes into OTEL_EXPORTER_OTLP_HEADERS")
}

/// Tells a collector what took how long.
pub struct Traces {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
}

impl Traces {
    /// Begins to send to a collector, such as `http://127.0.0.1:4318`. What cannot be sent is told to `log` and given up.
    ///
    /// # Errors
    /// Config: not an address.
    pub fn start(address: &str, log: fn(&str)) -> Result<Self> {
        let place = place(address)?;
        let exporter = SpanExporter::builder().with_http().with_http_client(Client(Poster::new(PATIENCE)?));
        let exporter = exporter.with_endpoint(place).build().map_err(|cause| no_collector().because(cause))?;
        let exporter = Told { exporter, log, fails: AtomicBool::new(false) };
        let provider = SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource()).build();
        let tracer = provider.tracer("gristmill");
        Ok(Self { provider, tracer })
    }

    /// Begins the span of a request, below that of whoever sent it, if it says so.
    pub fn request(&self, request: &Request<Body>, route: &'static str) -> Option<SdkSpan> {
        if WATCHED.contains(&route) {
            return None;
        }
        let above =
            TraceContextPropagator::new().extract_with_context(&Context::new(), &HeaderExtractor(request.headers()));
        let method = request.method().as_str().to_owned();
        // By the names of the semantic conventions. The query is left out: it may hold what somebody searched for.
        let builder = self.tracer.span_builder(format!("{method} {route}")).with_kind(SpanKind::Server);
        let builder = builder.with_attributes([
            KeyValue::new("http.request.method", method),
            KeyValue::new("http.route", route),
            KeyValue::new("url.path", request.uri().path().to_owned()),
            KeyValue::new("url.scheme", "http"),
        ]);
        Some(builder.start_with_context(&self.tracer, &above))
    }

    /// Tells of a job that has ended: from when it was begun last, with where it has been since as events.
    pub fn job(&self, job: &Job) {
        let (Some(begun), Some(ended)) = (time(job.started_at.as_deref()), time(job.finished_at.as_deref())) else {
            return;
        };
        let builder = self.tracer.span_builder("job").with_kind(SpanKind::Internal).with_start_time(begun);
        let mut span = builder.start_with_context(&self.tracer, &Context::new());
        span.set_attributes([
            KeyValue::new(JOB, job.id.clone()),
            KeyValue::new("gristmill.project", job.project.clone()),
            KeyValue::new("gristmill.job.cause", job.cause.clone()),
            KeyValue::new("gristmill.job.status", job.status.name()),
            KeyValue::new("gristmill.job.attempts", i64::from(job.attempts)),
            KeyValue::new("gristmill.texts.embedded", count(job.progress.embedded)),
            KeyValue::new("gristmill.chunks.written", count(job.progress.written)),
        ]);
        for moment in &job.history {
            if let Some(at) = time(Some(&moment.at)).filter(|at| *at >= begun) {
                span.add_event_with_timestamp(moment.status.name(), at, Vec::new());
            }
        }
        if let (JobStatus::Failed | JobStatus::Partial, Some(error)) = (job.status, &job.error) {
            span.set_attribute(KeyValue::new("error.type", error.code.clone()));
            span.set_status(Status::error(error.message.clone()));
        }
        span.end_with_timestamp(ended);
    }

    /// Sends what is left, for a moment.
    pub fn end(&self) {
        // What fails is told where it is sent.
        let _ = self.provider.shutdown_with_timeout(LAST);
    }
}

/// Ends the span of a request.
pub fn answered(mut span: SdkSpan, response: &Response) {
    let status = response.status();
    span.set_attribute(KeyValue::new("http.response.status_code", i64::from(status.as_u16())));
    if let Some(job) =
        response.headers().get(header::LOCATION).and_then(|place| place.to_str().ok()?.strip_prefix("/v1/jobs/"))
    {
        span.set_attribute(KeyValue::new(JOB, job.to_owned()));
    }
    if status.is_server_error() {
        span.set_attribute(KeyValue::new("error.type", status.as_str().to_owned()));
        span.set_status(Status::error(""));
    }
    span.end();
}

/// What sends the spans: `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` may name it otherwise.
fn resource() -> Resource {
    let builder = Resource::builder().with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")));
    let named = env::var("OTEL_SERVICE_NAME").is_ok()
        || env::var("OTEL_RESOURCE_ATTRIBUTES").is_ok_and(|all| all.contains("service.name="));
    if named { builder.build() } else { builder.with_service_name("gristmill").build() }
}

fn time(at: Option<&str>) -> Option<SystemTime> {
    Some(DateTime::parse_from_rfc3339(at?).ok()?.into())
}

fn count(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Sends by the client that everything else is sent by. It is called from a thread of its own, which may wait.
#[derive(Debug)]
struct Client(Poster);

#[async_trait]
impl HttpClient for Client {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<axum::http::Response<Bytes>, HttpError> {
        let (head, body) = request.into_parts();
        let headers = head.headers.iter().filter_map(|(name, value)| Some((name.as_str(), value.to_str().ok()?)));
        let posted = self.0.post(&head.uri.to_string(), headers, &body)?;
        let mut answer = axum::http::Response::builder().status(posted.status);
        for (name, value) in posted.headers {
            answer = answer.header(name, value);
        }
        Ok(answer.body(posted.body.into())?)
    }
}

/// An exporter that says when it begins to fail, and when it no longer does.
#[derive(Debug)]
struct Told {
    exporter: SpanExporter,
    log: fn(&str),
    fails: AtomicBool,
}

impl opentelemetry_sdk::trace::SpanExporter for Told {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let done = opentelemetry_sdk::trace::SpanExporter::export(&self.exporter, batch).await;
        match (&done, self.fails.swap(done.is_err(), Ordering::Relaxed)) {
            (Err(error), false) => (self.log)(&format!("traces cannot be sent: {error}")),
            (Ok(()), true) => (self.log)("traces are sent again"),
            _ => {}
        }
        done
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}
