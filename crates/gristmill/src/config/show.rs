//! Settings as TOML.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use gristmill_core::Result;
use toml::{Table, Value};

use super::layers::table_of;
use super::{Origins, Secret, Settings};

/// The sections, in the order of the documentation.
const SECTIONS: [&str; 9] = ["clean", "chunk", "enrich", "validate", "lint", "embed", "store", "eval", "server"];

impl Settings {
    /// A settings file that says all that holds. Read from the same folder, it gives the same settings. Paths below the
    /// folder of the project are relative to it.
    ///
    /// # Errors
    /// Config: a path is not Unicode.
    pub fn to_toml(&self) -> Result<String> {
        self.write(None)
    }

    /// The same with the origin of each value as a comment: `max = 300  # from gristmill.toml:12`.
    ///
    /// # Errors
    /// As [`Settings::to_toml`].
    pub fn show_origins(&self) -> Result<String> {
        self.write(Some(&self.origins))
    }

    fn write(&self, origins: Option<&Origins>) -> Result<String> {
        let mut table = table_of(&self.below_root())?;
        let mut out = "version = 1\n".to_owned();
        let sources = table.remove("source");
        for key in ["project", "preset"] {
            if let Some(value) = table.remove(key) {
                line(&mut out, key, &value, key, origins);
            }
        }
        for (index, source) in sources.iter().flat_map(|s| s.as_array()).flatten().enumerate() {
            out.push_str("\n[[source]]\n");
            let source = source.as_table().cloned().unwrap_or_default();
            lines(&mut out, &source, &format!("source[{index}]"), origins);
        }
        for section in SECTIONS {
            if let Some(Value::Table(table)) = table.remove(section) {
                write_section(&mut out, table, section, origins);
            }
        }
        Ok(out)
    }

    /// These settings with paths relative to the root where they lie below it.
    fn below_root(&self) -> Self {
        let mut settings = self.clone();
        let root = &self.root;
        settings.source.iter_mut().for_each(|source| shorten(&mut source.path, root));
        settings.source.iter_mut().filter_map(|source| source.url.as_mut()).for_each(hide);
        [&mut settings.embed.base_url, &mut settings.store.url].into_iter().flatten().for_each(hide);
        shorten(&mut settings.store.path, root);
        settings.eval.questions.iter_mut().for_each(|path| shorten(path, root));
        let secrets = [&mut settings.embed.api_key, &mut settings.store.api_key, &mut settings.server.webhook_secret];
        for secret in secrets {
            if let Some(Secret::File(path)) = secret {
                shorten(path, root);
            }
        }
        settings
    }
}

fn shorten(path: &mut PathBuf, root: &Path) {
    if let Ok(below) = path.strip_prefix(root) {
        *path = if below.as_os_str().is_empty() { PathBuf::from(".") } else { below.to_owned() };
    }
}

/// A table, and the tables of types in it as tables of their own.
fn write_section(out: &mut String, mut table: Table, name: &str, origins: Option<&Origins>) {
    let types = table.remove("by_type");
    let _ = writeln!(out, "\n[{name}]");
    lines(out, &table, name, origins);
    for (typed, table) in types.iter().flat_map(|types| types.as_table()).flatten() {
        let _ = writeln!(out, "\n[{name}.by_type.{}]", bare_or_quoted(typed));
        let table = table.as_table().cloned().unwrap_or_default();
        lines(out, &table, &format!("{name}.by_type.{typed}"), origins);
    }
}

fn lines(out: &mut String, table: &Table, at: &str, origins: Option<&Origins>) {
    for (name, value) in table {
        line(out, name, value, &format!("{at}.{name}"), origins);
    }
}

/// `name = value`; tables inside are written on the same line.
fn line(out: &mut String, name: &str, value: &Value, key: &str, origins: Option<&Origins>) {
    let _ = write!(out, "{} = {}", bare_or_quoted(name), inline(value));
    if let Some(origins) = origins {
        // A secret has two keys, of which one was used.
        let twin = format!("{key}_env");
        let origin = if origins.knows(&twin) { origins.of(&twin) } else { origins.of(key) };
        let _ = write!(out, "  # from {origin}");
    }
    out.push('\n');
}

fn inline(value: &Value) -> String {
    match value {
        Value::Array(list) => format!("[{}]", list.iter().map(inline).collect::<Vec<_>>().join(", ")),
        Value::Table(table) if table.is_empty() => "{}".to_owned(),
        Value::Table(table) => {
            let pair = |(name, value): (&String, &Value)| format!("{} = {}", bare_or_quoted(name), inline(value));
            format!("{{ {} }}", table.iter().map(pair).collect::<Vec<_>>().join(", "))
        }
        Value::String(text) => quoted(text),
        other => other.to_string(),
    }
}

fn bare_or_quoted(name: &str) -> String {
    let bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    if bare { name.to_owned() } else { quoted(name) }
}

/// A basic string on one line. TOML wants quotes, backslashes and control characters escaped.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
/// Takes the password, or the name that stands for one, out of a URL.
fn hide(url: &mut String) {
    let Some(start) = url.find("://").map(|at| at + 3) else { return };
    let host = url[start..].split(['/', '?', '#']).next().unwrap_or_default();
    if let Some(at) = host.rfind('@') {
        url.replace_range(start..start + at, "…");
    }
}
