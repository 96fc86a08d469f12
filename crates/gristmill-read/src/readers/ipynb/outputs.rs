//! What cells have put out.

use serde_json::Value;

use super::cells::{Notebook, closed, joined};
use crate::markup::{Inline, Markdown};
use crate::pieces::append;

/// Bytes of an output that are read.
const OUTPUT_MAX: usize = 8000;

/// Kinds of pictures, and the extensions of their files.
const PICTURES: [(&str, &str); 4] =
    [("image/png", "png"), ("image/jpeg", "jpg"), ("image/svg+xml", "svg"), ("image/gif", "gif")];

/// Adds an output, whose picture is called `name`.
pub(super) fn add(notebook: &mut Notebook<'_>, output: &Value, name: &str) {
    if let Some(name) = output.get("ename").and_then(Value::as_str) {
        return text(notebook, &error(name, output));
    }
    if output.get("text").is_some() {
        return text(notebook, &joined(output.get("text")));
    }
    let Some(data) = output.get("data") else { return };
    let of = |kind: &str| Some(joined(data.get(kind))).filter(|text| !text.trim().is_empty());
    let picture = PICTURES.iter().find(|(kind, _)| data.get(kind).is_some());
    if let Some((_, extension)) = picture {
        let mut image = Inline::default();
        image.image(&of("text/plain").unwrap_or_default(), &format!("{name}.{extension}"));
        let mut block = Markdown::default();
        block.paragraph(image);
        return append(&mut notebook.out, &block.finish());
    }
    match (of("text/markdown").or_else(|| of("text/latex")), of("text/plain")) {
        (Some(markdown), _) if markdown.len() <= OUTPUT_MAX => append(&mut notebook.out, &closed(markdown)),
        (_, Some(plain)) | (Some(plain), None) => text(notebook, &plain),
        _ => other(notebook, of("text/html"), data.get("application/json")),
    }
}

/// Adds what is neither text nor a picture.
fn other(notebook: &mut Notebook<'_>, html: Option<String>, json: Option<&Value>) {
    if html.is_some_and(|html| page(notebook, &html)) {
        return;
    }
    match json {
        Some(json) => cut(notebook, "json", pretty(json)),
        None => notebook.unreadable += 1,
    }
}

/// Adds the text of HTML; false when it shows none.
#[cfg(feature = "html")]
fn page(notebook: &mut Notebook<'_>, html: &str) -> bool {
    use crate::readers::html::{HtmlOptions, to_markdown};
    let (markdown, _) = to_markdown(html, HtmlOptions { main_content: false });
    if markdown.len() <= OUTPUT_MAX {
        append(&mut notebook.out, &markdown);
    } else {
        // Cut anywhere, Markdown would no longer be what it is.
        text(notebook, &markdown);
    }
    !markdown.trim().is_empty()
}

/// Adds HTML as it is.
#[cfg(not(feature = "html"))]
fn page(notebook: &mut Notebook<'_>, html: &str) -> bool {
    cut(notebook, "html", html.to_owned());
    true
}

/// JSON in lines. What is cut anyway stays in one: indented, deep JSON grows many times over.
fn pretty(json: &Value) -> String {
    let line = json.to_string();
    if line.len() > OUTPUT_MAX { line } else { serde_json::to_string_pretty(json).unwrap_or(line) }
}

/// What an error shows: where it came from, and its name and value where that does not say them.
fn error(name: &str, output: &Value) -> String {
    let value = output.get("evalue").and_then(Value::as_str).unwrap_or_default();
    let head = shown(&format!("{name}: {value}"));
    let lines = output.get("traceback").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let trace = shown(&lines.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n"));
    let trace = trace.trim_end();
    // A long one is cut, and it says last what the error is.
    if trace.len() <= OUTPUT_MAX && trace.contains(head.trim_end().trim_end_matches(':')) {
        trace.to_owned()
    } else {
        format!("{head}\n{trace}").trim_end_matches('\n').to_owned()
    }
}

fn text(notebook: &mut Notebook<'_>, text: &str) {
    cut(notebook, "text", shown(text));
}

/// Adds the start of an output as code.
fn cut(notebook: &mut Notebook<'_>, language: &str, mut plain: String) {
    if plain.len() > OUTPUT_MAX {
        let line = plain.as_bytes().get(..OUTPUT_MAX).and_then(|head| memchr::memrchr(b'\n', head));
        let end = line.unwrap_or_else(|| (0..=OUTPUT_MAX).rev().find(|at| plain.is_char_boundary(*at)).unwrap_or(0));
        let rest = plain.len() - end;
        plain.truncate(end);
        plain.push_str(&format!("\n… {rest} more bytes"));
        notebook.cut += 1;
    }
    notebook.code(language, &plain);
}

/// Text as a terminal shows it: without orders to the terminal, and each line as it was last written.
fn shown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => {
                if chars.next_if_eq(&'[').is_some() {
                    while chars.next_if(|c| matches!(c, '0'..='?')).is_some() {}
                    chars.next();
                }
            }
            '\r' if chars.peek().is_some_and(|next| *next != '\n') => {
                out.truncate(out.rfind('\n').map_or(0, |end| end + 1));
            }
            '\r' => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_bars_show_their_end() {
        assert_eq!(shown("a\n10%\r20%\r\n\u{1b}[1;31mred\u{1b}[0m"), "a\n20%\nred");
        assert_eq!(shown("\u{1b}"), "");
    }
}
