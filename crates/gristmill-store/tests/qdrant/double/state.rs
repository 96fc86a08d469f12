//! What the server holds, and what each request does to it.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::points::{Point, PointId};
use super::{Behaviour, condition, query};

/// Status and message of a refusal.
#[derive(Debug)]
pub struct Refused(pub u16, pub String);

pub fn bad(message: impl Into<String>) -> Refused {
    Refused(400, message.into())
}

/// Refuses fields that are not known.
pub fn known(request: &Value, fields: &[&str]) -> Result<(), Refused> {
    let mut given = request.as_object().into_iter().flatten();
    match given.find(|(name, _)| !fields.contains(&name.as_str())) {
        Some((unknown, _)) => Err(bad(format!("unknown field `{unknown}`, known are {fields:?}"))),
        None => Ok(()),
    }
}

/// Collections and aliases.
#[derive(Default)]
pub struct State {
    pub collections: BTreeMap<String, Collection>,
    pub aliases: BTreeMap<String, String>,
    /// Writes that nobody waits for, until they are done.
    later: Vec<Later>,
}

struct Later {
    /// Requests that come before.
    after: u8,
    method: String,
    path: Vec<String>,
    body: Value,
}

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

impl State {
    pub fn route(
        &mut self,
        behaviour: &Behaviour,
        method: &str,
        path: &[&str],
        parameters: &str,
        body: Value,
    ) -> Result<Value, Refused> {
        self.do_later(behaviour);
        let points = path.get(2) == Some(&"points");
        if points && super::writes(method, &format!("/{}", path.join("/"))) && !parameters.contains("wait=true") {
            let path = path.iter().map(|&name| name.to_owned()).collect();
            self.later.push(Later { after: 3, method: method.into(), path, body });
            return Ok(json!({"operation_id": 0, "status": "acknowledged"}));
        }
        self.work(behaviour, method, path, &body)
    }

    fn do_later(&mut self, behaviour: &Behaviour) {
        self.later.iter_mut().for_each(|later| later.after -= 1);
        for later in self.later.extract_if(.., |later| later.after == 0).collect::<Vec<_>>() {
            let path: Vec<&str> = later.path.iter().map(String::as_str).collect();
            _ = self.work(behaviour, &later.method, &path, &later.body);
        }
    }

    fn work(&mut self, behaviour: &Behaviour, method: &str, path: &[&str], body: &Value) -> Result<Value, Refused> {
        match (method, path) {
            ("GET", ["collections"]) => {
                let names = self.collections.keys().map(|name| json!({"name": name}));
                Ok(json!({"collections": names.collect::<Vec<_>>()}))
            }
            ("GET", ["aliases"]) => {
                let alias = |(alias, name)| json!({"alias_name": alias, "collection_name": name});
                Ok(json!({"aliases": self.aliases.iter().map(alias).collect::<Vec<_>>()}))
            }
            ("POST", ["collections", "aliases"]) => self.change_aliases(body),
            ("PUT", ["collections", name]) => self.create(name, body),
            ("DELETE", ["collections", name]) => {
                // Not by an alias.
                let was = self.collections.remove(*name).is_some();
                self.aliases.retain(|_, of| of != name);
                Ok(was.into())
            }
            (_, ["collections", name, rest @ ..]) => {
                let real = self.aliases.get(*name).map_or(*name, String::as_str);
                let missing = || Refused(404, format!("Not found: Collection `{name}` doesn't exist!"));
                let collection = self.collections.get_mut(real).ok_or_else(missing)?;
                collection.work(behaviour, method, rest, body)
            }
            _ => Err(Refused(404, String::new())),
        }
    }

    fn create(&mut self, name: &str, body: &Value) -> Result<Value, Refused> {
        known(
            body,
            &[
                "vectors",
                "sparse_vectors",
                "on_disk_payload",
                "shard_number",
                "replication_factor",
                "strict_mode_config",
            ],
        )?;
        if self.collections.contains_key(name) || self.aliases.contains_key(name) {
            return Err(Refused(409, format!("Wrong input: Collection `{name}` already exists!")));
        }
        let mut layout = Layout::default();
        for (name, vector) in body.get("vectors").and_then(Value::as_object).into_iter().flatten() {
            known(vector, &["size", "distance", "on_disk", "hnsw_config", "quantization_config"])?;
            let size = vector["size"].as_u64().filter(|&size| size > 0).ok_or_else(|| bad("no size"))?;
            if vector["distance"] != "Cosine" {
                return Err(bad("only Cosine is known here"));
            }
            layout.dense.insert(name.clone(), usize::try_from(size).unwrap());
        }
        for (name, vector) in body.get("sparse_vectors").and_then(Value::as_object).into_iter().flatten() {
            known(vector, &["modifier", "index"])?;
            if vector["modifier"] != "idf" {
                return Err(bad("only the modifier idf is known here"));
            }
            layout.sparse.push(name.clone());
        }
        let made = Collection { config: body.clone(), layout, ..Collection::default() };
        self.collections.insert(name.to_owned(), made);
        Ok(true.into())
    }

    fn change_aliases(&mut self, body: &Value) -> Result<Value, Refused> {
        known(body, &["actions"])?;
        let mut aliases = self.aliases.clone();
        for action in body["actions"].as_array().ok_or_else(|| bad("no actions"))? {
            let name = |of: &Value, field: &str| of[field].as_str().map(str::to_owned).ok_or_else(|| bad("no name"));
            if let Some(create) = action.get("create_alias") {
                let (alias, collection) = (name(create, "alias_name")?, name(create, "collection_name")?);
                if self.collections.contains_key(&alias) {
                    return Err(Refused(409, format!("Wrong input: Can't create alias: collection `{alias}` exists")));
                }
                if !self.collections.contains_key(&collection) {
                    return Err(Refused(404, format!("Not found: Collection `{collection}` doesn't exist!")));
                }
                aliases.insert(alias, collection);
            } else if let Some(delete) = action.get("delete_alias") {
                aliases.remove(&name(delete, "alias_name")?);
            } else {
                return Err(bad("unknown action"));
            }
        }
        self.aliases = aliases;
        Ok(true.into())
    }
}

impl Collection {
    fn work(&mut self, behaviour: &Behaviour, method: &str, path: &[&str], body: &Value) -> Result<Value, Refused> {
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
