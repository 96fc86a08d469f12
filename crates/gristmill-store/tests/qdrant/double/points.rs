//! Points, and how they come in and go out as JSON.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::collection::Layout;
use super::state::{Refused, bad};

/// Numbers come before UUIDs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PointId {
    Number(u64),
    Uuid(Uuid),
}

impl PointId {
    pub fn of(value: &Value) -> Result<Self, Refused> {
        let id = match value {
            Value::Number(number) => number.as_u64().map(Self::Number),
            Value::String(text) => Uuid::parse_str(text).ok().map(Self::Uuid),
            _ => None,
        };
        id.ok_or_else(|| {
            bad(format!(
                "Format error in JSON body: value {value} is not a valid point ID, valid values are either an unsigned \
                 integer or a UUID"
            ))
        })
    }

    pub fn json(self) -> Value {
        match self {
            Self::Number(number) => number.into(),
            Self::Uuid(uuid) => uuid.to_string().into(),
        }
    }
}

/// A sparse vector: value by index.
pub type Sparse = BTreeMap<u32, f32>;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Point {
    pub dense: BTreeMap<String, Vec<f32>>,
    pub sparse: BTreeMap<String, Sparse>,
    pub payload: Map<String, Value>,
}

impl Point {
    /// A point as a request gives it.
    pub fn of(value: &Value, layout: &Layout) -> Result<(PointId, Self), Refused> {
        let fields = value.as_object().ok_or_else(|| bad("Format error in JSON body: a point is an object"))?;
        if let Some(unknown) = fields.keys().find(|name| !["id", "vector", "payload"].contains(&name.as_str())) {
            return Err(bad(format!("unknown field of a point: {unknown}")));
        }
        let payload = match fields.get("payload") {
            Some(Value::Object(payload)) => payload.clone(),
            None | Some(Value::Null) => Map::new(),
            _ => return Err(bad("Format error in JSON body: a payload is an object")),
        };
        let mut point = Self { payload, ..Self::default() };
        let vectors = fields.get("vector").and_then(Value::as_object);
        for (name, vector) in vectors.ok_or_else(|| bad("Format error in JSON body: missing field `vector`"))? {
            if let Some(&size) = layout.dense.get(name) {
                point.dense.insert(name.clone(), normal(dense(vector, size)?));
            } else if layout.sparse.contains(name) {
                point.sparse.insert(name.clone(), sparse(vector)?);
            } else {
                return Err(bad(format!("Wrong input: Not existing vector name error: {name}")));
            }
        }
        Ok((PointId::of(&value["id"])?, point))
    }

    /// As an answer gives it.
    pub fn json(&self, id: PointId, request: &Value, payload_by_default: bool) -> Result<Value, Refused> {
        let mut out = json!({"id": id.json()});
        match request.get("with_payload") {
            Some(Value::Bool(true)) => out["payload"] = self.payload.clone().into(),
            Some(Value::Bool(false)) => {}
            None if payload_by_default => out["payload"] = self.payload.clone().into(),
            None => {}
            Some(selected) => {
                let fields = selected.get("include").and_then(Value::as_array);
                let fields = fields.ok_or_else(|| bad("Format error in JSON body: with_payload"))?;
                let kept = |name: &&String| fields.iter().any(|field| field.as_str() == Some(name));
                let payload: Map<String, Value> =
                    self.payload.iter().filter(|(name, _)| kept(name)).map(|(n, v)| (n.clone(), v.clone())).collect();
                out["payload"] = payload.into();
            }
        }
        let wanted = match request.get("with_vector") {
            None | Some(Value::Bool(false)) => return Ok(out),
            Some(Value::Bool(true)) => None,
            Some(Value::Array(names)) => Some(names),
            Some(_) => return Err(bad("Format error in JSON body: with_vector")),
        };
        let is_wanted = |name: &str| wanted.is_none_or(|names| names.iter().any(|one| one.as_str() == Some(name)));
        let dense = self.dense.iter().map(|(name, vector)| (name, json!(vector)));
        let sparse = self.sparse.iter().map(|(name, vector)| {
            (name, json!({"indices": vector.keys().collect::<Vec<_>>(), "values": vector.values().collect::<Vec<_>>()}))
        });
        let vectors: Map<String, Value> =
            dense.chain(sparse).filter(|(name, _)| is_wanted(name)).map(|(n, v)| (n.clone(), v)).collect();
        out["vector"] = vectors.into();
        Ok(out)
    }
}

/// A dense vector of the right length.
pub fn dense(value: &Value, size: usize) -> Result<Vec<f32>, Refused> {
    let numbers = value.as_array().and_then(|numbers| {
        numbers.iter().map(|number| number.as_f64().map(|number| number as f32)).collect::<Option<Vec<f32>>>()
    });
    let numbers = numbers.ok_or_else(|| bad("Format error in JSON body: a vector is a list of numbers"))?;
    if numbers.len() != size {
        let got = numbers.len();
        return Err(bad(format!("Wrong input: Vector dimension error: expected dim: {size}, got {got}")));
    }
    Ok(numbers)
}

/// A sparse vector without repetitions.
pub fn sparse(value: &Value) -> Result<Sparse, Refused> {
    let list = |name: &str| value.get(name).and_then(Value::as_array);
    let (Some(indices), Some(values)) = (list("indices"), list("values")) else {
        return Err(bad("Format error in JSON body: a sparse vector has indices and values"));
    };
    let mut out = Sparse::new();
    for (index, value) in indices.iter().zip(values) {
        let index = index.as_u64().and_then(|index| u32::try_from(index).ok());
        let (Some(index), Some(value)) = (index, value.as_f64()) else {
            return Err(bad("Format error in JSON body: no number"));
        };
        out.insert(index, value as f32);
    }
    if indices.len() != values.len() || out.len() != indices.len() {
        return Err(Refused(422, "Validation error: must be unique and of the same length".into()));
    }
    Ok(out)
}

/// Of length 1, as vectors are stored for the distance `Cosine`; one that is near enough stays as it is.
pub fn normal(mut vector: Vec<f32>) -> Vec<f32> {
    let square: f32 = vector.iter().map(|x| x * x).sum();
    if square > f32::EPSILON && (square - 1.0).abs() > 1e-6 {
        let length = square.sqrt();
        vector.iter_mut().for_each(|x| *x /= length);
    }
    vector
}
