//! Tells another service how a job ended.

use std::thread::sleep;
use std::time::Duration;

use gristmill_core::{Error, Result};
use gristmill_http::{Addresses, Client, ClientOptions, Headers, Method};

use super::job::Job;

/// Pauses between tries.
const PAUSES: [Duration; 3] = [Duration::from_secs(1), Duration::from_secs(5), Duration::from_secs(25)];

/// False for an address of a private network that can be told without looking it up; others are refused when they are called.
pub fn allows_callback(url: &str, private: bool) -> bool {
    addresses(private).allow(url)
}

fn addresses(private: bool) -> Addresses {
    if private { Addresses::Any } else { Addresses::Public }
}

/// Sends the job. An address of a private network is refused unless `private`; redirects are not followed.
///
/// # Errors
/// That of the last try.
pub(super) fn send(url: &str, job: &Job, private: bool, log: fn(&str)) -> Result<()> {
    let body = serde_json::to_vec(job).map_err(|cause| Error::bug("a job cannot be written").because(cause))?;
    let mut sent = Ok(());
    for pause in [Duration::ZERO].into_iter().chain(PAUSES) {
        sleep(pause);
        sent = once(url, &body, private);
        match &sent {
            Ok(()) => break,
            // The address may hold a secret: only the job is named.
            Err(error) => log(&format!("{}: the callback failed: {}", job.id, error.chain())),
        }
    }
    sent
}

fn once(url: &str, body: &[u8], private: bool) -> Result<()> {
    let options =
        ClientOptions { timeout: Duration::from_secs(10), addresses: addresses(private), ..ClientOptions::default() };
    let unsent = |trouble| Error::input("cannot be sent").because(trouble);
    let client = Client::new(options).map_err(unsent)?;
    let headers = Headers::new().with("content-type", "application/json");
    let answer = client.send(Method::Post, url, &headers, Some(body)).map_err(unsent)?;
    if answer.is_success() { Ok(()) } else { Err(Error::input(format!("answered with status {}", answer.status()))) }
}
