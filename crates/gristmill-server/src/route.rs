//! What can be called: one entry says the path, the right that is needed, what goes in, what comes out, and who answers.

use std::collections::HashMap;
use std::pin::Pin;

use axum::body::Bytes;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use gristmill::config::TokenScope;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::Value;

use crate::app::Shared;
use crate::auth::Caller;
use crate::problem::{Problem, Told};

/// A request, with who sent it.
pub struct Call {
    pub app: Shared,
    pub caller: Caller,
    pub path: HashMap<String, String>,
    pub query: HashMap<String, String>,
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// An answer that is being made.
pub type Answer = Pin<Box<dyn Future<Output = Result<Response, Problem>> + Send>>;

/// Makes the schema of a type.
pub type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// Who may call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Right {
    /// Everybody.
    Open,
    /// Who shows a token with this scope.
    Token(TokenScope),
    /// Who signs the body.
    Signature,
}

/// One thing that can be called.
pub struct Route {
    pub method: Method,
    pub path: &'static str,
    pub summary: &'static str,
    pub right: Right,
    pub handler: fn(Call) -> Answer,
    pub parameters: Vec<Parameter>,
    /// What the names in braces may be.
    pub named: Value,
    pub body: Option<Body>,
    pub answers: Vec<Documented>,
    /// Seconds that answering may take; `None` for as long as it takes.
    pub seconds: Option<u64>,
    /// True for pages: they are for people, and who has no token is shown where to give one.
    pub is_page: bool,
}

/// A parameter in the query or a header.
pub struct Parameter {
    pub name: &'static str,
    pub place: &'static str,
    pub about: &'static str,
    pub schema: Value,
}

/// What goes in.
pub struct Body {
    pub kind: &'static str,
    pub schema: Option<SchemaOf>,
}

/// What may come out.
pub struct Documented {
    pub status: StatusCode,
    pub about: &'static str,
    pub kind: &'static str,
    pub schema: Option<SchemaOf>,
}

/// Seconds that answering may take where nothing else is said.
const SECONDS: u64 = 60;

pub const JSON: &str = "application/json";

impl Route {
    pub fn new(method: Method, path: &'static str, summary: &'static str, handler: fn(Call) -> Answer) -> Self {
        let right = Right::Token(if method == Method::GET { TokenScope::Read } else { TokenScope::Write });
        Self {
            method,
            path,
            summary,
            right,
            handler,
            parameters: Vec::new(),
            named: serde_json::json!({ "type": "string", "minLength": 1 }),
            body: None,
            answers: Vec::new(),
            seconds: Some(SECONDS),
            is_page: false,
        }
    }

    /// A page for people.
    pub fn page(path: &'static str, handler: fn(Call) -> Answer) -> Self {
        Self { is_page: true, ..Self::new(Method::GET, path, "", handler) }
    }

    pub fn right(mut self, right: Right) -> Self {
        self.right = right;
        self
    }

    /// May be called with the scope `read`, although it is no `GET`.
    pub fn reading(self) -> Self {
        self.right(Right::Token(TokenScope::Read))
    }

    pub fn seconds(mut self, seconds: Option<u64>) -> Self {
        self.seconds = seconds;
        self
    }

    pub fn query(mut self, name: &'static str, about: &'static str, schema: Value) -> Self {
        self.parameters.push(Parameter { name, place: "query", about, schema });
        self
    }

    pub fn header(mut self, name: &'static str, about: &'static str, schema: Value) -> Self {
        self.parameters.push(Parameter { name, place: "header", about, schema });
        self
    }

    /// The names in braces must be like this.
    pub fn named(mut self, schema: Value) -> Self {
        self.named = schema;
        self
    }

    /// Takes a JSON body of this shape.
    pub fn takes<T: JsonSchema>(mut self) -> Self {
        self.body = Some(Body { kind: JSON, schema: Some(SchemaGenerator::subschema_for::<T>) });
        self
    }

    pub fn takes_bytes(mut self, kind: &'static str) -> Self {
        self.body = Some(Body { kind, schema: None });
        self
    }

    /// Gives JSON of this shape.
    pub fn gives<T: JsonSchema>(mut self, status: StatusCode, about: &'static str) -> Self {
        let schema: SchemaOf = SchemaGenerator::subschema_for::<T>;
        self.answers.push(Documented { status, about, kind: JSON, schema: Some(schema) });
        self
    }

    pub fn gives_kind(mut self, status: StatusCode, about: &'static str, kind: &'static str) -> Self {
        self.answers.push(Documented { status, about, kind, schema: None });
        self
    }

    /// May fail with this status, besides those that every call may fail with.
    pub fn fails(mut self, status: StatusCode, about: &'static str) -> Self {
        let schema: SchemaOf = |generator| generator.subschema_for::<Told<'_>>();
        self.answers.push(Documented { status, about, kind: "application/problem+json", schema: Some(schema) });
        self
    }

    /// The names in braces.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
    }
}

impl Call {
    /// A part of the path.
    pub fn part(&self, name: &str) -> &str {
        self.path.get(name).map_or("", String::as_str)
    }
}

/// JSON with a status.
pub fn json(status: StatusCode, value: &impl Serialize) -> Result<Response, Problem> {
    let bytes = serde_json::to_vec(value).map_err(|_| Problem::bug("an answer cannot be written"))?;
    Ok((status, [("content-type", JSON)], bytes).into_response())
}
