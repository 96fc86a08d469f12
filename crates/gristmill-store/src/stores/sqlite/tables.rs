//! What a writer changes in the tables of its collection: points, commit marks, kept vectors.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use gristmill_core::{ChunkId, DocumentId, Error, Fingerprint, Point, Version};
use rusqlite::{OptionalExtension, Result, Transaction, params};
use uuid::Uuid;

use super::schema::keys;
use super::{collections, damage, index, read, sweep, vector};

/// The tables of one collection within a transaction.
pub(super) struct Tables<'d> {
    db: Transaction<'d>,
    collection: i64,
}

impl<'d> Tables<'d> {
    pub(super) fn new(db: Transaction<'d>, collection: i64) -> Self {
        Self { collection, db }
    }

    /// Makes all changes hold.
    pub(super) fn commit_transaction(self) -> Result<()> {
        self.db.commit()
    }

    /// Adds or replaces points. Their words go into the index together.
    pub(super) fn upsert(&self, points: &[Point<'_>]) -> Result<()> {
        let documents = self.open_all(points)?;
        let mut next = self.next_key()?;
        let mut texts = Vec::with_capacity(points.len());
        for (point, document) in points.iter().zip(documents) {
            if self.put(point, document, next)? {
                texts.push((next, point.text));
                next += 1;
            }
        }
        index::add(&self.db, self.collection, texts.into_iter())
    }

    /// The key of each point's document, which is no longer complete.
    fn open_all(&self, points: &[Point<'_>]) -> Result<Vec<i64>> {
        let mut opened = HashMap::new();
        points.iter().map(|point| self.open_once(point.version, &mut opened)).collect()
    }

    /// A key greater than those of all chunks of the collection, and than those whose words are still in the index.
    fn next_key(&self) -> Result<i64> {
        let used: Option<i64> = self
            .db
            .prepare_cached("SELECT max(key) FROM chunks WHERE key BETWEEN ?1 AND ?2")?
            .query_row(keys(self.collection), |row| row.get(0))?;
        let used = used.max(index::last(&self.db, self.collection)?);
        Ok(used.unwrap_or(keys(self.collection)[0]) + 1)
    }

    /// As [`Self::open_document`], for documents that are not in `opened` yet.
    fn open_once(&self, version: &Version, opened: &mut HashMap<Uuid, i64>) -> Result<i64> {
        Ok(match opened.entry(version.document.0) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => *new.insert(self.open_document(version)?),
        })
    }

    /// The key of a document, which is no longer complete.
    fn open_document(&self, version: &Version) -> Result<i64> {
        // Before the first commit the newest version is shown; afterwards the committed one, until the next commit.
        self.db
            .prepare_cached(
                "INSERT INTO documents(collection, id, source, source_hash, recipe, total_chunks, committed, complete)
                VALUES(?1, ?2, ?3, ?4, ?5, ?6, 0, 0)
                ON CONFLICT(collection, id) DO UPDATE SET complete = 0,
                    source = iif(committed, source, excluded.source),
                    source_hash = iif(committed, source_hash, excluded.source_hash),
                    recipe = iif(committed, recipe, excluded.recipe),
                    total_chunks = iif(committed, total_chunks, excluded.total_chunks)
                RETURNING key",
            )?
            .query_row(
                params![
                    self.collection,
                    version.document.0.as_bytes(),
                    version.source,
                    version.source_hash.0,
                    version.recipe,
                    version.total_chunks
                ],
                |row| row.get(0),
            )
    }

    /// Adds or replaces a point, but for its words. One with another text than before gets the key `next`, as a new one
    /// does; true for both.
    fn put(&self, point: &Point<'_>, document: i64, next: i64) -> Result<bool> {
        let known: Option<(i64, bool)> = self
            .db
            .prepare_cached("SELECT key, text = ?3 FROM chunks WHERE document = ?1 AND id = ?2")?
            .query_row(params![document, point.id.0.as_bytes(), point.text], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let same = known.filter(|(_, same_text)| *same_text).map(|(key, _)| key);
        if let (Some((other, _)), None) = (known, same) {
            self.remove_point(other)?;
        }
        let key = same.unwrap_or(next);
        self.db
            .prepare_cached(
                "INSERT INTO chunks(key, collection, id, document, position, content_hash, payload, text)
                VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                ON CONFLICT(key) DO UPDATE SET position = excluded.position, content_hash = excluded.content_hash,
                    payload = excluded.payload, text = excluded.text",
            )?
            .execute(params![
                key,
                self.collection,
                point.id.0.as_bytes(),
                document,
                point.order,
                point.content_hash.0,
                point.payload,
                point.text
            ])?;
        self.put_vector(key, point.vector, point.content_hash)?;
        Ok(same.is_none())
    }

    /// Sets order and payload of points, unless one is not there with the same text.
    pub(super) fn set_payloads(&self, points: &[Point<'_>]) -> Result<gristmill_core::Result<()>> {
        let documents = self.open_all(points)?;
        let mut statement = self.db.prepare_cached(
            "UPDATE chunks SET position = ?3, payload = ?4 WHERE document = ?1 AND id = ?2 AND content_hash = ?5",
        )?;
        for (point, document) in points.iter().zip(documents) {
            let (id, hash) = (point.id.0.as_bytes(), point.content_hash.0);
            if statement.execute(params![document, id, point.order, point.payload, hash])? == 0 {
                let (order, source) = (point.order, &point.version.source);
                let message = format!("point {order} of `{source}` is not in the store with the text it should have");
                return Ok(Err(Error::bug(message)));
            }
        }
        Ok(Ok(()))
    }

    fn put_vector(&self, key: i64, vector: Option<&[f32]>, text: Fingerprint) -> Result<()> {
        match vector.map(vector::encode) {
            Some(vector) => self
                .db
                .prepare_cached(
                    "INSERT INTO vectors(key, vector, seal) VALUES(?1, ?2, ?3)
                    ON CONFLICT(key) DO UPDATE SET vector = excluded.vector, seal = excluded.seal
                    WHERE vector <> excluded.vector OR seal IS NOT excluded.seal",
                )?
                .execute(params![key, vector, vector::seal(text, &vector)])?,
            None => self.db.prepare_cached("DELETE FROM vectors WHERE key = ?1")?.execute([key])?,
        };
        Ok(())
    }

    /// Marks the versions, unless one lacks points.
    pub(super) fn commit(&self, versions: &[&Version]) -> Result<gristmill_core::Result<()>> {
        for &version in versions {
            let found = self.count(version.document)?;
            if found < i64::from(version.total_chunks) {
                let (source, expected) = (&version.source, version.total_chunks);
                let message = format!("`{source}` has {found} points in the store instead of {expected}");
                return Ok(Err(Error::bug(message)));
            }
        }
        for version in versions {
            self.open_document(version)?;
            self.db
                .prepare_cached(
                    "UPDATE documents SET source = ?3, source_hash = ?4, recipe = ?5, total_chunks = ?6, committed = 1
                    WHERE collection = ?1 AND id = ?2",
                )?
                .execute(params![
                    self.collection,
                    version.document.0.as_bytes(),
                    version.source,
                    version.source_hash.0,
                    version.recipe,
                    version.total_chunks
                ])?;
        }
        Ok(Ok(()))
    }

    /// Number of a document's points.
    fn count(&self, id: DocumentId) -> Result<i64> {
        self.db
            .prepare_cached(
                "SELECT count(*) FROM documents JOIN chunks ON chunks.document = documents.key
                WHERE documents.collection = ?1 AND documents.id = ?2",
            )?
            .query_row(params![self.collection, id.0.as_bytes()], |row| row.get(0))
    }

    fn document(&self, id: DocumentId) -> Result<Option<i64>> {
        self.db
            .prepare_cached("SELECT key FROM documents WHERE collection = ?1 AND id = ?2")?
            .query_row(params![self.collection, id.0.as_bytes()], |row| row.get(0))
            .optional()
    }

    /// Removes all points of a document but `keep`, and what was kept for it.
    pub(super) fn remove_stale(&self, id: DocumentId, keep: &HashSet<ChunkId>) -> Result<u64> {
        let Some(document) = self.document(id)? else { return Ok(0) };
        let removed = self.remove_points(document, keep)?;
        self.db.prepare_cached("UPDATE documents SET complete = committed WHERE key = ?1")?.execute([document])?;
        Ok(removed)
    }

    /// Removes a document and all that is its.
    pub(super) fn remove_document(&self, id: DocumentId) -> Result<u64> {
        let Some(document) = self.document(id)? else { return Ok(0) };
        let removed = self.remove_points(document, &HashSet::new())?;
        self.db.prepare_cached("DELETE FROM documents WHERE key = ?1")?.execute([document])?;
        Ok(removed)
    }

    fn remove_points(&self, document: i64, keep: &HashSet<ChunkId>) -> Result<u64> {
        let mut statement = self.db.prepare_cached("SELECT key, id FROM chunks WHERE document = ?1")?;
        let points =
            statement.query_map([document], |row| Ok((row.get::<_, i64>(0)?, ChunkId(read::uuid(row, 1)?))))?;
        let points = points.collect::<Result<Vec<_>>>()?;
        let stale: Vec<i64> = points.into_iter().filter(|(_, id)| !keep.contains(id)).map(|(key, _)| key).collect();
        stale.iter().try_for_each(|key| self.remove_point(*key))?;
        self.db.prepare_cached("DELETE FROM kept WHERE document = ?1")?.execute([document])?;
        Ok(stale.len() as u64)
    }

    fn remove_point(&self, key: i64) -> Result<()> {
        index::remove(&self.db, key)?;
        self.db.prepare_cached("DELETE FROM vectors WHERE key = ?1")?.execute([key])?;
        self.db.prepare_cached("DELETE FROM chunks WHERE key = ?1")?.execute([key])?;
        Ok(())
    }

    /// Keeps vectors for a document.
    pub(super) fn keep(&self, version: &Version, vectors: &[(Fingerprint, &[f32])]) -> Result<()> {
        let document = self.open_document(version)?;
        let mut statement = self.db.prepare_cached(
            "INSERT OR REPLACE INTO kept(collection, content_hash, document, vector) VALUES(?1, ?2, ?3, ?4)",
        )?;
        for (hash, vector) in vectors {
            statement.execute(params![self.collection, hash.0, document, vector::encode(vector)])?;
        }
        Ok(())
    }

    /// Makes the index of words anew from the texts, where it does not agree with them.
    pub(super) fn mend(&self) -> Result<()> {
        damage::mend(&self.db, self.collection)
    }

    /// Notes the length of all vectors.
    pub(super) fn settle_length(&self, dimensions: usize) -> Result<()> {
        collections::settle_length(&self.db, self.collection, dimensions)
    }

    /// Lets this collection answer.
    pub(super) fn publish(&self) -> Result<()> {
        collections::publish(&self.db, self.collection)
    }

    /// Removes what no run needs any more; gives the number of points and vectors.
    pub(super) fn sweep(&self, is_shadow: bool) -> Result<usize> {
        sweep::sweep(&self.db, self.collection, is_shadow)
    }
}
