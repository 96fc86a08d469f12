//! `cargo xtask compare WHAT`: gristmill beside public tools, in one run. What is compared, and how, says a script.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

use crate::summary::Tally;
use crate::{process, repo, say};

/// Where the scripts are, in the repository. `compare_WHAT.py` compares; its head names the packages that it needs, as in
/// PEP 723.
const SCRIPTS: &str = "crates/gristmill-bench/study";

/// The variable that names the folder of documents to compare on.
const CORPORA: &str = "GRISTMILL_CORPORA";

/// Compares one thing, or tells what can be compared.
pub fn run(what: &str) -> Result<Tally, String> {
    let script = repo::root().join(SCRIPTS).join(format!("compare_{what}.py"));
    let text = fs::read_to_string(&script).map_err(|_| unknown(what))?;
    let corpora = corpora()?;
    let program = repo::binary(true)?;
    let place = repo::target()?.join("compare").join(what);
    fs::create_dir_all(&place).map_err(|error| format!("`{}` cannot be made: {error}", place.display()))?;
    let python = environment(&place.join("venv"), &needs(&text))?;
    let mut command = Command::new(python);
    command.arg(&script).args([&program, &corpora, &place.join("work")]);
    process::run(command.env("PYTHONDONTWRITEBYTECODE", "1").current_dir(repo::root()))?;
    Ok(Tally::default())
}

fn unknown(what: &str) -> String {
    let scripts = fs::read_dir(repo::root().join(SCRIPTS)).into_iter().flatten().flatten();
    let names = scripts.filter_map(|entry| {
        Some(entry.file_name().to_str()?.strip_prefix("compare_")?.strip_suffix(".py")?.to_owned())
    });
    let mut names: Vec<String> = names.collect();
    names.sort();
    format!("nothing to compare is called `{what}`; there is {}", names.join(", "))
}

/// The folder of documents: the one that is named, else the one beside the repository.
fn corpora() -> Result<PathBuf, String> {
    let beside = repo::root().join("../shared/corpora");
    let folder = env::var_os(CORPORA).map_or(beside, PathBuf::from);
    folder.canonicalize().map_err(|_| {
        format!("no documents to compare on: `{}` is not there; {CORPORA} may name another folder", folder.display())
    })
}

/// The packages that the head of a script names, one on a line.
fn needs(script: &str) -> Vec<&str> {
    let head = script.lines().skip_while(|line| *line != "# /// script").take_while(|line| *line != "# ///");
    head.filter_map(|line| line.strip_prefix("#     \"")?.strip_suffix("\",")).collect()
}

/// The Python of an environment with these packages, made anew when others are asked for.
fn environment(folder: &std::path::Path, needs: &[&str]) -> Result<PathBuf, String> {
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let (stamp, wanted) = (folder.join("needs.txt"), needs.join("\n"));
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    process::run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder))?;
    if !needs.is_empty() {
        say::note(&format!("installing {}", needs.join(", ")));
        let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        process::run(Command::new(&python).args(install).args(needs))?;
    }
    fs::write(&stamp, wanted).map_err(|error| format!("`{}`: {error}", stamp.display()))?;
    Ok(python)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_a_script_names_packages() {
        let script = "#!/usr/bin/env python3\n# /// script\n# dependencies = [\n#     \"a==1.0\",\n#     \"b>2\",\n# ]\n# ///\n#     \"c\",\n";
        assert_eq!(needs(script), ["a==1.0", "b>2"]);
        assert_eq!(needs("import a\n"), Vec::<&str>::new());
    }

    #[test]
    fn what_is_not_known_is_told_with_what_is() {
        let message = unknown("everything");
        assert!(
            message.starts_with(
                "nothing to compare is called `everything`; there is chunk, extract, growth, ingest, scan"
            ),
            "{message}"
        );
    }
}
