//! What has to be done: documents listed now against documents that the store knows.

use std::collections::{BTreeMap, HashMap, HashSet};

use gristmill_core::{DocumentId, Fingerprint, Tracked};
use serde::Serialize;

use super::recipe::{Recipe, Stage};

/// A document that a source lists now.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// Identity.
    pub document: DocumentId,
    /// Path relative to the source's root.
    pub source: &'a str,
    /// Hash of its bytes; `None` when they cannot be read. Such a document is worked on, so that the failure is reported
    /// where all others are.
    pub fingerprint: Option<Fingerprint>,
    /// What shapes its points, as the store keeps it.
    pub recipe: &'a str,
}

/// How a comparison is made.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiffOptions<'a> {
    /// Every document is to be written anew.
    pub rebuild: bool,
    /// Documents that are to be written anew, whatever the store says of them.
    pub again: Option<&'a HashSet<DocumentId>>,
    /// Folders and files that could not be looked at: what lies in them may still exist.
    pub unseen: &'a [String],
}

/// Why a document that the store has is to be written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Why {
    /// Its bytes are others.
    Bytes,
    /// The settings or the code of these stages are others.
    Settings(Vec<Stage>),
    /// An earlier run did not end with it, or someone else has taken points away.
    Incomplete,
    /// It was asked for.
    Asked,
}

/// What is to be done with a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// The store does not have it.
    New,
    /// The store has another version of it.
    Modified(Why),
    /// The store has the same bytes under a path that is gone.
    Moved {
        /// The path.
        from: String,
    },
    /// The store has the same bytes under another path.
    Copied {
        /// The path.
        from: String,
    },
}

/// A document that is to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Work {
    /// Identity.
    pub document: DocumentId,
    /// What shapes its points, as the store keeps it.
    pub recipe: String,
    /// Why it is written.
    pub change: Change,
    /// Identity of the document that is gone, for one that moved.
    pub moved_from: Option<DocumentId>,
    /// True when a version of it answers searches.
    pub answers: bool,
    /// Points that the store has of it.
    pub points: u64,
}

/// A document that the sources no longer have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gone {
    /// Identity.
    pub document: DocumentId,
    /// Its path.
    pub source: String,
    /// Points that the store has of it.
    pub points: u64,
    /// True when its bytes are listed under another path now.
    pub moved: bool,
}

/// What has to be done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff {
    /// One entry a listed document; `None` when the store has it as it is.
    pub work: Vec<Option<Work>>,
    /// Documents that are gone.
    pub gone: Vec<Gone>,
}

/// Compares what is listed with what the store knows. Costs time by documents.
pub fn diff(listed: &[Seen<'_>], tracked: &[Tracked], options: DiffOptions<'_>) -> Diff {
    let known: HashMap<DocumentId, &Tracked> = tracked.iter().map(|t| (t.version.document, t)).collect();
    let gone = gone(listed, tracked, options.unseen);
    let mut orphans: HashMap<Fingerprint, Vec<&Tracked>> = HashMap::new();
    for tracked in gone.iter().rev() {
        orphans.entry(tracked.version.source_hash).or_default().push(tracked);
    }
    // The first by path, so that the answer does not depend on the order of the store.
    let mut twins: BTreeMap<Fingerprint, &Tracked> = BTreeMap::new();
    for tracked in tracked.iter().filter(|tracked| tracked.committed) {
        twins.entry(tracked.version.source_hash).or_insert(tracked);
    }
    let mut moved = HashSet::new();
    let mut one = |seen: &Seen<'_>| {
        let before = known.get(&seen.document).copied();
        let mut moved_from = None;
        let change = if let Some(before) = before {
            Change::Modified(why(seen, before, options)?)
        } else if let Some(orphan) = seen.fingerprint.and_then(|f| orphans.get_mut(&f)).and_then(Vec::pop) {
            moved_from = Some(orphan.version.document);
            moved.extend(moved_from);
            Change::Moved { from: orphan.version.source.clone() }
        } else if let Some(twin) = seen.fingerprint.and_then(|f| twins.get(&f)) {
            Change::Copied { from: twin.version.source.clone() }
        } else {
            Change::New
        };
        Some(Work {
            document: seen.document,
            recipe: seen.recipe.to_owned(),
            change,
            moved_from,
            answers: before.is_some_and(|before| before.committed),
            points: before.map_or(0, |before| before.points),
        })
    };
    let work = listed.iter().map(&mut one).collect();
    let gone = gone.iter().map(|tracked| Gone {
        document: tracked.version.document,
        source: tracked.version.source.clone(),
        points: tracked.points,
        moved: moved.contains(&tracked.version.document),
    });
    Diff { work, gone: gone.collect() }
}

