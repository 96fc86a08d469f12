//! Searches.

use serde_json::{Value, json};

use super::collection::Collection;
use super::points::{Point, PointId, Sparse, dense, normal, sparse};
use super::state::{Refused, bad, known};
use super::{Behaviour, condition};

/// The answer to one search.
pub fn query(collection: &Collection, behaviour: &Behaviour, request: &Value) -> Result<Value, Refused> {
    known(request, &["query", "using", "filter", "limit", "with_payload", "with_vector"])?;
    let limit = collection.limit(behaviour, request)?;
    let passing = collection.passing(behaviour, request)?;
    let mut hits: Vec<(PointId, &Point, f32)> = match request.get("query") {
        None => passing.into_iter().map(|(id, point)| (id, point, 0.0)).collect(),
        Some(wanted) => {
            let using = request["using"].as_str().ok_or_else(|| bad("using is missing"))?;
            scored(collection, passing, wanted, using)?
        }
    };
    hits.sort_by(|a, b| b.2.total_cmp(&a.2).then(a.0.cmp(&b.0)));
    let shown = hits.into_iter().take(limit).map(|(id, point, score)| {
        let mut shown = point.json(id, request, false)?;
        shown["score"] = json!(score);
        Ok(shown)
    });
    Ok(json!({"points": shown.collect::<Result<Vec<_>, Refused>>()?}))
}

fn scored<'c>(
    collection: &Collection,
    points: Vec<(PointId, &'c Point)>,
    wanted: &Value,
    using: &str,
) -> Result<Vec<(PointId, &'c Point, f32)>, Refused> {
    if let Some(&size) = collection.layout.dense.get(using) {
        let wanted = normal(dense(wanted, size)?);
        let dot = |vector: &Vec<f32>| vector.iter().zip(&wanted).map(|(a, b)| a * b).sum::<f32>();
        let score = |(id, point): (PointId, &'c Point)| Some((id, point, dot(point.dense.get(using)?)));
        return Ok(points.into_iter().filter_map(score).collect());
    }
    if !collection.layout.sparse.iter().any(|name| name == using) {
        return Err(bad(format!("Wrong input: Not existing vector name error: {using}")));
    }
    let wanted = sparse(wanted)?;
    let weights = rareness(collection, using, &wanted);
    let score = |(id, point): (PointId, &'c Point)| {
        let vector = point.sparse.get(using)?;
        let shared: Vec<f32> = weights.iter().filter_map(|(index, weight)| Some(weight * vector.get(index)?)).collect();
        (!shared.is_empty()).then(|| (id, point, shared.iter().sum()))
    };
    Ok(points.into_iter().filter_map(score).collect())
}

/// The question's values times how rare each of its words is among all points of the collection.
fn rareness(collection: &Collection, using: &str, wanted: &Sparse) -> Sparse {
    let all: Vec<&Sparse> = collection.points.values().filter_map(|point| point.sparse.get(using)).collect();
    let n = all.len() as f32;
    let weight = |(&index, &value): (&u32, &f32)| {
        let with = all.iter().filter(|vector| vector.contains_key(&index)).count() as f32;
        (index, value * ((n - with + 0.5) / (with + 0.5) + 1.0).ln())
    };
    wanted.iter().map(weight).collect()
}

/// How many points have each value of a field.
pub fn facet(collection: &Collection, behaviour: &Behaviour, request: &Value) -> Result<Value, Refused> {
    known(request, &["key", "filter", "limit", "exact"])?;
    let key = request["key"].as_str().ok_or_else(|| bad("key is missing"))?;
    if !collection.indexes.get(key).is_some_and(|kind| ["keyword", "integer", "uuid", "bool"].contains(&kind.as_str()))
    {
        return Err(bad(format!("Bad request: Can't facet on \"{key}\": Index required but not found")));
    }
    let limit = request.get("limit").and_then(Value::as_u64).unwrap_or(10);
    let mut counts: Vec<(String, u64)> = Vec::new();
    for (_, point) in collection.passing(behaviour, request)? {
        for value in condition::values_at(&point.payload, key).into_iter().filter_map(Value::as_str) {
            match counts.iter_mut().find(|(known, _)| known == value) {
                Some((_, count)) => *count += 1,
                None => counts.push((value.to_owned(), 1)),
            }
        }
    }
    counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let hits: Vec<Value> = counts
        .into_iter()
        .take(usize::try_from(limit).unwrap_or(usize::MAX))
        .map(|(value, count)| json!({"value": value, "count": count}))
        .collect();
    Ok(json!({"hits": hits}))
}
