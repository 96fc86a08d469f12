//! ZIP archives that documents are packed in, unpacked within bounds.

use std::collections::HashMap;
use std::io::{Cursor, Read};

use gristmill_core::{Diagnostic, Error, Result, Severity};
use zip::ZipArchive;

/// Bytes that one part may have when unpacked.
const PART_MAX: u64 = 256 << 20;

/// Bytes that all parts read from one archive may have together.
const TOTAL_MAX: u64 = 512 << 20;

/// An archive in memory. Parts are found by name without regard to letter case.
pub(crate) struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    places: HashMap<String, usize>,
    left: u64,
    too_large: Vec<String>,
    damaged: Vec<String>,
    missing: Vec<String>,
}

impl<'a> Archive<'a> {
    /// Opens the archive of a document of this kind.
    ///
    /// # Errors
    /// When the bytes are no archive, or one whose list of parts is lost.
    pub(crate) fn open(bytes: &'a [u8], kind: &str, source: &str) -> Result<Self> {
        if bytes.starts_with(b"\xd0\xcf\x11\xe0") {
            return Err(of_office(bytes, kind, source));
        }
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(|error| {
            Error::input(format!("no {kind} file, or a damaged one: `{source}`"))
                .because(error)
                .hint("open it with the program it was made with and save it again")
        })?;
        let mut places = HashMap::with_capacity(zip.len());
        for at in 0..zip.len() {
            if let Some(Ok(name)) = zip.name_for_index(at) {
                places.entry(plain_name(&name)).or_insert(at);
            }
        }
        Ok(Self { zip, places, left: TOTAL_MAX, too_large: Vec::new(), damaged: Vec::new(), missing: Vec::new() })
    }

    /// True when there is a part of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.places.contains_key(&plain_name(name))
    }

    /// The bytes of a part that holds text, as another part says; it is noted when there is no such part.
    pub(crate) fn named_part(&mut self, name: &str) -> Option<Vec<u8>> {
        let bytes = self.part(name);
        if bytes.is_none() {
            self.note_missing(name);
        }
        bytes
    }

    /// Notes that a part with text is named and not there.
    pub(crate) fn note_missing(&mut self, name: &str) {
        self.missing.push(name.to_owned());
    }

    /// The bytes of a part, as many as can be read; `None` when there is no such part.
    pub(crate) fn part(&mut self, name: &str) -> Option<Vec<u8>> {
        let at = *self.places.get(&plain_name(name))?;
        let limit = self.left.min(PART_MAX);
        let mut bytes = Vec::new();
        let read = match self.zip.by_index(at) {
            Ok(part) => part.take(limit + 1).read_to_end(&mut bytes).is_ok(),
            Err(_) => false,
        };
        if bytes.len() as u64 > limit {
            bytes.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
            self.too_large.push(name.to_owned());
        } else if !read {
            self.damaged.push(name.to_owned());
        }
        self.left -= bytes.len() as u64;
        Some(bytes)
    }

    /// # Errors
    /// When nothing was read and there are parts that could not be.
    pub(crate) fn ensure_some(&self, text: &str, source: &str) -> Result<()> {
        match self.damaged.first().or(self.missing.first()) {
            Some(part) if text.trim().is_empty() => Err(nothing_left(part, source)),
            _ => Ok(()),
        }
    }

    /// What could not be read as it is, by now.
    pub(crate) fn problems(&self, source: &str) -> Vec<Diagnostic> {
        let told = |names: &[String], code, what: &str| {
            let first = names.first()?;
            let message = format!("{what}: {} ({first})", names.len());
            Some(Diagnostic::new(code, Severity::High, source, message).incomplete())
        };
        let large = told(&self.too_large, "unpacked-size", "parts too large when unpacked, read in part");
        let damaged = told(&self.damaged, "damaged-part", "damaged or encrypted parts, read as far as they go");
        let missing = told(&self.missing, "missing-part", "parts that the file names and does not hold");
        large.into_iter().chain(damaged).chain(missing).collect()
    }
}

/// The error for a file whose parts are too damaged to read any of its text.
pub(crate) fn nothing_left(part: &str, source: &str) -> Error {
    Error::input(format!("no text can be read, parts are damaged, encrypted or missing ({part}): `{source}`"))
        .hint("open the file with the program it was made with and save it again")
}

/// The error for a file of the older kind, in which encrypted documents are wrapped, too.
fn of_office(bytes: &[u8], kind: &str, source: &str) -> Error {
    let encrypted: Vec<u8> = "EncryptedPackage".bytes().flat_map(|byte| [byte, 0]).collect();
    if memchr::memmem::find(bytes, &encrypted).is_some() {
        return Error::input(format!("encrypted with a password: `{source}`")).hint("save it without a password");
    }
    Error::input(format!("no {kind} file but one of an older kind: `{source}`")).hint(format!("save it as {kind}"))
}

fn plain_name(name: &str) -> String {
    name.trim_start_matches('/').replace('\\', "/").to_lowercase()
}

/// The name that `target` means in the part `base`: relative to its folder, or from the root with `/`.
pub(crate) fn resolve(base: &str, target: &str) -> String {
    let (mut folders, target): (Vec<&str>, &str) = match target.strip_prefix('/') {
        Some(rooted) => (Vec::new(), rooted),
        None => (base.rsplit_once('/').map_or(Vec::new(), |(folder, _)| folder.split('/').collect()), target),
    };
    for step in target.split('/') {
        match step {
            "" | "." => {}
            ".." => drop(folders.pop()),
            name => folders.push(name),
        }
    }
    folders.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_relative_to_the_folder_of_the_part() {
        assert_eq!(resolve("word/document.xml", "media/a.png"), "word/media/a.png");
        assert_eq!(resolve("ppt/slides/slide1.xml", "../notes/./n.xml"), "ppt/notes/n.xml");
        assert_eq!(resolve("ppt/slides/slide1.xml", "/xl/book.xml"), "xl/book.xml");
        assert_eq!(resolve("content.opf", "../../a.xhtml"), "a.xhtml");
    }

    #[test]
    fn what_is_no_archive_is_an_error() {
        let told = |bytes: &[u8]| Archive::open(bytes, "docx", "a.docx").err().map(|e| e.to_string());
        assert_eq!(told(b"PK\x03\x04").as_deref(), Some("no docx file, or a damaged one: `a.docx`"));
        assert_eq!(told(b"\xd0\xcf\x11\xe0").as_deref(), Some("no docx file but one of an older kind: `a.docx`"));
        let mut wrapped = b"\xd0\xcf\x11\xe0".to_vec();
        wrapped.extend("EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes));
        assert_eq!(told(&wrapped).as_deref(), Some("encrypted with a password: `a.docx`"));
    }
}
