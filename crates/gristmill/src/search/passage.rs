//! What is read around a hit: neighbours or the whole section, joined as they stand in the document, within a budget.

use std::collections::BTreeMap;

use gristmill_core::{DocumentId, Hit, PartKind, Reads, Result, Sizer, StoredPoint};
use gristmill_format::Record;
use serde::Serialize;

use super::SearchOptions;

/// Text around one or more hits.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Passage {
    /// Places of its hits in the list of hits, best first.
    pub hits: Vec<usize>,
    /// Path of the document.
    pub source: String,
    /// First and last chunk, by their place in the document, from 0.
    pub chunks: [u32; 2],
    /// First and last line in the document, from 1; 0 where the chunks do not say.
    pub lines: [u64; 2],
    /// The text. What chunks repeat of each other stands in it once.
    pub text: String,
    /// Tokens of `text`.
    pub tokens: usize,
}

/// Chunks that are read at a time on the way to the ends of a section.
const SLICE: u32 = 16;

/// A chunk as it is joined to others.
#[derive(Clone, Debug)]
struct Leaf {
    order: u32,
    text: String,
    record: Record<'static>,
}

impl Leaf {
    fn new(point: StoredPoint) -> Option<Self> {
        let record = serde_json::from_str(&point.payload).ok()?;
        Some(Self { order: point.order, text: point.text, record })
    }

    /// The part of the text that is of these kinds.
    fn parts(&self, kinds: &[PartKind]) -> String {
        let chars: Vec<char> = self.text.chars().collect();
        let at = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(chars.len());
        let wanted = self.record.metadata.parts.iter().filter(|part| kinds.contains(&part.kind));
        wanted.flat_map(|part| &chars[at(part.start)..at(part.end).max(at(part.start))]).collect()
    }

    fn body(&self) -> String {
        self.parts(&[PartKind::Body])
    }
}

/// Passages of hits, in the order of their best ones. A hit whose own chunk does not fit into what is left of the budget has
/// no passage.
pub(super) fn passages(
    store: &dyn Reads,
    hits: &[Hit],
    options: &SearchOptions,
    sizer: &dyn Sizer,
) -> Result<Vec<Passage>> {
    let mut left = options.budget.unwrap_or(usize::MAX);
    let mut spans: Vec<Span> = Vec::new();
    for (rank, hit) in hits.iter().enumerate() {
        if let Some(span) = spans.iter_mut().find(|span| span.holds(hit)) {
            span.hits.push(rank);
            continue;
        }
        let taken: Vec<u32> = spans
            .iter()
            .filter(|span| span.document == hit.document)
            .flat_map(|span| span.leaves.keys().copied())
            .collect();
        let Some(own) =
            store.points_within(hit.document, hit.order..=hit.order)?.into_iter().next().and_then(Leaf::new)
        else {
            continue;
        };
        let mut span = Span::new(rank, hit, own);
        let size = span.size(sizer);
        if size > left {
            continue;
        }
        span.grow(store, options, &taken, left, sizer)?;
        left -= span.size(sizer).min(left);
        spans.push(span);
    }
    Ok(spans.iter().map(|span| span.passage(sizer)).collect())
}

/// Neighbouring chunks of a document.
struct Span {
    document: DocumentId,
    source: String,
    hits: Vec<usize>,
    /// Order of the hit it grows around.
    middle: u32,
    leaves: BTreeMap<u32, Leaf>,
}

impl Span {
    fn new(rank: usize, hit: &Hit, own: Leaf) -> Self {
        Self {
            document: hit.document,
            source: hit.source.clone(),
            hits: vec![rank],
            middle: hit.order,
            leaves: BTreeMap::from([(own.order, own)]),
        }
    }

    fn holds(&self, hit: &Hit) -> bool {
        self.document == hit.document && self.leaves.contains_key(&hit.order)
    }

