//! `[store]`: where vectors are kept.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gristmill_core::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::resolve::Cx;
use super::{Secret, secret};

/// What a payload field holds, for its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum IndexType {
    /// Text compared as a whole.
    Keyword,
    /// Whole numbers.
    Integer,
    /// Numbers.
    Float,
    /// True and false.
    Bool,
    /// Dates with times.
    Datetime,
    /// Text searched by words.
    Text,
    /// UUIDs.
    Uuid,
}

impl IndexType {
    /// The name used in settings and by stores.
    pub fn name(self) -> &'static str {
        match self {
            Self::Keyword => "keyword",
            Self::Integer => "integer",
            Self::Float => "float",
            Self::Bool => "bool",
            Self::Datetime => "datetime",
            Self::Text => "text",
            Self::Uuid => "uuid",
        }
    }
}

/// Where vectors are kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StoreOptions {
    /// The kind of store. Default: `"sqlite"`. Example: `type = "qdrant"`.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// The file of a store that is one, relative to this file. Default: `".gristmill/store.db"`.
    pub path: Option<PathBuf>,
    /// Where a store that is a service answers. Default: the store's own. Example: `url = "http://localhost:6333"`.
    pub url: Option<String>,
    /// The collection in the store. Default: `"gristmill"`.
    pub collection: Option<String>,
    /// The environment variable that holds the key of the service. Example: `api_key_env = "QDRANT_API_KEY"`.
    pub api_key_env: Option<String>,
    /// The key, by name: `"${NAME}"` or `"file:PATH"`. The key itself is never written here.
    pub api_key: Option<Secret>,
    /// Points that are written together at most. Default: `2048` for `sqlite`, `256` for a service.
    pub batch_size: Option<u32>,
    /// Fields of the payload that have an index, with what they hold. Example: `payload_indexes = { chapter = "integer" }`.
    pub payload_indexes: Option<BTreeMap<String, IndexType>>,
    /// Other names for fields of the payload. Example: `payload_names = { tenant = "book_id" }`.
    pub payload_names: Option<BTreeMap<String, String>>,
    /// Shards of a new Qdrant collection. Default: the server's.
    pub shard_number: Option<u32>,
    /// Copies of each shard of a new Qdrant collection. Default: the server's.
    pub replication_factor: Option<u32>,
    /// A new Qdrant collection reads vectors from the disk instead of holding them in memory. Default: `false`.
    pub on_disk: Option<bool>,
    /// A new Qdrant collection searches vectors of 8-bit numbers, which need a quarter of the memory. Default: `false`.
    pub quantization: Option<bool>,
}

/// Where vectors are kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StoreSettings {
    /// The kind of store.
    #[serde(rename = "type")]
    pub kind: String,
    /// The file of a store that is one.
    pub path: PathBuf,
    /// Where a store that is a service answers; its own where none.
    pub url: Option<String>,
    /// The collection in the store.
    pub collection: String,
    /// The key of the service.
    pub api_key: Option<Secret>,
    /// Points that are written together at most.
    pub batch_size: usize,
    /// Fields of the payload that have an index.
    pub payload_indexes: BTreeMap<String, IndexType>,
    /// Other names for fields of the payload.
    pub payload_names: BTreeMap<String, String>,
    /// Shards of a new Qdrant collection; the server's default where none.
    pub shard_number: Option<u32>,
    /// Copies of each shard of a new Qdrant collection; the server's default where none.
    pub replication_factor: Option<u32>,
    /// A new Qdrant collection reads vectors from the disk.
    pub on_disk: bool,
    /// A new Qdrant collection searches vectors of 8-bit numbers.
    pub quantization: bool,
}

impl StoreOptions {
    pub(super) fn rebase(&mut self, folder: &Path) {
        if let Some(path) = &mut self.path {
            *path = folder.join(&path);
        }
        if let Some(secret) = &mut self.api_key {
            secret.rebase(folder);
        }
    }
}

impl StoreSettings {
    pub(super) fn resolve(options: &StoreOptions, root: &Path, cx: &Cx) -> Result<Self> {
        let StoreOptions {
            kind,
            path,
            url,
            collection,
            api_key_env,
            api_key,
            batch_size,
            payload_indexes,
            payload_names,
            shard_number,
            replication_factor,
            on_disk,
            quantization,
        } = options;
        for (key, number) in [("shard_number", shard_number), ("replication_factor", replication_factor)] {
            number.map_or(Ok(0), |number| cx.at_least_one(&format!("store.{key}"), number))?;
        }
        let kind = kind.clone().unwrap_or_else(|| "sqlite".to_owned());
        let usual = if kind == "sqlite" { 2048 } else { 256 };
        Ok(Self {
            kind,
            path: path.clone().unwrap_or_else(|| root.join(".gristmill/store.db")),
            url: url.clone(),
            collection: collection.clone().unwrap_or_else(|| "gristmill".to_owned()),
            api_key: secret::either("store.api_key", api_key.as_ref(), api_key_env.as_ref(), cx)?,
            batch_size: cx.at_least_one("store.batch_size", batch_size.unwrap_or(usual))?,
            payload_indexes: payload_indexes.clone().unwrap_or_default(),
            payload_names: payload_names.clone().unwrap_or_default(),
            shard_number: *shard_number,
            replication_factor: *replication_factor,
            on_disk: on_disk.unwrap_or_default(),
            quantization: quantization.unwrap_or_default(),
        })
    }
}
