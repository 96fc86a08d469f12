//! Points as JSON: chunks, marks of documents, kept vectors.

use gristmill_core::{ChunkId, DocumentId, Error, ErrorKind, Fingerprint, Point, Result, StoredPoint, Version};
use gristmill_format::{to_payload, to_record};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::collection::{BM25, DENSE, Found, KEPT};
use super::scope::{Scope, kind};
use super::sparse;

/// The commit mark of a document: a point without a searched vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) version: Version,
    pub(super) committed: bool,
    pub(super) complete: bool,
    /// Vectors are kept for the document.
    pub(super) kept: bool,
}

/// Fields of a version that every one of its points has.
pub(super) const VERSION: &[&str] = &["parent_doc_id", "source", "source_hash", "recipe", "total_chunks"];

/// A point with its vectors, all as JSON.
pub(super) fn written(id: Uuid, vectors: &str, payload: &Map<String, Value>) -> Result<String> {
    let payload = serde_json::to_string(payload)
        .map_err(|cause| Error::bug("a payload cannot be written as JSON").because(cause))?;
    Ok(format!("{{\"id\":\"{id}\",\"vector\":{vectors},\"payload\":{payload}}}"))
}

/// A chunk as it is stored.
///
/// # Errors
/// When its payload is not a JSON object.
pub(super) fn chunk(scope: &Scope, point: &Point<'_>) -> Result<String> {
    let mut vectors = Vec::new();
    if let Some(vector) = point.vector {
        vectors.push(format!("\"{DENSE}\":{}", numbers(vector)));
    }
    let words = sparse::of_text(&scope.tenant, point.text);
    if !words.is_empty() {
        vectors.push(format!("\"{BM25}\":{}", sparse::json(&words)));
    }
    written(scope.chunk_point(point.id), &format!("{{{}}}", vectors.join(",")), &chunk_payload(scope, point)?)
}

/// The payload of a chunk.
///
/// # Errors
/// When it is not a JSON object.
pub(super) fn chunk_payload(scope: &Scope, point: &Point<'_>) -> Result<Map<String, Value>> {
    let mut own = of_version(point.version);
    own.insert("tenant".into(), scope.tenant.as_str().into());
    own.insert("kind".into(), kind::CHUNK.into());
    own.insert("chunk_id".into(), point.id.to_string().into());
    own.insert("chunk_index".into(), point.order.into());
    own.insert("content_hash".into(), point.content_hash.tagged().into());
    own.insert("text".into(), point.text.into());
    to_payload(point.payload, own, &scope.names)
}

/// A mark as it is stored.
pub(super) fn mark(scope: &Scope, mark: &Mark) -> Result<String> {
    let mut fields = of_version(&mark.version);
    fields.insert("committed".into(), mark.committed.into());
    fields.insert("complete".into(), mark.complete.into());
    fields.insert("kept".into(), mark.kept.into());
    written(scope.mark_point(mark.version.document), "{}", &named(scope, kind::DOCUMENT, fields))
}

/// A kept vector as it is stored.
pub(super) fn kept(scope: &Scope, document: DocumentId, text: &Fingerprint, vector: &[f32]) -> Result<String> {
    let mut fields = Map::new();
    fields.insert("parent_doc_id".into(), document.to_string().into());
    fields.insert("content_hash".into(), text.tagged().into());
    let vectors = format!("{{\"{KEPT}\":{}}}", numbers(vector));
    written(scope.kept_point(document, text), &vectors, &named(scope, kind::KEPT, fields))
}

/// A payload with these fields, by the names the user gave them.
pub(super) fn named(scope: &Scope, kind: &str, fields: Map<String, Value>) -> Map<String, Value> {
    let own = [("tenant".to_owned(), json!(scope.tenant)), ("kind".to_owned(), json!(kind))];
    own.into_iter().chain(fields).map(|(field, value)| (scope.names.name(&field).to_owned(), value)).collect()
}

fn of_version(version: &Version) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.insert("parent_doc_id".into(), version.document.to_string().into());
    fields.insert("source".into(), version.source.as_str().into());
    fields.insert("source_hash".into(), version.source_hash.tagged().into());
    fields.insert("recipe".into(), version.recipe.as_str().into());
    fields.insert("total_chunks".into(), version.total_chunks.into());
    fields
}

/// Shortest decimal forms that give back the same 32-bit floats.
fn numbers(vector: &[f32]) -> String {
    format!("[{}]", vector.iter().map(f32::to_string).collect::<Vec<_>>().join(","))
}

