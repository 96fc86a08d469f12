//! Removes what no run needs any more.

use std::collections::{BTreeMap, HashSet};

use gristmill_core::{DocumentId, Result};
use uuid::Uuid;

use super::collection::{Collection, Wanted};
use super::place::{CONTENT, alias_target, collections, is_alone};
use super::scope::kind;
use super::write::QdrantWriter;

/// Gives the number of points and kept vectors that were removed.
pub(super) fn sweep(writer: &mut QdrantWriter) -> Result<u64> {
    writer.lease.renew()?;
    Ok(old_shadow(writer)? + left_collections(writer)? + left_points(writer)? + needless_vectors(writer)?)
}

/// The shadow of another model.
fn old_shadow(writer: &mut QdrantWriter) -> Result<u64> {
    let Some(shadow) = writer.control.shadow.take_if(|_| !writer.is_shadow) else { return Ok(0) };
    let shadow = Collection::new(&writer.base.scope, shadow.collection);
    let removed = size(&shadow)?;
    writer.control.write(&writer.base)?;
    shadow.drop_collection()?;
    Ok(removed)
}

/// Collections of this tenant alone that runs left when they were cut short.
fn left_collections(writer: &QdrantWriter) -> Result<u64> {
    let base = &writer.base;
    let (answering, shadow) = (&writer.control.answering, &writer.control.shadow);
    let target = alias_target(base)?;
    let used = |name: &String| {
        *name == answering.collection
            || shadow.as_ref().is_some_and(|shadow| *name == shadow.collection)
            || target.as_ref() == Some(name)
    };
    let mut removed = 0;
    for name in collections(base)?.into_iter().filter(|name| base.scope.may_be_own(name) && !used(name)) {
        let left = Collection::new(&base.scope, name);
        let points = size(&left)?;
        if points > 0 && is_alone(&left)? {
            left.drop_collection()?;
            removed += points;
        }
    }
    Ok(removed)
}

/// Points in the collection of the settings after the tenant has moved out.
fn left_points(writer: &QdrantWriter) -> Result<u64> {
    let (base, answering) = (&writer.base, &writer.control.answering.collection);
    if *answering == base.name || alias_target(base)?.as_ref() == Some(answering) {
        return Ok(0);
    }
    let removed = size(base)?;
    base.remove_where(&base.scope.filter(CONTENT, []))?;
    Ok(removed)
}

/// Vectors that are kept for documents that are complete or gone.
fn needless_vectors(writer: &QdrantWriter) -> Result<u64> {
    let collection = &writer.collection;
    let mut kept: BTreeMap<DocumentId, Vec<Uuid>> = BTreeMap::new();
    let wanted = Wanted::fields(&collection.named(&["parent_doc_id"]));
    collection.scroll(&collection.scope.filter(&[kind::KEPT], []), &wanted, |found| {
        kept.entry(collection.fields(&found).document()?).or_default().push(found.id);
        Ok(())
    })?;
    let documents: Vec<DocumentId> = kept.keys().copied().collect();
    let marks = collection.marks_of(&documents)?;
    let open: HashSet<DocumentId> =
        marks.iter().filter(|mark| !mark.complete).map(|mark| mark.version.document).collect();
    let needless = kept.into_iter().filter(|(document, _)| !open.contains(document));
    let needless: Vec<Uuid> = needless.flat_map(|(_, points)| points).collect();
    collection.remove(&needless)?;
    Ok(needless.len() as u64)
}

/// Points and kept vectors of this tenant.
fn size(collection: &Collection) -> Result<u64> {
    Ok(collection.count(Some(&collection.scope.filter(&[kind::CHUNK, kind::KEPT], [])))?)
}
