//! `cargo xtask generate`: files that are made from the code.

use std::fs;

use crate::summary::Tally;
use crate::{process, repo, say};

/// A generated file and the arguments of `cargo run` that print it.
struct Generated {
    path: &'static str,
    args: &'static [&'static str],
}

const FILES: &[Generated] = &[
    Generated { path: "docs/reference/record.schema.json", args: &["-p", "gristmill-format", "--example", "schema"] },
    Generated {
        path: "docs/reference/run-report.schema.json",
        args: &["-p", "gristmill-format", "--example", "schema", "report"],
    },
    Generated {
        path: "docs/reference/scan-report.schema.json",
        args: &["-p", "gristmill-format", "--example", "schema", "scan"],
    },
    Generated {
        path: "docs/reference/fix-report.schema.json",
        args: &["-p", "gristmill-format", "--example", "schema", "fix"],
    },
    Generated { path: "docs/reference/config.schema.json", args: &["-p", "gristmill-cli", "--", "config", "schema"] },
    Generated { path: "docs/reference/commands.md", args: &["-p", "gristmill-cli", "--", "help-markdown"] },
    Generated {
        path: "docs/reference/rules.md",
        args: &["-p", "gristmill-cli", "--", "rules", "--format", "markdown"],
    },
];

impl Generated {
    fn text(&self) -> Result<String, String> {
        process::output(&mut repo::cargo(&[&["run", "--quiet", "--locked"], self.args].concat()))
    }
}

/// Writes every file.
pub fn write() -> Result<Tally, String> {
    for file in FILES {
        let path = repo::root().join(file.path);
        let failed = |error: std::io::Error| format!("`{}` cannot be written: {error}", file.path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        fs::write(&path, file.text()?).map_err(failed)?;
        say::note(&format!("wrote {}", file.path));
    }
    Ok(Tally::default())
}

/// Tells which files differ from what the code makes.
pub fn check() -> Result<Tally, String> {
    let mut stale = Tally::default();
    for file in FILES {
        let there = fs::read_to_string(repo::root().join(file.path)).unwrap_or_default();
        if there.replace("\r\n", "\n") != file.text()? {
            say::error(&format!("`{}` is out of date; run `cargo xtask generate`", file.path));
            stale += Tally::failure();
        }
    }
    Ok(stale)
}
