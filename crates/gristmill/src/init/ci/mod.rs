//! Files that make a scan part of every change.

use gristmill_core::{Error, Result};

/// What runs the scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CiKind {
    /// GitHub Actions.
    Github,
    /// GitLab CI.
    Gitlab,
    /// The pre-commit program.
    PreCommit,
}

/// A file that is proposed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CiFile {
    /// Where it belongs, relative to the repository.
    pub path: &'static str,
    /// Its text.
    pub text: String,
    /// What is left to do, in a few lines.
    pub next: &'static str,
}

/// Proposes the file that scans `paths` (none: the sources of the settings file), with `/` in them and relative to the
/// repository. `from` is the address of the Git repository of gristmill, for services that have to get it; a tag, branch or
/// commit may follow after `@`, else it is the tag of this version.
///
/// # Errors
/// Usage: the service has to get gristmill, and no address is known.
pub fn ci_file(kind: CiKind, paths: &[String], from: Option<&str>) -> Result<CiFile> {
    let known = Some(env!("CARGO_PKG_REPOSITORY")).filter(|address| !address.is_empty());
    let origin = || {
        from.or(known).map(Origin::of).ok_or_else(|| {
            Error::usage("nothing says where CI gets gristmill from")
                .hint("say `--from URL`, the address of its Git repository, or `--from URL@TAG`")
        })
    };
    Ok(match kind {
        CiKind::Github => CiFile {
            path: ".github/workflows/gristmill.yml",
            text: github(&origin()?, paths),
            next: "commit it; findings stand in the next pull request",
        },
        CiKind::Gitlab => CiFile {
            path: ".gitlab/gristmill-scan.yml",
            text: gitlab(&origin()?, paths),
            next: "add it to .gitlab-ci.yml:\n  include:\n    - local: .gitlab/gristmill-scan.yml",
        },
        CiKind::PreCommit => CiFile {
            path: ".pre-commit-config.yaml",
            text: pre_commit(paths),
            next: "run `pre-commit install`; the scan then comes before each commit",
        },
    })
}

/// Where gristmill comes from.
struct Origin {
    address: String,
    revision: String,
}

impl Origin {
    /// An `@` counts in the last part of the address only: others are names of users.
    fn of(from: &str) -> Self {
        let last = from.rfind(['/', ':']).map_or(0, |at| at + 1);
        let (address, revision) = match from[last..].rfind('@') {
            Some(at) => (&from[..last + at], &from[last + at + 1..]),
            None => (from, concat!("v", env!("CARGO_PKG_VERSION"))),
        };
        Self { address: address.to_owned(), revision: revision.to_owned() }
    }
}

fn github(origin: &Origin, paths: &[String]) -> String {
    let lines: Vec<String> = paths.iter().map(|path| format!("            {path}")).collect();
    include_str!("github.yml")
        .replace("@REV@", &shell(&origin.revision))
        .replace("@FROM@", &shell(&origin.address))
        .replace("@PATHS@\n", &lines.iter().map(|line| format!("{line}\n")).collect::<String>())
}

fn gitlab(origin: &Origin, paths: &[String]) -> String {
    let quoted = |text: &str| text.replace('\'', "''");
    include_str!("gitlab.yml")
        .replace("@REV@", &quoted(&origin.revision))
        .replace("@FROM@", &quoted(&origin.address))
        .replace("@PATHS@", &quoted(&words(paths)))
}

fn pre_commit(paths: &[String]) -> String {
    let entry = if paths.is_empty() { "gristmill scan".to_owned() } else { format!("gristmill scan {}", words(paths)) };
    let files: Vec<String> = paths.iter().map(|path| escaped(path.trim_end_matches('/'))).collect();
    let files = if paths.is_empty() { String::new() } else { format!("^({})(/|$)", files.join("|")) };
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "''"));
    include_str!("pre-commit.yaml").replace("@ENTRY@", &quoted(&entry)).replace("@FILES@", &quoted(&files))
}

fn words(paths: &[String]) -> String {
    paths.iter().map(|path| shell(path)).collect::<Vec<_>>().join(" ")
}

/// A name as a regular expression of Python.
fn escaped(name: &str) -> String {
    let escaped = |c: char| if "\\.^$*+?()[]{}|".contains(c) { format!("\\{c}") } else { c.to_string() };
    name.chars().map(escaped).collect()
}

/// An argument as a shell takes it.
fn shell(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_./:=@%+-".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revision_follows_the_address() {
        for (from, address, revision) in [
            (
                "https://example.org/a/gristmill",
                "https://example.org/a/gristmill",
                concat!("v", env!("CARGO_PKG_VERSION")),
            ),
            ("https://me@example.org/a/gristmill@main", "https://me@example.org/a/gristmill", "main"),
            ("git@example.org:gristmill@v1", "git@example.org:gristmill", "v1"),
            ("git@example.org:a/g", "git@example.org:a/g", concat!("v", env!("CARGO_PKG_VERSION"))),
        ] {
            let origin = Origin::of(from);
            assert_eq!((origin.address.as_str(), origin.revision.as_str()), (address, revision), "{from}");
        }
    }

    #[test]
    fn names_are_quoted() {
        let paths = ["docs".to_owned(), "it's odd.json".to_owned()];
        let text = |kind| ci_file(kind, &paths, Some("https://example.org/g@v1")).unwrap().text;
        assert!(text(CiKind::PreCommit).contains(r"entry: 'gristmill scan docs ''it''\''''s odd.json'''"));
        assert!(text(CiKind::PreCommit).contains(r"files: '^(docs|it''s odd\.json)(/|$)'"));
        assert!(text(CiKind::Gitlab).contains(r"GRISTMILL_PATHS: 'docs ''it''\''''s odd.json''' #"));
        assert!(
            text(CiKind::Github)
                .contains("          paths: |\n            docs\n            it's odd.json\n          fail")
        );
    }

    #[test]
    fn only_services_have_to_get_it() {
        assert!(ci_file(CiKind::PreCommit, &[], None).is_ok());
        let known = !env!("CARGO_PKG_REPOSITORY").is_empty();
        assert_eq!(ci_file(CiKind::Github, &[], None).is_ok(), known);
    }
}
