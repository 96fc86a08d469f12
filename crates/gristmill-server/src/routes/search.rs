//! Search.

use std::collections::BTreeMap;

use axum::http::{Method, StatusCode};
use gristmill::{Hit, Passage, Retriever, SearchOptions, search_passages};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::problem::Problem;
use crate::route::{Answer, Call, Route, json};

/// How hits are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// By vectors and words.
    #[default]
    Hybrid,
    /// By vectors.
    Dense,
    /// By words.
    Bm25,
}

impl From<By> for Retriever {
    fn from(by: By) -> Self {
        match by {
            By::Hybrid => Self::Hybrid,
            By::Dense => Self::Dense,
            By::Bm25 => Self::Bm25,
        }
    }
}

/// A question.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchRequest {
    /// The question.
    #[schemars(length(min = 1, max = 10_000))]
    pub query: String,
    /// Whose documents; by default those of the settings.
    pub project: Option<String>,
    /// Hits at most.
    #[serde(default = "five")]
    #[schemars(range(min = 1, max = 100))]
    pub k: usize,
    /// How hits are found.
    #[serde(default)]
    pub retriever: By,
    /// Values that fields of the metadata must have.
    #[serde(default)]
    #[schemars(transform = fields)]
    pub filter: BTreeMap<String, Scalar>,
    /// Neighbours before and after each hit that are read with it.
    #[serde(default)]
    #[schemars(range(max = 20))]
    pub expand: u32,
    /// Whether the whole section of a hit is read.
    #[serde(default)]
    pub parent: bool,
    /// Tokens of all that is read at most.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub budget: Option<u32>,
}

/// A value that is filtered by.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected text, a number, true or false")]
pub enum Scalar {
    /// Text.
    Text(String),
    /// A number.
    Number(f64),
    /// True or false.
    Flag(bool),
}

/// What was found.
#[derive(Serialize, JsonSchema)]
struct Found {
    /// The best hits, best first.
    hits: Vec<Value>,
    /// What to read of them, where that was asked for.
    passages: Vec<Value>,
}

/// Names of fields, joined by dots.
const FIELD: &str = "^[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)*$";

fn fields(schema: &mut schemars::Schema) {
    schema.insert("propertyNames".into(), serde_json::json!({ "pattern": FIELD }));
}

fn is_field(name: &str) -> bool {
    let is_name = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    name.split('.').all(is_name)
}

fn five() -> usize {
    5
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::new(Method::POST, "/v1/search", "Search the store", find)
            .reading()
            .takes::<SearchRequest>()
            .gives::<Found>(StatusCode::OK, "Hits, best first")
            .fails(StatusCode::CONFLICT, "Nothing in the store has a field of the filter"),
    ]
}

impl SearchRequest {
    /// The same as options.
    ///
    /// # Errors
    /// When a number is out of bounds.
    pub fn options(&self) -> Result<SearchOptions, Problem> {
        let bounds = [
            ("/query", (1..=10_000).contains(&self.query.chars().count()), "must have 1 to 10000 characters"),
            ("/k", (1..=100).contains(&self.k), "must be from 1 to 100"),
            ("/expand", self.expand <= 20, "must be at most 20"),
            (
                "/budget",
                self.budget.is_none_or(|budget| (1..=1_000_000).contains(&budget)),
                "must be from 1 to 1000000",
            ),
            (
                "/filter",
                self.filter.keys().all(|field| is_field(field)),
                "must name fields by letters, digits, `_` and `.`",
            ),
        ];
        if let Some((pointer, _, wrong)) = bounds.iter().find(|(_, holds, _)| !holds) {
            return Err(Problem::invalid(format!("`{}` {wrong}", &pointer[1..])).pointing(*pointer, *wrong));
        }
        Ok(SearchOptions {
            retriever: self.retriever.into(),
            limit: self.k,
            filters: self.filter.iter().map(|(field, value)| format!("{field}={value}")).collect(),
            expand: self.expand,
            parent: self.parent,
            budget: self.budget.map(|budget| budget as usize),
        })
    }
}

impl std::fmt::Display for Scalar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Number(number) => number.fmt(f),
            Self::Flag(flag) => flag.fmt(f),
        }
    }
}

/// A hit as JSON.
pub fn hit(hit: &Hit) -> Value {
    let record: Value = serde_json::from_str(&hit.payload).unwrap_or_default();
    serde_json::json!({ "score": hit.score, "dense": hit.dense, "bm25": hit.bm25, "source": hit.source, "record": record })
}

/// The request is well formed; it is the store that has no such field.
fn unknown_field(problem: Problem) -> Problem {
    if problem.code != "usage" {
        return problem;
    }
    let hint = problem.hint.unwrap_or_default();
    Problem::new(StatusCode::CONFLICT, "unknown-field", problem.detail).hint(hint).pointing("/filter", "not known")
}

fn find(call: Call) -> Answer {
    Box::pin(async move {
        let request: SearchRequest = call.object(&[])?;
        let options = request.options()?;
        let settings = call.app.settings_of(&call.app.project(&call.caller, request.project.as_deref())?);
        if request.query.trim().is_empty() {
            return json(StatusCode::OK, &Found { hits: Vec::new(), passages: Vec::new() });
        }
        let found = call.app.work(move || search_passages(&settings, &request.query, &options)).await;
        let found = found.map_err(unknown_field)?;
        let passage = |passage: &Passage| serde_json::to_value(passage).unwrap_or_default();
        let passages = found.passages.iter().map(passage).collect();
        json(StatusCode::OK, &Found { hits: found.hits.iter().map(hit).collect(), passages })
    })
}
