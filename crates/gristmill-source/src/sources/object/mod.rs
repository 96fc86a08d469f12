//! Objects of a bucket or container: Amazon S3 and what speaks its language, Google Cloud Storage, Azure Blob Storage.

mod connection;

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use futures_util::TryStreamExt;
use gristmill_core::{Diagnostic, Error, ErrorKind, Fingerprint, Outcome, Result, Retry, Severity};
use object_store::path::Path as Key;
use object_store::{GetOptions, GetRange, ObjectMeta, ObjectStore, ObjectStoreExt};
use sha2::{Digest, Sha256};
use tokio::runtime::Runtime;

use crate::copies::{Copies, Kept};
use crate::select::Selection;
use crate::{HELD_MAX, Listed, Listing, ObjectSpec, Raw, Source, SourceSpec};

/// What to look at when a store lets nobody in.
const KEYS: &str = "are the keys right, and may they list and read?";

/// The documents below a prefix of a bucket, or the one object that the prefix names.
///
/// Listing reads names, sizes and tags only. Fetching keeps what came in the cache and reads it from there as long as the
/// tag that is listed stays the same. Objects that are larger than what is held come in parts, all of one version.
#[derive(Debug)]
pub struct ObjectSource {
    store: Box<dyn ObjectStore>,
    prefix: Key,
    /// Names the source in messages and, with the store's own settings, its copies in the cache.
    url: String,
    selection: Selection,
    copies: Copies,
    runtime: Runtime,
    /// What was listed, by path.
    objects: Mutex<HashMap<String, ObjectMeta>>,
}

/// The entry of the registry.
pub(super) fn build(spec: &SourceSpec) -> Result<Box<dyn Source>> {
    Ok(Box::new(ObjectSource::open(spec)?))
}

impl ObjectSource {
    /// Checks the settings and makes the cache. Nothing is asked for yet.
    ///
    /// # Errors
    /// Config: the settings are wrong. Input: the cache cannot be made.
    pub fn open(spec: &SourceSpec) -> Result<Self> {
        let object = spec.object.as_ref().ok_or_else(|| Error::config("an object source needs a `url`"))?;
        let selection = Selection::new(&spec.include, &spec.exclude, spec.readmes)?;
        let (store, prefix) = connection::open(object)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        let runtime = runtime.map_err(|e| Error::bug("no runtime can be made").because(e))?;
        let copies = Copies::open(&spec.folder, spec.cache.as_ref(), "object")?;
        Ok(Self { store, prefix, url: shown(object), selection, copies, runtime, objects: Mutex::default() })
    }

    fn objects(&self) -> object_store::Result<Vec<ObjectMeta>> {
        self.runtime.block_on(async {
            let below: Vec<ObjectMeta> = self.store.list(Some(&self.prefix)).try_collect().await?;
            if !below.is_empty() || self.prefix.as_ref().is_empty() {
                return Ok(below);
            }
            match self.store.head(&self.prefix).await {
                Ok(found) => Ok(vec![found]),
                Err(object_store::Error::NotFound { .. }) => Ok(below),
                Err(error) => Err(error),
            }
        })
    }

    /// The path of an object relative to the prefix.
    fn path<'k>(&self, key: &'k Key) -> &'k str {
        let path = key.as_ref().strip_prefix(self.prefix.as_ref()).unwrap_or(key.as_ref()).trim_start_matches('/');
        if path.is_empty() { key.filename().unwrap_or_default() } else { path }
    }

    fn wants(&self, path: &str) -> bool {
        let path = Path::new(path);
        self.selection.wants(path, false) && path.ancestors().skip(1).all(|folder| self.selection.wants(folder, true))
    }

    /// Brings an object in.
    fn download(&self, object: &ObjectMeta) -> Result<(tempfile::NamedTempFile, Fingerprint)> {
        let mut file = self.copies.writer()?;
        let mut hash = Sha256::new();
        let mut at = 0;
        loop {
            let range = (object.size > HELD_MAX).then(|| GetRange::Bounded(at..object.size.min(at + HELD_MAX)));
            let options = GetOptions { range, if_match: object.e_tag.clone(), ..GetOptions::default() };
            let part =
                self.runtime.block_on(async { self.store.get_opts(&object.location, options).await?.bytes().await });
            let part = part.map_err(|e| self.trouble("the object cannot be read", &object.location, e))?;
            hash.update(&part);
            file.write_all(&part).map_err(|e| Error::input("the cache cannot be written").because(e))?;
            at += HELD_MAX;
            if at >= object.size {
                return Ok((file, Fingerprint(hash.finalize().into())));
            }
        }
    }

    fn trouble(&self, what: &str, key: &Key, cause: object_store::Error) -> Error {
        use object_store::Error as E;
        let place = if key == &self.prefix { self.url.clone() } else { format!("{key} of {}", self.url) };
        let why = one_line(&cause);
        let (kind, retry, hint) = match &cause {
            E::NotFound { .. } => (ErrorKind::Input, Retry::Never, None),
            E::Generic { .. } if is_status(&why, &["404"]) => (ErrorKind::Input, Retry::Never, None),
            E::Precondition { .. } => (ErrorKind::Input, Retry::Backoff, Some("it has changed meanwhile; run again")),
            E::PermissionDenied { .. } | E::Unauthenticated { .. } => (ErrorKind::Remote, Retry::Never, Some(KEYS)),
            E::Generic { .. } if is_status(&why, &["401", "403"]) => (ErrorKind::Remote, Retry::Never, Some(KEYS)),
            _ => (ErrorKind::Remote, Retry::Backoff, None),
        };
        let error = Error::new(kind, format!("{what}: {place}")).retry(retry).because(why);
        if let Some(hint) = hint { error.hint(hint) } else { error }
    }
}

