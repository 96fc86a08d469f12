//! `cargo xtask fuzz`: looks for inputs that break something. Needs `cargo install cargo-fuzz` and a nightly toolchain.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::summary::Tally;
use crate::{process, repo};

/// Seconds for each reader, when nothing is said.
const SECONDS: &str = "60";

/// Fuzzes readers by name; without names all that have a folder of inputs.
pub fn readers(words: &[&str]) -> Result<Tally, String> {
    let (seconds, names) = match words {
        ["--seconds", seconds, names @ ..] => (*seconds, names),
        names => (SECONDS, names),
    };
    let corpora = repo::root().join("crates/gristmill-read/corpus");
    let all = folders(&corpora)?;
    let names: Vec<&str> = if names.is_empty() { all.iter().map(String::as_str).collect() } else { names.to_vec() };
    let mut tally = Tally::default();
    for name in names {
        match read(name, &corpora.join(name), seconds) {
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
fn read(name: &str, kept: &Path, seconds: &str) -> Result<(), String> {
    let place = repo::target()?.join("fuzz").join(name);
    let (found, broken) = (place.join("found"), place.join("broken"));
    for folder in [&found, &broken] {
        fs::create_dir_all(folder).map_err(|error| format!("`{}` cannot be made: {error}", folder.display()))?;
    }
    // The toolchain is another one than that which runs this.
    let mut command = Command::new("cargo");
    command.args(["+nightly", "fuzz", "run", "--sanitizer", "none", "read"]).current_dir(repo::root());
    command.env("CARGO_TARGET_DIR", repo::target()?.join("fuzz/build")).env("GRISTMILL_FUZZ", name);
    command.arg(found).arg(kept).arg("--").arg(format!("-max_total_time={seconds}"));
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
