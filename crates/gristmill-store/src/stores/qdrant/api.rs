//! Requests to the server's REST interface, tried again while that can help. All of them may be repeated: points have
//! identities of their own, so that a request whose answer was lost does the same once more.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, UNIX_EPOCH};

use gristmill_core::{Error, ErrorKind, Result, Retry};
use gristmill_http::{Client, ClientOptions, Headers, Method, Response, retry_after};
use serde_json::Value;

/// How often a request is sent.
const TRIES: u32 = 6;
/// The first pause; each one after it is twice as long.
const PAUSE: Duration = Duration::from_millis(50);
/// The longest pause, also where the server asks for a longer one.
const PAUSE_MAX: Duration = Duration::from_secs(20);
/// Bytes of a request, until the server wants fewer. Servers take 32 MB unless told otherwise, proxies before them often less.
const BODY_LIMIT: usize = 4_000_000;
const TIMEOUT: Duration = Duration::from_secs(120);

/// A server.
pub(super) struct Api {
    http: Client,
    base: String,
    headers: Headers,
    body_limit: AtomicUsize,
    clock: Arc<dyn Fn() -> u64 + Send + Sync>,
}

/// Why a request did not do what it should.
#[derive(Debug)]
pub(super) struct Failure {
    /// The status of the answer, 0 without one.
    pub(super) status: u16,
    /// A filter names a field without an index, and the server allows none.
    pub(super) needs_index: bool,
    /// More points were asked for than the server gives at a time: what it gives, 0 where it does not tell.
    pub(super) above_limit: Option<usize>,
    pub(super) error: Box<Error>,
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        *failure.error
    }
}

impl Api {
    /// # Errors
    /// When the URL is not one of `http` or `https`.
    pub(super) fn new(url: &str, key: Option<&str>, clock: Arc<dyn Fn() -> u64 + Send + Sync>) -> Result<Self> {
        let base = url.trim_end_matches('/');
        if !base.starts_with("http://") && !base.starts_with("https://") {
            return Err(Error::config("the URL of the store is not one of `http` or `https`")
                .hint("set `[store] url`, such as `http://localhost:6333`"));
        }
        let headers = Headers::new().with("content-type", "application/json");
        let headers = key.into_iter().fold(headers, |headers, key| headers.with("api-key", key));
        let http = Client::new(ClientOptions { timeout: TIMEOUT, ..ClientOptions::default() })?;
        Ok(Self { http, base: base.to_owned(), headers, body_limit: AtomicUsize::new(BODY_LIMIT), clock })
    }

    pub(super) fn get(&self, path: &str) -> Result<Value, Failure> {
        self.call(Method::Get, path, None)
    }

    pub(super) fn post(&self, path: &str, body: &Value) -> Result<Value, Failure> {
        self.call(Method::Post, path, Some(&body.to_string()))
    }

    pub(super) fn put(&self, path: &str, body: &Value) -> Result<Value, Failure> {
        self.call(Method::Put, path, Some(&body.to_string()))
    }

    pub(super) fn delete(&self, path: &str) -> Result<Value, Failure> {
        self.call(Method::Delete, path, None)
    }

    /// Sends `{"field": [parts]}` in as many requests as the server's limits need, each of `most` parts at most.
    pub(super) fn send_parts(
        &self,
        method: Method,
        path: &str,
        field: &str,
        parts: &[String],
        most: usize,
    ) -> Result<(), Failure> {
        let mut rest = parts;
        while !rest.is_empty() {
            let count = self.fitting(rest, most);
            let body = format!("{{\"{field}\":[{}]}}", rest[..count].join(","));
            match self.call(method, path, Some(&body)) {
                Ok(_) => rest = &rest[count..],
                Err(failure) if failure.status == 413 && count > 1 => self.lower_limit(body.len() / 2),
                Err(failure) => return Err(failure),
            }
        }
        Ok(())
    }

    /// How many parts one request takes, at least one.
    fn fitting(&self, parts: &[String], most: usize) -> usize {
        let limit = self.body_limit.load(Ordering::Relaxed);
        let mut bytes = 32;
        let fits = |part: &&String| {
            bytes += part.len() + 1;
            bytes <= limit
        };
        parts.iter().take(most).take_while(fits).count().max(1)
    }

    fn lower_limit(&self, bytes: usize) {
        self.body_limit.fetch_min(bytes, Ordering::Relaxed);
    }

    fn call(&self, method: Method, path: &str, body: Option<&str>) -> Result<Value, Failure> {
        let mut pause = PAUSE;
        for _ in 1..TRIES {
            match self.once(method, path, body) {
                Err((_, Some(asked))) => {
                    sleep(pause.max(asked).min(PAUSE_MAX));
                    pause *= 2;
                }
                result => return result.map_err(|(failure, _)| failure),
            }
        }
        self.once(method, path, body).map_err(|(failure, _)| failure)
    }

