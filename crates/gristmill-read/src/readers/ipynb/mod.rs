//! Notebooks of Jupyter, cell by cell.

mod cells;
mod outputs;

use gristmill_core::{Attrs, Diagnostic, Document, Error, Input, Outcome, Reader, Result, Severity};
use serde_json::Value;

use self::cells::Notebook;
use crate::converted::Converted;
use crate::decode::decode;

/// Reads notebooks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ipynb;

impl Reader for Ipynb {
    fn name(&self) -> &'static str {
        "ipynb"
    }

    fn summary(&self) -> &'static str {
        "Jupyter notebooks: text as it is, code and what it put out as code blocks"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["ipynb"]
    }

    fn converts(&self) -> bool {
        true
    }

    fn read(&self, input: &Input<'_>) -> Result<Outcome<Document>> {
        let decoded = decode(input)?;
        let wrong = |why: &str| Error::input(format!("no notebook, or a damaged one ({why}): `{}`", input.source));
        let value: Value = serde_json::from_str(&decoded.text)
            .map_err(|error| wrong("no JSON").because(error).hint("save it again in Jupyter"))?;
        let cells = value.get("cells").or_else(|| value.pointer("/worksheets/0/cells"));
        let cells = cells.and_then(Value::as_array).ok_or_else(|| wrong("it has no cells"))?;
        let metadata = value.get("metadata").unwrap_or(&Value::Null);
        let mut notebook = Notebook::new(language(metadata));
        cells.iter().for_each(|cell| notebook.cell(cell));
        let Notebook { out, cut, unreadable, .. } = notebook;
        let mut diagnostics = decoded.diagnostics;
        diagnostics.extend(told(
            cut,
            "output-cut",
            "long outputs of cells, of which only the start is read",
            input.source,
        ));
        diagnostics.extend(told(
            unreadable,
            "output-left-out",
            "outputs of cells that are no text, left out",
            input.source,
        ));
        let (attrs, encoding) = (attrs(metadata), decoded.encoding);
        Ok(Converted { text: out, attrs, encoding, diagnostics, ..Converted::default() }.document(input, self.name()))
    }
}

fn told(count: usize, code: &'static str, what: &str, source: &str) -> Option<Diagnostic> {
    (count > 0).then(|| Diagnostic::new(code, Severity::Info, source, format!("{what}: {count}")))
}

/// The language that the kernel runs.
fn language(metadata: &Value) -> &str {
    let named =
        ["/language_info/name", "/kernelspec/language"].iter().find_map(|path| metadata.pointer(path)?.as_str());
    match named.unwrap_or_default() {
        "ipython" | "ipython3" => "python",
        other => other,
    }
}

