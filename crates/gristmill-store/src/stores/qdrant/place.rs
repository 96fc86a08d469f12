//! Where a tenant's points are written: the collection for a model, and room in it for vectors of a length.

use gristmill_core::{Error, ErrorKind, Result, VectorSpec};
use serde_json::{Value, json};

use super::collection::{Collection, DENSE, KEPT, Wanted};
use super::control::{Control, Place};
use super::point::written;
use super::scope::kind;

/// Kinds of points that hold documents.
pub(super) const CONTENT: &[&str] = &[kind::CHUNK, kind::DOCUMENT, kind::KEPT];

/// The collection of the settings, made when it is absent.
///
/// # Errors
/// When another program has made it for vectors of its own.
pub(super) fn open_base(base: &Collection, spec: &VectorSpec) -> Result<()> {
    if base.layout()?.is_some() {
        return base.ensure_indexes();
    }
    if !finish_publishing(base)? {
        base.create(spec.dimensions)?;
    }
    Ok(())
}

/// A run that ended between the removal of the old collection and the naming of the new one left the new one without its
/// name. True when it has it now.
fn finish_publishing(base: &Collection) -> Result<bool> {
    for name in collections(base)?.iter().filter(|name| base.scope.may_be_own(name)) {
        if Control::read(&Collection::new(&base.scope, name))?.is_some() {
            set_alias(base, name, false)?;
            return Ok(true);
        }
    }
    Ok(false)
}

/// Names of all collections of the server.
pub(super) fn collections(base: &Collection) -> Result<Vec<String>> {
    let listed = base.scope.api.get("/collections")?;
    let names = listed.get("collections").and_then(Value::as_array).into_iter().flatten();
    Ok(names.filter_map(|one| one.get("name")?.as_str().map(str::to_owned)).collect())
}

/// The collection behind the name of the settings, when that is an alias.
pub(super) fn alias_target(base: &Collection) -> Result<Option<String>> {
    let listed = base.scope.api.get("/aliases")?;
    let mut aliases = listed.get("aliases").and_then(Value::as_array).into_iter().flatten();
    let own = aliases.find(|one| one.get("alias_name").and_then(Value::as_str) == Some(&base.name));
    Ok(own.and_then(|one| one.get("collection_name")?.as_str().map(str::to_owned)))
}

/// Lets the name of the settings stand for a collection, in one step when it stood for another one.
pub(super) fn set_alias(base: &Collection, collection: &str, stood: bool) -> Result<()> {
    let delete = json!({"delete_alias": {"alias_name": base.name}});
    let create = json!({"create_alias": {"alias_name": base.name, "collection_name": collection}});
    let actions = if stood { vec![delete, create] } else { vec![create] };
    base.scope.api.post("/collections/aliases", &json!({"actions": actions}))?;
    Ok(())
}

/// True when every point is this tenant's.
pub(super) fn is_alone(collection: &Collection) -> Result<bool> {
    let own = json!({"must": [collection.scope.own()]});
    Ok(collection.count(None)? == collection.count(Some(&own))?)
}

/// True when the tenant has a vector in the collection.
pub(super) fn holds_vectors(collection: &Collection) -> Result<bool> {
    let Some(length) = collection.layout()?.and_then(|layout| layout.length) else { return Ok(false) };
    // Nearest to anything: any point with such a vector.
    let mut axis = vec![0.0; length];
    axis.first_mut().into_iter().for_each(|first| *first = 1.0);
    let any = |vector: &str, kind: &str| {
        json!({"query": axis, "using": vector, "limit": 1, "filter": collection.scope.filter(&[kind], []),
            "with_payload": false, "with_vector": [vector]})
    };
    let found = collection.query(&[any(DENSE, kind::CHUNK), any(KEPT, kind::KEPT)], 1)?;
    Ok(found.iter().flatten().any(|found| found.vector(DENSE).or_else(|| found.vector(KEPT)).is_some()))
}

