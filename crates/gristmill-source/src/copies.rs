//! Copies of what is elsewhere, kept on this machine with what is needed to ask whether they still hold.
//!
//! Each address has a record, and its body a file of its own that is named by its content. A body is in place before the
//! record that names it, and both are put there whole, so that a run that ends anywhere leaves a copy that is right.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use gristmill_core::{Error, Fingerprint, Result};
use serde::{Deserialize, Serialize};

use crate::Raw;

/// The folder of copies of one kind of source.
#[derive(Clone, Debug)]
pub(crate) struct Copies {
    folder: PathBuf,
}

/// What is known of an address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Record {
    /// A document was there.
    Body(Kept),
    /// It led to another address.
    Moved(String),
    /// It was asked for, and nothing came.
    Nothing,
}

/// A copy of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Kept {
    pub(crate) etag: Option<String>,
    /// As it was told, since that is what is asked with.
    pub(crate) last_modified: Option<String>,
    pub(crate) content_type: Option<String>,
    pub(crate) size: u64,
    /// The name of its file.
    pub(crate) body: String,
}

/// A record with the address it is of, so that two addresses never share one.
#[derive(Serialize, Deserialize)]
struct Entry<R> {
    address: String,
    record: R,
}

impl Copies {
    /// The copies of `kind` in `cache`, whose folder is made.
    pub(crate) fn open(folder: &Path, cache: Option<&PathBuf>, kind: &str) -> Result<Self> {
        let cache =
            cache.ok_or_else(|| Error::config(format!("a source of kind `{kind}` needs a folder for its cache")))?;
        let folder = folder.join(cache).join(kind);
        fs::create_dir_all(&folder).map_err(|e| cannot_keep(&folder, e))?;
        Ok(Self { folder })
    }

    /// What is known of an address. A record that cannot be read is none.
    pub(crate) fn record(&self, address: &str) -> Option<Record> {
        let entry: Entry<Record> = serde_json::from_slice(&fs::read(self.path(address)).ok()?).ok()?;
        (entry.address == address).then_some(entry.record)
    }

    /// The copy of a document, where there is one and its body is whole.
    pub(crate) fn kept(&self, address: &str) -> Option<Kept> {
        let Record::Body(kept) = self.record(address)? else { return None };
        let metadata = fs::metadata(self.folder.join(&kept.body)).ok()?;
        (metadata.len() == kept.size).then_some(kept)
    }

    /// Keeps a document, and what is known of it.
    pub(crate) fn keep(&self, address: &str, known: Kept, body: &[u8]) -> Result<Kept> {
        let mut writer = self.writer()?;
        writer.write_all(body).map_err(|e| cannot_keep(&self.folder, e))?;
        self.keep_file(address, known, writer, Fingerprint::of(body))
    }

    /// A file to write a body to.
    pub(crate) fn writer(&self) -> Result<tempfile::NamedTempFile> {
        tempfile::NamedTempFile::new_in(&self.folder).map_err(|e| cannot_keep(&self.folder, e))
    }

    /// The same as [`Copies::keep`] with a body that is written already.
    pub(crate) fn keep_file(
        &self,
        address: &str,
        known: Kept,
        body: tempfile::NamedTempFile,
        hash: Fingerprint,
    ) -> Result<Kept> {
        let size = body.as_file().metadata().map_err(|e| cannot_keep(&self.folder, e))?.len();
        let name = format!("{}-{hash}", Fingerprint::of(address.as_bytes()));
        body.persist(self.folder.join(&name)).map_err(|e| cannot_keep(&self.folder, e.error))?;
        let kept = Kept { size, body: name, ..known };
        self.note(address, Record::Body(kept.clone()))?;
        Ok(kept)
    }

