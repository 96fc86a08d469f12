//! What the parts of a split chunk are called, and where they stand among the others.

use std::collections::{BTreeMap, HashSet};

use gristmill_core::{ChunkId, DocumentId, Result};
use gristmill_format::chunk_file::{ChunkFile, Entry, Group, Index};
use gristmill_lint::Piece;

use super::fates::{Fate, Fates};

/// Gives all parts but the first of each chunk an identity that no other chunk of the file has: `a-2`, `a-3`; in records of
/// ours a UUID made of the identity of the chunk, the body of the part and how many equal bodies stand before it.
pub(super) fn name(file: &ChunkFile, index: &Index, fates: &mut Fates) -> Result<()> {
    if !fates.values().any(|fate| matches!(fate, Fate::Split(_))) {
        return Ok(());
    }
    let mut known = HashSet::new();
    for found in file.chunks() {
        known.extend(found?.id().map(std::borrow::Cow::into_owned));
    }
    for (at, fate) in fates.iter_mut() {
        let (Fate::Split(parts), Some(entry)) = (fate, index.entries.get(*at)) else { continue };
        let found = file.read_at(*at, entry)?;
        let Some(id) = found.id() else { continue };
        let is_record = found.record().is_some();
        for (rank, part) in parts.iter_mut().enumerate() {
            part.id = Some(if rank == 0 { id.clone().into_owned() } else { fresh(&id, rank, part, is_record, &known) });
            known.extend(part.id.clone());
        }
    }
    Ok(())
}

fn fresh(id: &str, rank: usize, part: &Piece, is_record: bool, known: &HashSet<String>) -> String {
    let body: String = part.bodies().collect();
    let whole = DocumentId::new("", "", id);
    let record = |n: u32| ChunkId::new(whole, &body, n).to_string();
    let foreign = |n: u32| format!("{id}-{}", rank + 1 + n as usize);
    let mut names = (0..).map(|n| if is_record { record(n) } else { foreign(n) });
    names.find(|name| !known.contains(name)).unwrap_or_default()
}

/// By how much the places grow that the chunks of a document say: by the parts before each. Only where the places decide on
/// the order: all chunks say one, and no two the same. Else the order of the file counts, in which parts follow each other.
pub(super) fn shifts(index: &Index, group: &Group, fates: &Fates, shifts: &mut BTreeMap<usize, u64>) {
    let is_split = |chunk: &&usize| matches!(fates.get(chunk), Some(Fate::Split(_)));
    let Some(first) = group.chunks.iter().position(|chunk| is_split(&chunk)) else { return };
    let orders = || group.chunks.iter().map(|chunk| index.entries.get(*chunk).and_then(Entry::order));
    let mut seen = HashSet::new();
    if !orders().all(|order| order.is_some_and(|order| seen.insert(order))) {
        return;
    }
    let mut shift = 0;
    for chunk in group.chunks.iter().skip(first) {
        shifts.insert(*chunk, shift);
        shift += fates.get(chunk).map_or(0, |fate| fate.count().saturating_sub(1) as u64);
    }
}
