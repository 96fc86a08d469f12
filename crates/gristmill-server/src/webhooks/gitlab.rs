//! GitLab.

use axum::http::HeaderMap;
use serde_json::Value;

use super::generic::known_by;
use super::github::text;
use super::push::{Event, Push, branch, changed, string};
use super::{Provider, signature};
use crate::extract::read;
use crate::problem::Problem;

pub const PROVIDER: Provider = Provider {
    name: "gitlab",
    path: "/v1/webhooks/gitlab",
    summary: "A call of GitLab",
    headers: &[
        ("X-Gitlab-Token", "The secret"),
        ("X-Gitlab-Event", "What happened"),
        ("X-Gitlab-Event-UUID", "By what a repeated call is known"),
    ],
    handler: |call| crate::routes::take_webhook(call, &PROVIDER),
    is_signed: |headers, _, secret| {
        signature::is_same(text(headers, "x-gitlab-token").unwrap_or_default().as_bytes(), secret)
    },
    read: event,
};

/// Files of a push that are taken for all.
const FILES: usize = 3000;

fn event(headers: &HeaderMap, body: &[u8]) -> Result<Event, Problem> {
    let payload: Value = read(body)?;
    let kind = string(&payload, "/object_kind");
    if kind != "push" {
        return Ok(Event::Other(format!("the event `{kind}` is no push")));
    }
    Ok(Event::Push(push(&payload, known_by(headers, &["idempotency-key", "x-gitlab-event-uuid"], body))))
}

fn push(payload: &Value, delivery: String) -> Push {
    let (reference, before, after) = (string(payload, "/ref"), string(payload, "/before"), string(payload, "/after"));
    let commits = payload.get("commits");
    let count = commits.and_then(Value::as_array).map_or(0, Vec::len) as u64;
    let whole = payload.get("total_commits_count").and_then(Value::as_u64) == Some(count);
    Push {
        delivery,
        repository: string(payload, "/project/path_with_namespace"),
        branch: branch(&reference, &after),
        // It does not say whether history was rewritten.
        forced: true,
        changed: changed(commits, &before, whole, FILES),
        reference,
        before,
        after,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_list_that_was_cut_short_means_all() {
        let commit = json!({ "added": ["a.md"], "modified": [], "removed": [] });
        let mut payload = json!({
            "object_kind": "push", "ref": "refs/heads/main", "before": "1", "after": "2", "commits": [commit],
            "total_commits_count": 1, "project": { "path_with_namespace": "acme/docs" },
        });
        assert_eq!(push(&payload, "d".into()).changed, Some(vec!["a.md".to_owned()]));
        payload["total_commits_count"] = json!(21);
        assert_eq!(push(&payload, "d".into()).changed, None);
    }
}