    /// Takes in neighbours, the one after and the one before in turn, as long as they are wanted, fit, and are in no other
    /// passage.
    fn grow(
        &mut self,
        store: &dyn Reads,
        options: &SearchOptions,
        taken: &[u32],
        budget: usize,
        sizer: &dyn Sizer,
    ) -> Result<()> {
        let parent = self.leaves.values().next().and_then(|own| own.record.metadata.parent_id.clone());
        let wanted = |leaf: &Leaf| {
            let near = leaf.order.abs_diff(self.middle) <= options.expand;
            near || options.parent && parent.is_some() && leaf.record.metadata.parent_id == parent
        };
        let mut ways = [Way::new(self.middle, true), Way::new(self.middle, false)];
        while ways.iter().any(|way| way.open) {
            for way in &mut ways {
                let leaf = way.next(store, self.document, options)?;
                let Some(leaf) = leaf.filter(|leaf| wanted(leaf) && !taken.contains(&leaf.order)) else {
                    way.open = false;
                    continue;
                };
                let order = leaf.order;
                self.leaves.insert(order, leaf);
                if budget < usize::MAX && self.size(sizer) > budget {
                    self.leaves.remove(&order);
                    way.open = false;
                }
            }
        }
        Ok(())
    }

    fn size(&self, sizer: &dyn Sizer) -> usize {
        sizer.size(&self.text())
    }

    /// The chunks as one text: what is injected stands at the start and the end, bodies follow each other as in the document.
    fn text(&self) -> String {
        let mut leaves = self.leaves.values();
        let (Some(first), Some(last)) = (self.leaves.values().next(), self.leaves.values().next_back()) else {
            return String::new();
        };
        if self.leaves.len() == 1 {
            return first.text.clone();
        }
        let closing = [PartKind::Closer];
        let mut out = first.text.clone();
        let closer = first.parts(&closing);
        if !closer.is_empty() && out.ends_with(&closer) {
            out.truncate(out.len() - closer.len());
        }
        let mut before = leaves.next();
        for leaf in leaves {
            if let Some(before) = before {
                out.push_str(&gap(before, leaf, &out));
            }
            out.push_str(&leaf.body());
            before = Some(leaf);
        }
        out + &last.parts(&closing)
    }

    fn passage(&self, sizer: &dyn Sizer) -> Passage {
        let text = self.text();
        let first = self.leaves.values().next();
        let last = self.leaves.values().next_back();
        Passage {
            hits: self.hits.clone(),
            source: self.source.clone(),
            chunks: [first.map_or(0, |leaf| leaf.order), last.map_or(0, |leaf| leaf.order)],
            lines: [
                first.map_or(0, |leaf| leaf.record.metadata.line_start),
                last.map_or(0, |leaf| leaf.record.metadata.line_end),
            ],
            tokens: sizer.size(&text),
            text,
        }
    }
}

/// What stands between two neighbours: chunks keep no white space at their ends, but they say where they lie.
fn gap(before: &Leaf, after: &Leaf, text: &str) -> String {
    let (before, after) = (&before.record.metadata, &after.record.metadata);
    if before.line_end == 0 && before.char_end == 0 {
        return "\n\n".to_owned();
    }
    let ends = text.bytes().rev().take_while(|byte| *byte == b'\n').count() as u64;
    let lines = after.line_start.saturating_sub(before.line_end);
    match lines.min(2).saturating_sub(ends) {
        0 if lines == 0 && after.char_start > before.char_end => " ".to_owned(),
        count => "\n".repeat(usize::try_from(count).unwrap_or_default()),
    }
}

/// Neighbours in one direction, read in slices.
struct Way {
    forward: bool,
    /// The next one to take.
    next: Option<u32>,
    read: BTreeMap<u32, Leaf>,
    open: bool,
}

impl Way {
    fn new(middle: u32, forward: bool) -> Self {
        let next = if forward { middle.checked_add(1) } else { middle.checked_sub(1) };
        Self { forward, next, read: BTreeMap::new(), open: next.is_some() }
    }

    fn next(&mut self, store: &dyn Reads, document: DocumentId, options: &SearchOptions) -> Result<Option<Leaf>> {
        let Some(order) = self.next.filter(|_| self.open) else { return Ok(None) };
        if !self.read.contains_key(&order) {
            let more = if options.parent { SLICE } else { options.expand.min(SLICE) }.saturating_sub(1);
            let orders =
                if self.forward { order..=order.saturating_add(more) } else { order.saturating_sub(more)..=order };
            let leaves = store.points_within(document, orders)?.into_iter().filter_map(Leaf::new);
            self.read.extend(leaves.map(|leaf| (leaf.order, leaf)));
        }
        self.next = if self.forward { order.checked_add(1) } else { order.checked_sub(1) };
        Ok(self.read.remove(&order))
    }
}
