//! From candidates to pairs: groups by hash first, then bands, then anchors, each verified on the texts.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::rc::Rc;

use gristmill_core::Result;
use rustc_hash::FxHashMap;

use super::anchors::Anchors;
use super::bands::Candidates;
use super::exact;
use super::index::{Entry, Pair, Texts};
use super::sketch::Sketch;
use super::verify::{Bag, Relation, Verdict};

/// Texts that may hold another which are looked at.
const HOLDERS: usize = 8;
/// Texts whose shingles are kept for the next comparison, and how many shingles that may be together.
const RECENT: usize = 32;
const RECENT_SHINGLES: usize = 1 << 20;

/// Work on texts by their positions in `entries`, whose ids rise.
pub(super) struct Resolve<'a, 't> {
    entries: &'a [Entry],
    ratio: f64,
    texts: &'a Texts<'t>,
    /// The earlier text that each is equal or near to; itself where there is none.
    first: Vec<u32>,
    /// The text that holds each, and how much of it.
    holder: FxHashMap<u32, (u32, f64)>,
    recent: VecDeque<(u32, Rc<Bag>)>,
    pairs: Vec<Pair>,
}

impl<'a, 't> Resolve<'a, 't> {
    pub(super) fn new(entries: &'a [Entry], ratio: f64, texts: &'a Texts<'t>) -> Self {
        let first = (0..u32::try_from(entries.len()).unwrap_or(u32::MAX)).collect();
        let (holder, recent) = (FxHashMap::default(), VecDeque::new());
        Self { entries, ratio, texts, first, holder, recent, pairs: Vec::new() }
    }

    pub(super) fn pairs(mut self) -> Result<Vec<Pair>> {
        self.equal()?;
        self.equal_but_for_marks()?;
        self.near()?;
        self.contained()?;
        let contained: Vec<(u32, (u32, f64))> = self.holder.drain().collect();
        for (inner, (holder, share)) in contained {
            let inner_id = self.id(inner);
            self.report(inner.min(holder), inner.max(holder), Relation::Contained { inner: inner_id, share });
        }
        self.pairs.sort_by_key(|pair| (pair.a, pair.b));
        Ok(self.pairs)
    }

    fn equal(&mut self) -> Result<()> {
        for (first, later) in self.groups(|sketch| sketch.exact) {
            let text = self.text(first)?;
            for other in later {
                if exact::is_equal(&text, &self.text(other)?) {
                    self.join(first, other, Relation::Equal);
                }
            }
        }
        Ok(())
    }

    fn equal_but_for_marks(&mut self) -> Result<()> {
        for (first, later) in self.groups(|sketch| sketch.folded) {
            for other in later {
                if let Some(Verdict::Near(ratio)) = self.verdict(first, other)? {
                    self.join(first, other, Relation::Near { ratio });
                }
            }
        }
        Ok(())
    }

    /// The texts that are like no other so far and have one hash in common: the first, and the others.
    fn groups(&self, hash: impl Fn(&Sketch) -> u64) -> Vec<(u32, Vec<u32>)> {
        let mut order: Vec<(u64, u32)> =
            self.alone().filter_map(|at| Some((hash(&self.entries.get(at as usize)?.sketch), at))).collect();
        order.sort_unstable();
        let groups = order.chunk_by(|left, right| left.0 == right.0).filter(|group| group.len() > 1);
        let mut groups: Vec<(u32, Vec<u32>)> = groups
            .filter_map(|group| Some((group.first()?.1, group.iter().skip(1).map(|(_, at)| *at).collect())))
            .collect();
        groups.sort_unstable();
        groups
    }

    /// Texts with shingles that are not reported as equal or near to an earlier one.
    fn alone(&self) -> impl Iterator<Item = u32> {
        let has_shingles = |at: u32| self.shingles(at) > 0;
        (0..).zip(&self.first).filter(move |(at, first)| at == *first && has_shingles(*at)).map(|(at, _)| at)
    }

