//! Anything that can sign a body: a script, a pipeline, another service.

use axum::http::HeaderMap;
use schemars::JsonSchema;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::github::text;
use super::push::{Event, Push, branch};
use super::{Provider, signature};
use crate::extract::read;
use crate::problem::Problem;
use crate::token::hexadecimal;

pub const PROVIDER: Provider = Provider {
    name: "generic",
    path: "/v1/webhooks/generic",
    summary: "A signed call of any other service",
    headers: &[
        ("X-Gristmill-Signature-256", "HMAC-SHA256 of the raw body, after `sha256=`"),
        ("Idempotency-Key", "By what a repeated call is known; without it by its body"),
    ],
    handler: |call| crate::routes::take_webhook(call, &PROVIDER),
    is_signed: |headers, body, secret| signature::is_signed(text(headers, "x-gristmill-signature-256"), body, secret),
    read: event,
};

/// What is said.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Said {
    /// The repository, as a source names it.
    repository: String,
    /// The branch.
    #[serde(default = "main")]
    branch: String,
    /// The commit that is there now.
    #[serde(default)]
    commit: String,
    /// Paths that differ; without them all are looked at.
    changed: Option<Vec<String>>,
}

fn main() -> String {
    "main".to_owned()
}

fn event(headers: &HeaderMap, body: &[u8]) -> Result<Event, Problem> {
    let said: Said = read(body)?;
    let is_commit = |text: &str| (7..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !said.commit.is_empty() && !is_commit(&said.commit) {
        let wrong = "must be the name of a commit: 7 to 64 hexadecimal digits";
        return Err(Problem::invalid(format!("`commit` {wrong}")).pointing("/commit", wrong));
    }
    let reference = format!("refs/heads/{}", said.branch);
    Ok(Event::Push(Push {
        delivery: known_by(headers, &["idempotency-key"], body),
        repository: said.repository,
        branch: branch(&reference, "1"),
        reference,
        before: String::new(),
        after: said.commit,
        forced: true,
        changed: said.changed,
    }))
}

/// By what a repeated call is known: the first of these headers, else the body.
pub(super) fn known_by(headers: &HeaderMap, names: &[&str], body: &[u8]) -> String {
    let named = names.iter().find_map(|name| text(headers, name)).filter(|id| !id.is_empty());
    named.map_or_else(|| hexadecimal(&Sha256::digest(body)), str::to_owned)
}
