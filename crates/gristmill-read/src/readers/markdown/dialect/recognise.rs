//! The forms of the dialect, each by how its first line looks.

use super::html::is_html_name;
use super::tag::{TagKind, braces, tag};

/// What a line of the dialect is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form<'t> {
    /// `::: name`, or `:::` when `name` is missing: number of colons.
    Colons { width: usize, opens: bool },
    /// `/// name | title`, or `///`.
    Slashes { width: usize, opens: bool },
    /// `!!! name "title"`, `??? name`, `=== "title"`: what it holds is indented.
    Indented,
    /// A component's tag alone.
    Component { name: &'t str, kind: TagKind },
    /// Anything else that is one block.
    Alone,
}

/// The form that begins at the start of `text`, whose first line has no white space before it, and the length of what
/// belongs to it. `after_blank`: nothing stands right before it; `mdx`: expressions and modules are known.
pub(super) fn recognise(text: &str, mdx: bool, after_blank: bool) -> Option<(Form<'_>, usize)> {
    let line = first_line(text);
    let whole = |form| Some((form, line.len()));
    match text.as_bytes().first()? {
        b':' => whole(colons(line)?),
        b'/' => slashes(text, line),
        b'!' | b'?' | b'=' => indented(line).and_then(|()| whole(Form::Indented)),
        b'<' => component(text),
        b'{' => expression(text, line, mdx).map(|len| (Form::Alone, len)),
        b'-' => line.starts_with("--8<--").then_some(()).and_then(|()| whole(Form::Alone)),
        b'i' | b'e' if after_blank => module(text, line, mdx).map(|len| (Form::Alone, len)),
        _ => None,
    }
}

pub(super) fn first_line(text: &str) -> &str {
    let end = memchr::memchr(b'\n', text.as_bytes()).unwrap_or(text.len());
    text[..end].trim_end()
}

fn colons(line: &str) -> Option<Form<'_>> {
    let width = line.bytes().take_while(|&b| b == b':').count();
    (width >= 3).then_some(Form::Colons { width, opens: line.len() > width })
}

/// An opener takes the options indented under it along.
fn slashes<'t>(text: &'t str, line: &str) -> Option<(Form<'t>, usize)> {
    let width = line.bytes().take_while(|&b| b == b'/').count();
    let rest = &line[width..];
    if width < 3 || rest.is_empty() {
        return (width >= 3).then_some((Form::Slashes { width, opens: false }, line.len()));
    }
    let words = rest.strip_prefix(' ')?.trim_start();
    let name = words.bytes().take_while(|&b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_').count();
    let after = words[name..].trim_start();
    let opens = name > 0 && (after.is_empty() || after.starts_with('|'));
    opens.then(|| (Form::Slashes { width, opens }, line.len() + options(&text[line.len()..])))
}

/// Length of the lines `    name: value` at the start of `rest`, which begins with a line's end.
fn options(rest: &str) -> usize {
    let mut len = 0;
    while let Some(next) = rest[len..].trim_start_matches([' ', '\t']).strip_prefix('\n') {
        let line = first_line(next);
        let option = line.strip_prefix("    ").and_then(|option| option.split_once(':'));
        if !option
            .is_some_and(|(name, _)| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'))
        {
            break;
        }
        len = rest.len() - next.len() + line.len();
    }
    len
}

/// `!!! name more "title"`, `???+ name`, `=== "title"`
fn indented(line: &str) -> Option<()> {
    let (rest, tab) = match line.get(..3)? {
        "!!!" => (&line[3..], false),
        "???" => (line[3..].strip_prefix('+').unwrap_or(&line[3..]), false),
        "===" => (line[3..].strip_prefix(['!', '+']).unwrap_or(&line[3..]), true),
        _ => return None,
    };
    let rest = rest.trim();
    let (names, title) = match rest.find('"') {
        Some(at) => (rest[..at].trim_end(), Some(&rest[at..])),
        None => (rest, None),
    };
    let named = names.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b' '));
    let titled = title.is_none_or(|title| title.len() >= 2 && title.ends_with('"'));
    let enough = if tab { names.is_empty() && title.is_some() } else { !names.is_empty() };
    (named && titled && enough).then_some(())
}

