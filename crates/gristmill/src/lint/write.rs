//! Repaired chunks back into their file.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Write;

use gristmill_core::{PartKind, Result};
use gristmill_format::chunk_file::{Change, ChunkFile, Found, Group, Index, Notes, Verdict, keys};
#[cfg(feature = "parquet")]
use gristmill_format::chunk_file::{RecordBatch, rewrite_table};
use gristmill_format::{PartRecord, Record};
use gristmill_lint::{Piece, part_of};
use serde_json::Value;

use super::fates::{Fate, Fates};
use super::record::Records;
use super::{LintCx, parts, read};

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
    places: Places,
    records: Records<'a>,
}

impl<'a> Verdicts<'a> {
    fn new(file: &'a ChunkFile, index: &'a Index, fates: &'a Fates, cx: &LintCx<'_>) -> Result<Self> {
        let places = places(file, index, fates)?;
        let records = Records::new(file, index, cx)?;
        Ok(Self { file, fates, index, places, records })
    }

    fn of(&self, at: usize) -> Result<Verdict> {
        let pieces: &[Piece] = match self.fates.get(&at) {
            Some(Fate::Gone { .. }) => return Ok(Verdict::Remove),
            Some(Fate::Changed(piece)) => std::slice::from_ref(piece),
            Some(Fate::Split(parts)) => parts,
            None => &[],
        };
        let (rank, shift) = (self.places.ranks.get(&(at, 0)), self.places.shifts.get(&at));
        if pieces.is_empty() && rank.is_none() && shift.is_none_or(|shift| *shift == 0) {
            return Ok(Verdict::Keep);
        }
        let Some(entry) = self.index.entries.get(at) else { return Ok(Verdict::Keep) };
        let found = self.file.read_at(at, entry)?;
        let record = found.record().map(|record| without_text(record, pieces.len()));
        let before = if record.is_some() { Piece::default() } else { read::of(&found, self.file.format()) };
        let change = |piece: Option<&Piece>, part: usize| match &record {
            Some(record) => {
                let names = |other: usize| names(self.file, self.index, other);
                self.records.change(record.clone(), piece, part, self.places.ranks.get(&(at, part)), &names)
            }
            None => self.change(&found, &before, piece, part),
        };
        match pieces {
            [] => change(None, 0).map(Verdict::Change),
            [piece] => change(Some(piece), 0).map(Verdict::Change),
            parts => {
                let parts = parts.iter().enumerate().map(|(part, piece)| change(Some(piece), part));
                Ok(Verdict::Several(parts.collect::<Result<_>>()?))
            }
        }
    }

    /// The change of a chunk of another tool, which was read as `before`, or of one of the parts of which it consists now.
    fn change(&self, found: &Found, before: &Piece, piece: Option<&Piece>, part: usize) -> Result<Change> {
        let names = |other: usize| names(self.file, self.index, other);
        let mut change = piece.map_or_else(|| Ok(Change::default()), |piece| changed(found, before, piece, &names))?;
        let id = found.id();
        if let (Some(new), Some(old), true) = (piece.and_then(|piece| piece.id.as_ref()), &id, part > 0) {
            change = set(change, found, keys::ID, &|value| {
                let same = value.as_str().map_or_else(|| Cow::Owned(value.to_string()), Cow::Borrowed) == *old;
                same.then(|| Value::from(new.as_str()))
            })?;
        }
        let (Some(order), Some(shift)) = (found.order(), self.places.shifts.get(&found.index)) else {
            return Ok(change);
        };
        let new = order + shift + part as u64;
        set(change, found, keys::ORDER, &|value| match value {
            Value::String(text) => (*text == order.to_string()).then(|| Value::from(new.to_string())),
            number => (number.as_u64() == Some(order)).then(|| Value::from(new)),
        })
    }
}

