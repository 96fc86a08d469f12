//! What the server holds, and what each request does to it.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Behaviour;
use super::collection::{Collection, Layout};

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
