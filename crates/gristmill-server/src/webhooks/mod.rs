//! Webhooks, one file a provider: how calls are signed, and what they say.

mod generic;
mod github;
mod gitlab;
mod push;
mod signature;

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use gristmill::config::SourceSettings;
use gristmill::service::{Delivery, NewJob};

use crate::problem::Problem;
use crate::route::{Answer, Call};
pub use push::Event;

/// A service that calls.
pub struct Provider {
    pub name: &'static str,
    pub path: &'static str,
    pub summary: &'static str,
    /// Headers that matter, and what they hold.
    pub headers: &'static [(&'static str, &'static str)],
    pub handler: fn(Call) -> Answer,
    /// Whether a body is signed with a secret; takes the same time for any wrong signature.
    pub is_signed: fn(&HeaderMap, &[u8], &[u8]) -> bool,
    /// What a signed call says.
    pub read: fn(&HeaderMap, &[u8]) -> Result<Event, Problem>,
}

/// All of them.
pub const PROVIDERS: &[&Provider] = &[&github::PROVIDER, &gitlab::PROVIDER, &generic::PROVIDER];

/// What a call asks for.
pub enum Asked {
    Ping,
    Nothing(String),
    Job(Box<NewJob>),
}

/// Whether a push concerns a source, and which job it asks for.
///
/// # Errors
/// When the body is malformed.
pub fn judge(call: &Call, provider: &Provider) -> Result<Asked, Problem> {
    let push = match (provider.read)(&call.headers, &call.body)? {
        Event::Ping => return Ok(Asked::Ping),
        Event::Other(reason) => return Ok(Asked::Nothing(reason)),
        Event::Push(push) => push,
    };
    let settings = &call.app.settings;
    let of_repository: Vec<&SourceSettings> =
        settings.source.iter().filter(|source| names(source, &push.repository)).collect();
    let Some(branch) = push.branch.clone() else { return Ok(Asked::Nothing(push.reason())) };
    if of_repository.is_empty() {
        return Ok(Asked::Nothing(format!("no source names the repository `{}`", push.repository)));
    }
    if !of_repository.iter().any(|source| source.branch.as_ref().is_none_or(|own| *own == branch)) {
        return Ok(Asked::Nothing(format!("no source names the branch `{branch}`")));
    }
    let repository = of_repository.iter().find_map(|source| source.repository.clone()).unwrap_or(push.repository);
    Ok(Asked::Job(Box::new(NewJob {
        project: settings.project.clone(),
        select: push.changed,
        cause: provider.name.to_owned(),
        commit: Some((repository.clone(), push.after.clone())),
        delivery: Some(Delivery {
            provider: provider.name.to_owned(),
            id: push.delivery,
            repository,
            branch,
            before: push.before,
            after: push.after,
            forced: push.forced,
        }),
        ..NewJob::default()
    })))
}

/// Reads a body as that of each provider, as JSON and as a form: for fuzzing, what a signed call may say. Gives how often it
/// was a push.
pub fn read_any(body: &[u8]) -> usize {
    let kinds = ["application/json", "application/x-www-form-urlencoded"];
    let named = [("x-github-event", "push"), ("x-github-delivery", "1"), ("x-gitlab-event-uuid", "1")];
    let read = |provider: &Provider, kind: &'static str| {
        let headers = named.into_iter().chain([("content-type", kind)]);
        let headers: HeaderMap =
            headers.map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value))).collect();
        let is_signed = (provider.is_signed)(&headers, body, b"secret");
        assert!(!is_signed, "nothing was signed");
        matches!((provider.read)(&headers, body), Ok(Event::Push(_)))
    };
    kinds.iter().map(|kind| PROVIDERS.iter().filter(|provider| read(provider, kind)).count()).sum()
}

/// True for a source of this repository.
fn names(source: &SourceSettings, repository: &str) -> bool {
    source.repository.as_ref().is_some_and(|own| own.eq_ignore_ascii_case(repository))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fuzzing_begins_with_is_read() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/webhook");
        let inputs: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        let pushes: usize = inputs.iter().map(|input| read_any(&std::fs::read(input).unwrap())).sum();
        assert!(pushes >= 4, "each provider's call is one, GitHub's as a form, too");
    }
}
