//! `cargo xtask fuzz`: looks for inputs that break something. Needs `cargo install cargo-fuzz` and a nightly toolchain.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::summary::Tally;
use crate::{process, repo};

/// Seconds for each reader, when nothing is said.
const SECONDS: &str = "60";

/// The readers of documents have one target, which is told whose turn it is.
const READERS: &str = "crates/gristmill-read/corpus";

/// What else is fuzzed: its name and that of its corpus, the target, the crate, and what the target needs.
const OTHERS: [(&str, &str, &str, &[&str]); 4] = [
    ("chunk-file", "chunk_file", "crates/gristmill-format/corpus", &[]),
    ("config", "config", "crates/gristmill/corpus", &["--features", "whole"]),
    ("tokens", "tokens", "crates/gristmill-text/corpus", &[]),
    ("webhook", "webhook", "crates/gristmill-server/corpus", &["--features", "whole"]),
];

/// Fuzzes by name; without names everything that has a folder of inputs.
pub fn fuzz(words: &[&str]) -> Result<Tally, String> {
    let (seconds, names) = match words {
        ["--seconds", seconds, names @ ..] => (*seconds, names),
        names => (SECONDS, names),
    };
    let mut all = folders(&repo::root().join(READERS))?;
    all.extend(OTHERS.iter().map(|(name, ..)| (*name).to_owned()));
    let names: Vec<&str> = if names.is_empty() { all.iter().map(String::as_str).collect() } else { names.to_vec() };
    if let Some(unknown) = names.iter().find(|name| !all.iter().any(|known| known == *name)) {
        return Err(format!("nothing to fuzz is called `{unknown}`; there is {}", all.join(", ")));
    }
    let mut tally = Tally::default();
    for name in names {
        match run(name, seconds) {
            Ok(()) => tally.passed += 1,
            Err(message) => {
                crate::say::error(&message);
                tally.failed += 1;
            }
        }
    }
    Ok(tally)
}

/// New inputs go below the target folder; those that are worth keeping are copied by hand.
fn run(name: &str, seconds: &str) -> Result<(), String> {
    let place = repo::target()?.join("fuzz").join(name);
    let (found, broken) = (place.join("found"), place.join("broken"));
    for folder in [&found, &broken] {
        fs::create_dir_all(folder).map_err(|error| format!("`{}` cannot be made: {error}", folder.display()))?;
    }
    let other = OTHERS.iter().find(|(other, ..)| *other == name);
    let (target, corpora, needs) =
        other.map_or(("read", READERS, &[][..]), |(_, target, at, needs)| (target, at, needs));
    // The toolchain is another one than that which runs this.
    let mut command = Command::new("cargo");
    command.args(["+nightly", "fuzz", "run", "--sanitizer", "none"]).args(needs).arg(target).current_dir(repo::root());
    command.env("CARGO_TARGET_DIR", repo::target()?.join("fuzz/build")).env("GRISTMILL_FUZZ", name);
    command.arg(found).arg(repo::root().join(corpora).join(name)).arg("--").arg(format!("-max_total_time={seconds}"));
    command.args(["-timeout=10", "-rss_limit_mb=2048", "-max_len=65536", "-verbosity=0", "-print_final_stats=1"]);
    command.arg(format!("-artifact_prefix={}/", broken.display()));
    process::run(&mut command)
}

fn folders(of: &Path) -> Result<Vec<String>, String> {
    let entries = fs::read_dir(of).map_err(|error| format!("`{}`: {error}", of.display()))?;
    let mut names: Vec<String> = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    Ok(names)
}
