//! What a node is by what stands around it.

use html5ever::{LocalName, local_name};

use super::tree::{Id, Tree};

/// What a link is to the reader of the text.
pub(super) enum Link {
    /// A sign that only marks a place.
    Nothing,
    /// Text, as the address leads nowhere else.
    Text,
    To(String),
}

pub(super) fn link(tree: &Tree, id: Id) -> Link {
    let Some(address) = tree.attribute(id, &local_name!("href")) else { return Link::Text };
    let address = address.trim();
    if !address.starts_with('#') {
        return Link::To(address.to_owned());
    }
    let mut texts = tree.within(id).filter_map(|id| tree.text(id)).map(str::trim).filter(|text| !text.is_empty());
    match (texts.next(), texts.next()) {
        (Some("#" | "¶" | "§" | "🔗"), None) => Link::Nothing,
        _ => Link::Text,
    }
}

pub(super) fn follows_term(tree: &Tree, id: Id) -> bool {
    let mut before = std::iter::successors(tree.before(id), |before| tree.before(*before));
    before.find(|id| tree.element(*id).is_some()).is_some_and(|before| tree.tag(before) == local_name!("dt"))
}

pub(super) fn first_number(tree: &Tree, id: Id) -> u64 {
    tree.attribute(id, &local_name!("start")).and_then(|start| start.trim().parse().ok()).unwrap_or(1)
}

/// What stands before an item of a list in a cell.
pub(super) fn item_mark(tree: &Tree, id: Id) -> String {
    let Some(list) = tree.parent(id).filter(|list| tree.tag(*list) == local_name!("ol")) else {
        return "- ".to_owned();
    };
    let before = std::iter::successors(tree.before(id), |before| tree.before(*before)).take(1000);
    let number = before.filter(|before| tree.tag(*before) == local_name!("li")).count() as u64;
    format!("{}. ", first_number(tree, list).saturating_add(number))
}

pub(super) fn is_list(tag: &LocalName) -> bool {
    matches!(*tag, local_name!("ul") | local_name!("ol") | local_name!("menu") | local_name!("dir"))
}

pub(super) fn in_list(tree: &Tree, id: Id) -> bool {
    tree.parent(id).is_some_and(|parent| is_list(&tree.tag(parent)))
}

/// Lists that stand in a list and not in an item belong to the item before them.
pub(super) fn has_list_after(tree: &Tree, id: Id) -> bool {
    let mut after = std::iter::successors(tree.after(id), |after| tree.after(*after));
    after.find(|id| tree.element(*id).is_some()).is_some_and(|after| is_list(&tree.tag(after)))
}

pub(super) fn hangs_on_item(tree: &Tree, id: Id) -> bool {
    let mut before = std::iter::successors(tree.before(id), |before| tree.before(*before));
    in_list(tree, id)
        && before.find(|id| tree.element(*id).is_some()).is_some_and(|before| tree.tag(before) == local_name!("li"))
}
