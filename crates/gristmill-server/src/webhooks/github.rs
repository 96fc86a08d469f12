//! GitHub.

use axum::http::{HeaderMap, StatusCode, header};
use percent_encoding::percent_decode;
use serde_json::Value;

use super::push::{Event, Push, branch, changed, string};
use super::{Provider, signature};
use crate::extract::read;
use crate::problem::Problem;

pub const PROVIDER: Provider = Provider {
    name: "github",
    path: "/v1/webhooks/github",
    summary: "A call of GitHub",
    headers: &[
        ("X-Hub-Signature-256", "HMAC-SHA256 of the raw body, after `sha256=`"),
        ("X-GitHub-Event", "What happened"),
        ("X-GitHub-Delivery", "By what a repeated call is known"),
    ],
    handler: |call| crate::routes::take_webhook(call, &PROVIDER),
    is_signed: |headers, body, secret| signature::is_signed(text(headers, "x-hub-signature-256"), body, secret),
    read: event,
};

/// A push of more commits lists only the last ones.
const COMMITS: usize = 2048;
/// A commit of more files lists only some.
const FILES: usize = 3000;

pub(super) fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn event(headers: &HeaderMap, body: &[u8]) -> Result<Event, Problem> {
    match text(headers, "x-github-event") {
        Some("ping") => return Ok(Event::Ping),
        Some("push") => {}
        other => return Ok(Event::Other(format!("the event `{}` is no push", other.unwrap_or("none")))),
    }
    let kind = text(headers, header::CONTENT_TYPE.as_str()).unwrap_or_default();
    let form = kind
        .split(';')
        .next()
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/x-www-form-urlencoded"));
    let payload: Value = if form { read(&payload(body)?)? } else { read(body)? };
    let delivery = text(headers, "x-github-delivery").filter(|id| !id.is_empty());
    let delivery = delivery.ok_or_else(|| {
        Problem::new(StatusCode::BAD_REQUEST, "no-delivery", "the header `X-GitHub-Delivery` is missing")
    })?;
    Ok(Event::Push(push(&payload, delivery)))
}

fn push(payload: &Value, delivery: &str) -> Push {
    let (reference, after) = (string(payload, "/ref"), string(payload, "/after"));
    let before = string(payload, "/before");
    let flag = |name: &str| payload.get(name).and_then(Value::as_bool).unwrap_or_default();
    let commits = payload.get("commits");
    let count = commits.and_then(Value::as_array).map_or(0, Vec::len);
    // Where the last commit of the list is not the one pushed, the list was cut short.
    let last = payload.pointer("/commits").and_then(Value::as_array).and_then(|commits| commits.last());
    let whole = count < COMMITS && last.is_none_or(|last| last.get("id").is_none_or(|id| id.as_str() == Some(&after)));
    Push {
        delivery: delivery.to_owned(),
        repository: string(payload, "/repository/full_name"),
        branch: branch(&reference, &after).filter(|_| !flag("deleted")),
        forced: flag("forced"),
        changed: changed(commits, &before, whole && !flag("forced"), FILES),
        reference,
        before,
        after,
    }
}

/// The field `payload` of a form.
fn payload(body: &[u8]) -> Result<Vec<u8>, Problem> {
    let mut fields = body.split(|byte| *byte == b'&');
    let field = fields.find_map(|field| field.strip_prefix(b"payload="));
    let field =
        field.ok_or_else(|| Problem::new(StatusCode::BAD_REQUEST, "malformed", "the form has no field `payload`"))?;
    let spaced: Vec<u8> = field.iter().map(|byte| if *byte == b'+' { b' ' } else { *byte }).collect();
    Ok(percent_decode(&spaced).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_form_is_decoded_once() {
        assert_eq!(
            payload(b"a=b&payload=%7B%22p%22%3A%22gr%C3%B6%C3%9Fe+1%252B.md%22%7D&c=").unwrap(),
            "{\"p\":\"größe 1%2B.md\"}".as_bytes()
        );
        assert!(payload(b"xpayload=1").is_err());
    }

    #[test]
    fn forced_or_cut_short_means_all() {
        let commit = json!({ "id": "2", "added": [], "modified": ["a.md"], "removed": [] });
        let payload = json!({ "ref": "refs/heads/main", "before": "1", "after": "2", "commits": [commit] });
        assert_eq!(push(&payload, "d").changed, Some(vec!["a.md".to_owned()]));
        for (name, value) in [("forced", json!(true)), ("after", json!("3"))] {
            let mut other = payload.clone();
            other[name] = value;
            assert_eq!(push(&other, "d").changed, None, "{name}");
        }
        let mut deleted = payload;
        deleted["deleted"] = json!(true);
        assert_eq!(push(&deleted, "d").branch, None);
    }

    #[test]
    fn any_json_is_read() {
        for odd in
            [json!(null), json!([1]), json!({ "ref": 1, "commits": {}, "repository": [] }), json!({ "commits": [[]] })]
        {
            assert_eq!(push(&odd, "d").branch, None);
        }
    }
}
