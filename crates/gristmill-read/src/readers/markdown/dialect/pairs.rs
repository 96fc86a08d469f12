//! Which mark closes which.

use std::collections::HashMap;

use super::tag::tag_name;

/// What opens and closes alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key<'t> {
    /// A component, by its name.
    Tag(&'t str),
    /// `:::`
    Colons,
    /// `///`, with its number of slashes.
    Slashes(usize),
    /// `!!!` and the like, which end with their indentation.
    Indented,
    /// `<details>`
    Details,
}

struct Opener<'t> {
    key: Key<'t>,
    /// Index of its mark.
    mark: usize,
    /// Number of characters in the fence of a container.
    width: usize,
}

/// Openers that wait for their closers, outermost first.
#[derive(Default)]
pub(super) struct Pairs<'t> {
    open: Vec<Opener<'t>>,
    /// For each key, where its openers stand in `open`. Never iterated over, so its order does not matter.
    places: HashMap<Key<'t>, Vec<usize>>,
    /// Number of components in `open`.
    tags: usize,
}

impl<'t> Pairs<'t> {
    pub(super) fn open(&mut self, key: Key<'t>, mark: usize, width: usize) {
        self.tags += usize::from(matches!(key, Key::Tag(_)));
        self.places.entry(key).or_default().push(self.open.len());
        self.open.push(Opener { key, mark, width });
    }

    /// The mark that a closer belongs to. What was opened within is never closed.
    /// A fence closes only one that is no wider.
    pub(super) fn close(&mut self, key: Key<'t>, width: usize) -> Option<usize> {
        let place = *self.places.get(&key)?.last()?;
        if self.open.get(place)?.width > width {
            return None;
        }
        let mut closed = None;
        while self.open.len() > place {
            closed = self.forget();
        }
        closed
    }

    /// True when an opener of this key waits whose mark is `mark` or a later one.
    pub(super) fn waits(&self, key: Key<'t>, mark: usize) -> bool {
        let last = self.places.get(&key).and_then(|places| places.last());
        last.and_then(|&place| self.open.get(place)).is_some_and(|opener| opener.mark >= mark)
    }

    /// True within a component.
    pub(super) fn in_tag(&self) -> bool {
        self.tags > 0
    }

    fn forget(&mut self) -> Option<usize> {
        let opener = self.open.pop()?;
        self.tags -= usize::from(matches!(opener.key, Key::Tag(_)));
        self.places.get_mut(&opener.key)?.pop();
        Some(opener.mark)
    }
}

/// Where the last closing tag of each component is, found when first asked for.
pub(super) struct Closers<'t> {
    text: &'t str,
    last: Option<HashMap<&'t str, usize>>,
}

impl<'t> Closers<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, last: None }
    }

    /// True when `</name` stands after this place.
    pub(super) fn close_after(&mut self, name: &str, place: usize) -> bool {
        let text = self.text;
        let last = self.last.get_or_insert_with(|| {
            let closing = memchr::memmem::find_iter(text.as_bytes(), b"</").map(|at| (tag_name(&text[at + 2..]), at));
            closing.collect()
        });
        last.get(name).is_some_and(|&at| at >= place)
    }
}
