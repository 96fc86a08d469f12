//! Names of the payload's fields: ours, and those a user gives them.

use std::collections::BTreeMap;

use gristmill_core::{Error, Result};

/// The text that is embedded.
pub(super) const TEXT: &str = "text";
/// Attributes whose names are taken.
pub(super) const ATTRIBUTES: &str = "attributes";
/// The record as text, where the fields alone cannot give it back.
pub(super) const RAW: &str = "record";

/// Fields of a record and of its metadata, by the names they have here.
pub(super) const RECORD: &[&str] = &[
    "byte_end",
    "byte_start",
    "char_end",
    "char_start",
    "chunk_id",
    "chunk_index",
    "cite",
    "content_hash",
    "created_at",
    "document_title",
    "document_type",
    "filename",
    "format",
    "heading_path",
    "keywords",
    "language",
    "line_end",
    "line_start",
    "merged_ids",
    "next_chunk_id",
    "normalized_text_hash",
    "overlap_token_count",
    "pages",
    "parent_id",
    "parts",
    "prev_chunk_id",
    "section_title",
    "source",
    "source_hash",
    "tags",
    TEXT,
    "token_count",
    "total_chunks",
    "word_count",
];

/// Fields that no record has.
pub(super) const OWN: &[&str] = &["kind", "parent_doc_id", "recipe", RAW, "tenant", "version"];

/// How the fields of a payload are called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PayloadNames {
    /// By our name.
    theirs: BTreeMap<String, String>,
    /// By their name.
    ours: BTreeMap<String, String>,
}

impl PayloadNames {
    /// Names that differ from ours: our name, theirs. Attributes may be renamed, too.
    ///
    /// # Errors
    /// A configuration error when a name is no plain word or two fields would share one.
    pub fn new(theirs: &BTreeMap<String, String>) -> Result<Self> {
        let mut ours = BTreeMap::new();
        for (our, their) in theirs {
            let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            if their.is_empty() || !their.chars().all(plain) {
                return Err(Error::config(format!("no name for the payload field `{our}`: `{their}`"))
                    .hint("a name has letters, digits, `_` and `-` only"));
            }
            if is_field(their) && !theirs.contains_key(their) || ours.insert(their.clone(), our.clone()).is_some() {
                return Err(Error::config(format!("two payload fields have one name: `{their}`"))
                    .hint("give each field in `[store] payload_names` a name of its own"));
            }
        }
        Ok(Self { theirs: theirs.clone(), ours })
    }

    /// What our field is called.
    pub fn name<'n>(&'n self, field: &'n str) -> &'n str {
        self.theirs.get(field).map_or(field, String::as_str)
    }

    /// Where a field of the record is in the payload: names from the outermost object to its own. `field` joins the names
    /// in the record by `.`, as in `metadata.attributes.chapter`; the names of the payload itself are understood, too.
    pub fn path(&self, field: &str) -> Vec<String> {
        let mut names = field.split('.');
        let first = match (names.next().unwrap_or_default(), names.clone().next()) {
            ("metadata", Some(ATTRIBUTES)) if names.clone().nth(1).is_some() => {
                names.next();
                return self.attribute_path(names.next().unwrap_or_default(), names);
            }
            ("metadata", Some(member)) => {
                names.next();
                member
            }
            ("content", None) => TEXT,
            (first, _) => first,
        };
        if is_field(first) {
            return [self.name(first)].into_iter().chain(names).map(str::to_owned).collect();
        }
        if self.ours.contains_key(first) {
            return [first].into_iter().chain(names).map(str::to_owned).collect();
        }
        self.attribute_path(first, names)
    }

    fn attribute_path<'n>(&'n self, name: &'n str, rest: impl Iterator<Item = &'n str>) -> Vec<String> {
        let own = match self.attribute(name) {
            Some(key) => vec![key],
            None => vec![self.name(ATTRIBUTES), name],
        };
        own.into_iter().chain(rest).map(str::to_owned).collect()
    }

    /// The key of an attribute at the top of the payload; `None` when its name is taken.
    pub(super) fn attribute<'n>(&'n self, name: &'n str) -> Option<&'n str> {
        match self.theirs.get(name).filter(|_| !is_field(name)) {
            Some(their) => Some(their),
            None => (!is_field(name) && !self.ours.contains_key(name)).then_some(name),
        }
    }

    /// Our field behind a key at the top of the payload; an attribute's own name.
    pub(super) fn field<'n>(&'n self, key: &'n str) -> &'n str {
        self.ours.get(key).map_or(key, String::as_str)
    }
}

/// True for names of ours, which no attribute may have at the top.
fn is_field(name: &str) -> bool {
    RECORD.contains(&name) || OWN.contains(&name) || name == ATTRIBUTES
}
