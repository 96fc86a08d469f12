//! What goes between the two processes: the file one way, the text made of it or the error the other, as JSON.

use std::io::{self, Read, Write};

use gristmill_core::{Attrs, Diagnostic, Error, ErrorKind, Input, Result, Severity};
use serde_json::{Value, json};

use super::super::report::CODES;
use crate::converted::Converted;

/// Writes a file: the length of its name in four bytes, its name, the length of its bytes in eight bytes, its bytes.
pub(super) fn ask(to: &mut impl Write, input: &Input<'_>) -> std::io::Result<()> {
    let length = u32::try_from(input.source.len()).map_err(std::io::Error::other)?;
    to.write_all(&length.to_le_bytes())?;
    to.write_all(input.source.as_bytes())?;
    to.write_all(&(input.bytes.len() as u64).to_le_bytes())?;
    to.write_all(input.bytes)?;
    to.flush()
}

/// Reads what [`ask`] wrote: name and bytes. An error of the kind `OutOfMemory` when there is no room for them.
pub(super) fn asked(from: &mut impl Read) -> std::io::Result<(String, Vec<u8>)> {
    let mut length = [0; 4];
    from.read_exact(&mut length)?;
    let mut name = Vec::new();
    from.by_ref().take(u32::from_le_bytes(length).into()).read_to_end(&mut name)?;
    let mut length = [0; 8];
    from.read_exact(&mut length)?;
    let length = usize::try_from(u64::from_le_bytes(length)).map_err(|_| io::ErrorKind::OutOfMemory)?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length).map_err(|_| io::ErrorKind::OutOfMemory)?;
    from.take(length as u64).read_to_end(&mut bytes)?;
    Ok((String::from_utf8_lossy(&name).into_owned(), bytes))
}

/// Writes what became of the file.
pub(super) fn answer(to: &mut impl Write, made: &Result<Converted>) -> std::io::Result<()> {
    let answer = match made {
        Ok(made) => json!({
            "text": made.text,
            "pages": made.pages,
            "pages_without_text": made.pages_without_text,
            "attrs": made.attrs,
            "diagnostics": made.diagnostics.iter().map(told).collect::<Vec<_>>(),
        }),
        Err(error) => json!({
            "error": error.chain(),
            "hint": error.hint_text(),
            "bug": error.kind() == ErrorKind::Bug,
        }),
    };
    serde_json::to_writer(&mut *to, &answer)?;
    to.flush()
}

fn told(diagnostic: &Diagnostic) -> Value {
    let Diagnostic { code, severity, message, help, incomplete, .. } = diagnostic;
    json!({ "code": code, "severity": severity.name(), "message": message, "help": help, "incomplete": incomplete })
}

/// Reads what [`answer`] wrote.
pub(super) fn answered(bytes: &[u8], source: &str) -> Result<Converted> {
    let broken = || Error::bug("the process that reads PDF files gave no answer");
    let answer: Value = serde_json::from_slice(bytes).map_err(|error| broken().because(error))?;
    if let Some(message) = answer["error"].as_str() {
        let kind = if answer["bug"] == true { ErrorKind::Bug } else { ErrorKind::Input };
        let error = Error::new(kind, message);
        return Err(match answer["hint"].as_str() {
            Some(hint) => error.hint(hint),
            None => error,
        });
    }
    let page =
        |entry: &Value| Some((usize::try_from(entry[0].as_u64()?).ok()?, u32::try_from(entry[1].as_u64()?).ok()?));
    let list = |name: &str| answer[name].as_array().cloned().unwrap_or_default();
    let attrs = answer["attrs"].as_object().cloned().unwrap_or_default();
    Ok(Converted {
        text: answer["text"].as_str().ok_or_else(broken)?.to_owned(),
        pages: list("pages").iter().filter_map(page).collect(),
        pages_without_text: answer["pages_without_text"].as_u64().unwrap_or_default(),
        attrs: attrs.into_iter().collect::<Attrs>(),
        encoding: "utf-8",
        diagnostics: list("diagnostics").iter().filter_map(|told| heard(told, source)).collect(),
    })
}

fn heard(told: &Value, source: &str) -> Option<Diagnostic> {
    let code = CODES.iter().find(|code| told["code"] == **code)?;
    let severities = [Severity::Info, Severity::Low, Severity::Medium, Severity::High];
    let severity = severities.into_iter().find(|severity| told["severity"] == severity.name())?;
    let mut diagnostic = Diagnostic::new(code, severity, source, told["message"].as_str()?);
    diagnostic.incomplete = told["incomplete"] == true;
    Some(match told["help"].as_str() {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    })
}
