//! Figures that are set above or below the line, which would run into what they stand behind: 10⁶ and not 106.

use html5ever::{LocalName, local_name};

use super::tree::{Id, Tree};
use crate::scripts::{subscript, superscript};

/// Characters of the longest one that is written so.
const LONGEST: usize = 6;

/// The text of `sup` or `sub` in characters of its own, where it has nothing but figures and stands right behind a word, a
/// number or a bracket. Links are marks of footnotes.
pub(super) fn script(tree: &Tree, id: Id, tag: &LocalName) -> Option<String> {
    let form = match *tag {
        local_name!("sup") => superscript,
        local_name!("sub") => subscript,
        _ => return None,
    };
    let only = tree.first(id).filter(|first| tree.after(*first).is_none())?;
    let text = tree.text(only).filter(|text| text.chars().nth(LONGEST).is_none())?;
    let hangs = tree
        .before(id)
        .and_then(|before| last_character(tree, before))
        .is_some_and(|c| c.is_alphanumeric() || matches!(c, ')' | ']' | '}'));
    if hangs { text.chars().map(form).collect() } else { None }
}

/// The character that a node of running text ends with.
fn last_character(tree: &Tree, node: Id) -> Option<char> {
    let mut at = node;
    while tree.text(at).is_none() {
        let shown = matches!(
            tree.tag(at),
            local_name!("b")
                | local_name!("em")
                | local_name!("i")
                | local_name!("span")
                | local_name!("strong")
                | local_name!("sub")
                | local_name!("sup")
                | local_name!("var")
        );
        at = tree.last(at).filter(|_| shown)?;
    }
    tree.text(at)?.chars().next_back()
}
