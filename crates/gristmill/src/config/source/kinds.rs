//! The kinds of source, and which settings belong to which.

use gristmill_core::Result;
use gristmill_source::SOURCES;

use super::SourceOptions;
use crate::config::nearest::nearest;
use crate::config::resolve::Cx;

/// Files and folders.
const FS: &str = "fs";

/// A file of ready chunks.
pub(super) const CHUNKS: &str = "chunks";

/// A repository.
pub(super) const GIT: &str = "git";

/// Pages of the web.
pub(super) const WEB: &str = "web";

/// The objects of a bucket.
pub(super) const OBJECT: &str = "object";

/// A setting that only some kinds have.
struct Own {
    name: &'static str,
    kinds: &'static [&'static str],
    is_given: fn(&SourceOptions) -> bool,
}

macro_rules! own {
    ($($name:ident: $kinds:expr),* $(,)?) => {
        &[$(Own { name: stringify!($name), kinds: $kinds, is_given: |options| options.$name.is_some() }),*]
    };
}

const OWN: &[Own] = own! {
    path: &[FS, CHUNKS, GIT],
    url: &[GIT, OBJECT],
    commit: &[GIT],
    options: &[OBJECT],
    urls: &[WEB],
    sitemaps: &[WEB],
    crawl: &[WEB],
    within: &[WEB],
    depth: &[WEB],
    max_pages: &[WEB],
    max_bytes: &[WEB],
    max_page_bytes: &[WEB],
    max_seconds: &[WEB],
    timeout_seconds: &[GIT, WEB, OBJECT],
    delay_ms: &[WEB],
    allow_private: &[WEB],
};

/// The kind that is asked for, when it is known and all settings are ones that it has.
pub(super) fn checked(options: &SourceOptions, key: &str, cx: &Cx) -> Result<String> {
    let kind = options.kind.as_deref().unwrap_or(FS);
    known(kind, key, cx)?;
    if let Some(own) = OWN.iter().find(|own| (own.is_given)(options) && !own.kinds.contains(&kind)) {
        let kinds: Vec<String> = own.kinds.iter().map(|kind| format!("`{kind}`")).collect();
        let message = format!("only sources of type {} have `{}`: {key}", kinds.join(" or "), own.name);
        return Err(cx.origins.blame(&format!("{key}.{}", own.name), message));
    }
    let missing = |what: &str| Err(cx.origins.blame(key, format!("a source needs a `{what}`: {key}")));
    match kind {
        FS | CHUNKS if options.path.is_none() => missing("path"),
        GIT | OBJECT if options.url.is_none() => missing("url"),
        WEB if [&options.urls, &options.sitemaps, &options.crawl].into_iter().all(Option::is_none) => {
            let message = format!("a source of type `web` needs one of `urls`, `sitemaps` and `crawl`: {key}");
            Err(cx.origins.blame(key, message))
        }
        _ => Ok(kind.to_owned()),
    }
}

/// Kinds that other builds know.
const OPTIONAL: [&str; 1] = [OBJECT];

fn known(kind: &str, key: &str, cx: &Cx) -> Result<()> {
    let known: Vec<&str> = SOURCES.iter().map(|entry| entry.name).chain([CHUNKS]).collect();
    if known.contains(&kind) {
        return Ok(());
    }
    let at = format!("{key}.type");
    if OPTIONAL.contains(&kind) {
        let message = format!("this build cannot read sources of type `{kind}`: {key}");
        return Err(cx.origins.blame(&at, message).hint(format!("build gristmill with the feature `{kind}`")));
    }
    let near = nearest(kind, known.iter().copied());
    let advice = near.map_or_else(|| format!("known are {}", known.join(", ")), |near| format!("nearest is `{near}`"));
    Err(cx.origins.blame(&at, format!("unknown type of source ({advice}): {kind}")))
}
