//! Text that runs up or down the side of every page: stamps of printers, names of files.

use std::collections::{BTreeMap, BTreeSet};

use super::{enough, masked};
use crate::readers::pdf::page::Page;

/// The part of a page's width, at each side, in which it stands.
const SIDE: f32 = 0.08;

type Slot = (i32, i32, String);

/// For each page, the places in its runs of what stands there on other pages too.
pub(super) fn stamps(pages: &[Page]) -> Vec<BTreeSet<usize>> {
    let mut on: BTreeMap<Slot, usize> = BTreeMap::new();
    let slots: Vec<Vec<(usize, Slot)>> = pages.iter().map(sideways).collect();
    for slots in &slots {
        let own: BTreeSet<&Slot> = slots.iter().map(|(_, slot)| slot).collect();
        own.into_iter().for_each(|slot| *on.entry(slot.clone()).or_default() += 1);
    }
    let runs = |slot: &Slot| on.get(slot).is_some_and(|count| enough(*count, pages.len()));
    slots.iter().map(|slots| slots.iter().filter(|(_, slot)| runs(slot)).map(|(at, _)| *at).collect()).collect()
}

/// The runs at the sides that do not run from left to right.
fn sideways(page: &Page) -> Vec<(usize, Slot)> {
    let at_side = |x: f32| x < page.width * SIDE || x > page.width * (1.0 - SIDE);
    let runs = page.spans.iter().enumerate().filter(|(_, span)| span.direction[0].abs() < 0.1 && at_side(span.x));
    runs.map(|(at, span)| (at, ((span.x / 4.0).round() as i32, (span.y / 4.0).round() as i32, masked(&span.text))))
        .collect()
}
