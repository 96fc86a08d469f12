//! The writer: its right to write, its collection, and what it knows of the marks in it.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use gristmill_core::{
    ChunkId, DocumentId, Error, ErrorKind, Fingerprint, Point, Reads, Result, StoredPoint, Tracked, VectorSpec,
    Version, Writer,
};
use serde_json::json;

use super::collection::Collection;
use super::control::{Control, Place};
use super::lease::Lease;
use super::point::{self, Mark};
use super::scope::{Scope, kind};
use super::{place, publish, sweep};

/// Holds the right to write of its tenant.
pub(super) struct QdrantWriter {
    pub(super) base: Collection,
    pub(super) collection: Collection,
    pub(super) control: Control,
    pub(super) is_shadow: bool,
    pub(super) lease: Lease,
    /// The length that the collection is known to have room for.
    room: Option<usize>,
    /// Marks as they are in the store; `None` for documents without one. Nobody else writes them.
    pub(super) marks: HashMap<DocumentId, Option<Mark>>,
    /// Numbers of points as they were counted, until something is written.
    pub(super) sizes: HashMap<DocumentId, u64>,
}

impl QdrantWriter {
    pub(super) fn open(scope: &Arc<Scope>, spec: &VectorSpec) -> Result<Self> {
        let base = Collection::new(scope, &scope.base);
        place::open_base(&base, spec)?;
        let lease = Lease::take(base.clone())?;
        let (control, is_shadow) = place::for_writer(&base, spec)?;
        let collection = Collection::new(scope, &place_of(&control, is_shadow).collection);
        if is_shadow {
            collection.ensure_indexes()?;
        }
        let (marks, sizes) = (HashMap::new(), HashMap::new());
        Ok(Self { base, collection, control, is_shadow, lease, room: None, marks, sizes })
    }

    fn place(&self) -> &Place {
        place_of(&self.control, self.is_shadow)
    }

    /// Checks vectors and makes room for them. The first one settles the length of all.
    fn settle(&mut self, length: Option<usize>) -> Result<()> {
        let Some(length) = length.filter(|&length| self.room != Some(length)) else { return Ok(()) };
        let collection = place::with_room(&self.base, self.place(), length)?;
        let mut place = self.place().clone();
        let moved = collection.name != place.collection;
        if moved || place.spec.dimensions != Some(length) {
            place.collection.clone_from(&collection.name);
            place.spec.dimensions = Some(length);
            if self.is_shadow {
                self.control.shadow = Some(place);
            } else {
                self.control.answering = place;
            }
            self.control.write(&self.base)?;
        }
        if moved {
            self.collection.remove_where(&self.base.scope.filter(place::CONTENT, []))?;
            self.collection = collection;
        }
        self.room = Some(length);
        Ok(())
    }
}

fn place_of(control: &Control, is_shadow: bool) -> &Place {
    control.shadow.as_ref().filter(|_| is_shadow).unwrap_or(&control.answering)
}

/// The length of all vectors; `None` without any.
fn checked<'v>(vectors: impl Iterator<Item = &'v [f32]>, spec: &VectorSpec) -> Result<Option<usize>> {
    let error = |message: String| Error::new(ErrorKind::Store, format!("a vector of `{}` {message}", spec.model));
    let mut length = spec.dimensions;
    let mut any = false;
    for vector in vectors {
        let (found, expected) = (vector.len(), *length.get_or_insert(vector.len()));
        if found != expected {
            return Err(error(format!("has {found} numbers instead of {expected}")));
        }
        if found == 0 {
            return Err(error("has no numbers".into()));
        }
        if !vector.iter().all(|number| number.is_finite()) {
            return Err(error("holds a number that is not finite".into()));
        }
        any = true;
    }
    Ok(length.filter(|_| any))
}

impl Reads for QdrantWriter {
    fn tracked(&self) -> Result<Vec<Tracked>> {
        self.collection.tracked()
    }

    fn points_within(&self, document: DocumentId, orders: RangeInclusive<u32>) -> Result<Vec<StoredPoint>> {
        self.collection.points_within(document, orders)
    }

    fn point(&self, id: ChunkId) -> Result<Option<(DocumentId, StoredPoint)>> {
        self.collection.point(id)
    }

    fn contents(&self, document: DocumentId) -> Result<Vec<(ChunkId, Fingerprint)>> {
        self.collection.contents(document)
    }

    fn vectors_by_hash(&self, hashes: &[Fingerprint]) -> Result<Vec<Option<Vec<f32>>>> {
        self.collection.vectors_by_hash(hashes)
    }
}

