//! What went wrong, as RFC 9457 tells it.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use gristmill::{Error, ErrorKind};
use schemars::JsonSchema;
use serde::Serialize;

/// What went wrong.
#[derive(Debug)]
pub struct Problem {
    pub status: u16,
    pub code: &'static str,
    pub detail: String,
    pub hint: Option<String>,
    pub errors: Vec<Wrong>,
    retryable: bool,
    retry_after: Option<u32>,
}

/// What went wrong, as it is sent.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Problem")]
pub struct Told<'p> {
    /// A name of this kind of problem, as a URI.
    #[serde(rename = "type")]
    kind: String,
    /// The kind of problem in words.
    title: String,
    /// The status of the answer.
    status: u16,
    /// What happened this time.
    detail: &'p str,
    /// The kind of problem in one word, for programs.
    code: &'static str,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'p str>,
    /// What is wrong with the request, place by place.
    errors: &'p [Wrong],
    /// True when the same request may succeed later.
    retryable: bool,
}

/// What is wrong at one place of a request.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Wrong {
    /// Where, as a JSON pointer into the body, or the name of a parameter.
    pub pointer: String,
    /// What.
    pub detail: String,
}

impl Problem {
    pub fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Self {
        Self {
            status: status.as_u16(),
            code,
            detail: detail.into(),
            hint: None,
            errors: Vec::new(),
            retryable: false,
            retry_after: None,
        }
    }

    pub fn not_found(what: &str, name: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", format!("there is no {what} `{name}`"))
    }

    pub fn bug(detail: &str) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "bug", detail)
    }

    pub fn ending() -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "ending", "the server is ending").later(5)
    }

    pub fn invalid(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", detail)
    }

    /// The kind of problem in words.
    pub fn title(&self) -> String {
        self.code.replace('-', " ")
    }

    /// Says in an answer when to try again.
    pub fn tell_when(&self, response: &mut Response) {
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
    }

    fn told(&self) -> Told<'_> {
        Told {
            kind: format!("urn:gristmill:problem:{}", self.code),
            title: self.title(),
            status: self.status,
            detail: &self.detail,
            code: self.code,
            hint: self.hint.as_deref(),
            errors: &self.errors,
            retryable: self.retryable,
        }
    }

    /// The same with what to do about it.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same with a place of the request.
    pub fn pointing(mut self, pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        self.errors.push(Wrong { pointer: pointer.into(), detail: detail.into() });
        self
    }

    /// The same with the advice to try again after some seconds.
    pub fn later(mut self, seconds: u32) -> Self {
        (self.retryable, self.retry_after) = (true, Some(seconds));
        self
    }
}

/// The one place that says which status an error of the façade has.
fn status(kind: ErrorKind) -> (StatusCode, &'static str) {
    match kind {
        ErrorKind::Usage => (StatusCode::UNPROCESSABLE_ENTITY, "usage"),
        ErrorKind::Config => (StatusCode::UNPROCESSABLE_ENTITY, "config"),
        ErrorKind::Input => (StatusCode::UNPROCESSABLE_ENTITY, "input"),
        ErrorKind::Remote => (StatusCode::BAD_GATEWAY, "remote"),
        ErrorKind::Store => (StatusCode::SERVICE_UNAVAILABLE, "store"),
        ErrorKind::Guard => (StatusCode::CONFLICT, "guard"),
        ErrorKind::Cancelled => (StatusCode::CONFLICT, "cancelled"),
        ErrorKind::ClosedPipe | ErrorKind::Bug => (StatusCode::INTERNAL_SERVER_ERROR, "bug"),
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let (status, code) = status(error.kind());
        let mut problem = Self::new(status, code, error.chain());
        problem.hint = error.hint_text().map(str::to_owned);
        if matches!(error.kind(), ErrorKind::Remote | ErrorKind::Store) { problem.later(10) } else { problem }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, Json(self.told())).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        self.tell_when(&mut response);
        response
    }
}
