//! The objects of a bucket.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use gristmill_core::Result;
use gristmill_source::ObjectSpec;
use serde::Serialize;
use serde_json::Value;

use super::SourceOptions;
use crate::config::resolve::Cx;
use crate::config::secret::{LITERAL, Secret};
use crate::config::{Env, Scalar};
use crate::open::proxy;

/// Words in the names of settings whose values are secrets, in the languages of all three stores.
const SECRET: [&str; 6] = ["secret", "token", "password", "sas", "account_key", "service_account_key"];

/// What the variables of the stores begin with.
const VARIABLES: [&str; 3] = ["AWS_", "AZURE_", "GOOGLE_"];

/// The settings of a bucket's store.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ObjectSettings {
    /// By name, as they were given: secrets are only named.
    pub options: BTreeMap<String, Scalar>,
}

impl ObjectSettings {
    pub(super) fn resolve(options: &SourceOptions, key: &str, cx: &Cx) -> Result<Self> {
        let options = options.options.clone().unwrap_or_default();
        for (name, value) in &options {
            let small = name.to_ascii_lowercase();
            if SECRET.iter().any(|word| small.contains(word)) && secret(value).is_none() {
                return Err(cx.origins.blame(&format!("{key}.options.{name}"), format!("`{name}`: {LITERAL}")));
            }
        }
        Ok(Self { options })
    }

    pub(super) fn spec(&self, url: &str, timeout: Option<Duration>, env: &Env) -> Result<ObjectSpec> {
        let options = self.options.iter().map(|(name, value)| Ok((name.clone(), revealed(value, env)?)));
        let variables = env.iter().filter(|(name, _)| VARIABLES.iter().any(|start| name.starts_with(start)));
        Ok(ObjectSpec {
            url: url.to_owned(),
            options: options.collect::<Result<_>>()?,
            environment: variables.map(|(name, value)| (name.clone(), value.clone())).collect(),
            timeout,
            proxy: proxy(env, Some(url)),
        })
    }
}

/// Takes the files that are named to be relative to `folder`.
pub(super) fn rebase(options: &mut BTreeMap<String, Scalar>, folder: &Path) {
    for value in options.values_mut() {
        if let Some(mut named) = secret(value).filter(|named| matches!(named, Secret::File(_))) {
            named.rebase(folder);
            *value = Scalar::from(named.to_string());
        }
    }
}

fn secret(value: &Scalar) -> Option<Secret> {
    value.value().as_str().and_then(Secret::parse)
}

fn revealed(value: &Scalar, env: &Env) -> Result<String> {
    match (secret(value), value.value()) {
        (Some(secret), _) => secret.reveal(env),
        (None, Value::String(text)) => Ok(text.clone()),
        (None, other) => Ok(other.to_string()),
    }
}