    /// Keeps what is known of an address.
    pub(crate) fn note(&self, address: &str, record: Record) -> Result<()> {
        let before = self.record(address);
        let name = if let Record::Body(kept) = &record { kept.body.clone() } else { String::new() };
        let entry = Entry { address: address.to_owned(), record };
        let bytes = serde_json::to_vec(&entry).map_err(|e| Error::bug("a record cannot be written").because(e))?;
        let mut file = self.writer()?;
        file.write_all(&bytes).map_err(|e| cannot_keep(&self.folder, e))?;
        file.persist(self.path(address)).map_err(|e| cannot_keep(&self.folder, e.error))?;
        self.remove_body(before, &name);
        Ok(())
    }

    /// Removes what is kept of an address.
    pub(crate) fn forget(&self, address: &str) {
        let before = self.record(address);
        // What stays because it cannot be removed is only a copy too many.
        let _ = fs::remove_file(self.path(address));
        self.remove_body(before, "");
    }

    /// The bytes of a copy.
    pub(crate) fn open_body(&self, kept: &Kept) -> Result<Raw> {
        Raw::open(&self.folder.join(&kept.body))
    }

    /// The bytes of a copy, held; `None` when they cannot be read.
    pub(crate) fn read_body(&self, kept: &Kept) -> Option<Vec<u8>> {
        fs::read(self.folder.join(&kept.body)).ok()
    }

    fn remove_body(&self, record: Option<Record>, but: &str) {
        if let Some(Record::Body(kept)) = record
            && kept.body != but
        {
            let _ = fs::remove_file(self.folder.join(&kept.body));
        }
    }

    fn path(&self, address: &str) -> PathBuf {
        self.folder.join(format!("{}.json", Fingerprint::of(address.as_bytes())))
    }
}

fn cannot_keep(folder: &Path, cause: io::Error) -> Error {
    Error::input(format!("the cache cannot be written: {}", folder.display())).because(cause)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copies() -> (tempfile::TempDir, Copies) {
        let folder = tempfile::tempdir().unwrap();
        let copies = Copies::open(folder.path(), Some(&PathBuf::from("cache")), "web").unwrap();
        (folder, copies)
    }

    fn files(copies: &Copies) -> usize {
        fs::read_dir(&copies.folder).unwrap().count()
    }

    #[test]
    fn a_copy_is_replaced_and_forgotten_whole() {
        let (_folder, copies) = copies();
        let known = Kept { etag: Some("\"1\"".into()), ..Kept::default() };
        let kept = copies.keep("a", known, b"one").unwrap();
        assert_eq!((copies.kept("a"), kept.size), (Some(kept.clone()), 3));
        assert_eq!(copies.open_body(&kept).unwrap().bytes(), Some(&b"one"[..]));
        let kept = copies.keep("a", Kept::default(), b"two!").unwrap();
        assert_eq!(copies.read_body(&kept).unwrap(), b"two!");
        assert_eq!(files(&copies), 2);
        copies.note("a", Record::Moved("b".into())).unwrap();
        assert_eq!((copies.kept("a"), copies.record("a")), (None, Some(Record::Moved("b".into()))));
        assert_eq!(files(&copies), 1);
        copies.forget("a");
        assert_eq!((copies.record("a"), files(&copies)), (None, 0));
    }

    #[test]
    fn what_is_damaged_is_no_copy() {
        let (_folder, copies) = copies();
        let kept = copies.keep("a", Kept::default(), b"one").unwrap();
        fs::write(copies.folder.join(&kept.body), "on").unwrap();
        assert_eq!(copies.kept("a"), None);
        fs::write(copies.path("a"), "{\"address\":\"a\"").unwrap();
        assert_eq!(copies.record("a"), None);
        // A record in the place of another address.
        fs::write(copies.path("b"), r#"{"address":"a","record":"nothing"}"#).unwrap();
        assert_eq!(copies.record("b"), None);
    }

    #[test]
    fn equal_bodies_of_two_addresses_do_not_share_a_file() {
        let (_folder, copies) = copies();
        copies.keep("a", Kept::default(), b"same").unwrap();
        let kept = copies.keep("b", Kept::default(), b"same").unwrap();
        copies.forget("a");
        assert_eq!(copies.read_body(&kept).unwrap(), b"same");
    }
}