/// The crate does not tell the status of a listing that failed but in words.
fn is_status(why: &str, wanted: &[&str]) -> bool {
    let told = why.split_once("status code: ").map(|(_, status)| status);
    told.is_some_and(|told| wanted.iter().any(|status| told.starts_with(status)))
}

/// A cause with all that is behind it, of which services make several lines of XML.
fn one_line(cause: &object_store::Error) -> String {
    cause.to_string().split_whitespace().collect::<Vec<_>>().join(" ").chars().take(600).collect()
}

/// The URL, and the endpoint where one is set: two stores may have buckets of one name.
fn shown(spec: &ObjectSpec) -> String {
    let settings = spec.environment.iter().chain(&spec.options);
    let endpoint = settings.rev().find(|(name, _)| {
        let name = name.to_ascii_lowercase();
        name.ends_with("endpoint") || name.ends_with("endpoint_url") || name.ends_with("base_url")
    });
    let url = spec.url.trim_end_matches('/');
    endpoint.map_or_else(|| url.to_owned(), |(_, endpoint)| format!("{url} at {endpoint}"))
}

/// What tells two versions of an object apart.
fn version(object: &ObjectMeta) -> String {
    object.e_tag.clone().unwrap_or_else(|| format!("{} {}", object.last_modified.to_rfc3339(), object.size))
}

/// Programs that show folders make empty objects for them.
fn is_folder(object: &ObjectMeta, path: &str) -> bool {
    object.size == 0 && (path.is_empty() || object.location.extension().is_none())
}

impl Source for ObjectSource {
    fn list(&self) -> Result<Outcome<Listing>> {
        let found = self.objects().map_err(|e| self.trouble("the objects cannot be listed", &self.prefix, e))?;
        let mut listing = Listing::default();
        let mut diagnostics = Vec::new();
        let mut objects = HashMap::with_capacity(found.len());
        for object in found {
            let path = self.path(&object.location).to_owned();
            if is_folder(&object, &path) || !self.wants(&path) {
                continue;
            }
            let (size, modified) = (object.size, Some(object.last_modified.into()));
            listing.entries.push(Listed { path: path.clone(), size, modified, escaped: false });
            if objects.insert(path.clone(), object).is_some() {
                let twice = "two objects have this name but for slashes; one of them is read";
                diagnostics.push(Diagnostic::new("same-name", Severity::High, &path, twice));
            }
        }
        *self.objects.lock().unwrap_or_else(PoisonError::into_inner) = objects;
        Ok(listing.in_order(diagnostics))
    }

    fn fetch(&self, listed: &Listed) -> Result<Raw> {
        let object = self.objects.lock().unwrap_or_else(PoisonError::into_inner).get(&listed.path).cloned();
        let object = object
            .ok_or_else(|| Error::input(format!("no such object was listed in {}: {}", self.url, listed.path)))?;
        let address = format!("{} {}", self.url, object.location);
        let version = version(&object);
        if let Some(kept) = self.copies.kept(&address).filter(|kept| kept.etag.as_ref() == Some(&version)) {
            return self.copies.open_body(&kept);
        }
        let (file, hash) = self.download(&object)?;
        let known = Kept { etag: Some(version), ..Kept::default() };
        self.copies.open_body(&self.copies.keep_file(&address, known, file, hash)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_of_a_listing_is_found_in_its_words() {
        let why = "Generic S3 error: client error with status code: 403 Forbidden";
        assert!(is_status(why, &["401", "403"]));
        assert!(!is_status(why, &["404"]) && !is_status("403", &["403"]));
    }
}
