//! Where a repository is, and what of that may be shown.

use std::path::Path;

use gristmill_core::{Error, Fingerprint, Result};

/// Ways to reach a repository. Others run programs that an address names.
const SCHEMES: &[&str] = &["https", "http", "ssh", "git", "file", "git+ssh", "ssh+git"];

/// Shorter words stand in too many other words to be taken out of a message.
const SECRET_MIN: usize = 3;

/// The address of a repository.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Address {
    /// As git is told it.
    pub(super) url: String,
    /// Without what may be secret.
    pub(super) shown: String,
    /// What must not be shown, longest first.
    secrets: Vec<String>,
}

impl Address {
    /// A path of this machine is relative to `folder`.
    pub(super) fn parse(text: &str, folder: &Path) -> Result<Self> {
        if text.is_empty() {
            return Err(Error::config("a git source needs a `url`"));
        }
        if text.starts_with('-') || text.chars().any(char::is_control) {
            return Err(Error::config("`url` of a git source begins with `-` or holds control characters"));
        }
        if let Some((scheme, rest)) = text.split_once("://") {
            return Self::with_scheme(text, scheme, rest);
        }
        if let Some((program, _)) = text.split_once("::").filter(|(program, _)| is_word(program)) {
            return Err(unknown(program));
        }
        if is_host_and_path(text) {
            return Ok(Self { url: text.to_owned(), shown: text.to_owned(), secrets: Vec::new() });
        }
        let path = folder.join(text);
        let path = path.to_str().ok_or_else(|| Error::config(format!("`url` is not Unicode: {}", path.display())))?;
        Ok(Self { url: path.to_owned(), shown: path.to_owned(), secrets: Vec::new() })
    }

    fn with_scheme(text: &str, scheme: &str, rest: &str) -> Result<Self> {
        let scheme = scheme.to_ascii_lowercase();
        if !SCHEMES.contains(&scheme.as_str()) {
            return Err(unknown(&scheme));
        }
        let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
        let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
        let (path, query) = path.split_at(path.find(['?', '#']).unwrap_or(path.len()));
        // With ssh the name is a part of the address; with http a token may stand in its place.
        let name = user.split(':').next().unwrap_or_default();
        let is_named = scheme.contains("ssh") && !name.is_empty();
        let shown_user = if is_named { format!("{name}@") } else { String::new() };
        let shown = format!("{scheme}://{shown_user}{host}{path}{}", if query.is_empty() { "" } else { "?…" });
        let hidden = user.splitn(2, ':').skip(usize::from(is_named)).chain([query.trim_start_matches('?')]);
        Ok(Self { url: text.to_owned(), shown, secrets: secrets(text, user, hidden) })
    }

    /// The name of the folder that holds the copy. The same whoever asks, so that a new password does not copy anew.
    pub(super) fn key(&self) -> String {
        let mut key = Fingerprint::of(self.shown.as_bytes()).to_string();
        key.truncate(32);
        key
    }

    /// `text` without what must not be shown.
    pub(super) fn redact(&self, text: &str) -> String {
        self.secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret, "***"))
    }
}

fn secrets<'t>(url: &str, user: &str, hidden: impl Iterator<Item = &'t str>) -> Vec<String> {
    let hidden: Vec<&str> = hidden.filter(|word| !word.is_empty()).collect();
    if hidden.is_empty() {
        return Vec::new();
    }
    let whole = if user.is_empty() { String::new() } else { format!("{user}@") };
    let words = hidden.iter().flat_map(|word| [(*word).to_owned(), percent_decoded(word)]);
    let words = words.filter(|word| word.chars().count() >= SECRET_MIN);
    let mut all: Vec<String> =
        [url.to_owned(), whole].into_iter().filter(|word| !word.is_empty()).chain(words).collect();
    all.sort_by(|a, b| (b.len(), a).cmp(&(a.len(), b)));
    all.dedup();
    all
}

fn unknown(scheme: &str) -> Error {
    Error::config(format!("`url` of a git source is of a kind that is not fetched: {scheme}"))
        .hint("use https, ssh, file, or a path of this machine")
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "+-._".contains(c))
}

/// True for `host:path` as ssh knows it. A colon after a `/` belongs to a path; so does one letter before it on Windows.
fn is_host_and_path(text: &str) -> bool {
    let Some(colon) = text.find(':') else { return false };
    let is_drive = cfg!(windows) && colon == 1;
    !text[..colon].contains('/') && !is_drive
}

fn percent_decoded(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let code = after.get(..2).and_then(|code| std::str::from_utf8(code).ok());
        match code.filter(|_| *first == b'%').and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                rest = &after[2..];
            }
            None => {
                out.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Address {
        Address::parse(text, Path::new("/desk")).unwrap()
    }

    #[test]
    fn what_may_be_secret_is_not_shown() {
        for (url, shown) in [
            ("https://example.org/docs.git", "https://example.org/docs.git"),
            ("https://token123@example.org/docs.git", "https://example.org/docs.git"),
            ("https://me:pass@word@example.org:8443/a", "https://example.org:8443/a"),
            ("HTTPS://example.org/a?key=secret", "https://example.org/a?…"),
            ("ssh://git@example.org/a", "ssh://git@example.org/a"),
            ("ssh://git:word@example.org/a", "ssh://git@example.org/a"),
            ("git@example.org:docs/a.git", "git@example.org:docs/a.git"),
            ("../a", "/desk/../a"),
            ("/srv/a:b", "/srv/a:b"),
            ("file:///srv/a", "file:///srv/a"),
        ] {
            assert_eq!(address(url).shown, shown);
        }
    }

    #[test]
    fn messages_lose_the_secret_in_every_form() {
        let one = address("https://me:p%40ss@example.org/a");
        assert_eq!(one.redact("p%40ss p@ss x"), "*** *** x");
        assert_eq!(one.redact("at https://me:p%40ss@example.org/a: no"), "at ***: no");
        let short = address("https://me:x@example.org/a");
        assert_eq!(short.redact("an x at https://me:x@example.org/b"), "an x at https://***example.org/b");
        assert_eq!(address("ssh://git@example.org/a").redact("git: git@example.org"), "git: git@example.org");
    }

    #[test]
    fn a_new_password_is_the_same_repository() {
        assert_eq!(address("https://a:b@example.org/a").key(), address("https://example.org/a").key());
        assert_ne!(address("https://example.org/a").key(), address("https://example.org/b").key());
    }

    #[test]
    fn addresses_that_run_programs_are_refused() {
        let message = |text: &str| Address::parse(text, Path::new("/")).unwrap_err().to_string();
        assert_eq!(message(""), "a git source needs a `url`");
        assert!(message("--upload-pack=touch x").contains("begins with `-`"));
        assert!(message("https://a\nb").contains("control characters"));
        assert!(message("ext::sh -c true").ends_with("not fetched: ext"));
        assert!(message("gopher://x").ends_with("not fetched: gopher"));
    }
}