/// Reads fields of a stored point.
pub(super) struct Fields<'p> {
    pub(super) scope: &'p Scope,
    pub(super) found: &'p Found,
}

impl Fields<'_> {
    /// A field by our name.
    pub(super) fn get(&self, field: &str) -> Option<&Value> {
        self.found.payload.get(self.scope.names.name(field))
    }

    fn missing(&self, field: &str) -> Error {
        let id = self.found.id;
        Error::new(ErrorKind::Store, format!("a point in the store has lost its field `{field}`: `{id}`"))
            .hint("another program has changed it; ingest again with `--rebuild`")
    }

    pub(super) fn text(&self, field: &str) -> Result<&str> {
        self.get(field).and_then(Value::as_str).ok_or_else(|| self.missing(field))
    }

    pub(super) fn number(&self, field: &str) -> Result<u32> {
        let number = self.get(field).and_then(Value::as_u64).and_then(|number| u32::try_from(number).ok());
        number.ok_or_else(|| self.missing(field))
    }

    fn is_true(&self, field: &str) -> bool {
        self.get(field).and_then(Value::as_bool).unwrap_or(false)
    }

    pub(super) fn uuid(&self, field: &str) -> Result<Uuid> {
        Uuid::parse_str(self.text(field)?).map_err(|_| self.missing(field))
    }

    pub(super) fn fingerprint(&self, field: &str) -> Result<Fingerprint> {
        fingerprint(self.text(field)?).ok_or_else(|| self.missing(field))
    }

    pub(super) fn document(&self) -> Result<DocumentId> {
        Ok(DocumentId(self.uuid("parent_doc_id")?))
    }

    pub(super) fn chunk_id(&self) -> Result<ChunkId> {
        Ok(ChunkId(self.uuid("chunk_id")?))
    }

    pub(super) fn is_of(&self, kind: &str) -> bool {
        self.get("kind").and_then(Value::as_str) == Some(kind)
    }

    pub(super) fn version(&self) -> Result<Version> {
        Ok(Version {
            document: self.document()?,
            source: self.text("source")?.to_owned(),
            source_hash: self.fingerprint("source_hash")?,
            recipe: self.text("recipe")?.to_owned(),
            total_chunks: self.number("total_chunks")?,
        })
    }

    pub(super) fn mark(&self) -> Result<Mark> {
        let (committed, complete, kept) = (self.is_true("committed"), self.is_true("complete"), self.is_true("kept"));
        Ok(Mark { version: self.version()?, committed, complete, kept })
    }

    pub(super) fn record(&self) -> Result<String> {
        to_record(&self.found.payload, &self.scope.names)
    }

    pub(super) fn stored(&self) -> Result<StoredPoint> {
        Ok(StoredPoint {
            id: self.chunk_id()?,
            order: self.number("chunk_index")?,
            content_hash: self.fingerprint("content_hash")?,
            text: self.text("text")?.to_owned(),
            payload: self.record()?,
            vector: self.found.vector(DENSE),
        })
    }
}

/// The hash in `sha256:` and 64 hexadecimal digits.
fn fingerprint(text: &str) -> Option<Fingerprint> {
    let digits = text.strip_prefix("sha256:")?.as_bytes();
    let mut bytes = [0u8; 32];
    let (pairs, rest) = digits.as_chunks::<2>();
    if pairs.len() != bytes.len() || !rest.is_empty() {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(pairs) {
        let [high, low] = pair.map(|digit| char::from(digit).to_digit(16));
        *byte = u8::try_from(high? * 16 + low?).ok()?;
    }
    Some(Fingerprint(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_come_back() {
        let hash = Fingerprint::of(b"abc");
        assert_eq!(fingerprint(&hash.tagged()), Some(hash));
        for wrong in ["", "sha256:", "sha256:00", "sha256:gg", &hash.to_string(), &format!("{}0", hash.tagged())] {
            assert_eq!(fingerprint(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn floats_come_back_bit_for_bit() {
        let vector = [0.1f32, -0.0, f32::MIN_POSITIVE, 1e-45, f32::MAX, 1.0 / 3.0];
        let back: Vec<f64> = serde_json::from_str(&numbers(&vector)).unwrap();
        assert!(vector.iter().zip(back).all(|(a, b)| a.to_bits() == (b as f32).to_bits()));
    }
}
