//! Checks a group, repairs it, and proves the repair.
//!
//! A round derives what a reader of the written file would see (overlap, lines, borders, headings), asks the rules, and
//! makes the repairs that do not touch the same pieces. Rounds go on until no repair is left; then the pieces are made what
//! they are when their file is read again, which may not say what was put in or repeated, and rounds go on with these. So
//! repairing the result again changes nothing. Each repair is proved on the pieces it touches; one that would lose text is
//! taken back and told.

mod apply;
mod overlap;
mod place;
mod prove;
mod reread;
mod withdraw;

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use gristmill_core::PartKind;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::piece::next_part;
use crate::{Change, Check, Finding, Fold, LintCx, Piece, Repair, Repairs, Rule, Safety, View};

pub(crate) use overlap::derive;
pub(crate) use place::Ruler;
use place::Units;
pub use prove::is_invisible;

/// More rounds than this mean that two rules work against each other, which is a mistake of ours.
const ROUNDS: usize = 200;

/// The pieces of one source, in order.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// The source; `None` for pieces that name none.
    pub source: Option<String>,
    /// The pieces.
    pub pieces: Vec<Piece>,
}

/// What repairs did to a group.
#[derive(Clone, Debug, Default)]
pub struct Repaired {
    /// The pieces that are left, in order, as they are when their file is read again.
    pub pieces: Vec<Piece>,
    /// The repairs that were made, in order.
    pub applied: Vec<Applied>,
    /// What the rules that repair still find in the result. They offer no repair that was asked for: there is none to be made.
    pub left: Vec<Finding>,
    /// Repairs that were taken back, and rules that go in circles: mistakes of ours.
    pub faults: Vec<String>,
}

/// A repair that was made. Pieces are named by their index in the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The rule whose finding it mends.
    pub rule: &'static str,
    /// The piece the finding is about.
    pub piece: usize,
    /// All pieces that changed or went.
    pub touched: Vec<usize>,
    /// What it did, as an order.
    pub title: String,
}