/// More tags than this on one line are text.
const MAX_TAGS: usize = 16;

/// Tags alone on their lines, of which the first is a component's: its name has an upper case letter or is missing,
/// and is no old spelling of HTML.
fn component(text: &str) -> Option<(Form<'_>, usize)> {
    let first = tag(text)?;
    let is_component = first.name.is_empty() || first.name.starts_with(|c: char| c.is_ascii_uppercase());
    let shouted = first.name.len() <= 10 && first.name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
    if !is_component || (shouted && !first.name.is_empty() && is_html_name(first.name)) {
        return None;
    }
    let mut len = first.len;
    let mut tags = 1;
    loop {
        let after = first_line(&text[len..]);
        if after.trim().is_empty() {
            break;
        }
        if tags == MAX_TAGS {
            return None;
        }
        let blanks = after.len() - after.trim_start().len();
        len += blanks + tag(&text[len + blanks..])?.len;
        tags += 1;
    }
    let form = if tags == 1 { Form::Component { name: first.name, kind: first.kind } } else { Form::Alone };
    Some((form, len))
}

/// Directives and expressions in braces, alone on their lines.
fn expression(text: &str, line: &str, mdx: bool) -> Option<usize> {
    if text.starts_with("{/*") {
        let len = braces(text)?;
        return ends_line(text, len).then_some(len);
    }
    if is_directive(line) {
        return Some(line.len());
    }
    mdx.then(|| braces(text)).flatten().filter(|&len| ends_line(text, len))
}

/// `{{…}}`, `{%…%}`, `{*…*}`, and attributes `{: …}`, `{.name}`, `{#name}`
fn is_directive(line: &str) -> bool {
    let Some(inner) = line.strip_prefix('{').and_then(|line| line.strip_suffix('}')) else { return false };
    let doubled = |open: char, close: char| inner.len() >= 2 && inner.starts_with(open) && inner.ends_with(close);
    doubled('{', '}') || doubled('%', '%') || doubled('*', '*') || inner.trim_start().starts_with([':', '.', '#'])
}

fn ends_line(text: &str, len: usize) -> bool {
    text.get(len..).is_some_and(|rest| first_line(rest).is_empty())
}

/// A module's lines go on over blank ones for at most so many, as long as a bracket is open.
const MAX_LINES: usize = 100;

/// `import … from "…"`; in MDX any import or export, up to a blank line where its brackets are closed.
fn module(text: &str, line: &str, mdx: bool) -> Option<usize> {
    if !mdx {
        let path = line.strip_prefix("import ")?.trim_end_matches(';');
        let quoted =
            |mark: char| path.ends_with(mark) && (path.contains(&format!(" from {mark}")) || path.starts_with(mark));
        return (quoted('"') || quoted('\'')).then_some(line.len());
    }
    if !line.starts_with("import ") && !line.starts_with("export ") {
        return None;
    }
    let (mut depth, mut len, mut first_end) = (0i64, 0, None);
    for line in text.split_inclusive('\n').take(MAX_LINES) {
        if line.trim().is_empty() {
            first_end = first_end.or(Some(len));
            if depth <= 0 {
                return Some(text[..len].trim_end().len());
            }
        }
        depth += brackets(line);
        len += line.len();
    }
    let end = if len == text.len() && depth <= 0 { len } else { first_end.unwrap_or(len) };
    Some(text[..end].trim_end().len())
}

fn brackets(line: &str) -> i64 {
    line.bytes().fold(0, |depth, byte| match byte {
        b'{' | b'(' | b'[' => depth + 1,
        b'}' | b')' | b']' => depth - 1,
        _ => depth,
    })
}
