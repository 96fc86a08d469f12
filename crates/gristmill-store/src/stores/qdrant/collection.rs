//! One collection of the server and its points.

use std::sync::Arc;

use gristmill_core::{Error, ErrorKind, Result};
use gristmill_http::Method;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::api::{Failure, segment};
use super::scope::Scope;

/// The vector of a text.
pub(super) const DENSE: &str = "dense";
/// A vector that is kept for later and never searched.
pub(super) const KEPT: &str = "kept";
/// The words of a text.
pub(super) const BM25: &str = "bm25";

/// A collection, seen by one tenant.
#[derive(Clone)]
pub(super) struct Collection {
    pub(super) scope: Arc<Scope>,
    pub(super) name: String,
}

/// A point as the server gives it.
pub(super) struct Found {
    pub(super) id: Uuid,
    pub(super) score: f64,
    pub(super) payload: Map<String, Value>,
    vectors: Value,
}

/// What is wanted of points.
pub(super) struct Wanted {
    payload: Value,
    vectors: Value,
}

impl Wanted {
    /// Identities alone.
    pub(super) fn ids() -> Self {
        Self { payload: false.into(), vectors: false.into() }
    }

    /// Some fields, by the names they have in the payload.
    pub(super) fn fields(fields: &[&str]) -> Self {
        Self { payload: json!({"include": fields}), vectors: false.into() }
    }

    /// The whole payload.
    pub(super) fn payload() -> Self {
        Self { payload: true.into(), vectors: false.into() }
    }

    /// The same with these vectors.
    pub(super) fn with(mut self, vectors: &[&str]) -> Self {
        self.vectors = json!(vectors);
        self
    }

    /// The same with all vectors.
    pub(super) fn all_vectors(mut self) -> Self {
        self.vectors = true.into();
        self
    }

    fn has_vectors(&self) -> bool {
        self.vectors != Value::Bool(false)
    }
}

impl Found {
    /// # Errors
    /// When this is no point.
    fn of(mut point: Value) -> Result<Self> {
        let id = point.get("id").and_then(Value::as_str).and_then(|id| Uuid::parse_str(id).ok());
        let id = id.ok_or_else(|| strange("a point without an identity of ours"))?;
        let score = point.get("score").and_then(Value::as_f64).unwrap_or(0.0);
        let mut take = |field: &str| point.get_mut(field).map(Value::take);
        let payload = match take("payload") {
            Some(Value::Object(payload)) => payload,
            _ => Map::new(),
        };
        Ok(Self { id, score, payload, vectors: take("vector").unwrap_or_default() })
    }

    /// A dense vector of this name.
    pub(super) fn vector(&self, name: &str) -> Option<Vec<f32>> {
        let numbers = self.vectors.get(name)?.as_array()?;
        numbers.iter().map(|number| number.as_f64().map(|number| number as f32)).collect()
    }

    /// All vectors that came, as JSON.
    pub(super) fn vectors(&self) -> String {
        if self.vectors.is_object() { self.vectors.to_string() } else { "{}".to_owned() }
    }
}

impl Collection {
    pub(super) fn new(scope: &Arc<Scope>, name: impl Into<String>) -> Self {
        Self { scope: Arc::clone(scope), name: name.into() }
    }

    pub(super) fn path(&self, rest: &str) -> String {
        format!("/collections/{}{rest}", segment(&self.name))
    }

    /// Sends a request that filters; makes the indexes it needs where the server allows no filter without them.
    fn filtering(&self, path: &str, body: &Value) -> Result<Value, Failure> {
        match self.scope.api.post(&self.path(path), body) {
            Err(failure) if failure.needs_index => {
                if self.ensure_indexes().is_err() {
                    return Err(failure);
                }
                let again = self.scope.api.post(&self.path(path), body);
                again.map_err(|mut failure| {
                    if failure.needs_index {
                        let error = Error::new(ErrorKind::Store, failure.error.chain());
                        let hint =
                            "give the field an index in `[store] payload_indexes`, such as `chapter = \"integer\"`";
                        *failure.error = error.hint(hint);
                    }
                    failure
                })
            }
            result => result,
        }
    }

    /// Calls `take` with each point that passes, in order of their identities.
    pub(super) fn scroll(
        &self,
        filter: &Value,
        wanted: &Wanted,
        mut take: impl FnMut(Found) -> Result<()>,
    ) -> Result<()> {
        let mut offset = Value::Null;
        loop {
            // Vectors make pages large.
            let limit = if wanted.has_vectors() { self.scope.page().div_ceil(4) } else { self.scope.page() };
            let mut body = json!({"filter": filter, "limit": limit, "with_payload": wanted.payload,
                "with_vector": wanted.vectors});
            if !offset.is_null() {
                body["offset"] = offset.clone();
            }
            let mut page = match present(self.filtering("/points/scroll", &body)) {
                Err(failure) if failure.above_limit.is_some_and(|told| self.scope.smaller_page(told)) => continue,
                Err(failure) => return Err(failure.into()),
                Ok(None) => return Ok(()),
                Ok(Some(page)) => page,
            };
            array(&mut page, "points")?.into_iter().try_for_each(|point| take(Found::of(point)?))?;
            offset = page.get_mut("next_page_offset").map(Value::take).unwrap_or_default();
            if offset.is_null() {
                return Ok(());
            }
        }
    }

