//! Formulas.

use html5ever::{LocalName, local_name};

use super::tree::{Id, Tree};

/// The TeX of a MathML element that brings it along, and whether it stands on lines of its own.
pub(super) fn formula(tree: &Tree, math: Id) -> Option<(String, bool)> {
    let element = tree.element(math)?;
    if element.name.local != local_name!("math") {
        return None;
    }
    let display = tree.attribute(math, &local_name!("display")) == Some("block");
    let annotated = tree.within(math).find(|id| {
        tree.element(*id).is_some_and(|element| element.name.local == local_name!("annotation"))
            && tree
                .attribute(*id, &local_name!("encoding"))
                .is_some_and(|kind| kind.to_ascii_lowercase().contains("tex"))
    });
    let tex = match annotated {
        Some(id) => tree.children(id).filter_map(|child| tree.text(child)).collect(),
        None => tree.attribute(math, &LocalName::from("alttext"))?.to_owned(),
    };
    Some((bare(&tex).to_owned(), display)).filter(|(tex, _)| !tex.is_empty())
}

/// The TeX of a script that a page leaves for MathJax.
pub(super) fn script(tree: &Tree, script: Id) -> Option<(String, bool)> {
    let kind = tree.attribute(script, &local_name!("type"))?;
    let tex: String = tree.children(script).filter_map(|child| tree.text(child)).collect();
    kind.starts_with("math/tex").then(|| (tex, kind.contains("display"))).filter(|(tex, _)| !tex.trim().is_empty())
}

/// Without the wrapping that some tools put around.
fn bare(tex: &str) -> &str {
    let tex = tex.trim();
    let inner = tex.strip_prefix("{\\displaystyle").and_then(|tex| tex.strip_suffix('}'));
    inner.unwrap_or(tex).trim()
}
