//! What the kinds of syntax node mean for cutting. The same name means the same in all grammars.

use tree_sitter::{Language, Node};

use super::definition::is_definition;

/// What a kind of node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A definition with a name, or something that may hold one: `export`, a declaration, an assignment.
    Definition,
    /// Belongs to what follows it: a comment, an attribute, a decorator.
    Lead,
    /// Brings names in, at the head of a file.
    Import,
    /// A list of other nodes that is no piece of its own: the body of something.
    Body,
    /// Text in which lines mean nothing: strings.
    Opaque,
    /// Anything else.
    Other,
}

/// The roles of a grammar's kinds, by their number.
pub(super) struct Roles(Vec<Role>);

impl Roles {
    pub(super) fn of(grammar: &Language) -> Self {
        let kinds = 0..u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
        Self(kinds.map(|kind| grammar.node_kind_for_id(kind).map_or(Role::Other, role)).collect())
    }

    pub(super) fn get(&self, node: &Node<'_>) -> Role {
        self.0.get(usize::from(node.kind_id())).copied().unwrap_or(Role::Other)
    }
}

fn role(kind: &str) -> Role {
    match kind {
        "import_statement"
        | "import_from_statement"
        | "future_import_statement"
        | "use_declaration"
        | "extern_crate_declaration"
        | "import_declaration"
        | "package_clause"
        | "package_declaration"
        | "preproc_include"
        | "using_directive"
        | "namespace_use_declaration"
        | "php_tag"
        | "import"
        | "import_header"
        | "package_header"
        | "hash_bang_line"
        | "shebang" => Role::Import,
        "attribute_item" | "inner_attribute_item" | "decorator" | "annotation" | "marker_annotation" => Role::Lead,
        "attribute_list" => Role::Lead,
        "string"
        | "template_string"
        | "raw_string_literal"
        | "string_literal"
        | "encapsed_string"
        | "heredoc"
        | "heredoc_body"
        | "nowdoc"
        | "nowdoc_body"
        | "concatenated_string"
        | "interpreted_string_literal"
        | "multi_line_string_literal"
        | "multiline_string_literal"
        | "text"
        | "text_block" => Role::Opaque,
        "statements" | "body_statement" | "compound_statement" | "then" | "do" | "do_group" | "chunk" | "script" => {
            Role::Body
        }
        _ if kind.ends_with("comment") => Role::Lead,
        _ if is_definition(kind) => Role::Definition,
        _ if ["body", "block", "_list"].iter().any(|end| kind.ends_with(end)) => Role::Body,
        _ => Role::Other,
    }
}
