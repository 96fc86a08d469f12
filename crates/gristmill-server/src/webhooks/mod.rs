//! Webhooks, one file a provider: how calls are signed, and what they say.

mod generic;
mod github;
mod gitlab;
mod push;
mod signature;

use axum::http::HeaderMap;
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

/// True for a source of this repository.
fn names(source: &SourceSettings, repository: &str) -> bool {
    source.repository.as_ref().is_some_and(|own| own.eq_ignore_ascii_case(repository))
}
