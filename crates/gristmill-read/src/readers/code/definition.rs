//! Definitions: their names and signatures.

use std::ops::Range;

use tree_sitter::Node;

/// A function, method, class or other named piece of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Definition {
    /// Its name, with that of the type it is put into from outside (`Type.method` in Go, `Trait for Type` in Rust).
    pub name: String,
    /// From its first word to the beginning of its body, in bytes of the text.
    pub signature: Range<usize>,
}

/// Longest name in bytes.
const NAME_MAX: usize = 160;

/// Steps into a definition in search of the word that names it.
const STEPS: usize = 16;

/// Kinds of node that name what they define, sorted.
const NAMED: &[&str] = &[
    "abstract_class_declaration",
    "annotation_type_declaration",
    "class",
    "class_declaration",
    "class_definition",
    "class_specifier",
    "compact_constructor_declaration",
    "companion_object",
    "constructor_declaration",
    "conversion_operator_declaration",
    "create_function",
    "create_index",
    "create_materialized_view",
    "create_procedure",
    "create_table",
    "create_trigger",
    "create_type",
    "create_view",
    "deinit_declaration",
    "destructor_declaration",
    "enum_declaration",
    "enum_definition",
    "enum_item",
    "enum_specifier",
    "extension_definition",
    "function_declaration",
    "function_definition",
    "function_item",
    "function_signature",
    "function_signature_item",
    "generator_function_declaration",
    "given_definition",
    "impl_item",
    "init_declaration",
    "interface_declaration",
    "internal_module",
    "local_function_statement",
    "macro_definition",
    "method",
    "method_declaration",
    "method_definition",
    "mod_item",
    "module",
    "namespace_declaration",
    "namespace_definition",
    "object_declaration",
    "object_definition",
    "operator_declaration",
    "package_object",
    "protocol_declaration",
    "protocol_function_declaration",
    "record_declaration",
    "secondary_constructor",
    "singleton_class",
    "singleton_method",
    "struct_declaration",
    "struct_item",
    "struct_specifier",
    "subscript_declaration",
    "trait_declaration",
    "trait_definition",
    "trait_item",
    "type_alias_declaration",
    "type_spec",
    "union_item",
    "union_specifier",
];

/// Kinds of node that may hold a definition, with the field it is in; empty for their last named child.
const HOLDERS: &[(&str, &str)] = &[
    ("ambient_declaration", ""),
    ("assignment_statement", ""),
    ("call", "arguments"),
    ("declaration", "type"),
    ("decorated_definition", "definition"),
    ("export_statement", "declaration"),
    ("expression_statement", ""),
    ("field", "value"),
    ("field_definition", "value"),
    ("lexical_declaration", ""),
    ("pair", "value"),
    ("public_field_definition", "value"),
    ("statement", ""),
    ("template_declaration", ""),
    ("type_declaration", ""),
    ("type_definition", "type"),
    ("variable_declaration", ""),
];

/// Kinds of function without a name of its own, which what it is assigned to gives it.
const NAMELESS: &[&str] =
    &["arrow_function", "function_expression", "generator_function", "function_definition", "class"];

/// True for kinds of node that are definitions or may hold one.
pub(super) fn is_definition(kind: &str) -> bool {
    NAMED.binary_search(&kind).is_ok() || HOLDERS.iter().any(|(holder, _)| *holder == kind)
}

impl Definition {
    /// The definition that `node` is or holds.
    pub(super) fn of(node: Node<'_>, text: &str) -> Option<Self> {
        let (mut node, mut whole, mut alias) = (node, node, None);
        for _ in 0..STEPS {
            if let Some((name, value)) = assigned(node, text) {
                return Self::with(name, whole, value, text);
            }
            let kind = node.kind();
            if NAMED.binary_search(&kind).is_ok() {
                // `struct Name value;` uses a type that is defined elsewhere.
                let used = kind.ends_with("_specifier") && body(node).is_none();
                return if used { None } else { Self::with(name(node, text).or(alias), whole, node, text) };
            }
            let inner = held(node)?;
            match kind {
                "decorated_definition" => whole = inner,
                "type_definition" => alias = declared(node, text),
                _ => {}
            }
            node = inner;
        }
        None
    }

    /// `whole` is where the signature begins, `inner` what has the body.
    fn with(name: Option<String>, whole: Node<'_>, inner: Node<'_>, text: &str) -> Option<Self> {
        let signature = signature(whole, inner, text)?;
        let name = name.or_else(|| first_words(text.get(signature.clone())?))?;
        Some(Self { name: name[..name.floor_char_boundary(NAME_MAX)].to_owned(), signature })
    }
}

