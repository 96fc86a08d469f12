//! What two sets of chunks have in common, and what they do not.
//!
//! Chunks are compared by their own text, up to case, white space and Unicode form. Equal text of one source is *kept*,
//! equal text under another source is *moved*. What is left of a source is *re-cut* when at least half of its text stands in
//! what is left of the same source on the other side; else it is *gone* or *new*. Text is compared by its shingles (runs of
//! three words, five characters of Chinese, Japanese or Korean), so that borders within sentences do not matter. All of it
//! takes time and memory in proportion to the chunks that differ.

mod mark;
mod recut;
mod side;

use std::collections::BTreeMap;
use std::path::Path;

use gristmill_core::{Error, Result};
use serde::Serialize;

use self::mark::{Fate, Marks};
use self::side::{Side, Told};
use crate::config::Settings;

/// What became of the chunks of one set in another.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// The set before, as it was named.
    pub before: String,
    /// The set after.
    pub after: String,
    /// The sums.
    pub totals: ChunkChanges,
    /// The same by source, for those that differ, by name.
    pub sources: Vec<SourceChanges>,
    /// The chunks that differ: by source, those of the set after first, each in its order.
    pub changes: Vec<ChangedChunk>,
}

/// Chunks by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ChunkChanges {
    /// The same text in the same source.
    pub kept: u64,
    /// Of these, chunks before which other text is put when they are embedded.
    pub other_context: u64,
    /// Chunks of the set before whose text stands within other borders now.
    pub recut_before: u64,
    /// Chunks that this text became.
    pub recut_after: u64,
    /// The same text in another source.
    pub moved: u64,
    /// Text that was not there before.
    pub new: u64,
    /// Text that is no longer there.
    pub gone: u64,
}

impl ChunkChanges {
    /// True when nothing differs.
    pub fn is_empty(&self) -> bool {
        *self == Self { kept: self.kept, ..Self::default() }
    }
}

/// What became of the chunks of a source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SourceChanges {
    /// The source; empty for chunks that name none.
    pub source: String,
    /// Its chunks. Those that moved count where they are now.
    #[serde(flatten)]
    pub chunks: ChunkChanges,
}

/// A chunk that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangedChunk {
    /// What became of it.
    pub change: ChunkChange,
    /// Its source; empty when it names none.
    pub source: String,
    /// For one that moved, the source before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Its identity, if it has one.
    pub chunk_id: Option<String>,
    /// First line of the source it stands on, if it says.
    pub line: Option<u64>,
    /// First line of its own text, cut after 120 characters.
    pub text: String,
}

/// What became of a chunk that differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChunkChange {
    /// Of the set after: its text was in another source.
    Moved,
    /// Of the set after: its text had other borders.
    Recut,
    /// Of the set after: its text is new.
    New,
    /// Of the set before: its text has other borders now.
    RecutBefore,
    /// Of the set before: its text is gone.
    Gone,
}

/// Compares two sets of chunks: files as `scan` reads them, or stores in files, of which the chunks of the project are
/// meant.
///
/// # Errors
/// When one of them cannot be read.
pub fn compare(settings: &Settings, before: &Path, after: &Path) -> Result<Comparison> {
    let (before, after) = (Side::open(settings, before)?, Side::open(settings, after)?);
    let mut names = mark::Names::default();
    let (mut old, mut new) = (Marks::of(&before, &mut names)?, Marks::of(&after, &mut names)?);
    mark::pair(&mut old, &mut new);
    recut::find((&before, &mut old), (&after, &mut new))?;
    let mut told = Comparison { before: before.name(), after: after.name(), ..Comparison::default() };
    let mut sources = BTreeMap::new();
    told.count(&names, &old, &new, &mut sources);
    told.list(&names, (&after, &new), change_after)?;
    told.list(&names, (&before, &old), change_before)?;
    told.changes.sort_by(|a, b| {
        (&a.source, a.change >= ChunkChange::RecutBefore).cmp(&(&b.source, b.change >= ChunkChange::RecutBefore))
    });
    let differ = sources.into_iter().filter(|(_, chunks)| !chunks.is_empty());
    told.sources = differ.map(|(source, chunks)| SourceChanges { source: source.to_owned(), chunks }).collect();
    Ok(told)
}

fn change_after(fate: Fate) -> Option<ChunkChange> {
    match fate {
        Fate::Kept { .. } => None,
        Fate::Moved { .. } => Some(ChunkChange::Moved),
        Fate::Recut => Some(ChunkChange::Recut),
        Fate::Alone => Some(ChunkChange::New),
    }
}

/// What moved is told once, where it is now.
fn change_before(fate: Fate) -> Option<ChunkChange> {
    match fate {
        Fate::Kept { .. } | Fate::Moved { .. } => None,
        Fate::Recut => Some(ChunkChange::RecutBefore),
        Fate::Alone => Some(ChunkChange::Gone),
    }
}

impl Comparison {
    fn count<'n>(
        &mut self,
        names: &'n mark::Names,
        old: &Marks,
        new: &Marks,
        sources: &mut BTreeMap<&'n str, ChunkChanges>,
    ) {
        let mut add = |source: u32, count: &dyn Fn(&mut ChunkChanges)| {
            count(&mut self.totals);
            count(sources.entry(names.name(source)).or_default());
        };
        for mark in &new.0 {
            add(mark.source, &|chunks| match mark.fate {
                Fate::Kept { same_context } => {
                    chunks.kept += 1;
                    chunks.other_context += u64::from(!same_context);
                }
                Fate::Moved { .. } => chunks.moved += 1,
                Fate::Recut => chunks.recut_after += 1,
                Fate::Alone => chunks.new += 1,
            });
        }
        for mark in &old.0 {
            add(mark.source, &|chunks| match mark.fate {
                Fate::Kept { .. } | Fate::Moved { .. } => {}
                Fate::Recut => chunks.recut_before += 1,
                Fate::Alone => chunks.gone += 1,
            });
        }
    }

    /// Adds the chunks of one side that differ.
    fn list(
        &mut self,
        names: &mark::Names,
        (side, marks): (&Side, &Marks),
        change: fn(Fate) -> Option<ChunkChange>,
    ) -> Result<()> {
        marks.each(side, &mut |mark, told: &Told<'_>| {
            let Some(change) = change(mark.fate) else { return Ok(()) };
            let from = match mark.fate {
                Fate::Moved { other } => Some(names.name(other).to_owned()),
                _ => None,
            };
            self.changes.push(ChangedChunk {
                change,
                source: told.source.to_string(),
                from,
                chunk_id: told.id.as_deref().map(str::to_owned),
                line: told.line,
                text: first_line(told.own),
            });
            Ok(())
        })
    }
}

/// Characters of a first line that are shown.
const SHOWN: usize = 120;

fn first_line(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// A set that was read twice and was not the same.
fn changed(name: &str) -> Error {
    Error::input(format!("changed while it was read: `{name}`")).hint("try again when nobody writes to it")
}
