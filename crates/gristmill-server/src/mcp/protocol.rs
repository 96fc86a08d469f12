//! Requests and answers of JSON-RPC.

use axum::http::{Method, StatusCode};
use axum::response::IntoResponse;
use serde_json::{Value, json};

use super::tools::{TOOLS, Tool};
use crate::app::Shared;
use crate::auth::Caller;
use crate::route::{Answer, Call, Route, json};

/// Versions of the protocol that are spoken, the newest first.
const VERSIONS: [&str; 3] = ["2025-06-18", "2025-03-26", "2024-11-05"];

/// What an agent is told first.
const INSTRUCTIONS: &str = "gristmill turns documents into retrieval-ready chunks and keeps a store in step with them. Look \
with inspect_corpus, try settings with chunk_preview, find damage with scan_chunks, see what an ingest would do with \
plan_ingest, and ask the store with search. Report only what a tool measured.";

const PARSE: i64 = -32700;
const INVALID: i64 = -32600;
const METHOD: i64 = -32601;
const PARAMS: i64 = -32602;

/// Where agents call.
pub fn route() -> Route {
    let mut route = Route::page("/mcp", take);
    (route.method, route.is_page, route.summary) = (Method::POST, false, "Tools for agents (Model Context Protocol)");
    route
        .seconds(Some(600))
        .takes::<Value>()
        .gives::<Value>(StatusCode::OK, "The answer, as JSON-RPC tells it")
        .gives_kind(StatusCode::ACCEPTED, "There is nothing to answer", "")
}

fn take(call: Call) -> Answer {
    Box::pin(async move {
        let request: Value = call.json()?;
        match respond(&call.app, &call.caller, request).await {
            Some(answer) => json(StatusCode::OK, &answer),
            None => Ok(StatusCode::ACCEPTED.into_response()),
        }
    })
}

/// The answer to a line that was sent.
pub async fn respond_to(app: &Shared, caller: &Caller, line: &[u8]) -> Option<Value> {
    match serde_json::from_slice(line) {
        Ok(request) => respond(app, caller, request).await,
        Err(error) => Some(failed(&Value::Null, PARSE, &format!("no JSON: {error}"))),
    }
}

/// The answer to a request; none to a notification.
async fn respond(app: &Shared, caller: &Caller, request: Value) -> Option<Value> {
    let (id, method) = (request.get("id").cloned(), request.get("method").and_then(Value::as_str));
    let Some(method) = method else {
        // An answer to a request of ours, of which there are none.
        return (!request.is_object() || request.get("result").is_none())
            .then(|| failed(&id.unwrap_or_default(), INVALID, "no request"));
    };
    let id = id?;
    let parameters = request.get("params").cloned().unwrap_or_default();
    let result = match method {
        "initialize" => Ok(initialize(&parameters)),
        "ping" => Ok(json!({})),
        "tools/list" => Ok(json!({ "tools": offered(app, caller).map(described).collect::<Vec<_>>() })),
        "tools/call" => call(app, caller, &parameters).await,
        _ => Err((METHOD, format!("there is no method `{method}`"))),
    };
    Some(match result {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err((code, message)) => failed(&id, code, &message),
    })
}

fn failed(id: &Value, code: i64, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

fn initialize(parameters: &Value) -> Value {
    let asked = parameters["protocolVersion"].as_str().unwrap_or_default();
    let version = VERSIONS.iter().find(|version| **version == asked).unwrap_or(&VERSIONS[0]);
    json!({
        "protocolVersion": version,
        "capabilities": { "tools": {} },
        "serverInfo": { "name": "gristmill", "version": env!("CARGO_PKG_VERSION") },
        "instructions": INSTRUCTIONS,
    })
}

/// The tools that a caller may use.
fn offered<'a>(app: &'a Shared, caller: &'a Caller) -> impl Iterator<Item = &'static Tool> + 'a {
    TOOLS.iter().filter(|tool| tool.is_allowed(app, caller))
}

fn described(tool: &Tool) -> Value {
    let schema = (tool.schema)();
    json!({
        "name": tool.name,
        "description": tool.about,
        "inputSchema": schema,
        "annotations": { "readOnlyHint": !tool.writes, "destructiveHint": false, "openWorldHint": false },
    })
}

async fn call(app: &Shared, caller: &Caller, parameters: &Value) -> Result<Value, (i64, String)> {
    let name = parameters["name"].as_str().unwrap_or_default();
    let tool = TOOLS.iter().find(|tool| tool.name == name).ok_or((PARAMS, format!("there is no tool `{name}`")))?;
    if !tool.is_allowed(app, caller) {
        return Ok(told(
            &json!({ "error": format!("`{name}` writes, which is not allowed"), "hint": "start with `--allow-write`" }),
            true,
        ));
    }
    let arguments = match parameters.get("arguments") {
        None | Some(Value::Null) => json!({}),
        Some(arguments) => arguments.clone(),
    };
    Ok(match (tool.run)(app.clone(), caller.clone(), arguments).await {
        Ok(value) => told(&value, false),
        Err(problem) => told(&json!({ "error": problem.detail, "hint": problem.hint, "errors": problem.errors }), true),
    })
}

fn told(value: &Value, is_error: bool) -> Value {
    json!({
        "content": [{ "type": "text", "text": value.to_string() }],
        "structuredContent": value,
        "isError": is_error,
    })
}
