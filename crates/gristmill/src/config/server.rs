//! `[server]`: how `serve` listens, whom it lets in, and how much it takes.

use std::path::Path;

use gristmill_core::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::resolve::Cx;
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
    /// Who is let in. Default: `[]`, everybody on this machine, and `bind` must be an address of it.
    pub token: Option<Vec<TokenOptions>>,
    /// The `name` of the source of type `fs` that takes documents sent to `/v1/documents`. Default: none. Example:
    /// `push = "inbox"`.
    pub push: Option<String>,
    /// Callbacks may go to addresses of private networks. Default: `false`.
    pub allow_private_callbacks: Option<bool>,
    /// Megabytes of a request at most. Default: `25`.
    pub max_body_mb: Option<u32>,
    /// Requests that are worked on at a time; more are answered with 503. Default: `64`.
    pub max_requests: Option<u32>,
    /// Jobs of different projects that run at a time. Default: `1`.
    pub max_jobs: Option<u32>,
    /// Where traces are sent, by OTLP over HTTP. Default: nowhere. Example: `traces = "http://127.0.0.1:4318"`.
    pub traces: Option<String>,
}

/// What a token lets its bearer do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TokenScope {
    /// Look and search.
    Read,
    /// Send documents and run jobs, too.
    Write,
    /// Everything, such as figures of all projects.
    Admin,
}

/// A token, by its hash.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TokenOptions {
    /// What it is called in logs. Example: `name = "ci"`.
    pub name: Option<String>,
    /// The SHA-256 of the token, as `gristmill serve --new-token` prints it. Example: `hash = "sha256:…"`.
    pub hash: Option<String>,
    /// What it lets its bearer do. Default: `"read"`.
    pub scope: Option<TokenScope>,
    /// The projects it is for. Default: all.
    pub projects: Option<Vec<String>>,
}

/// A token, by its hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TokenSettings {
    /// What it is called in logs.
    pub name: String,
    /// The SHA-256 of the token, 64 hexadecimal digits in lower case.
    pub hash: String,
    /// What it lets its bearer do.
    pub scope: TokenScope,
    /// The projects it is for; `None` for all.
    pub projects: Option<Vec<String>>,
}

/// How `serve` listens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ServerSettings {
    /// Address and port.
    pub bind: String,
    /// The secret of webhooks; without one they are refused.
    pub webhook_secret: Option<Secret>,
    /// Who is let in.
    pub token: Vec<TokenSettings>,
    /// The source that takes documents that are sent.
    pub push: Option<String>,
    /// Callbacks may go to addresses of private networks.
    pub allow_private_callbacks: bool,
    /// Megabytes of a request at most.
    pub max_body_mb: u32,
    /// Requests that are worked on at a time.
    pub max_requests: u32,
    /// Jobs of different projects that run at a time.
    pub max_jobs: u32,
    /// Where traces are sent.
    pub traces: Option<String>,
}

impl ServerOptions {
    pub(super) fn rebase(&mut self, folder: &Path) {
        if let Some(secret) = &mut self.webhook_secret {
            secret.rebase(folder);
        }
    }
}

impl ServerSettings {
    pub(super) fn resolve(options: &ServerOptions, cx: &Cx) -> Result<Self> {
        let webhook = secret::either(
            "server.webhook_secret",
            options.webhook_secret.as_ref(),
            options.webhook_secret_env.as_ref(),
            cx,
        )?;
        let token = options.token.iter().flatten().enumerate().map(|(index, token)| resolve_token(token, index, cx));
        Ok(Self {
            bind: options.bind.clone().unwrap_or_else(|| "127.0.0.1:7717".to_owned()),
            webhook_secret: webhook,
            token: token.collect::<Result<_>>()?,
            push: options.push.clone(),
            allow_private_callbacks: options.allow_private_callbacks.unwrap_or_default(),
            max_body_mb: options.max_body_mb.unwrap_or(25).max(1),
            max_requests: options.max_requests.unwrap_or(64).max(1),
            max_jobs: options.max_jobs.unwrap_or(1).max(1),
            traces: options.traces.clone(),
        })
    }
}

fn resolve_token(token: &TokenOptions, index: usize, cx: &Cx) -> Result<TokenSettings> {
    let key = format!("server.token[{index}]");
    let is_hash = |hash: &&str| hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let hash = token.hash.as_deref().and_then(|hash| hash.strip_prefix("sha256:")).filter(is_hash);
    // What stands there may be the token itself: it is not repeated.
    let hash = hash.ok_or_else(|| {
        let wrong =
            "is not a hash of the form `sha256:` and 64 hexadecimal digits; `gristmill serve --new-token` makes one";
        cx.origins.blame(&format!("{key}.hash"), format!("`{key}.hash` {wrong}"))
    })?;
    Ok(TokenSettings {
        name: token.name.clone().unwrap_or_else(|| format!("token {index}")),
        hash: hash.to_lowercase(),
        scope: token.scope.unwrap_or(TokenScope::Read),
        projects: token.projects.clone(),
    })
}