/// A record that is to be several need not be copied with all its text: each part has its own.
fn without_text(mut record: Record<'static>, parts: usize) -> Record<'static> {
    if parts > 1 {
        record.content = Cow::Borrowed("");
    }
    record
}

/// Gives the keys of a chunk, wherever they stand, the values that `new` makes of theirs.
fn set(mut change: Change, found: &Found, keys: &[&str], new: &dyn Fn(&Value) -> Option<Value>) -> Result<Change> {
    for key in keys {
        if let Some(value) = found.value().get(key).and_then(new) {
            change = change.field(key, Some(&value))?;
        }
        if let Some(value) = found.metadata().and_then(|metadata| metadata.get(*key)).and_then(new) {
            change = change.metadata(key, Some(&value))?;
        }
    }
    Ok(change)
}

/// Where chunks stand now.
#[derive(Default)]
struct Places {
    /// Of records of ours, by index and part.
    ranks: BTreeMap<(usize, usize), Rank>,
    /// What is added to the places that other chunks say.
    shifts: BTreeMap<usize, u64>,
}

/// The place of a chunk among those of its document that are left, and its neighbours.
#[derive(Clone, Debug)]
pub(super) struct Rank {
    pub index: u64,
    pub total: u64,
    pub previous: Option<String>,
    pub next: Option<String>,
}

/// The new places in documents that lost a chunk, or in which one was split.
fn places(file: &ChunkFile, index: &Index, fates: &Fates) -> Result<Places> {
    let mut places = Places::default();
    for group in index.groups() {
        let moves = |chunk: &usize| fates.get(chunk).is_some_and(|fate| fate.count() != 1);
        if group.chunks.iter().any(moves) {
            rank(file, index, &group, fates, &mut places.ranks)?;
            parts::shifts(index, &group, fates, &mut places.shifts);
        }
    }
    Ok(places)
}

fn rank(
    file: &ChunkFile,
    index: &Index,
    group: &Group,
    fates: &Fates,
    ranks: &mut BTreeMap<(usize, usize), Rank>,
) -> Result<()> {
    let mut left = Vec::with_capacity(group.chunks.len());
    let mut ids = Vec::with_capacity(group.chunks.len());
    for chunk in &group.chunks {
        let fate = fates.get(chunk);
        if fate.is_some_and(|fate| fate.count() == 0) {
            continue;
        }
        let Some(entry) = index.entries.get(*chunk) else { return Ok(()) };
        let found = file.read_at(*chunk, entry)?;
        if found.record().is_none() {
            return Ok(());
        }
        left.push((*chunk, 0));
        ids.push(found.id().map(Cow::into_owned));
        if let Some(Fate::Split(parts)) = fate {
            left.extend((1..parts.len()).map(|part| (*chunk, part)));
            ids.extend(parts.iter().skip(1).map(|part| part.id.clone()));
        }
    }
    for (at, place) in left.iter().enumerate() {
        let id = |at: Option<usize>| at.and_then(|at| ids.get(at)).cloned().flatten();
        let (previous, next) = (id(at.checked_sub(1)), id(Some(at + 1)));
        ranks.insert(*place, Rank { index: at as u64, total: left.len() as u64, previous, next });
    }
    Ok(())
}

/// What people know a chunk by, and those that were merged into it before.
fn names(file: &ChunkFile, index: &Index, chunk: usize) -> Result<Vec<String>> {
    let Some(entry) = index.entries.get(chunk) else { return Ok(vec![format!("#{chunk}")]) };
    let found = file.read_at(chunk, entry)?;
    let own = found.id().map_or_else(|| format!("#{chunk}"), Cow::into_owned);
    Ok(std::iter::once(own).chain(read::merged_before(&found).map(str::to_owned)).collect())
}

/// The names of the chunks merged into a piece; `known` are those of earlier repairs.
pub(super) fn merged_ids<'v>(
    known: impl Iterator<Item = &'v str>,
    piece: &Piece,
    names: &dyn Fn(usize) -> Result<Vec<String>>,
) -> Result<Vec<String>> {
    let mut ids: Vec<String> = known.map(str::to_owned).collect();
    // All parts of a split chunk but the first had no name.
    for merged in piece.merged.iter().filter(|merged| part_of(**merged).1 == 0) {
        ids.extend(names(*merged)?);
    }
    Ok(ids)
}

/// The change of a chunk of another tool.
fn changed(
    found: &Found,
    before: &Piece,
    piece: &Piece,
    names: &dyn Fn(usize) -> Result<Vec<String>>,
) -> Result<Change> {
    let mut change = Change::text(&piece.text);
    let merged = merged_ids(read::merged_before(found), piece, names)?;
    if !merged.is_empty() {
        change = change.metadata("merged_ids", Some(&merged))?;
    }
    let injected = injected(piece);
    if !injected.is_empty() || found.field(&["injected"]).is_some() {
        change = change.injected(&injected)?;
    }
    moved(change, found, before, piece)
}

/// Where the text lies now, under the names that the chunk itself uses.
fn moved(mut change: Change, found: &Found, before: &Piece, piece: &Piece) -> Result<Change> {
    if before.line.is_some() && before.line != piece.line {
        // None where it can no longer be counted.
        let line = piece.line.map_or(Value::Null, Value::from);
        change = set(change, found, read::LINE, &|value| value.is_number().then(|| line.clone()))?;
    }
    if before.place == piece.place {
        return Ok(change);
    }
    let Some(place) = &piece.place else {
        // Where the text begins or ends is no longer known: better no place than a wrong one.
        for key in keys::START.iter().chain(keys::END) {
            change = set(change, found, &[key], &|_| Some(Value::Null))?;
        }
        return Ok(change);
    };
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
