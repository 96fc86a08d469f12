//! The description of the interface (OpenAPI 3.1), made from the table of what can be called.

use std::collections::BTreeMap;

use axum::http::{Method, StatusCode};
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::problem::Told;
use crate::route::{Right, Route};

/// The description of these routes.
pub fn describe(routes: &[Route]) -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut generator = settings.into_generator();
    let mut paths: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    for route in routes.iter().filter(|route| !route.is_page) {
        let operation = operation(route, &mut generator);
        paths.entry(route.path).or_default().insert(route.method.as_str().to_lowercase(), operation);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "gristmill",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Documents in, retrieval-ready chunks out, kept in step with their source",
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "paths": paths,
        "components": {
            "schemas": generator.take_definitions(true),
            "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } },
        },
    })
}

fn operation(route: &Route, generator: &mut SchemaGenerator) -> Value {
    let mut operation = json!({
        "summary": route.summary,
        "operationId": operation_id(&route.method, route.path),
        "responses": responses(route, generator),
    });
    let parameters = parameters(route);
    if !parameters.is_empty() {
        operation["parameters"] = parameters.into();
    }
    if let Some(body) = &route.body {
        let schema = body.schema.map_or(json!({}), |schema| schema(generator).to_value());
        operation["requestBody"] = json!({ "required": true, "content": { body.kind: { "schema": schema } } });
    }
    if matches!(route.right, Right::Token(_)) {
        operation["security"] = json!([{ "token": [] }, {}]);
    }
    operation
}

/// `GET /v1/jobs/{id}` becomes `get_jobs_id`.
fn operation_id(method: &Method, path: &str) -> String {
    let words = path.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty() && *word != "v1");
    [method.as_str().to_lowercase()].into_iter().chain(words.map(str::to_owned)).collect::<Vec<_>>().join("_")
}

fn parameters(route: &Route) -> Vec<Value> {
    let in_path =
        route.names().map(|name| json!({ "name": name, "in": "path", "required": true, "schema": route.named }));
    let others = route.parameters.iter().map(|parameter| {
        json!({
            "name": parameter.name,
            "in": parameter.place,
            "description": parameter.about,
            "schema": parameter.schema,
        })
    });
    in_path.chain(others).collect()
}

/// What every call may answer with, besides what is its own.
const COMMON: [(StatusCode, &str); 9] = [
    (StatusCode::BAD_REQUEST, "The request is malformed"),
    (StatusCode::UNAUTHORIZED, "A known token or signature is needed"),
    (StatusCode::FORBIDDEN, "The caller may not do this"),
    (StatusCode::NOT_FOUND, "There is no such thing"),
    (StatusCode::PAYLOAD_TOO_LARGE, "The body is too large"),
    (StatusCode::UNSUPPORTED_MEDIA_TYPE, "The body is of another kind"),
    (StatusCode::UNPROCESSABLE_ENTITY, "The request makes no sense"),
    (StatusCode::INTERNAL_SERVER_ERROR, "A mistake of the program"),
    (
        StatusCode::SERVICE_UNAVAILABLE,
        "Too much at a time, or a service is out of reach; try again after `Retry-After`",
    ),
];

fn responses(route: &Route, generator: &mut SchemaGenerator) -> Map<String, Value> {
    let mut responses = Map::new();
    let problem = generator.subschema_for::<Told<'_>>().to_value();
    for (status, about) in COMMON {
        let content = json!({ "application/problem+json": { "schema": problem } });
        responses.insert(status.as_str().to_owned(), json!({ "description": about, "content": content }));
    }
    for answer in &route.answers {
        let schema = answer.schema.map_or(json!({}), |schema| schema(generator).to_value());
        let mut response = json!({ "description": answer.about });
        if !answer.kind.is_empty() {
            response["content"] = json!({ answer.kind: { "schema": schema } });
        }
        responses.insert(answer.status.as_str().to_owned(), response);
    }
    responses
}