/// Why a document is to be written; `None` when the store has it as it is.
fn why(seen: &Seen<'_>, before: &Tracked, options: DiffOptions<'_>) -> Option<Why> {
    let version = &before.version;
    if options.rebuild {
        return Some(Why::Asked);
    }
    if Some(version.source_hash) != seen.fingerprint {
        return Some(Why::Bytes);
    }
    if options.again.is_some_and(|again| again.contains(&seen.document)) {
        return Some(Why::Asked);
    }
    if version.recipe != seen.recipe {
        return Some(Why::Settings(Recipe::differing(&version.recipe, seen.recipe)));
    }
    let whole = before.complete && before.points == u64::from(version.total_chunks) && version.source == seen.source;
    (!whole).then_some(Why::Incomplete)
}

/// Documents that the sources no longer have, by source. What could not be looked at may still be there.
fn gone<'t>(listed: &[Seen<'_>], tracked: &'t [Tracked], unseen: &[String]) -> Vec<&'t Tracked> {
    let listed: HashSet<DocumentId> = listed.iter().map(|seen| seen.document).collect();
    let hidden = |source: &str| {
        unseen.iter().any(|u| {
            u.is_empty() || source.strip_prefix(u.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    };
    tracked.iter().filter(|t| !listed.contains(&t.version.document) && !hidden(&t.version.source)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gristmill_core::Version;

    fn id(path: &str) -> DocumentId {
        DocumentId::new("p", "", path)
    }

    fn tracked(path: &str, bytes: &str) -> Tracked {
        let version = Version {
            document: id(path),
            source: path.into(),
            source_hash: Fingerprint::of(bytes.as_bytes()),
            recipe: "chunk:1".into(),
            total_chunks: 2,
        };
        Tracked { version, committed: true, complete: true, points: 2 }
    }

    fn changes(now: &[(&str, &str)], before: &[Tracked], options: DiffOptions<'_>) -> (Vec<String>, Vec<String>) {
        let seen: Vec<Seen<'_>> = now
            .iter()
            .map(|(path, bytes)| Seen {
                document: id(path),
                source: path,
                fingerprint: Some(Fingerprint::of(bytes.as_bytes())),
                recipe: "chunk:1",
            })
            .collect();
        let diff = diff(&seen, before, options);
        let name = |work: Option<Work>| work.map_or("same".to_owned(), |work| format!("{:?}", work.change));
        let gone = diff.gone.iter().map(|gone| format!("{} {}", gone.source, gone.moved));
        (diff.work.into_iter().map(name).collect(), gone.collect())
    }

    #[test]
    fn every_change_is_told_apart() {
        let mut torn = tracked("torn.md", "5");
        torn.complete = false;
        let mut old = tracked("old.md", "6");
        old.version.recipe = "chunk:0".into();
        let mut robbed = tracked("robbed.md", "7");
        robbed.points = 1;
        let before = [
            tracked("same.md", "1"),
            tracked("edited.md", "2"),
            tracked("from.md", "3"),
            tracked("gone.md", "4"),
            torn,
            old,
            robbed,
        ];
        let now = [
            ("same.md", "1"),
            ("edited.md", "2b"),
            ("to.md", "3"),
            ("copy.md", "1"),
            ("new.md", "n"),
            ("torn.md", "5"),
            ("old.md", "6"),
            ("robbed.md", "7"),
        ];
        let (work, gone) = changes(&now, &before, DiffOptions::default());
        let expected = [
            "same",
            "Modified(Bytes)",
            "Moved { from: \"from.md\" }",
            "Copied { from: \"same.md\" }",
            "New",
            "Modified(Incomplete)",
            "Modified(Settings([Chunk]))",
            "Modified(Incomplete)",
        ];
        assert_eq!(work, expected);
        assert_eq!(gone, ["from.md true", "gone.md false"]);
    }

    #[test]
    fn one_orphan_is_moved_once() {
        let (work, gone) = changes(&[("b.md", "1"), ("c.md", "1")], &[tracked("a.md", "1")], DiffOptions::default());
        assert_eq!(work, ["Moved { from: \"a.md\" }", "Copied { from: \"a.md\" }"]);
        assert_eq!(gone, ["a.md true"]);
    }

    #[test]
    fn what_was_not_looked_at_is_not_gone() {
        let before = [tracked("a/b.md", "1"), tracked("ab.md", "2")];
        let unseen = ["a".to_owned()];
        let (_, gone) = changes(&[], &before, DiffOptions { unseen: &unseen, ..DiffOptions::default() });
        assert_eq!(gone, ["ab.md false"]);
    }
}
