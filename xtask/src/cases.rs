//! `cargo xtask cases`: the shared cases that the project has reached. An area once listed stays.

use std::process::Command;

use crate::check::counted;
use crate::summary::Tally;
use crate::{process, repo, say};

/// Lines of `mode area`; `#` begins a comment.
const LIST: &str = include_str!("../cases.txt");

/// Where the cases and their runner are, when they are there.
const FOLDER: &str = "../shared/cases";

/// Runs the areas of the list, one mode after the other.
pub fn listed() -> Result<Tally, String> {
    let areas = areas(LIST)?;
    if areas.is_empty() {
        say::note("no areas are listed in xtask/cases.txt");
    }
    let mut total = Tally::default();
    for (mode, areas) in areas {
        total += run(mode, &areas)?;
    }
    Ok(total)
}

/// Runs areas of one mode; all of them when none is named.
pub fn run(mode: &str, areas: &[&str]) -> Result<Tally, String> {
    let runner = repo::root().join(FOLDER).join("run");
    if !runner.is_file() {
        say::note(&format!("skipped: there is no folder {FOLDER}"));
        return Ok(Tally::skip());
    }
    if !process::works(Command::new("python3").arg("--version")) {
        say::note("skipped: the runner needs Python 3");
        return Ok(Tally::skip());
    }
    let mut command = Command::new("python3");
    command.arg(runner).arg("--bin").arg(repo::binary(false)?).args(["--mode", mode]);
    if !areas.is_empty() {
        command.arg("--only").args(areas);
    }
    counted(&mut command)
}

/// The areas by mode, in the order in which the modes come first.
fn areas(list: &str) -> Result<Vec<(&str, Vec<&str>)>, String> {
    let mut modes: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in list.lines().map(|line| line.split('#').next().unwrap_or("").trim()).filter(|line| !line.is_empty()) {
        let (mode, area) = line.split_once(' ').ok_or_else(|| format!("xtask/cases.txt: no area in line: `{line}`"))?;
        match modes.iter_mut().find(|(known, _)| *known == mode) {
            Some((_, areas)) => areas.push(area.trim()),
            None => modes.push((mode, vec![area.trim()])),
        }
    }
    Ok(modes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_are_grouped_by_mode() {
        let list = "# reached\nchunk fences\nlint chunks # all\n\nchunk  blank\n";
        assert_eq!(areas(list), Ok(vec![("chunk", vec!["fences", "blank"]), ("lint", vec!["chunks"])]));
        assert!(areas("chunk").is_err());
        assert!(areas(LIST).is_ok());
    }
}