    fn near(&mut self) -> Result<()> {
        let alone: Vec<u32> = self.alone().collect();
        let candidates = Candidates::among(self.entries, &alone, self.ratio);
        for at in alone {
            let others = candidates.of(at);
            let mut firsts: Vec<u32> = others.iter().map(|other| self.first_of(*other)).collect();
            firsts.sort_unstable();
            firsts.dedup();
            let rest = others.iter().filter(|other| self.first_of(**other) != **other);
            let tries: Vec<u32> = firsts.iter().chain(rest).copied().collect();
            for other in tries {
                if self.is_settled(at, other)? {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Compares; true once `at` is near to a text.
    fn is_settled(&mut self, at: u32, earlier: u32) -> Result<bool> {
        match self.verdict(earlier, at)? {
            Some(Verdict::Near(ratio)) => {
                self.holder.remove(&at);
                self.join(earlier, at, Relation::Near { ratio });
                return Ok(true);
            }
            Some(Verdict::FirstInside(share)) => self.put_inside(earlier, at, share),
            Some(Verdict::SecondInside(share)) => self.put_inside(at, earlier, share),
            None => {}
        }
        Ok(false)
    }

    /// Only the first text that holds `inner` counts.
    fn put_inside(&mut self, inner: u32, holder: u32, share: f64) {
        let is_alone = self.first_of(inner) == inner;
        let is_first = self.holder.get(&inner).is_none_or(|(other, _)| holder < *other);
        if is_alone && is_first {
            self.holder.insert(inner, (holder, share));
        }
    }

    fn contained(&mut self) -> Result<()> {
        let inner: Vec<u32> = self.alone().filter(|at| !self.holder.contains_key(at)).collect();
        let anchors = Anchors::of(self.entries, &inner);
        let holders = self.holders(&anchors)?;
        for (inner, holders) in holders {
            for holder in holders {
                let (earlier, later) = (inner.min(holder), inner.max(holder));
                match self.verdict(earlier, later)? {
                    Some(Verdict::FirstInside(share)) if inner == earlier => self.put_inside(inner, holder, share),
                    Some(Verdict::SecondInside(share)) if inner == later => self.put_inside(inner, holder, share),
                    _ => continue,
                }
                break;
            }
        }
        Ok(())
    }

    /// For each text that may be inside others, the first few of those.
    fn holders(&self, anchors: &Anchors) -> Result<Vec<(u32, Vec<u32>)>> {
        let mut holders: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for at in self.alone() {
            let text = self.text(at)?;
            // Each text is found inside itself.
            for inner in anchors.inside(&text).into_iter().filter(|inner| self.shingles(*inner) < self.shingles(at)) {
                let holders = holders.entry(inner).or_default();
                if holders.len() < HOLDERS {
                    holders.push(at);
                }
            }
        }
        let mut holders: Vec<(u32, Vec<u32>)> = holders.into_iter().collect();
        holders.sort_unstable();
        Ok(holders)
    }

    fn verdict(&mut self, earlier: u32, later: u32) -> Result<Option<Verdict>> {
        let shared = (self.texts.shared)(self.id(earlier), self.id(later));
        if let Some(shared) = shared {
            let first = Bag::without(&self.text(earlier)?, &shared.first);
            let second = Bag::without(&self.text(later)?, &shared.second);
            return Ok(first.verdict(&second, self.ratio));
        }
        let (first, second) = (self.bag(earlier)?, self.bag(later)?);
        Ok(first.verdict(&second, self.ratio))
    }

    /// The shingles of a text, from memory if it was asked for a short while ago.
    fn bag(&mut self, at: u32) -> Result<Rc<Bag>> {
        if let Some(n) = self.recent.iter().position(|(other, _)| *other == at)
            && let Some(found) = self.recent.remove(n)
        {
            let bag = found.1.clone();
            self.recent.push_back(found);
            return Ok(bag);
        }
        let bag = Rc::new(Bag::of(&self.text(at)?));
        self.recent.push_back((at, bag.clone()));
        while self.recent.len() > RECENT
            || self.recent.iter().map(|(_, bag)| bag.len()).sum::<usize>() > RECENT_SHINGLES
        {
            self.recent.pop_front();
        }
        Ok(bag)
    }

    fn join(&mut self, first: u32, later: u32, relation: Relation) {
        if let Some(slot) = self.first.get_mut(later as usize) {
            *slot = first;
        }
        self.report(first, later, relation);
    }

    fn report(&mut self, first: u32, later: u32, relation: Relation) {
        self.pairs.push(Pair { a: self.id(first), b: self.id(later), relation });
    }

    /// The text that `at` is reported against, or itself.
    fn first_of(&self, at: u32) -> u32 {
        self.first.get(at as usize).copied().unwrap_or(at)
    }

    fn text(&self, at: u32) -> Result<Cow<'t, str>> {
        (self.texts.text)(self.id(at))
    }

    fn id(&self, at: u32) -> u64 {
        self.entries.get(at as usize).map_or(0, |entry| entry.id)
    }

    fn shingles(&self, at: u32) -> usize {
        self.entries.get(at as usize).map_or(0, |entry| entry.sketch.shingles())
    }
}
