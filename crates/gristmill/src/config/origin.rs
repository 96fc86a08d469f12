//! Where each value came from.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use gristmill_core::{Diagnostic, Error, Severity};

/// Where a value came from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// The command line.
    Flag,
    /// An environment variable.
    Env(String),
    /// The project's file, and the line in it.
    Project(PathBuf, Option<u32>),
    /// The user's own file, and the line in it.
    User(PathBuf, Option<u32>),
    /// The preset.
    Preset(&'static str),
    /// Follows from the value of another key.
    Derived(String),
    /// Nothing was said.
    #[default]
    Default,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag => f.write_str("flag"),
            Self::Env(name) => write!(f, "environment {name}"),
            Self::Project(path, line) | Self::User(path, line) => {
                write!(f, "{}", path.display())?;
                line.map_or(Ok(()), |line| write!(f, ":{line}"))
            }
            Self::Preset(name) => write!(f, "preset {name}"),
            Self::Derived(key) => f.write_str(key),
            Self::Default => f.write_str("default"),
        }
    }
}

/// Where every value came from, by its key: `chunk.max`, `source[0].path`, `chunk.by_type.faq.overlap`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins(BTreeMap<String, Origin>);

impl Origins {
    /// Where the value of `key` came from. A key inside a list or table has the origin of the whole, where it has none
    /// of its own.
    pub fn of(&self, key: &str) -> &Origin {
        const DEFAULT: &Origin = &Origin::Default;
        let mut at = key;
        loop {
            if let Some(origin) = self.0.get(at) {
                return origin;
            }
            match at.rfind(['.', '[']) {
                Some(end) => at = &at[..end],
                None => return DEFAULT,
            }
        }
    }

    pub(super) fn knows(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    pub(super) fn set(&mut self, key: impl Into<String>, origin: Origin) {
        self.0.insert(key.into(), origin);
    }

    /// Forgets what was known about `key` and its parts, and takes `origin` for it and what `from` knows of its parts.
    pub(super) fn replace(&mut self, key: &str, origin: Origin, from: &Self) {
        let old: Vec<String> = self.parts(key).map(|(at, _)| at.clone()).collect();
        for at in old {
            self.0.remove(&at);
        }
        self.0.extend(from.parts(key).map(|(at, origin)| (at.clone(), origin.clone())));
        self.set(key, origin);
    }

    fn parts<'a>(&'a self, key: &str) -> impl Iterator<Item = (&'a String, &'a Origin)> {
        let inside = |mark: char| {
            let start = format!("{key}{mark}");
            self.0.range(start.clone()..).take_while(move |(at, _)| at.starts_with(&start))
        };
        inside('.').chain(inside('['))
    }

    /// An error about the value of `key`, with where it was set as its hint; of a table that is where its first part was set.
    pub fn blame(&self, key: &str, message: impl Into<String>) -> Error {
        let error = Error::config(message);
        let (key, origin) = match self.of(key) {
            Origin::Default => self.parts(key).next().map_or((key, &Origin::Default), |(part, origin)| (part, origin)),
            origin => (key, origin),
        };
        match origin {
            Origin::Default => error,
            origin => error.hint(format!("`{key}` comes from: {origin}")),
        }
    }

    /// A note about the value of `key`.
    pub(super) fn note(&self, key: &str, code: &'static str, message: String) -> Diagnostic {
        let (place, line) = match self.of(key) {
            Origin::Project(path, line) | Origin::User(path, line) => (path.display().to_string(), *line),
            origin => (origin.to_string(), None),
        };
        let note = Diagnostic::new(code, Severity::Low, &place, message);
        line.map_or(note.clone(), |line| note.at_line(line.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_the_origin_of_the_whole() {
        let mut origins = Origins::default();
        origins.set("source", Origin::Flag);
        origins.set("source[1].path", Origin::Project("gristmill.toml".into(), Some(7)));
        assert_eq!(origins.of("source[0].path"), &Origin::Flag);
        assert_eq!(origins.of("source[1].path").to_string(), "gristmill.toml:7");
        assert_eq!(origins.of("chunk.max"), &Origin::Default);
        let error = origins.blame("source[1].path", "no such folder: docs");
        assert_eq!(error.hint_text(), Some("`source[1].path` comes from: gristmill.toml:7"));
        origins.set("chunk.by_type.a.max", Origin::Flag);
        let error = origins.blame("chunk.by_type", "no such table");
        assert_eq!(error.hint_text(), Some("`chunk.by_type.a.max` comes from: flag"));
        let note = origins.note("source[1].path", "odd", "odd".into());
        assert_eq!((note.place.source.as_str(), note.place.line), ("gristmill.toml", Some(7)));
    }
}
