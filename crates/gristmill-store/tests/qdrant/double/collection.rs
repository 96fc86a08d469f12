//! A collection, and what each request does to it.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::points::{Point, PointId};
use super::state::{Refused, bad, known};
use super::{Behaviour, condition, query};

/// The vectors of a collection.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Length by name.
    pub dense: BTreeMap<String, usize>,
    pub sparse: Vec<String>,
}

#[derive(Default)]
pub struct Collection {
    /// As it was made.
    pub config: Value,
    pub layout: Layout,
    pub indexes: BTreeMap<String, String>,
    pub points: BTreeMap<PointId, Point>,
}

impl Collection {
    pub fn work(&mut self, behaviour: &Behaviour, method: &str, path: &[&str], body: &Value) -> Result<Value, Refused> {
        match (method, path) {
            ("GET", []) => Ok(self.info(behaviour)),
            ("PUT", ["index"]) => {
                known(body, &["field_name", "field_schema"])?;
                let schema = &body["field_schema"];
                let kind = schema.as_str().or_else(|| schema["type"].as_str()).ok_or_else(|| bad("no type"))?;
                let field = body["field_name"].as_str().ok_or_else(|| bad("no field"))?;
                self.indexes.insert(field.to_owned(), kind.to_owned());
                Ok(done())
            }
            ("DELETE", ["index", field]) => {
                self.indexes.remove(*field);
                Ok(done())
            }
            ("POST", ["facet"]) if behaviour.facets => query::facet(self, behaviour, body),
            ("PUT", ["points"]) => self.upsert(body),
            ("POST", ["points"]) => {
                known(body, &["ids", "with_payload", "with_vector"])?;
                let ids = body["ids"].as_array().ok_or_else(|| bad("no ids"))?;
                let ids = ids.iter().map(PointId::of).collect::<Result<Vec<_>, _>>()?;
                let found = ids.iter().filter_map(|id| Some((*id, self.points.get(id)?)));
                found.map(|(id, point)| point.json(id, body, true)).collect()
            }
            ("POST", ["points", "scroll"]) => self.scroll(behaviour, body),
            ("POST", ["points", "count"]) => {
                known(body, &["filter", "exact"])?;
                Ok(json!({"count": self.passing(behaviour, body)?.len()}))
            }
            ("POST", ["points", "query"]) => query::query(self, behaviour, body),
            ("POST", ["points", "query", "batch"]) => {
                known(body, &["searches"])?;
                let searches = body["searches"].as_array().ok_or_else(|| bad("no searches"))?;
                searches.iter().map(|search| query::query(self, behaviour, search)).collect()
            }
            ("POST", ["points", "delete"]) => self.delete(behaviour, body),
            ("PUT", ["points", "payload"]) => self.overwrite(behaviour, body),
            ("POST", ["points", "batch"]) => {
                known(body, &["operations"])?;
                for operation in body["operations"].as_array().ok_or_else(|| bad("no operations"))? {
                    match operation.as_object().and_then(|one| one.iter().next()) {
                        Some((name, upsert)) if name == "upsert" => self.upsert(upsert)?,
                        Some((name, delete)) if name == "delete" => self.delete(behaviour, delete)?,
                        Some((name, payload)) if name == "overwrite_payload" => self.overwrite(behaviour, payload)?,
                        _ => return Err(bad("unknown operation")),
                    };
                }
                Ok(done())
            }
            _ => Err(Refused(404, String::new())),
        }
    }

    fn info(&self, behaviour: &Behaviour) -> Value {
        let schema = self.indexes.iter().map(|(field, kind)| (field.clone(), json!({"data_type": kind, "points": 0})));
        json!({
            "status": "green",
            "points_count": self.points.len(),
            "config": {"params": self.config, "strict_mode_config": {"enabled": behaviour.strict}},
            "payload_schema": schema.collect::<serde_json::Map<_, _>>(),
        })
    }

    /// The points that pass the filter of a request, by identity.
    pub fn passing(&self, behaviour: &Behaviour, request: &Value) -> Result<Vec<(PointId, &Point)>, Refused> {
        let all = self.points.iter().map(|(&id, point)| (id, point));
        let Some(filter) = request.get("filter") else { return Ok(all.collect()) };
        condition::check(filter, &self.indexes, behaviour.strict, behaviour.has_vector)?;
        Ok(all.filter(|(id, point)| condition::passes(filter, *id, point)).collect())
    }

    /// The number of points that a request asks for.
    pub fn limit(&self, behaviour: &Behaviour, request: &Value) -> Result<usize, Refused> {
        let limit = request.get("limit").and_then(Value::as_u64).unwrap_or(10);
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        if limit == 0 {
            return Err(Refused(422, "Validation error: limit must be 1 or larger".into()));
        }
        if behaviour.strict && limit > behaviour.query_limit {
            let most = behaviour.query_limit;
            return Err(bad(format!(
                "Bad request: Limit exceeded {limit} > {most} for \"limit\". Help: Reduce the \"limit\" parameter to or \
                 below {most}."
            )));
        }
        Ok(limit)
    }

    fn scroll(&self, behaviour: &Behaviour, body: &Value) -> Result<Value, Refused> {
        known(body, &["filter", "limit", "offset", "with_payload", "with_vector"])?;
        let limit = self.limit(behaviour, body)?.min(behaviour.page_size);
        let offset = body.get("offset").map(PointId::of).transpose()?;
        let mut passing = self.passing(behaviour, body)?;
        passing.retain(|(id, _)| offset.is_none_or(|offset| *id >= offset));
        let next = passing.get(limit).map(|(id, _)| id.json());
        let shown = passing.iter().take(limit).map(|(id, point)| point.json(*id, body, true));
        Ok(json!({"points": shown.collect::<Result<Vec<_>, _>>()?, "next_page_offset": next}))
    }

    fn upsert(&mut self, body: &Value) -> Result<Value, Refused> {
        known(body, &["points"])?;
        let points = body["points"].as_array().ok_or_else(|| bad("no points"))?;
        if points.is_empty() {
            return Err(bad("Bad request: Empty update request"));
        }
        let points = points.iter().map(|point| Point::of(point, &self.layout)).collect::<Result<Vec<_>, _>>()?;
        self.points.extend(points);
        Ok(done())
    }

    /// The points that a write names.
    fn named(&self, behaviour: &Behaviour, body: &Value) -> Result<Vec<PointId>, Refused> {
        match body.get("points") {
            Some(Value::Array(ids)) => ids.iter().map(PointId::of).collect(),
            _ if body.get("filter").is_some() => {
                Ok(self.passing(behaviour, body)?.into_iter().map(|(id, _)| id).collect())
            }
            _ => Err(bad("Format error in JSON body: neither points nor a filter")),
        }
    }

    fn delete(&mut self, behaviour: &Behaviour, body: &Value) -> Result<Value, Refused> {
        known(body, &["points", "filter"])?;
        for id in self.named(behaviour, body)? {
            self.points.remove(&id);
        }
        Ok(done())
    }

    fn overwrite(&mut self, behaviour: &Behaviour, body: &Value) -> Result<Value, Refused> {
        known(body, &["payload", "points", "filter"])?;
        let payload = body["payload"].as_object().ok_or_else(|| bad("no payload"))?;
        for id in self.named(behaviour, body)? {
            let missing = || Refused(404, format!("Not found: No point with id {id:?} found"));
            self.points.get_mut(&id).ok_or_else(missing)?.payload = payload.clone();
        }
        Ok(done())
    }
}

fn done() -> Value {
    json!({"operation_id": 0, "status": "completed"})
}