    /// One request; a failure comes with the pause that the server asks for, if another try can help.
    fn once(&self, method: Method, path: &str, body: Option<&str>) -> Result<Value, (Failure, Option<Duration>)> {
        let url = format!("{}{path}", self.base);
        let answer = self.http.send(method, &url, &self.headers, body.map(str::as_bytes));
        let answer = answer.map_err(|trouble| {
            let pause = trouble.may_pass().then_some(Duration::ZERO);
            (Failure::of(0, "", unreachable(trouble, pause.is_some())), pause)
        })?;
        if answer.is_success() {
            return result_of(&answer).map_err(|failure| (failure, None));
        }
        let now = UNIX_EPOCH.checked_add(Duration::from_secs((self.clock)())).unwrap_or(UNIX_EPOCH);
        let pause = retry_after(&answer, now).unwrap_or_default();
        let again = matches!(answer.status(), 429 | 500..=599);
        Err((refused(&answer, again), again.then_some(pause)))
    }
}

impl Failure {
    fn of(status: u16, said: &str, error: Error) -> Self {
        let needs_index = status == 400 && said.contains("Index required");
        let above_limit = (status == 400 && said.contains("Limit exceeded") && said.contains("\"limit\"")).then(|| {
            let told = said.split("> ").nth(1).and_then(|rest| rest.split(' ').next());
            told.and_then(|number| number.parse().ok()).unwrap_or(0)
        });
        Self { status, needs_index, above_limit, error: Box::new(error) }
    }
}

fn unreachable(trouble: gristmill_http::Trouble, again: bool) -> Error {
    let error = Error::new(ErrorKind::Store, "the store `qdrant` does not answer").because(trouble);
    let error = error.hint("see whether `[store] url` is right and the server runs");
    if again { error.retry(Retry::Backoff) } else { error }
}

fn result_of(answer: &Response) -> Result<Value, Failure> {
    let parsed: Result<Value, _> = serde_json::from_slice(answer.body());
    let strange = |cause: String| {
        let error = Error::new(ErrorKind::Store, "the store `qdrant` gave an answer that is not understood");
        Failure::of(answer.status(), "", error.because(cause).hint("see whether `[store] url` names a Qdrant server"))
    };
    match parsed {
        Ok(mut value) => Ok(value.get_mut("result").map(Value::take).ok_or_else(|| strange("no `result`".into()))?),
        Err(cause) => Err(strange(cause.to_string())),
    }
}

/// What the server says of its refusal.
fn refused(answer: &Response, again: bool) -> Failure {
    let text = answer.text();
    let parsed: Value = serde_json::from_str(&text).unwrap_or_default();
    let said = parsed.pointer("/status/error").and_then(Value::as_str).unwrap_or(&text).trim();
    let said: String = said.chars().take(500).collect();
    let status = answer.status();
    let error = Error::new(ErrorKind::Store, format!("the store `qdrant` refused a request with status {status}"));
    let error = if said.is_empty() { error } else { error.because(said.clone()) };
    let error = match status {
        401 | 403 => error.hint("set `[store] api_key_env` to the variable that holds a key with the right to do this"),
        413 => error.hint("one chunk is larger than the server takes; raise its `max_request_size_mb`"),
        _ => error,
    };
    Failure::of(status, &said, if again { error.retry(Retry::Backoff) } else { error })
}

/// A name as a segment of a path.
pub(super) fn segment(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_one_segment_of_a_path() {
        assert_eq!(segment("docs-1_a.b"), "docs-1_a.b");
        assert_eq!(segment("a/b?c d%é"), "a%2Fb%3Fc%20d%25%C3%A9");
    }

    #[test]
    fn requests_are_filled_up_to_their_limits() {
        let api = Api::new("http://localhost:1/", None, Arc::new(|| 0)).unwrap();
        let parts = vec!["x".repeat(999); 10];
        assert_eq!(api.fitting(&parts, 256), 10);
        assert_eq!(api.fitting(&parts, 3), 3);
        api.lower_limit(4100);
        assert_eq!(api.fitting(&parts, 256), 4);
        api.lower_limit(10);
        assert_eq!(api.fitting(&parts, 256), 1, "a part of its own is always tried");
        api.lower_limit(5000);
        assert_eq!(api.fitting(&parts, 256), 1, "the lowest limit is remembered");
    }

    #[test]
    fn a_url_of_another_scheme_is_refused() {
        assert_eq!(Api::new("localhost:6333", None, Arc::new(|| 0)).err().unwrap().kind(), ErrorKind::Config);
    }
}