impl Writer for QdrantWriter {
    fn spec(&self) -> &VectorSpec {
        &self.place().spec
    }

    fn is_shadow(&self) -> bool {
        self.is_shadow
    }

    fn upsert(&mut self, points: &[Point<'_>]) -> Result<()> {
        let length = checked(points.iter().filter_map(|point| point.vector), self.spec())?;
        let written = points.iter().map(|point| point::chunk(&self.base.scope, point)).collect::<Result<Vec<_>>>()?;
        self.lease.renew()?;
        self.settle(length)?;
        self.open_documents(&points.iter().map(|point| point.version).collect::<Vec<_>>(), false)?;
        points.iter().for_each(|point| _ = self.sizes.remove(&point.version.document));
        self.collection.put(&written)
    }

    fn set_payloads(&mut self, points: &[Point<'_>]) -> Result<()> {
        let overwrite = |point: &Point<'_>| {
            let payload = point::chunk_payload(&self.base.scope, point)?;
            let id = self.base.scope.chunk_point(point.id).to_string();
            Ok(json!({"overwrite_payload": {"payload": payload, "points": [id]}}).to_string())
        };
        let operations = points.iter().map(overwrite).collect::<Result<Vec<_>>>()?;
        self.lease.renew()?;
        self.open_documents(&points.iter().map(|point| point.version).collect::<Vec<_>>(), false)?;
        self.collection.batch(&operations)
    }

    fn commit(&mut self, versions: &[&Version]) -> Result<()> {
        self.lease.renew()?;
        self.count(versions)?;
        self.know_marks(&versions.iter().map(|version| version.document).collect::<Vec<_>>())?;
        let committed = versions.iter().map(|&version| {
            let kept = self.mark(version.document).is_some_and(|mark| mark.kept);
            Mark { version: version.clone(), committed: true, complete: false, kept }
        });
        self.write_marks(committed.collect())
    }

    fn remove_stale(&mut self, document: DocumentId, keep: &[ChunkId]) -> Result<u64> {
        self.remove_stale_of(&[(document, keep)])
    }

    fn remove_stale_of(&mut self, documents: &[(DocumentId, &[ChunkId])]) -> Result<u64> {
        self.lease.renew()?;
        self.know_marks(&documents.iter().map(|(document, _)| *document).collect::<Vec<_>>())?;
        let mut stale = Vec::new();
        for (document, keep) in documents {
            stale.extend(self.stale(*document, keep)?);
        }
        self.collection.remove(&stale)?;
        documents.iter().for_each(|(document, _)| _ = self.sizes.remove(document));
        let marks: Vec<&Mark> = documents.iter().filter_map(|(document, _)| self.mark(*document)).collect();
        let kept: Vec<DocumentId> = marks.iter().filter(|mark| mark.kept).map(|mark| mark.version.document).collect();
        self.remove_kept(&kept)?;
        let done = marks.iter().map(|mark| Mark { complete: mark.committed, kept: false, ..(*mark).clone() });
        let changed = done.filter(|mark| self.mark(mark.version.document) != Some(mark)).collect();
        self.write_marks(changed)?;
        Ok(stale.len() as u64)
    }

    fn remove_document(&mut self, document: DocumentId) -> Result<u64> {
        self.lease.renew()?;
        let scope = Arc::clone(&self.base.scope);
        let of = |kinds: &[&str]| scope.filter(kinds, [scope.of_documents(&[document])]);
        let removed = self.collection.count(Some(&of(&[kind::CHUNK])))?;
        self.collection.remove_where(&of(&[kind::CHUNK, kind::KEPT]))?;
        // The mark last: until then the document is known, so that its removal can be finished.
        self.collection.remove(&[scope.mark_point(document)])?;
        self.marks.insert(document, None);
        self.sizes.remove(&document);
        Ok(removed)
    }

    fn keep_vectors(&mut self, version: &Version, vectors: &[(Fingerprint, &[f32])]) -> Result<()> {
        let length = checked(vectors.iter().map(|(_, vector)| *vector), self.spec())?;
        let kept =
            |(text, vector): &(Fingerprint, &[f32])| point::kept(&self.base.scope, version.document, text, vector);
        let points = vectors.iter().map(kept).collect::<Result<Vec<_>>>()?;
        self.lease.renew()?;
        self.settle(length)?;
        self.open_documents(&[version], !points.is_empty())?;
        self.collection.put(&points)
    }

    fn publish(&mut self) -> Result<()> {
        publish::publish(self)
    }

    fn sweep(&mut self) -> Result<u64> {
        sweep::sweep(self)
    }
}
