//! Formulas.

use html5ever::{LocalName, local_name};

use super::meta::text_of;
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
        None => tree.attribute(math, &LocalName::from("alttext")).map_or_else(|| written(tree, math), str::to_owned),
    };
    Some((bare(&tex).to_owned(), display)).filter(|(tex, _)| !tex.is_empty())
}

/// Elements of a formula nested deeper than this are written as their text.
const DEPTH: usize = 40;

/// A formula without TeX: letters and signs as they are, with fractions, roots and indices as TeX writes them.
fn written(tree: &Tree, math: Id) -> String {
    let mut out = String::new();
    write(tree, math, DEPTH, &mut out);
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn write(tree: &Tree, id: Id, depth: usize, out: &mut String) {
    if let Some(text) = tree.text(id) {
        out.push_str(text.trim());
        return;
    }
    let parts: Vec<Id> = tree.children(id).filter(|child| tree.element(*child).is_some()).collect();
    let name = tree.element(id).map(|element| &*element.name.local).unwrap_or_default();
    let marks: &[&str] = match (name, parts.len()) {
        _ if depth == 0 => &[],
        ("msup", 2) => &["{", "}^{", "}"],
        ("msub", 2) => &["{", "}_{", "}"],
        ("munder", 2) => &["{", "}_{", "}"],
        ("mover", 2) => &["{", "}^{", "}"],
        ("msubsup" | "munderover", 3) => &["{", "}_{", "}^{", "}"],
        ("mfrac", 2) => &["\\frac{", "}{", "}"],
        _ => &[],
    };
    if depth == 0 {
        out.push_str(text_of(tree, id).trim());
    } else if let Some((last, before)) = marks.split_last() {
        for (mark, part) in before.iter().zip(&parts) {
            out.push_str(mark);
            write(tree, *part, depth - 1, out);
        }
        out.push_str(last);
    } else {
        out.push_str(if name == "msqrt" { "\\sqrt{" } else { "" });
        for child in tree.children(id) {
            write(tree, child, depth - 1, out);
        }
        out.push_str(match name {
            "msqrt" => "}",
            "mo" | "mtd" | "mtr" | "mtext" | "mspace" => " ",
            _ => "",
        });
    }
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