/// The place for a writer of this model, and whether it is a shadow. Tells the control point.
pub(super) fn for_writer(base: &Collection, spec: &VectorSpec) -> Result<(Control, bool)> {
    let open = |place: &Place| Collection::new(&base.scope, &place.collection);
    let Some(mut control) = Control::read(base)? else {
        let answering = Place { collection: base.name.clone(), spec: spec.clone() };
        let control = Control { answering, shadow: None };
        control.write(base)?;
        return Ok((control, false));
    };
    if control.answering.spec == *spec {
        return Ok((control, false));
    }
    if !holds_vectors(&open(&control.answering))? {
        control.answering.spec = spec.clone();
        control.write(base)?;
        return Ok((control, false));
    }
    if control.answering.spec.agrees(spec) {
        return Ok((control, false));
    }
    let before = control.clone();
    match &mut control.shadow {
        Some(shadow) if shadow.spec.agrees(spec) => {
            if !holds_vectors(&open(shadow))? {
                shadow.spec = spec.clone();
            }
        }
        shadow => {
            if let Some(third) = shadow.take() {
                open(&third).drop_collection()?;
            }
            let place = Place { collection: base.scope.own_collection(spec), spec: spec.clone() };
            // What an earlier run may have left under this name.
            open(&place).drop_collection()?;
            open(&place).create(spec.dimensions)?;
            *shadow = Some(place);
        }
    }
    if control != before {
        control.write(base)?;
    }
    Ok((control, true))
}

/// The collection for vectors of this length. It is the same one when it has room for them; else, as long as it holds no
/// vectors, it is made anew, or this tenant moves out of it when others have points there.
pub(super) fn with_room(base: &Collection, place: &Place, length: usize) -> Result<Collection> {
    let collection = Collection::new(&base.scope, &place.collection);
    let layout = collection.layout()?;
    if layout.is_some_and(|layout| layout.length == Some(length)) {
        return Ok(collection);
    }
    if holds_vectors(&collection)? {
        return Err(Error::new(
            ErrorKind::Store,
            format!("the collection has no room for vectors of {length} numbers: `{}`", place.collection),
        )
        .hint("name another one in `[store] collection`"));
    }
    if is_alone(&collection)? {
        make_anew(base, &collection, length)?;
        return Ok(collection);
    }
    let spec = VectorSpec { dimensions: Some(length), ..place.spec.clone() };
    let own = Collection::new(&base.scope, base.scope.own_collection(&spec));
    let points = copies(&collection, CONTENT)?;
    own.drop_collection()?;
    own.create(Some(length))?;
    own.put(&points)?;
    Ok(own)
}

/// Makes a collection anew with the points of this tenant, which has it alone. None of them has a vector that is searched
/// by meaning, so that nothing is lost that costs anything when this is cut short.
fn make_anew(base: &Collection, collection: &Collection, length: usize) -> Result<()> {
    let target = alias_target(base)?;
    let real = match &target {
        Some(target) if collection.name == base.name => Collection::new(&base.scope, target),
        _ => collection.clone(),
    };
    let points = copies(collection, &[CONTENT, &[kind::CONTROL, kind::CLAIM]].concat())?;
    real.drop_collection()?;
    real.create(Some(length))?;
    if target.as_ref() == Some(&real.name) {
        // An alias goes with its collection.
        set_alias(base, &real.name, false)?;
    }
    real.put(&points)
}

/// This tenant's points of some kinds, as they are.
fn copies(collection: &Collection, kinds: &[&str]) -> Result<Vec<String>> {
    let mut points = Vec::new();
    let wanted = Wanted::payload().all_vectors();
    collection.scroll(&collection.scope.filter(kinds, []), &wanted, |found| {
        points.push(written(found.id, &found.vectors(), &found.payload)?);
        Ok(())
    })?;
    Ok(points)
}
