//! `[server]`: how `serve` listens.

use std::path::Path;

use gristmill_core::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Secret, secret};

/// How `serve` listens.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ServerOptions {
    /// Address and port. Default: `"127.0.0.1:7717"`.
    pub bind: Option<String>,
    /// The environment variable that holds the secret of webhooks. Example:
    /// `webhook_secret_env = "GRISTMILL_WEBHOOK_SECRET"`.
    pub webhook_secret_env: Option<String>,
    /// The secret of webhooks, by name: `"${NAME}"` or `"file:PATH"`. The secret itself is never written here.
    pub webhook_secret: Option<Secret>,
}

/// How `serve` listens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ServerSettings {
    /// Address and port.
    pub bind: String,
    /// The secret of webhooks; without one they are refused.
    pub webhook_secret: Option<Secret>,
}

impl ServerOptions {
    pub(super) fn rebase(&mut self, folder: &Path) {
        if let Some(secret) = &mut self.webhook_secret {
            secret.rebase(folder);
        }
    }
}

impl ServerSettings {
    pub(super) fn resolve(options: &ServerOptions) -> Result<Self> {
        let ServerOptions { bind, webhook_secret_env, webhook_secret } = options;
        Ok(Self {
            bind: bind.clone().unwrap_or_else(|| "127.0.0.1:7717".to_owned()),
            webhook_secret: secret::either(
                "server.webhook_secret",
                webhook_secret.as_ref(),
                webhook_secret_env.as_ref(),
            )?,
        })
    }
}
