//! How collections are made: their vectors and indexes.

use gristmill_core::{Error, ErrorKind, Result};
use serde_json::{Value, json};

use super::api::{Failure, segment};
use super::collection::{BM25, Collection, DENSE, KEPT, present};

/// How a collection was made.
pub(super) struct Layout {
    /// Numbers in each vector; `None` when it has no place for vectors yet.
    pub(super) length: Option<usize>,
}

impl Collection {
    /// How it was made; `None` when it is absent.
    pub(super) fn layout(&self) -> Result<Option<Layout>> {
        let Some(info) = self.info()? else { return Ok(None) };
        let params = info.pointer("/config/params").unwrap_or(&Value::Null);
        if params.pointer("/sparse_vectors/bm25").is_none() {
            return Err(Error::new(
                ErrorKind::Store,
                format!("the collection was made by another program for other vectors: `{}`", self.name),
            )
            .hint("name another one in `[store] collection`; it is made with the vectors it needs"));
        }
        let length = params.pointer("/vectors/dense/size").and_then(Value::as_u64);
        Ok(Some(Layout { length: length.and_then(|length| usize::try_from(length).ok()) }))
    }

    /// True when it is there.
    pub(super) fn exists(&self) -> Result<bool> {
        Ok(self.info()?.is_some())
    }

    fn info(&self) -> Result<Option<Value>, Failure> {
        present(self.scope.api.get(&self.path("")))
    }

    /// Makes it with its indexes, unless it is there.
    pub(super) fn create(&self, length: Option<usize>) -> Result<()> {
        let options = &self.scope.options;
        let mut body = json!({
            "vectors": {},
            "sparse_vectors": {BM25: {"modifier": "idf", "index": {"on_disk": options.on_disk}}},
            "on_disk_payload": true,
        });
        if let Some(size) = length {
            let mut dense = json!({"size": size, "distance": "Cosine", "on_disk": options.on_disk});
            if options.quantization {
                dense["quantization_config"] =
                    json!({"scalar": {"type": "int8", "quantile": 0.99, "always_ram": true}});
            }
            let kept = json!({"size": size, "distance": "Cosine", "on_disk": true, "hnsw_config": {"m": 0}});
            body["vectors"] = json!({DENSE: dense, KEPT: kept});
        }
        for (name, number) in
            [("shard_number", options.shard_number), ("replication_factor", options.replication_factor)]
        {
            if let Some(number) = number {
                body[name] = number.into();
            }
        }
        match self.scope.api.put(&self.path(""), &body) {
            // Another run was faster, or an answer was lost.
            Err(failure) if failure.status == 409 => {}
            result => _ = result?,
        }
        self.ensure_indexes()
    }

    /// Removes it with all that is in it.
    pub(super) fn drop_collection(&self) -> Result<()> {
        present(self.scope.api.delete(&self.path("")))?;
        Ok(())
    }

    /// Makes every index that is missing.
    pub(super) fn ensure_indexes(&self) -> Result<()> {
        let info = self.info()?.unwrap_or_default();
        for (field, schema) in &self.scope.indexes {
            let known = info.get("payload_schema").and_then(|known| known.get(field)?.get("data_type"));
            let wanted = schema.get("type").unwrap_or(schema);
            if known == Some(wanted) {
                continue;
            }
            if known.is_some() {
                self.scope.api.delete(&self.path(&format!("/index/{}?wait=true", segment(field))))?;
            }
            let body = json!({"field_name": field, "field_schema": schema});
            self.scope.api.put(&self.path("/index?wait=true"), &body)?;
        }
        Ok(())
    }
}
