//! Where the chunks of a file stand, and which belong together.

use std::collections::HashMap;

use gristmill_core::{Error, Result};

use super::Found;

/// No source.
const NONE: u32 = u32::MAX;

/// No place in a document.
const UNORDERED: u64 = u64::MAX;

/// The chunks of a file by place; 32 bytes for each, and the names of their sources once.
#[derive(Clone, Debug, Default)]
pub struct Index {
    /// One for each chunk, in the order of the file.
    pub entries: Vec<Entry>,
    /// Names of the documents, in the order of their first chunks.
    pub sources: Vec<String>,
}

/// Where a chunk stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub(super) offset: u64,
    pub(super) length: u32,
    source: u32,
    order: u64,
    /// Line of the file on which it begins, of a Parquet file its row; from 1.
    pub line: u64,
}

impl Entry {
    /// Place of its document in [`Index::sources`]; `None` if it names none.
    pub fn source(&self) -> Option<usize> {
        (self.source != NONE).then_some(self.source as usize)
    }

    /// Its place in the document, if it says one.
    pub fn order(&self) -> Option<u64> {
        (self.order != UNORDERED).then_some(self.order)
    }
}

/// The chunks of one document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Place of the document in [`Index::sources`]; `None` for the chunks that name no document.
    pub source: Option<usize>,
    /// Places of the chunks in [`Index::entries`], in the order of the document.
    pub chunks: Vec<usize>,
}

impl Index {
    /// The chunks by document, in the order of their first chunks.
    ///
    /// Within a document the places that the chunks say count if all say one and no two the same; else the order of the
    /// file. Chunks without a document are one group.
    pub fn groups(&self) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        let mut places: HashMap<u32, usize> = HashMap::new();
        for (index, entry) in self.entries.iter().enumerate() {
            let place = *places.entry(entry.source).or_insert(groups.len());
            match groups.get_mut(place) {
                Some(group) => group.chunks.push(index),
                None => groups.push(Group { source: entry.source(), chunks: vec![index] }),
            }
        }
        groups.iter_mut().for_each(|group| self.sort(group));
        groups
    }

    fn sort(&self, group: &mut Group) {
        let order = |chunk: usize| self.entries.get(chunk).and_then(Entry::order);
        let mut by_order: Vec<(Option<u64>, usize)> =
            group.chunks.iter().map(|chunk| (order(*chunk), *chunk)).collect();
        by_order.sort_unstable();
        let differ = by_order.iter().zip(by_order.iter().skip(1)).all(|(a, b)| a.0 != b.0);
        if differ && by_order.first().is_some_and(|(order, _)| order.is_some()) {
            group.chunks = by_order.into_iter().map(|(_, chunk)| chunk).collect();
        }
    }
}

/// Collects the chunks of a file.
#[derive(Default)]
pub(super) struct Builder {
    index: Index,
    sources: HashMap<String, u32>,
}

impl Builder {
    pub(super) fn add(&mut self, found: &Found, name: &str, offset: u64, length: usize) -> Result<()> {
        let too_large = |what| Error::input(format!("`{name}`, line {}: {what} for one file", found.line));
        let length = u32::try_from(length).map_err(|_| too_large("too large a chunk"))?;
        let source = match found.source() {
            Some(source) => self.source(&source).ok_or_else(|| too_large("too many sources"))?,
            None => NONE,
        };
        self.index.entries.push(Entry {
            offset,
            length,
            source,
            order: found.order().unwrap_or(UNORDERED),
            line: found.line,
        });
        Ok(())
    }

    fn source(&mut self, name: &str) -> Option<u32> {
        if let Some(place) = self.sources.get(name) {
            return Some(*place);
        }
        let place = u32::try_from(self.index.sources.len()).ok().filter(|place| *place != NONE)?;
        self.index.sources.push(name.to_owned());
        self.sources.insert(name.to_owned(), place);
        Some(place)
    }

    pub(super) fn done(self) -> Index {
        self.index
    }
}
