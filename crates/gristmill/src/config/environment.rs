//! Settings from environment variables: `GRISTMILL_CHUNK_MAX=300` is `max = 300` in `[chunk]`.

use gristmill_core::{Diagnostic, Error, Outcome, Result, Severity};
use toml::{Table, Value};

use super::nearest::nearest;
use super::schema::{Known, schema};
use super::secret::LITERAL;
use super::{Env, Layer, Options, Origin};

const PREFIX: &str = "GRISTMILL_";

impl Layer {
    /// What the environment says. A value is read as TOML (`300`, `true`, `["a", "b"]`) where that gives what the key
    /// takes, else as text, else as a list of texts with commas between them. The variable of a secret holds the secret
    /// itself. Variables that are no settings are left alone; one that looks like a slip is noted.
    ///
    /// # Errors
    /// Config: a value that its key cannot take.
    pub fn environment(env: &Env) -> Result<Outcome<Self>> {
        let mut layer = Self { whole: Origin::Env(format!("{PREFIX}…")), ..Self::default() };
        let mut notes = Vec::new();
        let schema = schema();
        let keys = variables(Known::new(&schema));
        let mut table = Table::new();
        for (variable, value) in env {
            let Some(name) = variable.strip_prefix(PREFIX) else { continue };
            match keys.iter().find(|key| key.name == name) {
                Some(key) => {
                    put(&mut table, key, fitting(key, variable, value)?);
                    layer.origins.set(key.path(), Origin::Env(variable.clone()));
                }
                None => notes.extend(slip(variable, name, &keys)),
            }
        }
        layer.options = table.try_into().map_err(|e| Error::bug("settings cannot be read back").because(e))?;
        Ok(Outcome { value: layer, diagnostics: notes })
    }
}

/// A key that a variable can set.
struct Key<'s> {
    /// Of the variable, without the prefix.
    name: String,
    section: Option<&'s str>,
    key: &'s str,
}

impl Key<'_> {
    fn path(&self) -> String {
        self.section.map_or_else(|| self.key.to_owned(), |section| format!("{section}.{}", self.key))
    }
}

fn variables(top: Known<'_>) -> Vec<Key<'_>> {
    let mut out = Vec::new();
    for key in top.keys().into_iter().filter(|key| *key != "version") {
        let inner = top.key(key).map(Known::keys).unwrap_or_default();
        if inner.is_empty() {
            out.push(Key { name: key.to_uppercase(), section: None, key });
        }
        let within = |inner| Key { name: format!("{key}_{inner}").to_uppercase(), section: Some(key), key: inner };
        out.extend(inner.into_iter().map(within));
    }
    out
}

fn put(table: &mut Table, key: &Key<'_>, value: Value) {
    let Some(section) = key.section else {
        table.insert(key.key.to_owned(), value);
        return;
    };
    if let Value::Table(section) = table.entry(section).or_insert_with(|| Table::new().into()) {
        section.insert(key.key.to_owned(), value);
    }
}

/// The first reading of `text` that the key takes.
fn fitting(key: &Key<'_>, variable: &str, text: &str) -> Result<Value> {
    let readings = [
        text.parse::<Value>().ok(),
        Some(Value::from(text)),
        Some(text.split(',').map(|part| Value::from(part.trim())).collect::<Vec<_>>().into()),
    ];
    let mut complaint = None;
    for reading in readings.into_iter().flatten() {
        let mut table = Table::new();
        put(&mut table, key, reading.clone());
        match table.try_into::<Options>() {
            Ok(_) => return Ok(reading),
            Err(e) if e.message() == LITERAL => return Ok(Value::from(format!("${{{variable}}}"))),
            Err(e) => complaint = complaint.or(Some(e)),
        }
    }
    let detail = complaint.map_or_else(String::new, |e| format!(", {}", super::read::plain(e.message())));
    Err(Error::config(format!("wrong value for `{}`{detail}: environment variable {variable}", key.path())))
}

/// A note about a variable that is near a setting and is none.
fn slip(variable: &str, name: &str, keys: &[Key<'_>]) -> Option<Diagnostic> {
    let near = nearest(name, keys.iter().map(|key| key.name.as_str()))?;
    // Secrets may be kept in variables of any name.
    let may_be_secret = ["KEY", "SECRET", "TOKEN", "PASSWORD"].iter().any(|word| name.ends_with(word));
    let message = format!("variable sets nothing, nearest is `{PREFIX}{near}`");
    (!may_be_secret).then(|| Diagnostic::new("unknown-variable", Severity::Low, variable, message))
}