/// What may be a definition in a node of a kind that holds some.
fn held(node: Node<'_>) -> Option<Node<'_>> {
    let (_, field) = HOLDERS.iter().find(|(holder, _)| *holder == node.kind())?;
    let inner = if field.is_empty() { None } else { node.child_by_field_name(field) };
    let inner = inner.or_else(|| last_named(node))?;
    if inner.kind() == "argument_list" { inner.named_child(0) } else { Some(inner) }
}

/// The name and the function, when `node` gives a nameless function a name.
fn assigned<'t>(node: Node<'t>, text: &str) -> Option<(Option<String>, Node<'t>)> {
    let field = |names: &[&str]| names.iter().find_map(|name| node.child_by_field_name(name));
    let value = match node.kind() {
        "variable_declarator" | "pair" | "field" | "public_field_definition" | "field_definition" => field(&["value"])?,
        "assignment_expression" => field(&["right"])?,
        "assignment_statement" => last_named(node)?,
        _ => return None,
    };
    let value = if value.kind() == "expression_list" { value.named_child(0)? } else { value };
    let name = field(&["name", "left", "key", "property"]).or_else(|| node.named_child(0))?;
    NAMELESS.contains(&value.kind()).then(|| (words(name, text), value))
}

fn last_named(node: Node<'_>) -> Option<Node<'_>> {
    let last = u32::try_from(node.named_child_count().checked_sub(1)?).ok()?;
    node.named_child(last)
}

/// What the definition is called, as far as the grammar has a field for it.
fn name(node: Node<'_>, text: &str) -> Option<String> {
    let field = |name| node.child_by_field_name(name).and_then(|node| words(node, text));
    match node.kind() {
        "impl_item" => {
            let own = field("type")?;
            Some(field("trait").map_or_else(|| own.clone(), |of| format!("{of} for {own}")))
        }
        "method_declaration" if node.child_by_field_name("receiver").is_some() => {
            let receiver = field("receiver")?;
            let own = receiver.trim_matches(['(', ')']).rsplit([' ', '*']).next().unwrap_or_default().to_owned();
            Some(format!("{own}.{}", field("name")?))
        }
        _ => field("name").or_else(|| declared(node, text)),
    }
}

/// The name inside the declarators of C and C++.
fn declared(node: Node<'_>, text: &str) -> Option<String> {
    let mut inner = node.child_by_field_name("declarator")?;
    for _ in 0..STEPS {
        match inner.child_by_field_name("declarator").or_else(|| referred(inner)) {
            Some(next) => inner = next,
            None => break,
        }
    }
    words(inner, text)
}

/// The declarator behind `&` in C++, which has no field of its own.
fn referred(node: Node<'_>) -> Option<Node<'_>> {
    (node.kind() == "reference_declarator").then(|| node.named_child(0)).flatten()
}

fn body(node: Node<'_>) -> Option<Node<'_>> {
    let is_body =
        |child: &Node<'_>| child.is_named() && ["body", "block"].iter().any(|end| child.kind().ends_with(end));
    node.child_by_field_name("body").or_else(|| node.children(&mut node.walk()).find(is_body))
}

/// From the start of `whole` to the body of `inner`, its brace included; the first line of what has no body.
fn signature(whole: Node<'_>, inner: Node<'_>, text: &str) -> Option<Range<usize>> {
    let start = whole.start_byte();
    let own = text.get(whole.byte_range())?;
    let line = start + own.find('\n').unwrap_or(own.len());
    let end = body(inner).map_or(line, |body| {
        let at = body.start_byte();
        at + usize::from(text.as_bytes().get(at) == Some(&b'{'))
    });
    let comment = inner.children(&mut inner.walk()).find(|child| child.kind().ends_with("comment"));
    let end = end.min(comment.map_or(end, |comment| comment.start_byte())).max(start);
    let trimmed = text.get(start..end)?.trim_end().len();
    Some(start..start + trimmed)
}

/// The words before the first bracket, for definitions without a name.
fn first_words(signature: &str) -> Option<String> {
    let end = signature.find(['(', '{', ':', '\n']).unwrap_or(signature.len());
    let name = signature[..end].split_whitespace().collect::<Vec<_>>().join(" ");
    (!name.is_empty()).then_some(name)
}

fn words(node: Node<'_>, text: &str) -> Option<String> {
    let own = text.get(node.byte_range())?;
    let own = &own[..own.floor_char_boundary(NAME_MAX)];
    Some(own.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_sorted() {
        assert!(NAMED.is_sorted());
    }
}
