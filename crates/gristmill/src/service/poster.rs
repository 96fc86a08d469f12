//! Hands bytes to a service that the settings name.

use std::time::Duration;

use gristmill_core::{Error, Result};
use gristmill_http::{Client, ClientOptions, Headers, Method};

/// Hands bytes to a service that the settings name, and keeps the connection open.
#[derive(Debug)]
pub struct Poster {
    client: Client,
}

/// What a service answered.
#[derive(Debug)]
pub struct Posted {
    /// The status, 100 to 999.
    pub status: u16,
    /// Names in lower case, and values.
    pub headers: Vec<(String, Vec<u8>)>,
    /// The body.
    pub body: Vec<u8>,
}

/// Bytes of an answer at most.
const BODY: usize = 4 << 20;

impl Poster {
    /// One that has not connected yet. An answer may take that long.
    ///
    /// # Errors
    /// When a client cannot be made.
    pub fn new(timeout: Duration) -> Result<Self> {
        let options = ClientOptions { timeout, body_limit: BODY, idle_connections: 1, ..ClientOptions::default() };
        let client = Client::new(options).map_err(|trouble| Error::bug("no client").because(trouble))?;
        Ok(Self { client })
    }

    /// Posts `body` once; an answer of any status is an answer.
    ///
    /// # Errors
    /// Input: no answer came.
    pub fn post<'h>(
        &self,
        url: &str,
        headers: impl IntoIterator<Item = (&'h str, &'h str)>,
        body: &[u8],
    ) -> Result<Posted> {
        let headers = headers.into_iter().fold(Headers::new(), |all, (name, value)| all.with(name, value));
        let answer = self.client.send(Method::Post, url, &headers, Some(body));
        let answer = answer.map_err(|trouble| Error::input("cannot be sent").because(trouble))?;
        let headers = answer.headers().map(|(name, value)| (name.to_owned(), value.to_vec())).collect();
        Ok(Posted { status: answer.status(), headers, body: answer.body().to_vec() })
    }
}
