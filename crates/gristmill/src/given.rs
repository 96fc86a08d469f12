//! A document that is at hand, such as one from standard input.

use gristmill_core::{Outcome, Result};
use gristmill_source::{Listed, Listing, Raw, Source};

/// A name, which tells the kind of document, and bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The `source` of its records.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl Source for Given {
    fn list(&self) -> Result<Outcome<Listing>> {
        let entry = Listed { path: self.name.clone(), size: self.bytes.len() as u64, modified: None, escaped: false };
        Ok(Outcome::clean(Listing { entries: vec![entry], unseen: Vec::new() }))
    }

    fn fetch(&self, _: &Listed) -> Result<Raw> {
        Ok(Raw::held(self.bytes.clone()))
    }
}