    /// The points with these identities that are there.
    pub(super) fn retrieve(&self, ids: &[Uuid], wanted: &Wanted) -> Result<Vec<Found>> {
        let mut found = Vec::new();
        let mut rest = ids;
        while !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(self.scope.page()));
            let ids: Vec<String> = now.iter().map(Uuid::to_string).collect();
            let body = json!({"ids": ids, "with_payload": wanted.payload, "with_vector": wanted.vectors});
            let points = match present(self.scope.api.post(&self.path("/points"), &body)) {
                Err(failure) if failure.above_limit.is_some_and(|told| self.scope.smaller_page(told)) => continue,
                result => result?,
            };
            let Some(Value::Array(points)) = points else { return Ok(found) };
            for point in points {
                found.push(Found::of(point)?);
            }
            rest = later;
        }
        Ok(found)
    }

    /// How many points pass; all points of the collection without a filter.
    pub(super) fn count(&self, filter: Option<&Value>) -> Result<u64, Failure> {
        let mut body = json!({"exact": true});
        if let Some(filter) = filter {
            body["filter"] = filter.clone();
        }
        let counted = present(self.filtering("/points/count", &body))?;
        Ok(counted.and_then(|counted| counted.get("count")?.as_u64()).unwrap_or(0))
    }

    /// How many of the points that pass have each value of a field; `None` when the server cannot tell, or there may be
    /// more than `limit` values.
    pub(super) fn facet(&self, field: &str, filter: &Value, limit: usize) -> Result<Option<Vec<(String, u64)>>> {
        let body = json!({"key": field, "filter": filter, "limit": limit, "exact": true});
        let mut counted = match self.filtering("/facet", &body) {
            // An older server, or one that allows no such request.
            Err(failure) if matches!(failure.status, 400 | 404 | 405) => return Ok(None),
            result => result?,
        };
        let hits = array(&mut counted, "hits")?;
        let full = hits.len() >= limit;
        let hit = |hit: &Value| Some((hit.get("value")?.as_str()?.to_owned(), hit.get("count")?.as_u64()?));
        Ok(hits.iter().map(hit).collect::<Option<Vec<_>>>().filter(|_| !full))
    }

    /// The best points for several queries, best first. Where the server gives fewer at a time than a query asks for, it is
    /// asked for fewer, as long as these are at least `least`.
    pub(super) fn query(&self, queries: &[Value], least: usize) -> Result<Vec<Vec<Found>>> {
        let mut queries = queries.to_vec();
        let answers = loop {
            match present(self.filtering("/points/query/batch", &json!({"searches": queries}))) {
                Err(failure) if failure.above_limit.is_some_and(|told| self.scope.smaller_page(told)) => {
                    let page = self.scope.page();
                    if page < least {
                        return Err(failure.into());
                    }
                    let large = |query: &&mut Value| query["limit"].as_u64().is_some_and(|limit| limit > page as u64);
                    queries.iter_mut().filter(large).for_each(|query| query["limit"] = page.into());
                }
                result => break result?,
            }
        };
        let answers = match answers {
            None => return Ok(queries.iter().map(|_| Vec::new()).collect()),
            Some(Value::Array(answers)) => answers,
            Some(_) => return Err(strange("a batch of queries without answers")),
        };
        let points = |mut answer: Value| array(&mut answer, "points")?.into_iter().map(Found::of).collect();
        answers.into_iter().map(points).collect()
    }

    /// Adds or replaces points, given as JSON.
    pub(super) fn put(&self, points: &[String]) -> Result<()> {
        let path = self.path("/points?wait=true");
        Ok(self.scope.api.send_parts(Method::Put, &path, "points", points, self.scope.batch)?)
    }

    /// Does operations on points in order, given as JSON.
    pub(super) fn batch(&self, operations: &[String]) -> Result<()> {
        let path = self.path("/points/batch?wait=true");
        Ok(self.scope.api.send_parts(Method::Post, &path, "operations", operations, self.scope.batch)?)
    }

    /// Removes points by identity.
    pub(super) fn remove(&self, ids: &[Uuid]) -> Result<()> {
        let ids: Vec<String> = ids.iter().map(|id| format!("\"{id}\"")).collect();
        let path = self.path("/points/delete?wait=true");
        Ok(self.scope.api.send_parts(Method::Post, &path, "points", &ids, usize::MAX)?)
    }

    /// Removes the points that pass.
    pub(super) fn remove_where(&self, filter: &Value) -> Result<()> {
        self.filtering("/points/delete?wait=true", &json!({"filter": filter}))?;
        Ok(())
    }
}

/// What was asked for, or `None` when there is no such collection.
pub(super) fn present(result: Result<Value, Failure>) -> Result<Option<Value>, Failure> {
    match result {
        Err(failure) if failure.status == 404 => Ok(None),
        result => result.map(Some),
    }
}

/// The elements of a list.
fn array(object: &mut Value, field: &str) -> Result<Vec<Value>> {
    match object.get_mut(field).map(Value::take) {
        Some(Value::Array(elements)) => Ok(elements),
        _ => Err(strange(&format!("no `{field}`"))),
    }
}

/// An answer that no server gives.
pub(super) fn strange(what: &str) -> Error {
    Error::new(ErrorKind::Store, "the store `qdrant` gave an answer that is not understood").because(what.to_owned())
}
