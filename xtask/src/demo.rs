//! `cargo xtask demo`: the main job on the shipped example, each command shown as one would type it.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::summary::Tally;
use crate::{process, repo, say};

const QUESTION: &str = "How often must the battery be replaced?";

/// Curates the handbook, puts it into a store and asks it a question. Everything is written below the target folder.
pub fn run() -> Result<Tally, String> {
    let program = repo::binary(true)?;
    let out = repo::target()?.join("demo");
    // What an earlier run left would be found unchanged: the first run is the one to see.
    if out.exists() {
        fs::remove_dir_all(&out).map_err(|error| format!("`{}` cannot be emptied: {error}", out.display()))?;
    }
    fs::create_dir_all(&out).map_err(|error| format!("`{}` cannot be made: {error}", out.display()))?;
    let store = path_text(&out.join("store.db"))?;
    let (chunks, report) = (path_text(&out.join("chunks.json"))?, path_text(&out.join("report.md"))?);
    step(&program, &["curate", "--output", &chunks, "--report", &report])?;
    step(&program, &["ingest", "--store", &store])?;
    step(&program, &["search", QUESTION, "--limit", "3", "--store", &store])?;
    say::result(&format!("done: chunks, report and store are in {}", out.display()));
    Ok(Tally::default())
}

fn step(program: &Path, args: &[&str]) -> Result<(), String> {
    let mut command = Command::new(program);
    command.args(args).current_dir(repo::root().join("examples/handbook"));
    let mut typed = Command::new("gristmill");
    say::note(&format!("\n$ {}", process::shown(typed.args(args))));
    process::run(&mut command)
}

fn path_text(path: &Path) -> Result<String, String> {
    path.to_str().map(str::to_owned).ok_or_else(|| format!("the path is not UTF-8: {}", path.display()))
}
