//! Secrets: never written down, only named.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use gristmill_core::{Error, Result};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::resolve::Cx;

/// The environment, handed in by a front end.
pub type Env = BTreeMap<String, String>;

/// Where a secret is to be found: `"${NAME}"` in the environment, or `"file:PATH"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Secret {
    /// An environment variable.
    Env(String),
    /// A file; white space at its ends does not count.
    File(PathBuf),
}

/// Says what is wrong without repeating what might be a secret.
pub(super) const LITERAL: &str =
    "a secret is not written here: name a variable as \"${NAME}\" or a file as \"file:PATH\"";

impl Secret {
    /// The secret itself.
    ///
    /// # Errors
    /// Config: the variable is not set or empty, the file cannot be read or is empty.
    pub fn reveal(&self, env: &Env) -> Result<String> {
        match self {
            Self::Env(name) => match env.get(name) {
                Some(value) if !value.is_empty() => Ok(value.clone()),
                _ => Err(Error::config(format!("environment variable is not set: {name}"))),
            },
            Self::File(path) => {
                let failed = || format!("cannot read the secret in: {}", path.display());
                let text = std::fs::read_to_string(path).map_err(|e| Error::config(failed()).because(e))?;
                match text.trim() {
                    "" => Err(Error::config(format!("no secret in: {}", path.display()))),
                    secret => Ok(secret.to_owned()),
                }
            }
        }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        if let Some(path) = text.strip_prefix("file:") {
            return (!path.is_empty()).then(|| Self::File(path.into()));
        }
        let name = text.strip_prefix("${")?.strip_suffix('}')?;
        is_name(name).then(|| Self::Env(name.to_owned()))
    }

    pub(super) fn rebase(&mut self, folder: &Path) {
        if let Self::File(path) = self {
            *path = folder.join(&path);
        }
    }
}

/// True for what can be the name of an environment variable.
fn is_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !name.is_empty() && name.chars().all(plain)
}

/// The secret named by `key` or `key_env`, of which one may be given.
pub(super) fn either(key: &str, secret: Option<&Secret>, env: Option<&String>, cx: &Cx) -> Result<Option<Secret>> {
    let named = format!("{key}_env");
    match (secret, env) {
        (Some(_), Some(_)) => Err(cx.origins.blame(&named, format!("`{key}` and `{named}` cannot both be given"))),
        (Some(secret), None) => Ok(Some(secret.clone())),
        (None, Some(name)) if !is_name(name) => {
            // It may be the secret itself.
            let message = format!("`{named}` is not the name of an environment variable: {LITERAL}");
            Err(cx.origins.blame(&named, message))
        }
        (None, env) => Ok(env.map(|name| Secret::Env(name.clone()))),
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Env(name) => write!(f, "${{{name}}}"),
            Self::File(path) => write!(f, "file:{}", path.display()),
        }
    }
}

impl Serialize for Secret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer).map_err(|_| de::Error::custom(LITERAL))?;
        Self::parse(&text).ok_or_else(|| de::Error::custom(LITERAL))
    }
}

impl JsonSchema for Secret {
    fn schema_name() -> Cow<'static, str> {
        "Secret".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": r"^(\$\{[A-Za-z0-9_]+\}|file:.+)$" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_named_not_written() {
        assert_eq!(Secret::parse("${API_KEY}"), Some(Secret::Env("API_KEY".into())));
        assert_eq!(Secret::parse("file:/run/key"), Some(Secret::File("/run/key".into())));
        for literal in ["sk-12345", "", "${}", "${A B}", "file:", "$API_KEY"] {
            assert_eq!(Secret::parse(literal), None, "{literal}");
        }
        let error = serde_json::from_str::<Secret>("\"sk-12345\"").unwrap_err().to_string();
        assert!(!error.contains("12345"), "{error}");
    }

    #[test]
    fn secrets_are_found() {
        let env = Env::from([("KEY".into(), "abc".into()), ("EMPTY".into(), String::new())]);
        assert_eq!(Secret::Env("KEY".into()).reveal(&env).unwrap(), "abc");
        for name in ["EMPTY", "NONE"] {
            let error = Secret::Env(name.into()).reveal(&env).unwrap_err();
            assert_eq!(error.to_string(), format!("environment variable is not set: {name}"));
        }
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("key"), "abc\n").unwrap();
        let mut secret = Secret::File("key".into());
        secret.rebase(folder.path());
        assert_eq!(secret.reveal(&env).unwrap(), "abc");
    }
}
