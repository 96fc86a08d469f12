//! Reading a collection.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use gristmill_core::{ChunkId, DocumentId, Fingerprint, Reads, Result, StoredPoint, Tracked, Version};
use serde_json::{Value, json};

use super::collection::{Collection, DENSE, Found, KEPT, Wanted};
use super::filter::is;
use super::point::{Fields, Mark, VERSION};
use super::scope::kind;

/// Texts that are looked for in one request.
const LOOKUPS: usize = 100;
/// Points of one text that are looked at for a vector: all have one, unless the model knew nothing of the text.
const SAME_TEXT: usize = 3;

impl Collection {
    pub(super) fn fields<'p>(&'p self, found: &'p Found) -> Fields<'p> {
        Fields { scope: &self.scope, found }
    }

    /// Fields by the names they have in payloads.
    pub(super) fn named<'f>(&'f self, fields: &[&'f str]) -> Vec<&'f str> {
        fields.iter().map(|field| self.scope.names.name(field)).collect()
    }

    /// The marks of some documents.
    pub(super) fn marks_of(&self, documents: &[DocumentId]) -> Result<Vec<Mark>> {
        let ids: Vec<_> = documents.iter().map(|&document| self.scope.mark_point(document)).collect();
        let found = self.retrieve(&ids, &Wanted::payload())?;
        found.iter().map(|found| self.fields(found).mark()).collect()
    }

    /// The number of points of each of these documents.
    pub(super) fn sizes(&self, documents: &[DocumentId]) -> Result<HashMap<DocumentId, u64>> {
        let filter = self.scope.filter(&[kind::CHUNK], [self.scope.of_documents(documents)]);
        if let Some(counted) = self.facet_of_documents(&filter, documents.len() + 1)? {
            return Ok(counted);
        }
        let count = |&document: &DocumentId| {
            let filter = self.scope.filter(&[kind::CHUNK], [self.scope.of_documents(&[document])]);
            Ok((document, self.count(Some(&filter))?))
        };
        documents.iter().map(count).collect()
    }

    fn facet_of_documents(&self, filter: &Value, limit: usize) -> Result<Option<HashMap<DocumentId, u64>>> {
        let field = self.scope.names.name("parent_doc_id").to_owned();
        let Some(counted) = self.facet(&field, filter, limit)? else { return Ok(None) };
        let counted = counted.into_iter();
        Ok(counted.map(|(id, count)| Some((DocumentId(uuid::Uuid::parse_str(&id).ok()?), count))).collect())
    }

    /// Identities of the points of a document.
    pub(super) fn chunk_points(&self, document: DocumentId) -> Result<Vec<uuid::Uuid>> {
        let mut ids = Vec::new();
        let filter = self.scope.filter(&[kind::CHUNK], [self.scope.of_documents(&[document])]);
        self.scroll(&filter, &Wanted::ids(), |found| {
            ids.push(found.id);
            Ok(())
        })?;
        Ok(ids)
    }

    /// The number of points of each document; with a version for those that have no mark.
    fn census(&self, marks: &HashMap<DocumentId, Mark>) -> Result<(HashMap<DocumentId, u64>, Vec<Version>)> {
        let filter = self.scope.filter(&[kind::CHUNK], []);
        // Room for documents that have lost their marks, unless they are many.
        let counted = self.facet_of_documents(&filter, marks.len() + 1000)?;
        match counted {
            Some(counted) if counted.keys().all(|document| marks.contains_key(document)) => Ok((counted, Vec::new())),
            _ => self.counted_one_by_one(&filter, marks),
        }
    }

    fn counted_one_by_one(
        &self,
        filter: &Value,
        marks: &HashMap<DocumentId, Mark>,
    ) -> Result<(HashMap<DocumentId, u64>, Vec<Version>)> {
        let mut counted: HashMap<DocumentId, u64> = HashMap::new();
        let mut unmarked = Vec::new();
        let fields = self.named(VERSION);
        self.scroll(filter, &Wanted::fields(&fields), |found| {
            let document = self.fields(&found).document()?;
            let count = counted.entry(document).or_default();
            *count += 1;
            if *count == 1 && !marks.contains_key(&document) {
                unmarked.push(self.fields(&found).version()?);
            }
            Ok(())
        })?;
        Ok((counted, unmarked))
    }
}

impl Reads for Collection {
    fn tracked(&self) -> Result<Vec<Tracked>> {
        let mut marks = HashMap::new();
        self.scroll(&self.scope.filter(&[kind::DOCUMENT], []), &Wanted::payload(), |found| {
            let mark = self.fields(&found).mark()?;
            marks.insert(mark.version.document, mark);
            Ok(())
        })?;
        let (counted, unmarked) = self.census(&marks)?;
        let points = |document| counted.get(&document).copied().unwrap_or(0);
        let marked = marks.into_values().map(|mark| Tracked {
            points: points(mark.version.document),
            version: mark.version,
            committed: mark.committed,
            complete: mark.complete,
        });
        let unmarked = unmarked.into_iter().map(|version| Tracked {
            points: points(version.document),
            version,
            committed: false,
            complete: false,
        });
        let mut all: Vec<Tracked> = marked.chain(unmarked).collect();
        all.sort_by(|a, b| (&a.version.source, a.version.document).cmp(&(&b.version.source, b.version.document)));
        Ok(all)
    }

