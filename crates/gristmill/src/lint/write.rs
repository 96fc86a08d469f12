//! Repaired chunks back into their file.

use std::collections::BTreeMap;
use std::io::Write;

use gristmill_core::{PartKind, Result};
use gristmill_format::PartRecord;
use gristmill_format::chunk_file::{Change, ChunkFile, Found, Group, Index, Notes, Verdict, keys};
#[cfg(feature = "parquet")]
use gristmill_format::chunk_file::{RecordBatch, rewrite_table};
use gristmill_lint::Piece;
use serde_json::Value;

use super::fates::{Fate, Fates};
use super::record::Records;
use super::{LintCx, read};

/// Writes the file with what became of its chunks.
pub(super) fn write(file: &ChunkFile, fates: &Fates, cx: &LintCx<'_>, out: &mut (dyn Write + Send)) -> Result<Notes> {
    let index = file.index()?;
    let verdicts = Verdicts::new(file, &index, fates, cx)?;
    file.write(out, &mut |chunk| verdicts.of(chunk))
}

/// The table with what became of its chunks, which `file` holds as lines.
#[cfg(feature = "parquet")]
pub(super) fn write_table(
    file: &ChunkFile,
    fates: &Fates,
    cx: &LintCx<'_>,
    table: &RecordBatch,
) -> Result<(RecordBatch, Notes)> {
    let index = file.index()?;
    let verdicts = Verdicts::new(file, &index, fates, cx)?;
    rewrite_table(table, &mut |chunk| verdicts.of(chunk))
}

/// What is to be written of each chunk.
struct Verdicts<'a> {
    file: &'a ChunkFile,
    fates: &'a Fates,
    index: &'a Index,
    ranks: BTreeMap<usize, Rank>,
    records: Records<'a>,
}

impl<'a> Verdicts<'a> {
    fn new(file: &'a ChunkFile, index: &'a Index, fates: &'a Fates, cx: &LintCx<'_>) -> Result<Self> {
        let ranks = ranks(file, index, fates)?;
        let records = Records::new(file, index, cx)?;
        Ok(Self { file, fates, index, ranks, records })
    }

    fn of(&self, chunk: usize) -> Result<Verdict> {
        let piece = match self.fates.get(&chunk) {
            Some(Fate::Gone { .. }) => return Ok(Verdict::Remove),
            Some(Fate::Changed(piece)) => Some(piece.as_ref()),
            None => None,
        };
        let rank = self.ranks.get(&chunk);
        if piece.is_none() && rank.is_none() {
            return Ok(Verdict::Keep);
        }
        let Some(entry) = self.index.entries.get(chunk) else { return Ok(Verdict::Keep) };
        let found = self.file.read_at(chunk, entry)?;
        let name = |other: usize| named(self.file, self.index, other);
        match (found.record(), piece) {
            (Some(record), piece) => self.records.change(record, piece, rank, &name).map(Verdict::Change),
            (None, Some(piece)) => changed(&found, piece, &name).map(Verdict::Change),
            (None, None) => Ok(Verdict::Keep),
        }
    }
}

/// The place of a chunk among those of its document that are left, and its neighbours.
#[derive(Clone, Debug)]
pub(super) struct Rank {
    pub index: u64,
    pub total: u64,
    pub previous: Option<String>,
    pub next: Option<String>,
}

/// The new places of all records of documents that lost a chunk.
fn ranks(file: &ChunkFile, index: &Index, fates: &Fates) -> Result<BTreeMap<usize, Rank>> {
    let mut ranks = BTreeMap::new();
    for group in index.groups() {
        let is_gone = |chunk: &usize| matches!(fates.get(chunk), Some(Fate::Gone { .. }));
        if group.chunks.iter().any(is_gone) {
            rank(file, index, &group, fates, &mut ranks)?;
        }
    }
    Ok(ranks)
}

fn rank(
    file: &ChunkFile,
    index: &Index,
    group: &Group,
    fates: &Fates,
    ranks: &mut BTreeMap<usize, Rank>,
) -> Result<()> {
    let left: Vec<usize> =
        group.chunks.iter().copied().filter(|chunk| !matches!(fates.get(chunk), Some(Fate::Gone { .. }))).collect();
    let mut ids = Vec::with_capacity(left.len());
    for chunk in &left {
        let Some(entry) = index.entries.get(*chunk) else { return Ok(()) };
        let found = file.read_at(*chunk, entry)?;
        if found.record().is_none() {
            return Ok(());
        }
        ids.push(found.id().map(std::borrow::Cow::into_owned));
    }
    for (at, chunk) in left.iter().enumerate() {
        let id = |at: Option<usize>| at.and_then(|at| ids.get(at)).cloned().flatten();
        let (previous, next) = (id(at.checked_sub(1)), id(Some(at + 1)));
        ranks.insert(*chunk, Rank { index: at as u64, total: left.len() as u64, previous, next });
    }
    Ok(())
}

/// What people know a chunk by.
fn named(file: &ChunkFile, index: &Index, chunk: usize) -> Result<String> {
    let Some(entry) = index.entries.get(chunk) else { return Ok(format!("#{chunk}")) };
    let found = file.read_at(chunk, entry)?;
    Ok(found.id().map_or_else(|| format!("#{chunk}"), std::borrow::Cow::into_owned))
}

/// The chunks merged into a piece, those of earlier repairs among them.
pub(super) fn merged_ids(
    found: Option<&Value>,
    piece: &Piece,
    name: &dyn Fn(usize) -> Result<String>,
) -> Result<Vec<String>> {
    let known = found.and_then(Value::as_array).into_iter().flatten();
    let mut ids: Vec<String> = known.filter_map(|id| id.as_str().map(str::to_owned)).collect();
    for merged in &piece.merged {
        ids.push(name(*merged)?);
    }
    Ok(ids)
}

/// The change of a chunk of another tool.
fn changed(found: &Found, piece: &Piece, name: &dyn Fn(usize) -> Result<String>) -> Result<Change> {
    let mut change = Change::text(&piece.text);
    let merged = merged_ids(found.field(&["merged_ids"]), piece, name)?;
    if !merged.is_empty() {
        change = change.metadata("merged_ids", Some(&merged))?;
    }
    let injected = injected(piece);
    if !injected.is_empty() || found.field(&["injected"]).is_some() {
        change = change.injected(&injected)?;
    }
    moved(change, found, piece)
}

/// Where the text lies now, under the names that the chunk itself uses.
fn moved(mut change: Change, found: &Found, piece: &Piece) -> Result<Change> {
    let Some(place) = &piece.place else { return Ok(change) };
    if read::of(found).place.is_none_or(|before| before == *place) {
        return Ok(change);
    }
    for key in keys::START {
        if found.metadata().is_some_and(|metadata| metadata.contains_key(*key)) {
            change = change.metadata(key, Some(&place.start))?;
        } else if found.value().get(key).is_some() {
            change = change.field(key, Some(&place.start))?;
        }
    }
    Ok(change.end(place.end))
}

/// The parts that repairs put in, in code points.
fn injected(piece: &Piece) -> Vec<PartRecord> {
    let mut at = 0;
    let mut injected = Vec::new();
    for part in &piece.parts {
        let start = at;
        at += piece.text[part.range.range()].chars().count() as u64;
        if !matches!(part.kind, PartKind::Body | PartKind::Overlap) {
            injected.push(PartRecord { kind: part.kind, start, end: at, origin: None });
        }
    }
    injected
}
