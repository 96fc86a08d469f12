//! Code: its lines, without their numbers, and its language.

use html5ever::{LocalName, local_name};

use super::names::{is_silent, words};
use super::tree::{Id, Tree};

/// The text of an element as it stands, with an end to each line that is an element of its own.
pub(super) fn code_text(tree: &Tree, top: Id) -> String {
    let mut out = String::new();
    let mut at = top;
    loop {
        let tag = tree.tag(at);
        let skipped = at != top && (is_silent(&tag) || tag == local_name!("button") || is_line_number(tree, at));
        if let Some(text) = tree.text(at) {
            out.push_str(text);
        } else if tag == local_name!("br") {
            out.push('\n');
        }
        let mut next = if skipped { None } else { tree.first(at) };
        while next.is_none() {
            if at == top {
                return out;
            }
            next = tree.after(at);
            let ends = is_line(&tree.tag(at)) && next.is_some() && !out.ends_with('\n') && !out.is_empty();
            if ends {
                out.push('\n');
            }
            if next.is_none() {
                let Some(parent) = tree.parent(at) else { return out };
                at = parent;
            }
        }
        at = next.unwrap_or(top);
    }
}

fn is_line(tag: &LocalName) -> bool {
    matches!(*tag, local_name!("div") | local_name!("p") | local_name!("li") | local_name!("tr"))
}

fn is_line_number(tree: &Tree, id: Id) -> bool {
    let Some(class) = tree.attribute(id, &local_name!("class")) else { return false };
    class.split_ascii_whitespace().any(|class| {
        matches!(
            class,
            "lineno"
                | "linenos"
                | "linenumber"
                | "line-number"
                | "line-numbers"
                | "line-numbers-rows"
                | "ln"
                | "gutter"
                | "rouge-gutter"
                | "hljs-ln-numbers"
                | "blob-num"
        )
    })
}

/// True for the cell with the numbers of lines beside a cell of code.
pub(super) fn is_gutter(tree: &Tree, id: Id) -> bool {
    is_line_number(tree, id)
}

/// The language that a block of code, what it holds or what is right around it names; empty if none does.
pub(super) fn language(tree: &Tree, pre: Id) -> String {
    let inner = tree.children(pre).filter(|id| tree.tag(*id) == local_name!("code")).take(1);
    let around = std::iter::successors(tree.parent(pre), |parent| tree.parent(*parent)).take(4);
    let mut places = inner.chain([pre]).chain(around);
    places.find_map(|id| named(tree, id)).unwrap_or_default()
}

fn named(tree: &Tree, id: Id) -> Option<String> {
    let element = tree.element(id)?;
    let declared = element.attributes.iter().find(|a| matches!(&*a.name.local, "data-lang" | "data-language"));
    if let Some(declared) = declared.filter(|declared| !declared.value.trim().is_empty()) {
        return Some(declared.value.trim().to_lowercase());
    }
    let class = tree.attribute(id, &local_name!("class"))?;
    by_class(class).map(str::to_lowercase).filter(|name| !matches!(&**name, "none" | "default" | "text" | "plaintext"))
}

fn by_class(class: &str) -> Option<&str> {
    let mut classes = class.split_ascii_whitespace();
    let prefixed = classes.clone().find_map(|class| {
        ["language-", "lang-", "highlight-source-", "highlight-", "brush:"]
            .iter()
            .find_map(|prefix| class.strip_prefix(prefix))
    });
    let name = prefixed.filter(|name| !name.is_empty() && *name != "text" && *name != "notranslate");
    name.map(|name| name.trim_end_matches(';')).or_else(|| {
        let first = classes.next()?;
        let known = matches!(first, "sourceCode" | "hljs" | "highlight" | "brush:");
        classes.next().filter(|second| known && words(second).count() == 1 && !matches!(*second, "highlight" | "copy"))
    })
}
