//! The page as a tree in one vector.

use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, QualName, local_name, ns};

/// Index of a node.
pub(super) type Id = u32;

/// The node that holds the page.
pub(super) const ROOT: Id = 0;

const NONE: Id = Id::MAX;

#[derive(Debug)]
pub(super) enum Kind {
    Document,
    Text(StrTendril),
    Element(Element),
    /// Comments and processing instructions, which say nothing.
    Nothing,
}

#[derive(Debug)]
pub(super) struct Element {
    pub(super) name: QualName,
    pub(super) attributes: Vec<Attribute>,
    /// An HTML integration point in MathML.
    pub(super) integration: bool,
}

#[derive(Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    parent: Id,
    first: Id,
    last: Id,
    before: Id,
    after: Id,
    /// Number of nodes around it when it was put in its place.
    pub(super) depth: u32,
}

#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
}

fn some(id: Id) -> Option<Id> {
    (id != NONE).then_some(id)
}

impl Tree {
    /// A new node, in no place yet.
    pub(super) fn add(&mut self, kind: Kind) -> Id {
        let id = Id::try_from(self.nodes.len()).unwrap_or(NONE);
        self.nodes.push(Node { kind, parent: NONE, first: NONE, last: NONE, before: NONE, after: NONE, depth: 0 });
        id
    }

    pub(super) fn node(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }

    pub(super) fn node_mut(&mut self, id: Id) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    pub(super) fn element(&self, id: Id) -> Option<&Element> {
        match &self.node(id).kind {
            Kind::Element(element) => Some(element),
            _ => None,
        }
    }

    /// The name of an HTML element, else the empty one.
    pub(super) fn tag(&self, id: Id) -> LocalName {
        match self.element(id) {
            Some(element) if element.name.ns == ns!(html) => element.name.local.clone(),
            _ => local_name!(""),
        }
    }

    pub(super) fn attribute(&self, id: Id, name: &LocalName) -> Option<&str> {
        let attributes = &self.element(id)?.attributes;
        attributes.iter().find(|attribute| attribute.name.local == *name).map(|attribute| &*attribute.value)
    }

    pub(super) fn text(&self, id: Id) -> Option<&str> {
        match &self.node(id).kind {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn parent(&self, id: Id) -> Option<Id> {
        some(self.node(id).parent)
    }

    pub(super) fn first(&self, id: Id) -> Option<Id> {
        some(self.node(id).first)
    }

    pub(super) fn last(&self, id: Id) -> Option<Id> {
        some(self.node(id).last)
    }

    pub(super) fn before(&self, id: Id) -> Option<Id> {
        some(self.node(id).before)
    }

    pub(super) fn after(&self, id: Id) -> Option<Id> {
        some(self.node(id).after)
    }

    pub(super) fn children(&self, id: Id) -> impl Iterator<Item = Id> {
        std::iter::successors(self.first(id), |child| self.after(*child))
    }

    /// The nodes from `from` on in the order of the page, with everything they hold.
    pub(super) fn within(&self, from: Id) -> impl Iterator<Item = Id> {
        std::iter::successors(Some(from), move |id| self.first(*id).or_else(|| self.next_beside(*id, from)))
    }

    /// The node after everything that `id` holds, within `top`.
    pub(super) fn next_beside(&self, id: Id, top: Id) -> Option<Id> {
        let mut at = id;
        while at != top {
            if let Some(after) = self.after(at) {
                return Some(after);
            }
            at = self.parent(at)?;
        }
        None
    }

    /// Puts a node that has no place at the end of `parent`.
    pub(super) fn append(&mut self, parent: Id, child: Id) {
        let last = self.node(parent).last;
        let depth = self.node(parent).depth + 1;
        let node = self.node_mut(child);
        node.parent = parent;
        node.before = last;
        node.after = NONE;
        node.depth = depth;
        match some(last) {
            Some(last) => self.node_mut(last).after = child,
            None => self.node_mut(parent).first = child,
        }
        self.node_mut(parent).last = child;
    }

    /// Puts a node that has no place before `sibling`. Without a parent there is no place before it.
    pub(super) fn insert_before(&mut self, sibling: Id, child: Id) {
        let Some(parent) = self.parent(sibling) else { return };
        let before = self.node(sibling).before;
        let depth = self.node(sibling).depth;
        let node = self.node_mut(child);
        node.parent = parent;
        node.before = before;
        node.after = sibling;
        node.depth = depth;
        match some(before) {
            Some(before) => self.node_mut(before).after = child,
            None => self.node_mut(parent).first = child,
        }
        self.node_mut(sibling).before = child;
    }

    /// Takes a node out of its place.
    pub(super) fn detach(&mut self, id: Id) {
        let Node { parent, before, after, .. } = *self.node(id);
        let Some(parent) = some(parent) else { return };
        match some(before) {
            Some(before) => self.node_mut(before).after = after,
            None => self.node_mut(parent).first = after,
        }
        match some(after) {
            Some(after) => self.node_mut(after).before = before,
            None => self.node_mut(parent).last = before,
        }
        let node = self.node_mut(id);
        (node.parent, node.before, node.after) = (NONE, NONE, NONE);
    }
}
