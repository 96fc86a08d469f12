//! What a single line of AsciiDoc is.

/// What stands between two equal lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Delimited {
    /// Lines as they are.
    Verbatim,
    /// Lines for the output format, or a formula.
    Passthrough,
    Comment,
    Table,
    /// Blocks.
    Example,
    /// Blocks that are quoted.
    Quote,
}

/// The kind of block that `line` begins or ends, and the line that ends it.
pub(super) fn delimiter(line: &str) -> Option<(Delimited, &str)> {
    if line == "--" {
        return Some((Delimited::Example, line));
    }
    if let Some(language) = line.strip_prefix("```") {
        return (!language.contains(['`', ' '])).then_some((Delimited::Verbatim, &line[..3]));
    }
    if matches!(line, "|===" | ",===" | ":===" | "!===") {
        return Some((Delimited::Table, line));
    }
    let sign = line.bytes().next()?;
    if line.len() < 4 || !line.bytes().all(|byte| byte == sign) {
        return None;
    }
    let kind = match sign {
        b'-' | b'.' => Delimited::Verbatim,
        b'+' => Delimited::Passthrough,
        b'/' => Delimited::Comment,
        b'=' | b'*' => Delimited::Example,
        b'_' => Delimited::Quote,
        _ => return None,
    };
    Some((kind, line))
}

/// `[source,python]`, `[[anchor]]`, `[#id.role]`: attributes of the block that follows.
pub(super) fn is_attributes(line: &str) -> bool {
    let Some(inner) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) else { return false };
    let starts = inner.starts_with(|c: char| c.is_alphanumeric() || "_.#%,\"'[".contains(c));
    inner.is_empty() || (starts && !inner.trim_matches(['[', ']']).contains(['[', ']']))
}

/// `.Title of a block`.
pub(super) fn is_block_title(line: &str) -> bool {
    line.strip_prefix('.').is_some_and(|title| title.starts_with(|c: char| c != '.' && !c.is_whitespace()))
}

/// `image::path[]`, `ifdef::name[]`: a macro that is a block.
pub(super) fn is_block_macro(line: &str) -> bool {
    let Some((name, rest)) = line.split_once("::") else { return false };
    let named =
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    named && rest.ends_with(']') && rest.contains('[') && !rest.starts_with([' ', '\t'])
}

/// `:name: value`: the name and the value; `:!name:` unsets.
pub(super) fn attribute(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.strip_prefix(':')?.split_once(':')?;
    let named = name.trim_matches('!').bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let apart = value.is_empty() || value.starts_with([' ', '\t']);
    (named && apart && !name.trim_matches('!').is_empty()).then(|| (name, value.trim()))
}

/// A comment of one line.
pub(super) fn is_comment(line: &str) -> bool {
    line.starts_with("//") && !line.starts_with("///")
}

/// Thematic and page breaks.
pub(super) fn is_rule(line: &str) -> bool {
    line == "<<<"
        || matches!(line, "---" | "***" | "- - -" | "* * *")
        || (line.len() >= 3 && line.bytes().all(|b| b == b'\''))
}

/// The name of an admonition at the start of a paragraph, with the bytes up to the text.
pub(super) fn admonition(line: &str) -> Option<usize> {
    let name = ADMONITIONS.iter().find(|name| line.starts_with(**name))?;
    line[name.len()..].starts_with(": ").then(|| line.len() - line[name.len() + 2..].trim_start().len())
}

/// Styles of admonitions.
pub(super) const ADMONITIONS: &[&str] = &["NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"];
