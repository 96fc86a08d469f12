//! Asks a server that runs, as the command `gristmill jobs` does.

use std::time::Duration;

use gristmill_core::{Error, ErrorKind, Result};
use gristmill_http::{Client, ClientOptions, Headers, Method, Response};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::job::{Job, JobStatus};

/// A server that runs.
pub struct Remote {
    client: Client,
    address: String,
    headers: Headers,
}

/// Jobs of an answer.
#[derive(Deserialize)]
struct Listed {
    jobs: Vec<Job>,
}

/// What a server says in place of an answer.
#[derive(Deserialize)]
struct Said {
    detail: String,
    hint: Option<String>,
}

/// How long the server is asked to wait for the end of a job at a time.
const WAIT: &str = "30s";

impl Remote {
    /// A server by its address, such as `http://127.0.0.1:7717`. Nothing is sent yet.
    ///
    /// # Errors
    /// When a client cannot be made.
    pub fn new(address: &str, token: Option<&str>) -> Result<Self> {
        let options = ClientOptions { timeout: Duration::from_secs(90), ..ClientOptions::default() };
        let client = Client::new(options).map_err(|trouble| Error::usage("the address is wrong").because(trouble))?;
        let mut headers = Headers::new().with("content-type", "application/json");
        if let Some(token) = token {
            headers = headers.with("authorization", format!("Bearer {token}"));
        }
        Ok(Self { client, address: address.trim_end_matches('/').to_owned(), headers })
    }

    /// The newest jobs, newest first.
    ///
    /// # Errors
    /// When the server is not reached or refuses.
    pub fn jobs(&self, limit: u32) -> Result<Vec<Job>> {
        Ok(parsed::<Listed>(&self.ask(Method::Get, &format!("/v1/jobs?limit={limit}"), None)?)?.jobs)
    }

    /// A job.
    ///
    /// # Errors
    /// As [`Self::jobs`].
    pub fn job(&self, id: &str) -> Result<Job> {
        parsed(&self.ask(Method::Get, &format!("/v1/jobs/{}", part(id)?), None)?)
    }

    /// A job once it has ended, and where a later job does its work, that one; `seen` is told of it from time to time.
    ///
    /// # Errors
    /// As [`Self::jobs`].
    pub fn ended(&self, id: &str, mut seen: impl FnMut(&Job)) -> Result<Job> {
        let mut id = id.to_owned();
        loop {
            let job: Job = parsed(&self.ask(Method::Get, &format!("/v1/jobs/{}?wait={WAIT}", part(&id)?), None)?)?;
            match &job.superseded_by {
                Some(later) if job.status == JobStatus::Superseded => id.clone_from(later),
                _ if job.status.is_final() => return Ok(job),
                _ => seen(&job),
            }
        }
    }

    /// What a job did; of a dry run the plan.
    ///
    /// # Errors
    /// As [`Self::jobs`].
    pub fn report(&self, id: &str) -> Result<Value> {
        parsed(&self.ask(Method::Get, &format!("/v1/jobs/{}/report", part(id)?), None)?)
    }

    /// Asks for a job, as `POST /v1/jobs` takes it.
    ///
    /// # Errors
    /// As [`Self::jobs`].
    pub fn start(&self, job: &Value) -> Result<Job> {
        parsed(&self.ask(Method::Post, "/v1/jobs", Some(job.to_string().as_bytes()))?)
    }

    /// Stops a job.
    ///
    /// # Errors
    /// As [`Self::jobs`].
    pub fn cancel(&self, id: &str) -> Result<Job> {
        parsed(&self.ask(Method::Post, &format!("/v1/jobs/{}/cancel", part(id)?), Some(b"{}"))?)
    }

    /// Asks for the same again.
    ///
    /// # Errors
    /// As [`Self::jobs`].
    pub fn retry(&self, id: &str) -> Result<Job> {
        parsed(&self.ask(Method::Post, &format!("/v1/jobs/{}/retry", part(id)?), Some(b"{}"))?)
    }

    fn ask(&self, method: Method, path: &str, body: Option<&[u8]>) -> Result<Response> {
        let answer = self.client.send(method, &format!("{}{path}", self.address), &self.headers, body);
        let answer = answer.map_err(|trouble| {
            Error::new(ErrorKind::Remote, "the server is not reached")
                .because(trouble)
                .hint("start it with `gristmill serve`, or name another with `--url`")
        })?;
        if answer.is_success() { Ok(answer) } else { Err(refused(&answer)) }
    }
}

/// What a refusal says.
fn refused(answer: &Response) -> Error {
    let kind = if answer.status() < 500 { ErrorKind::Usage } else { ErrorKind::Remote };
    let Ok(said) = serde_json::from_slice::<Said>(answer.body()) else {
        return Error::new(kind, format!("the server answered with status {}", answer.status()));
    };
    let error = Error::new(kind, said.detail);
    match (said.hint, answer.status()) {
        (Some(hint), _) => error.hint(hint),
        (None, 401 | 403) => error.hint("set the environment variable that `--token-env` names to a token"),
        (None, _) => error,
    }
}

fn parsed<T: DeserializeOwned>(answer: &Response) -> Result<T> {
    serde_json::from_slice(answer.body())
        .map_err(|cause| Error::new(ErrorKind::Remote, "the server's answer is not understood").because(cause))
}

/// A name as a part of a path: names of jobs hold nothing else.
fn part(id: &str) -> Result<&str> {
    let good = |c: char| c.is_ascii_alphanumeric() || c == '-';
    if !id.is_empty() && id.chars().all(good) {
        return Ok(id);
    }
    Err(Error::usage(format!("`{id}` is no name of a job")).hint("`gristmill jobs list` names them"))
}