/// Finds what the rules see in a group. Findings come in the order of pieces.
pub fn check(group: &mut Group, rules: &[&'static Rule], cx: &LintCx<'_>) -> Vec<Finding> {
    overlap::derive(&mut group.pieces, cx.overlaps);
    let view = View::new(group.source.as_deref(), &group.pieces, cx);
    let mut found = Vec::new();
    for rule in rules {
        if let Check::Group(check) = rule.check {
            check.check(&view, &mut found);
        }
    }
    found.sort_by_key(|finding| finding.piece);
    found
}

/// Repairs a group until nothing is left to repair, also for one who reads the pieces from their file. Only repairs of at
/// least this safety are made. What rules find that cannot make any is for [`check`] to tell.
pub fn repair(mut group: Group, rules: &[&'static Rule], cx: &LintCx<'_>, least: Safety) -> Repaired {
    let rules = mending(rules, least);
    let read = reread::Read::of(&group.pieces);
    let mut applied = Vec::new();
    let mut refused = Refused::default();
    let mut faults = Vec::new();
    // Repairs that were made before the pieces were last read.
    let mut known = 0;
    for round in 0.. {
        let mut left = check(&mut group, &rules, cx);
        let before = applied.len();
        if round < ROUNDS {
            let mut places: Vec<Option<Piece>> = std::mem::take(&mut group.pieces).into_iter().map(Some).collect();
            let taken = vec![false; places.len()];
            let mut round =
                Round { cx, least, places: &mut places, taken, refused: &mut refused, split: BTreeMap::new() };
            round.make(&left, &mut applied, &mut faults);
            round.put_parts_in();
            round.drop_unseen(&mut applied[before..]);
            group.pieces = places.into_iter().flatten().collect();
        } else {
            let last = left.iter().find(|finding| finding.is_offered(least));
            let last = last.and_then(|last| Some((last.rule, group.pieces.get(last.piece)?.index)));
            faults.push(format!("repairs go on after {ROUNDS} rounds: {last:?}"));
        }
        if applied.len() > before {
            continue;
        }
        if known == applied.len() || round >= ROUNDS {
            left.iter_mut().for_each(|finding| finding.withdraw(least));
            return Repaired { pieces: group.pieces, applied, left, faults };
        }
        known = applied.len();
        read.again(&mut group.pieces);
        refused.retain(|_, refusal| matches!(refusal, Refusal::Fault(_)));
    }
    Repaired { pieces: group.pieces, applied, left: Vec::new(), faults }
}

/// The rules that make repairs of at least this safety.
fn mending(rules: &[&'static Rule], least: Safety) -> Vec<&'static Rule> {
    let repairs = |rule: &&&Rule| match least {
        Safety::Lossless => rule.repairs == Repairs::Lossless,
        Safety::Unsafe => rule.repairs != Repairs::Never,
    };
    rules.iter().filter(repairs).copied().collect()
}

/// Repairs that failed once are not tried again on the same texts: rule, index of the piece, hash of the texts.
type Refused = FxHashMap<(&'static str, usize, u64), Refusal>;

/// Why a repair was not made.
enum Refusal {
    /// The file cannot hold the result, it would be too large, or a line would no longer begin where it did.
    Unheld,
    /// A mistake of ours.
    Fault(&'static str),
}

struct Round<'a> {
    cx: &'a LintCx<'a>,
    least: Safety,
    places: &'a mut Vec<Option<Piece>>,
    /// Pieces that a repair of this round changed.
    taken: Vec<bool>,
    refused: &'a mut Refused,
    /// What follows the first part of a piece that was split.
    split: BTreeMap<usize, Vec<Piece>>,
}

impl Round<'_> {
    /// Makes all repairs that can be made side by side. Headings are put in front when all else is done: what looked like
    /// one where a border cut the text may be none. What is still too large then is split.
    fn make(&mut self, found: &[Finding], applied: &mut Vec<Applied>, faults: &mut Vec<String>) {
        let before = applied.len();
        for stage in [Stage::Text, Stage::Notes, Stage::Splits] {
            for finding in found {
                let Some(repair) = finding.repair.as_ref().filter(|repair| repair.safety >= self.least) else {
                    continue;
                };
                if stage == Stage::of(&repair.changes) {
                    self.make_one(finding, repair, applied, faults);
                }
            }
            if applied.len() > before {
                return;
            }
        }
    }

    fn make_one(&mut self, finding: &Finding, repair: &Repair, applied: &mut Vec<Applied>, faults: &mut Vec<String>) {
        let touched = touched(&repair.changes);
        let free = touched.iter().all(|piece| self.taken.get(*piece) == Some(&false));
        let Some(key) = self.places.get(finding.piece).and_then(Option::as_ref).map(|p| p.index) else {
            return;
        };
        let key = (finding.rule, key, self.hash(&touched));
        if !free || self.refused.contains_key(&key) {
            return;
        }
        let names: Vec<usize> = touched.iter().filter_map(|at| Some(self.places[*at].as_ref()?.index)).collect();
        if let Err(refusal) = self.try_one(&repair.changes, &touched) {
            if let Refusal::Fault(fault) = &refusal {
                faults.push(format!("`{}` at chunk {}: {fault}", finding.rule, key.1));
            }
            self.refused.insert(key, refusal);
            return;
        }
        touched.iter().for_each(|piece| self.taken[*piece] = true);
        applied.push(Applied { rule: finding.rule, piece: key.1, touched: names, title: repair.title.clone() });
    }

    fn hash(&self, touched: &[usize]) -> u64 {
        let mut hasher = FxHasher::default();
        touched.iter().for_each(|at| self.places[*at].as_ref().map(|piece| &piece.text).hash(&mut hasher));
        hasher.finish()
    }

    /// Takes out overlap that a repair made unlike the text it repeats: nobody would know it for what it is.
    fn drop_unseen(&mut self, applied: &mut [Applied]) {
        let mut left: Option<usize> = None;
        for at in 0..self.places.len() {
            let Some(piece) = &self.places[at] else { continue };
            let before = left.replace(at);
            let Some(before) = before.filter(|before| self.taken[*before] || self.taken[at]) else { continue };
            let unseen = piece.overlap_len() > 0
                && self.places[before]
                    .as_ref()
                    .is_some_and(|before| !overlap::is_seen(before, piece, self.cx.overlaps));
            let Some(shed) = unseen.then(|| apply::without_overlap(piece)).filter(|shed| self.cx.can_hold(&shed.text))
            else {
                continue;
            };
            let names = [before, at].map(|at| self.places[at].as_ref().map(|piece| piece.index));
            let cause = applied.iter_mut().find(|one| one.touched.iter().any(|name| names.contains(&Some(*name))));
            cause.into_iter().for_each(|one| one.touched.push(shed.index));
            self.places[at] = Some(shed);
            // The next one may repeat what went.
            self.taken[at] = true;
        }
    }

    /// Makes the changes and proves that they lost nothing; else all is as it was.
    fn try_one(&mut self, changes: &[Change], touched: &[usize]) -> Result<(), Refusal> {
        let before: Vec<Option<Piece>> = touched.iter().map(|at| self.places[*at].clone()).collect();
        let made = changes.iter().all(|change| match change {
            Change::Split { piece, into } => self.split(*piece, into),
            _ => apply::apply(self.places, change),
        });
        let fold = prove::fold(changes);
        let kept = made && (fold == Fold::Free || self.is_proved(&before, touched, fold));
        let held = made && self.is_held(&before, touched) && self.stands(&before, touched, changes);
        if kept && held {
            let units = Units::of(before.iter().flatten());
            for at in touched {
                self.places[*at].iter_mut().for_each(|piece| units.note(piece));
            }
            return Ok(());
        }
        for (at, piece) in touched.iter().zip(before) {
            self.places[*at] = piece;
            self.split.remove(at);
        }
        Err(match (made, kept) {
            (true, true) => Refusal::Unheld,
            (true, false) => Refusal::Fault("the repair would lose text and was taken back"),
            (false, _) => Refusal::Fault("the repair cannot be made"),
        })
    }

    /// Puts the first part in the place of a piece, and the others aside for [`Self::put_parts_in`].
    fn split(&mut self, at: usize, into: &[Piece]) -> bool {
        let (Some(place @ Some(_)), [first, rest @ ..]) = (self.places.get_mut(at), into) else { return false };
        *place = Some(first.clone());
        self.split.insert(at, rest.to_vec());
        true
    }

    /// Gives the parts of split pieces places of their own.
    fn put_parts_in(&mut self) {
        if self.split.is_empty() {
            return;
        }
        let mut known: FxHashSet<usize> = self.places.iter().flatten().map(|piece| piece.index).collect();
        let (places, taken) = (std::mem::take(self.places), std::mem::take(&mut self.taken));
        for (at, (place, taken)) in places.into_iter().zip(taken).enumerate() {
            self.places.push(place);
            self.taken.push(taken);
            for mut part in self.split.remove(&at).unwrap_or_default() {
                while !known.insert(part.index) {
                    part.index = next_part(part.index);
                }
                self.places.push(Some(part));
                self.taken.push(true);
            }
        }
    }

    /// True when the file can hold the pieces, and none passes the limits that did not before or that took in another.
    fn is_held(&self, before: &[Option<Piece>], touched: &[usize]) -> bool {
        touched.iter().zip(before).all(|(at, before)| {
            let (Some(piece), Some(before)) = (&self.places[*at], before) else { return true };
            let grew = piece.text.len() > before.text.len();
            let large = || !self.cx.is_small(&piece.text);
            let was = || piece.merged.len() == before.merged.len() && !self.cx.is_small(&before.text);
            self.cx.can_hold(&piece.text) && !(grew && large() && !was())
        })
    }

    /// True when no line was glued to the text before it.
    fn stands(&self, before: &[Option<Piece>], touched: &[usize], changes: &[Change]) -> bool {
        if prove::fold(changes) == Fold::Free {
            return true;
        }
        let parts = |at: &usize| self.split.get(at).into_iter().flatten();
        let after = touched.iter().flat_map(|at| self.places[*at].iter().chain(parts(at)));
        prove::lines_stand(before.iter().flatten(), after, changes)
    }

    fn is_proved(&self, before: &[Option<Piece>], touched: &[usize], fold: Fold) -> bool {
        let parts = |at: &usize| self.split.get(at).into_iter().flatten();
        let after = touched.iter().flat_map(|at| self.places[*at].iter().chain(parts(at)));
        prove::same_body(before.iter().flatten(), after, fold)
    }
}

/// What is done one after another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Text,
    Notes,
    Splits,
}

impl Stage {
    fn of(changes: &[Change]) -> Self {
        let is_note = |change: &Change| matches!(change, Change::Insert { kind: PartKind::Heading, .. });
        match changes {
            [Change::Split { .. }, ..] => Self::Splits,
            _ if changes.iter().any(is_note) => Self::Notes,
            _ => Self::Text,
        }
    }
}

/// The pieces that changes touch, in order.
fn touched(changes: &[Change]) -> Vec<usize> {
    let mut touched: Vec<usize> = changes.iter().flat_map(Change::pieces).collect();
    touched.sort_unstable();
    touched.dedup();
    touched
}
