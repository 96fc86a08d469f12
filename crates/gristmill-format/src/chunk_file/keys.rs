//! The names under which chunks hold their facts, in our records and in the exports of other tools.
//!
//! LangChain: `page_content` and `metadata`, written by `dumps` within `kwargs`. LlamaIndex: `text` (of a bare `Node` in
//! `text_resource`) and `metadata`, within `node` where it has a score and within `__data__` where a store wrote it.
//! Haystack: `content` and `meta`, or, as `to_dict` writes it, all of `meta` in the chunk itself. Chonkie: `text`,
//! `start_index` and `end_index`. Unstructured: `text`, `element_id` and `metadata`. Docling: `text` and `meta`.

/// Keys of a chunk's text; the first that holds a text counts.
pub const TEXT: &[&str] = &["text", "page_content", "content"];

/// Keys of a chunk's identity.
pub const ID: &[&str] = &["chunk_id", "id", "id_", "node_id", "element_id"];

/// Keys that name the document of a chunk, the most telling first.
pub const SOURCE: &[&str] = &[
    "source",
    "file_path",
    "file_name",
    "filename",
    "file",
    "path",
    "url",
    "document_id",
    "ref_doc_id",
    "doc_id",
    "source_id",
    "origin",
    "data_source",
];

/// Keys of a chunk's place in its document.
pub const ORDER: &[&str] = &["order", "chunk_index", "split_id", "index"];

/// Keys of the first code point of a chunk in its document.
pub const START: &[&str] = &["char_start", "start_char_idx", "split_idx_start", "start_index"];

/// Keys of one past its last code point.
pub const END: &[&str] = &["char_end", "end_char_idx", "end_index"];

/// Keys of the headings around a chunk, those that give all of them first.
pub const HEADINGS: &[&str] = &["heading_path", "headings", "header_path", "section_title", "heading", "section"];

/// Keys of the pages of a chunk.
pub const PAGES: &[&str] = &["pages", "page", "page_number", "page_label"];

/// Keys of the objects that hold a chunk's facts besides the chunk itself.
pub(super) const METADATA: [&str; 2] = ["metadata", "meta"];

/// Objects around a chunk.
pub(super) const WRAPPERS: [&str; 3] = ["kwargs", "node", "__data__"];

/// An object of LlamaIndex that holds the text as well.
pub(super) const TEXT_RESOURCE: &str = "text_resource";

/// Keys of vectors that were made from the text.
pub(super) const VECTORS: [&str; 5] = ["embedding", "embeddings", "vector", "dense_vector", "sparse_embedding"];
