//! What is kept of each chunk, and how equal ones find each other.

use std::collections::HashMap;

use gristmill_core::{Fingerprint, Result};
use gristmill_format::normalized_hash;
use rustc_hash::FxHashMap;

use super::changed;
use super::side::{Side, Told};

/// Sources by number.
#[derive(Default)]
pub(super) struct Names {
    names: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Names {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    pub(super) fn name(&self, number: u32) -> &str {
        self.names.get(number as usize).map_or("", String::as_str)
    }
}

/// What became of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// The other side has it in the same source.
    Kept {
        /// Also with what is put before it.
        same_context: bool,
    },
    /// The other side has it in another source, this one.
    Moved { other: u32 },
    /// Its text stands within other borders of the same source.
    Recut,
    /// The other side does not have it.
    Alone,
}

/// A chunk in short.
pub(super) struct Mark {
    pub source: u32,
    /// Of its own text, up to case, white space and Unicode form.
    own: u128,
    /// Of the text that is embedded.
    content: u64,
    /// Bytes of its own text.
    pub bytes: usize,
    pub fate: Fate,
}

/// The chunks of a side, in its order.
pub(super) struct Marks(pub Vec<Mark>);

impl Marks {
    pub(super) fn of(side: &Side, names: &mut Names) -> Result<Self> {
        let mut marks = Vec::new();
        let mut scratch = Vec::new();
        side.each(&mut |told| {
            marks.push(Mark {
                source: names.number(&told.source),
                own: u128::from_le_bytes(first(normalized_hash(told.own, &mut scratch))),
                content: u64::from_le_bytes(first(Fingerprint::of(told.content.as_bytes()))),
                bytes: told.own.len(),
                fate: Fate::Alone,
            });
            Ok(())
        })?;
        Ok(Self(marks))
    }

    /// Goes through the side again, each chunk with its mark.
    pub(super) fn each(&self, side: &Side, take: &mut dyn FnMut(&Mark, &Told<'_>) -> Result<()>) -> Result<()> {
        let mut marks = self.0.iter();
        side.each(&mut |told| {
            let mark = marks.next().filter(|mark| mark.bytes == told.own.len());
            take(mark.ok_or_else(|| changed(&side.name()))?, told)
        })
    }
}

/// The first bytes of a hash: enough of them to tell chunks apart.
fn first<const N: usize>(hash: Fingerprint) -> [u8; N] {
    let mut out = [0; N];
    out.iter_mut().zip(hash.0).for_each(|(to, byte)| *to = byte);
    out
}

/// Finds for each chunk an equal one of the other side: first in the same source, then in any. Of several equal ones the
/// first belong together.
pub(super) fn pair(old: &mut Marks, new: &mut Marks) {
    match_by(
        old,
        new,
        |mark| (mark.source, mark.own),
        |old, new| {
            let fate = Fate::Kept { same_context: old.content == new.content };
            (fate, fate)
        },
    );
    match_by(
        old,
        new,
        |mark| mark.own,
        |old, new| (Fate::Moved { other: new.source }, Fate::Moved { other: old.source }),
    );
}

fn match_by<K: std::hash::Hash + Eq>(
    old: &mut Marks,
    new: &mut Marks,
    key: impl Fn(&Mark) -> K,
    fates: impl Fn(&Mark, &Mark) -> (Fate, Fate),
) {
    let mut waiting: FxHashMap<K, Vec<usize>> = FxHashMap::default();
    for (index, mark) in old.0.iter().enumerate().rev().filter(|(_, mark)| mark.fate == Fate::Alone) {
        waiting.entry(key(mark)).or_default().push(index);
    }
    for mark in new.0.iter_mut().filter(|mark| mark.fate == Fate::Alone) {
        let Some(index) = waiting.get_mut(&key(mark)).and_then(Vec::pop) else { continue };
        let Some(twin) = old.0.get_mut(index) else { continue };
        (twin.fate, mark.fate) = fates(twin, mark);
    }
}