fn attrs(metadata: &Value) -> Attrs {
    let mut attrs = Attrs::new();
    let text = |value: &Value| value.as_str().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
    if let Some(title) = metadata.get("title").and_then(text) {
        attrs.insert("title".into(), Value::String(title));
    }
    let authors = metadata.get("authors").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let names: Vec<String> = authors.iter().filter_map(|author| text(author.get("name").unwrap_or(author))).collect();
    if !names.is_empty() {
        attrs.insert("author".into(), Value::String(names.join(", ")));
    }
    attrs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::read;

    #[test]
    fn cells_become_text_code_and_output() {
        let text = r##"{"cells": [
            {"cell_type": "markdown", "source": ["# Ducks\n", "\n", "```\n", "open"]},
            {"cell_type": "code", "source": "print('`' * 3)\n", "outputs": [
                {"output_type": "stream", "text": ["\u001b[31m```\u001b[0m\n"]},
                {"output_type": "display_data", "data": {"image/png": "AAAA", "text/plain": "<Figure>"}},
                {"output_type": "display_data", "data": {"application/x": {}}},
                {"output_type": "error", "ename": "ValueError", "evalue": "no", "traceback": ["long"]}]},
            {"cell_type": "code", "source": ["%%bash\n", "ls"], "outputs": []},
            {"cell_type": "raw", "source": "as it is"},
            {"cell_type": "markdown", "source": "after"}],
            "metadata": {"kernelspec": {"language": "python"}, "title": "T", "authors": [{"name": "Ann"}, {"name": "Bo"}]}}"##;
        let document = read(&Ipynb, text);
        let expected = "# Ducks\n\n```\nopen\n```\n\n```python\nprint('`' * 3)\n```\n\n````text\n```\n````\n\n\
            ![\\<Figure>](output_1_1.png)\n\n```text\nValueError: no\nlong\n```\n\n```bash\n%%bash\nls\n```\n\n```\nas it is\n```\n\nafter\n";
        assert_eq!(document.text, expected);
        assert_eq!((&document.attrs["title"], &document.attrs["author"]), (&Value::from("T"), &Value::from("Ann, Bo")));
    }

    #[test]
    fn long_outputs_are_cut_and_said() {
        let line = "x".repeat(100) + "\\n";
        let text = format!(
            r#"{{"cells": [{{"cell_type": "code", "source": "", "outputs": [{{"text": "{}"}}]}}]}}"#,
            line.repeat(200)
        );
        let document = read(&Ipynb, &text);
        assert!(document.text.len() < 9000);
        assert!(document.text.ends_with("… 12222 more bytes\n```\n"), "{}", document.text);
    }

    fn output(output: &str) -> String {
        let cell = format!(r#"{{"cell_type": "code", "source": "f()", "outputs": [{output}]}}"#);
        let text = read(&Ipynb, &format!(r#"{{"cells": [{cell}]}}"#)).text;
        text.strip_prefix("```\nf()\n```\n").unwrap_or(&text).trim_start().to_owned()
    }

    #[test]
    fn tracebacks_are_shown_and_name_the_error_once() {
        let error = |trace: &str| {
            output(&format!(
                r#"{{"output_type": "error", "ename": "ValueError", "evalue": "no", "traceback": {trace}}}"#
            ))
        };
        let whole = r#"["\u001b[0;31mline 1\u001b[0m in f", "\u001b[31mValueError\u001b[0m: no"]"#;
        assert_eq!(error(whole), "```text\nline 1 in f\nValueError: no\n```\n");
        assert_eq!(error("[]"), "```text\nValueError: no\n```\n");
        // What a long one says last is said first.
        let long = format!(r#"["{}", "ValueError: no"]"#, "x".repeat(10_000));
        assert!(error(&long).starts_with("```text\nValueError: no\n"));
    }

    #[cfg(feature = "html")]
    #[test]
    fn html_alone_is_read_as_a_page() {
        let html = "<style>b {}</style><table><tr><th>a<th>b<tr><td>1<td>2</table>";
        assert_eq!(
            output(&format!(r#"{{"data": {{"text/html": ["{html}"]}}}}"#)),
            "| a | b |\n| --- | --- |\n| 1 | 2 |\n"
        );
        let both = format!(r#"{{"data": {{"text/html": "{html}", "text/plain": "a b"}}}}"#);
        assert_eq!(output(&both), "```text\na b\n```\n");
        assert_eq!(
            output(r#"{"data": {"text/html": "<script>f()</script>", "application/json": 1}}"#),
            "```json\n1\n```\n"
        );
    }

    #[test]
    fn json_alone_is_code() {
        let expected = "```json\n{\n  \"a\": [\n    1,\n    2\n  ]\n}\n```\n";
        assert_eq!(output(r#"{"data": {"application/json": {"a": [1, 2]}}}"#), expected);
        let long = format!(r#"{{"data": {{"application/json": "{}"}}}}"#, "x".repeat(9000));
        // The marks of the string are of it: 9002 bytes, of which 8000 are shown.
        assert!(output(&long).ends_with("x\n… 1002 more bytes\n```\n"));
    }

    #[test]
    fn what_is_no_notebook_is_an_error() {
        for text in ["", "[]", "{", "{\"cells\": 1}"] {
            let input = gristmill_core::Input {
                id: gristmill_core::DocumentId::new("default", "", "a"),
                source: "a",
                bytes: text.as_bytes(),
                open: &[],
                first: true,
            };
            let error = Ipynb.read(&input).err().map(|error| error.to_string());
            assert!(error.is_some_and(|error| error.starts_with("no notebook, or a damaged one")), "{text}");
        }
    }
}
