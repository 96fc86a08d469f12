//! What all parts of the store share: the server, the tenant, names, and the identities of points.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use gristmill_core::{ChunkId, DocumentId, Error, Fingerprint, Result, VectorSpec, uuid_v5};
use gristmill_format::PayloadNames;
use serde_json::{Value, json};
use uuid::Uuid;

use super::api::Api;
use super::filter::{is, is_any};
use crate::{QdrantOptions, StoreOptions};

/// Points read at a time.
const PAGE: usize = 1000;
/// The namespace of points that belong to no document, chosen once at random.
const NAMESPACE: Uuid = Uuid::from_u128(0x3c0e_0b0f_5d0f_5a83_9a41_2f4e_6f0b_7d52);
const SEPARATOR: &[u8] = &[0x1f];

/// What kind of point it is: value of the field `kind`.
pub(super) mod kind {
    /// A chunk.
    pub const CHUNK: &str = "chunk";
    /// The commit mark of a document.
    pub const DOCUMENT: &str = "document";
    /// A vector that is kept for a document.
    pub const KEPT: &str = "kept";
    /// Which collections a tenant has.
    pub const CONTROL: &str = "control";
    /// A right to write.
    pub const CLAIM: &str = "claim";
}

/// Fields that are filtered in any case, with the type of their index.
const INDEXES: &[(&str, &str)] = &[
    ("tenant", "keyword"),
    ("kind", "keyword"),
    ("source", "keyword"),
    ("parent_doc_id", "keyword"),
    ("content_hash", "keyword"),
    ("source_hash", "keyword"),
    ("chunk_id", "keyword"),
    ("chunk_index", "integer"),
    ("document_type", "keyword"),
    ("language", "keyword"),
    ("tags", "keyword"),
];

/// Types of index that the server has.
const TYPES: &[&str] = &["keyword", "integer", "float", "bool", "datetime", "text", "uuid"];

/// One tenant of one server.
pub(super) struct Scope {
    pub(super) api: Api,
    pub(super) tenant: String,
    /// The collection of the settings, or the alias of that name.
    pub(super) base: String,
    pub(super) names: PayloadNames,
    pub(super) options: QdrantOptions,
    pub(super) clock: Arc<dyn Fn() -> u64 + Send + Sync>,
    /// Points in one request at most.
    pub(super) batch: usize,
    /// Index by field of the payload.
    pub(super) indexes: BTreeMap<String, Value>,
    page: AtomicUsize,
}

impl Scope {
    pub(super) fn new(options: &StoreOptions<'_>) -> Result<Self> {
        let url = options.url.ok_or_else(|| {
            Error::config("the store `qdrant` needs a URL").hint("set `[store] url`, such as `http://localhost:6333`")
        })?;
        if options.collection.is_empty() {
            return Err(Error::config("the store `qdrant` needs a collection").hint("set `[store] collection`"));
        }
        let names = PayloadNames::new(options.names)?;
        Ok(Self {
            api: Api::new(url, options.api_key, Arc::clone(&options.clock))?,
            tenant: options.tenant.to_owned(),
            base: options.collection.to_owned(),
            indexes: indexes(options.indexes, &names)?,
            names,
            options: options.qdrant.clone(),
            clock: Arc::clone(&options.clock),
            batch: options.batch_size.max(1),
            page: AtomicUsize::new(PAGE),
        })
    }

    /// Points to ask for at a time.
    pub(super) fn page(&self) -> usize {
        self.page.load(Ordering::Relaxed)
    }

    /// Asks for fewer points at a time from now on: so many, or half as many as before; false when that cannot help.
    pub(super) fn smaller_page(&self, told: usize) -> bool {
        let page = self.page();
        let smaller = if (1..page).contains(&told) { told } else { page / 2 };
        self.page.fetch_min(smaller.max(1), Ordering::Relaxed);
        page > 1
    }

    /// The filter for this tenant's points of some kinds that hold all conditions.
    pub(super) fn filter(&self, kinds: &[&str], more: impl IntoIterator<Item = Value>) -> Value {
        let kinds = is_any(self.names.name("kind"), kinds);
        let must: Vec<Value> = [self.own(), kinds].into_iter().chain(more).collect();
        json!({"must": must})
    }

    /// The condition that a point is this tenant's.
    pub(super) fn own(&self) -> Value {
        is(self.names.name("tenant"), &self.tenant.as_str().into())
    }

    /// The condition that a point belongs to one of these documents.
    pub(super) fn of_documents(&self, documents: &[DocumentId]) -> Value {
        let documents: Vec<String> = documents.iter().map(ToString::to_string).collect();
        is_any(self.names.name("parent_doc_id"), &documents)
    }

    /// Identity of a chunk's point. Chunks of two tenants may have one identity; their points do not.
    pub(super) fn chunk_point(&self, chunk: ChunkId) -> Uuid {
        uuid_v5(&chunk.0, &[self.tenant.as_bytes()])
    }

    /// Identity of a document's mark.
    pub(super) fn mark_point(&self, document: DocumentId) -> Uuid {
        uuid_v5(&document.0, &[self.tenant.as_bytes(), SEPARATOR, b"mark"])
    }

    /// Identity of a vector that is kept for a document.
    pub(super) fn kept_point(&self, document: DocumentId, text: &Fingerprint) -> Uuid {
        uuid_v5(&document.0, &[self.tenant.as_bytes(), SEPARATOR, b"kept", SEPARATOR, &text.0])
    }

    /// Identity of the tenant's control point.
    pub(super) fn control_point(&self) -> Uuid {
        uuid_v5(&NAMESPACE, &[self.tenant.as_bytes(), SEPARATOR, b"control"])
    }

    /// Identity of a right to write.
    pub(super) fn claim_point(&self, holder: Uuid) -> Uuid {
        uuid_v5(&NAMESPACE, &[self.tenant.as_bytes(), SEPARATOR, b"claim", SEPARATOR, holder.as_bytes()])
    }

    /// The name of a collection of this tenant alone, for one model.
    pub(super) fn own_collection(&self, spec: &VectorSpec) -> String {
        let length = spec.dimensions.map_or_else(|| "?".to_owned(), |length| length.to_string());
        let name: [&[u8]; 5] = [self.tenant.as_bytes(), SEPARATOR, spec.model.as_bytes(), SEPARATOR, length.as_bytes()];
        let hash = uuid_v5(&NAMESPACE, &name).as_u64_pair().0;
        format!("{}-{hash:016x}", self.base)
    }

    /// True for names as [`Self::own_collection`] gives them, to any tenant.
    pub(super) fn may_be_own(&self, collection: &str) -> bool {
        let hash = collection.strip_prefix(&self.base).and_then(|rest| rest.strip_prefix('-'));
        hash.is_some_and(|hash| hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
    }
}

/// Every index by its field, those of the user last so that they win.
fn indexes(users: &BTreeMap<String, String>, names: &PayloadNames) -> Result<BTreeMap<String, Value>> {
    let mut all = BTreeMap::new();
    for (field, schema) in INDEXES {
        let schema = match *field {
            "tenant" => json!({"type": schema, "is_tenant": true}),
            _ => json!(schema),
        };
        all.insert(names.name(field).to_owned(), schema);
    }
    for (field, schema) in users {
        if !TYPES.contains(&schema.as_str()) {
            return Err(Error::config(format!("no type of payload index for `{field}`: `{schema}`"))
                .hint(format!("the types are `{}`", TYPES.join("`, `"))));
        }
        let key = names.path(field).join(".");
        if key != names.name("tenant") {
            all.insert(key, json!(schema));
        }
    }
    Ok(all)
}