    fn points_within(&self, document: DocumentId, orders: RangeInclusive<u32>) -> Result<Vec<StoredPoint>> {
        if orders.is_empty() {
            return Ok(Vec::new());
        }
        let mut conditions = vec![self.scope.of_documents(&[document])];
        if orders != (0..=u32::MAX) {
            let range = json!({"gte": orders.start(), "lte": orders.end()});
            conditions.push(json!({"key": self.scope.names.name("chunk_index"), "range": range}));
        }
        let mut points = Vec::new();
        let filter = self.scope.filter(&[kind::CHUNK], conditions);
        self.scroll(&filter, &Wanted::payload().with(&[DENSE]), |found| {
            points.push(self.fields(&found).stored()?);
            Ok(())
        })?;
        points.sort_by_key(|point| (point.order, point.id));
        Ok(points)
    }

    fn point(&self, id: ChunkId) -> Result<Option<(DocumentId, StoredPoint)>> {
        let found = self.retrieve(&[self.scope.chunk_point(id)], &Wanted::payload().with(&[DENSE]))?;
        let chunk = found.iter().map(|found| self.fields(found)).find(|fields| fields.is_of(kind::CHUNK));
        chunk.map(|fields| Ok((fields.document()?, fields.stored()?))).transpose()
    }

    fn contents(&self, document: DocumentId) -> Result<Vec<(ChunkId, Fingerprint)>> {
        let mut contents = Vec::new();
        let filter = self.scope.filter(&[kind::CHUNK], [self.scope.of_documents(&[document])]);
        self.scroll(&filter, &Wanted::fields(&self.named(&["chunk_id", "content_hash"])), |found| {
            let fields = self.fields(&found);
            contents.push((fields.chunk_id()?, fields.fingerprint("content_hash")?));
            Ok(())
        })?;
        Ok(contents)
    }

    fn vectors_by_hash(&self, hashes: &[Fingerprint]) -> Result<Vec<Option<Vec<f32>>>> {
        let of = |hash: &Fingerprint| {
            let text = is(self.scope.names.name("content_hash"), &hash.tagged().into());
            json!({"filter": self.scope.filter(&[kind::CHUNK, kind::KEPT], [text]), "limit": SAME_TEXT,
                "with_payload": false, "with_vector": [DENSE, KEPT]})
        };
        let mut vectors = Vec::with_capacity(hashes.len());
        for hashes in hashes.chunks(LOOKUPS) {
            let found = self.query(&hashes.iter().map(of).collect::<Vec<_>>(), 1)?;
            let vector = |found: &Found| found.vector(DENSE).or_else(|| found.vector(KEPT));
            vectors.extend(found.iter().map(|same| same.iter().find_map(vector)));
        }
        Ok(vectors)
    }
}
