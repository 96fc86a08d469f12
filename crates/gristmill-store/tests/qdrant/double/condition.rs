//! Filters.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::points::{Point, PointId};
use super::state::{Refused, bad};

/// Refuses filters on fields without an index of a fitting type, and conditions that are not known.
pub fn check(
    filter: &Value,
    indexes: &BTreeMap<String, String>,
    strict: bool,
    has_vector: bool,
) -> Result<(), Refused> {
    for (clause, condition) in conditions(filter)? {
        if !["must", "should", "must_not"].contains(&clause) {
            return Err(bad(format!("unknown clause `{clause}`")));
        }
        if condition.get("must").is_some() || condition.get("should").is_some() || condition.get("must_not").is_some() {
            check(condition, indexes, strict, has_vector)?;
            continue;
        }
        let fields: Vec<&str> = condition.as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect();
        match fields[..] {
            ["has_id"] => {}
            ["has_vector"] if has_vector => {}
            ["key", "match"] | ["key", "range"] => {
                let key = condition["key"].as_str().ok_or_else(|| bad("a key is a string"))?;
                let wanted = types(condition)?;
                let known = indexes.get(key).map(String::as_str);
                if strict && !known.is_some_and(|known| wanted.contains(&known)) {
                    return Err(bad(format!(
                        "Bad request: Index required but not found for \"{key}\" of one of the following types: \
                         {wanted:?}. Help: Create an index for this key or use a different filter."
                    )));
                }
            }
            _ => return Err(bad(format!("Format error in JSON body: unknown condition {condition}"))),
        }
    }
    Ok(())
}

/// Types of index that serve a condition.
fn types(condition: &Value) -> Result<&'static [&'static str], Refused> {
    if let Some(range) = condition.get("range") {
        let known = |name: &String| ["lt", "lte", "gt", "gte"].contains(&name.as_str());
        return match range.as_object() {
            Some(range) if range.keys().all(known) => Ok(&["integer", "float"]),
            _ => Err(bad("Format error in JSON body: no range")),
        };
    }
    let one = match &condition["match"] {
        Value::Object(one) if one.len() == 1 => one,
        _ => return Err(bad("Format error in JSON body: no match")),
    };
    let sample = one.get("value").or_else(|| one.get("any").map(|any| &any[0]));
    match sample {
        Some(Value::String(_)) => Ok(&["keyword", "uuid"]),
        Some(Value::Number(n)) if n.is_u64() || n.is_i64() => Ok(&["integer"]),
        Some(Value::Bool(_)) => Ok(&["bool"]),
        Some(Value::Null) if one["any"] == Value::Array(Vec::new()) => Ok(&["keyword", "uuid"]),
        _ => Err(bad("Format error in JSON body: no value that can be matched")),
    }
}

fn conditions(filter: &Value) -> Result<Vec<(&str, &Value)>, Refused> {
    let clauses = filter.as_object().ok_or_else(|| bad("Format error in JSON body: a filter is an object"))?;
    let mut all = Vec::new();
    for (clause, conditions) in clauses {
        match conditions {
            Value::Array(conditions) => all.extend(conditions.iter().map(|condition| (clause.as_str(), condition))),
            condition => all.push((clause.as_str(), condition)),
        }
    }
    Ok(all)
}

/// True when a point passes a filter that was checked.
pub fn passes(filter: &Value, id: PointId, point: &Point) -> bool {
    let conditions = conditions(filter).unwrap_or_default();
    let mut should = conditions.iter().filter(|(clause, _)| *clause == "should").peekable();
    let any = should.peek().is_none() || should.any(|(_, condition)| holds(condition, id, point));
    any && conditions.iter().all(|(clause, condition)| match *clause {
        "must" => holds(condition, id, point),
        "must_not" => !holds(condition, id, point),
        _ => true,
    })
}

fn holds(condition: &Value, id: PointId, point: &Point) -> bool {
    if let Some(ids) = condition.get("has_id").and_then(Value::as_array) {
        return ids.iter().any(|one| PointId::of(one).is_ok_and(|one| one == id));
    }
    if let Some(name) = condition.get("has_vector").and_then(Value::as_str) {
        return point.dense.contains_key(name) || point.sparse.contains_key(name);
    }
    let Some(key) = condition.get("key").and_then(Value::as_str) else { return passes(condition, id, point) };
    let values = values_at(&point.payload, key);
    if let Some(range) = condition.get("range").and_then(Value::as_object) {
        let within = |number: f64| {
            range.iter().all(|(bound, at)| match (bound.as_str(), at.as_f64()) {
                ("lt", Some(at)) => number < at,
                ("lte", Some(at)) => number <= at,
                ("gt", Some(at)) => number > at,
                ("gte", Some(at)) => number >= at,
                _ => true,
            })
        };
        return values.iter().filter_map(|value| value.as_f64()).any(within);
    }
    let one = &condition["match"];
    match one.get("any").and_then(Value::as_array) {
        Some(any) => values.iter().any(|value| any.contains(value)),
        None => values.contains(&&one["value"]),
    }
}

/// The values of a field, with lists opened at its end.
pub fn values_at<'p>(payload: &'p Map<String, Value>, key: &str) -> Vec<&'p Value> {
    let mut names = names(key).into_iter();
    let first = names.next().unwrap_or_default();
    let mut at = payload.get(&first);
    for name in names {
        at = at.and_then(|value| value.as_object()).and_then(|members| members.get(&name));
    }
    match at {
        Some(Value::Array(elements)) => elements.iter().collect(),
        Some(value) => vec![value],
        None => Vec::new(),
    }
}

/// The names of a path; those in quotation marks may hold anything.
fn names(key: &str) -> Vec<String> {
    let mut names = vec![String::new()];
    let mut quoted = false;
    for c in key.chars() {
        match c {
            '"' => quoted = !quoted,
            '.' if !quoted => names.push(String::new()),
            c => names.last_mut().unwrap().push(c),
        }
    }
    names
}
