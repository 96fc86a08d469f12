//! Which directives hold what. Names are of docutils and Sphinx, with those of wide-spread extensions.

/// What stands in a directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Code.
    Code,
    /// A formula.
    Math,
    /// Prose that may begin on the line of the name.
    Prose,
    /// An argument on the line of the name, then prose.
    Titled,
    /// A table written as a list of lists.
    Rows,
    /// Nothing to read on its own.
    Opaque,
}

const CODE: &[&str] = &[
    "code",
    "code-block",
    "sourcecode",
    "parsed-literal",
    "console",
    "prompt",
    "doctest",
    "testcode",
    "testoutput",
    "testsetup",
    "testcleanup",
    "productionlist",
    "ipython",
    "jupyter-execute",
    "code-tab",
];

const PROSE: &[&str] = &[
    "note",
    "warning",
    "attention",
    "caution",
    "danger",
    "error",
    "hint",
    "important",
    "tip",
    "seealso",
    "todo",
    "epigraph",
    "highlights",
    "pull-quote",
    "compound",
    "centered",
];

const OPAQUE: &[&str] = &[
    "image",
    "toctree",
    "contents",
    "index",
    "include",
    "literalinclude",
    "raw",
    "currentmodule",
    "module",
    "meta",
    "role",
    "default-role",
    "default-domain",
    "highlight",
    "graphviz",
    "digraph",
    "graph",
    "inheritance-diagram",
    "plantuml",
    "uml",
    "mermaid",
    "csv-table",
    "sectnum",
    "section-numbering",
    "header",
    "footer",
    "target-notes",
    "tabularcolumns",
    "title",
    "class",
    "rst-class",
    "bibliography",
    "youtube",
    "autosummary",
    "date",
    "unicode",
    "replace",
    "sectionauthor",
    "codeauthor",
    "moduleauthor",
    "program",
];

/// What a directive of this name holds. Unknown ones are taken to have an argument and prose, as those of projects of
/// their own nearly always do.
pub(super) fn shape(name: &str) -> Shape {
    let lower = name.to_ascii_lowercase();
    let (domain, bare) = lower.rsplit_once(':').unwrap_or(("", &lower));
    match bare {
        "math" => Shape::Math,
        "list-table" | "flat-table" => Shape::Rows,
        // In a domain it describes a class, by itself it sets a style.
        "class" if !domain.is_empty() => Shape::Titled,
        _ if CODE.contains(&bare) => Shape::Code,
        _ if PROSE.contains(&bare) => Shape::Prose,
        _ if OPAQUE.contains(&bare) => Shape::Opaque,
        _ => Shape::Titled,
    }
}
