//! Identities and hashes. Both are functions of content alone: no clock, no counter of a run.

use std::collections::HashMap;
use std::fmt;

use sha1::Sha1;
use sha2::{Digest, Sha256};
use uuid::{Builder, Uuid};

/// Separates the fields that are hashed into an identity, so that `("a", "bc")` and `("ab", "c")` differ.
const SEPARATOR: u8 = 0x1f;

/// SHA-256 of some bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(pub [u8; 32]);

impl Fingerprint {
    /// The hash of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// `sha256:` and 64 hexadecimal digits, the form used in records.
    pub fn tagged(&self) -> String {
        format!("sha256:{self}")
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const HEX: &[u8; 16] = b"0123456789abcdef";
        let mut out = [0u8; 64];
        for (pair, byte) in out.chunks_exact_mut(2).zip(self.0) {
            pair[0] = HEX[usize::from(byte >> 4)];
            pair[1] = HEX[usize::from(byte & 15)];
        }
        f.write_str(std::str::from_utf8(&out).unwrap_or_default())
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Names a document: UUIDv5 of project, source name and relative path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DocumentId(pub Uuid);

impl DocumentId {
    /// `source_name` is empty for an unnamed source; `path` is relative to the source's root, with `/`.
    pub fn new(project: &str, source_name: &str, path: &str) -> Self {
        let separator = &[SEPARATOR];
        let name = [project.as_bytes(), separator, source_name.as_bytes(), separator, path.as_bytes()];
        Self(uuid_v5(&NAMESPACE, &name))
    }

    /// Names a section of the document by the titles from the outermost to its own.
    pub fn section(self, titles: &[&str]) -> Uuid {
        let mut name: Vec<&[u8]> = vec![b"section"];
        name.extend(titles.iter().flat_map(|title| [&[SEPARATOR][..], title.as_bytes()]));
        uuid_v5(&self.0, &name)
    }
}

/// UUID version 5 (RFC 9562, 5.5) of a name given in pieces, hashed where they stand and with the processor's own
/// instructions where it has them.
pub fn uuid_v5(namespace: &Uuid, name: &[&[u8]]) -> Uuid {
    let mut hash = Sha1::new_with_prefix(namespace.as_bytes());
    name.iter().for_each(|piece| hash.update(piece));
    let hash: [u8; 20] = hash.finalize().into();
    let mut first = [0; 16];
    first.copy_from_slice(&hash[..16]);
    Builder::from_sha1_bytes(first).into_uuid()
}

/// The namespace of the identities of gristmill, chosen once at random.
const NAMESPACE: Uuid = Uuid::from_u128(0x86d7_0e0b_d8b5_5f0e_9c1d_6b5e_2f6a_7a11);

/// Names a chunk: UUIDv5 of the document, its body and how many equal bodies stand before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChunkId(pub Uuid);

impl ChunkId {
    /// `occurrence` counts equal bodies of the document from 0.
    pub fn new(document: DocumentId, body: &str, occurrence: u32) -> Self {
        Self(uuid_v5(&document.0, &[body.as_bytes(), &[SEPARATOR], &occurrence.to_be_bytes()]))
    }
}

impl fmt::Display for DocumentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for ChunkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Counts equal bodies of one document, so that each of them gets an identity of its own.
#[derive(Debug, Default)]
pub struct OccurrenceCounter(HashMap<[u8; 16], u32>);

impl OccurrenceCounter {
    /// The identity of the next chunk with this body.
    pub fn next(&mut self, document: DocumentId, body: &str) -> ChunkId {
        let first = ChunkId::new(document, body, 0);
        let seen = self.0.entry(*first.0.as_bytes()).or_insert(0);
        let occurrence = *seen;
        *seen += 1;
        if occurrence == 0 { first } else { ChunkId::new(document, body, occurrence) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprint_is_sha256() {
        // FIPS 180-2, appendix B.1.
        assert_eq!(
            Fingerprint::of(b"abc").tagged(),
            "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn names_in_pieces_make_the_uuids_of_rfc_9562() {
        // RFC 9562, A.4: the DNS namespace and www.example.com.
        let dns = Uuid::from_u128(0x6ba7_b810_9dad_11d1_80b4_00c0_4fd4_30c8);
        let made = uuid_v5(&dns, &[b"www.", b"example.com"]);
        assert_eq!(made.to_string(), "2ed6657d-e927-568b-95e1-2665a8aea6a2");
    }

    #[test]
    fn equal_bodies_get_different_ids() {
        let doc = DocumentId::new("default", "", "a.md");
        let mut counter = OccurrenceCounter::default();
        let a = counter.next(doc, "same");
        let b = counter.next(doc, "same");
        assert_ne!(a, b);
        assert_eq!(a, ChunkId::new(doc, "same", 0));
        assert_eq!(b, ChunkId::new(doc, "same", 1));
    }

    #[test]
    fn fields_do_not_run_together() {
        assert_ne!(DocumentId::new("a", "b", "c"), DocumentId::new("ab", "", "c"));
    }
}
