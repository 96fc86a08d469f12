//! What the writer knows of documents: their marks, and how many points they have.

use std::collections::{HashMap, HashSet};

use gristmill_core::{ChunkId, DocumentId, Error, Result, Version};
use uuid::Uuid;

use super::point::{self, Mark};
use super::scope::kind;
use super::write::QdrantWriter;

/// Documents that are looked at in one request.
const DOCUMENTS: usize = 100;

impl QdrantWriter {
    /// The marks of documents, read where they are not known yet.
    pub(super) fn know_marks(&mut self, documents: &[DocumentId]) -> Result<()> {
        let unknown: Vec<DocumentId> =
            documents.iter().copied().filter(|document| !self.marks.contains_key(document)).collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let found = self.collection.marks_of(&unknown)?;
        self.marks.extend(unknown.into_iter().map(|document| (document, None)));
        self.marks.extend(found.into_iter().map(|mark| (mark.version.document, Some(mark))));
        Ok(())
    }

    pub(super) fn mark(&self, document: DocumentId) -> Option<&Mark> {
        self.marks.get(&document)?.as_ref()
    }

    /// Marks documents that are about to be written as not complete.
    pub(super) fn open_documents(&mut self, versions: &[&Version], keeps: bool) -> Result<()> {
        // The last version of a document is the newest.
        let newest: HashMap<DocumentId, &Version> =
            versions.iter().map(|version| (version.document, *version)).collect();
        let documents: Vec<DocumentId> = newest.keys().copied().collect();
        self.know_marks(&documents)?;
        let opened = newest.into_iter().map(|(document, version)| match self.mark(document) {
            // Before the first commit the newest version is shown; afterwards the committed one, until the next commit.
            Some(mark) if mark.committed => Mark { complete: false, kept: mark.kept || keeps, ..mark.clone() },
            mark => Mark {
                version: version.clone(),
                committed: false,
                complete: false,
                kept: keeps || mark.is_some_and(|mark| mark.kept),
            },
        });
        let changed: Vec<Mark> = opened.filter(|mark| self.mark(mark.version.document) != Some(mark)).collect();
        self.write_marks(changed)
    }

    /// Writes marks. What is known of them holds only once they are written.
    pub(super) fn write_marks(&mut self, mut marks: Vec<Mark>) -> Result<()> {
        marks.sort_by_key(|mark| mark.version.document);
        let points = marks.iter().map(|mark| point::mark(&self.base.scope, mark)).collect::<Result<Vec<_>>>()?;
        self.collection.put(&points)?;
        self.marks.extend(marks.into_iter().map(|mark| (mark.version.document, Some(mark))));
        Ok(())
    }

    /// Points of a document that are not to be kept.
    pub(super) fn stale(&self, document: DocumentId, keep: &[ChunkId]) -> Result<Vec<Uuid>> {
        if self.sizes.get(&document) == Some(&(keep.len() as u64)) {
            return Ok(Vec::new());
        }
        let scope = &self.base.scope;
        let keep: HashSet<Uuid> = keep.iter().map(|&chunk| scope.chunk_point(chunk)).collect();
        let mut points = self.collection.chunk_points(document)?;
        points.retain(|point| !keep.contains(point));
        Ok(points)
    }

    pub(super) fn remove_kept(&self, documents: &[DocumentId]) -> Result<()> {
        let scope = &self.base.scope;
        documents.chunks(DOCUMENTS).try_for_each(|documents| {
            self.collection.remove_where(&scope.filter(&[kind::KEPT], [scope.of_documents(documents)]))
        })
    }

    /// Numbers of points for versions that are about to be committed.
    pub(super) fn count(&mut self, versions: &[&Version]) -> Result<()> {
        for versions in versions.chunks(DOCUMENTS) {
            let documents: Vec<DocumentId> = versions.iter().map(|version| version.document).collect();
            let sizes = self.collection.sizes(&documents)?;
            for &version in versions {
                let found = sizes.get(&version.document).copied().unwrap_or(0);
                if found < u64::from(version.total_chunks) {
                    let Version { source, total_chunks, .. } = version;
                    return Err(Error::bug(format!(
                        "`{source}` has {found} points in the store instead of {total_chunks}"
                    )));
                }
                if found == u64::from(version.total_chunks) {
                    self.sizes.insert(version.document, found);
                }
            }
        }
        Ok(())
    }
}
