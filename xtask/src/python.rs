//! `cargo xtask python`: the Python package, built into a wheel, installed and tested as people get it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::check::counted;
use crate::summary::Tally;
use crate::{process, repo, say};

/// The package, in the repository.
const PACKAGE: &str = "crates/gristmill-python";

/// The oldest Python that the packages it is tested against run on. The package itself runs on older ones.
const LEAST: (u8, u8) = (3, 11);

/// Builds, installs and tests.
pub fn check() -> Result<Tally, String> {
    let Some(python) = python() else {
        say::note(&format!("skipped: there is no Python {}.{} or newer with `venv`", LEAST.0, LEAST.1));
        return Ok(Tally::skip());
    };
    let place = repo::target()?.join("python");
    let tools = Tools { folder: place.join("venv") };
    if !tools.ready(python)? {
        say::note("skipped: the package index cannot be reached");
        return Ok(Tally::skip());
    }
    tools.install_wheel(&place.join("wheels"))?;
    counted(tools.python(&["-m", "pytest", "-p", "no:cacheprovider"]).current_dir(repo::root().join(PACKAGE)))
}

/// A Python that is new enough.
fn python() -> Option<&'static str> {
    let test = format!("import sys, venv, ensurepip; sys.exit(sys.version_info < {LEAST:?})");
    ["python3", "python"].into_iter().find(|python| process::works(Command::new(python).args(["-c", &test])))
}

/// An environment of Python with what builds and tests the package.
struct Tools {
    folder: PathBuf,
}

impl Tools {
    /// Makes the environment, unless that of an earlier run has the same requirements. False without a package index.
    fn ready(&self, python: &str) -> Result<bool, String> {
        let requirements = repo::root().join(PACKAGE).join("tests/requirements.txt");
        let wanted = fs::read_to_string(&requirements).map_err(|error| failed(&requirements, &error))?;
        let stamp = self.folder.join("requirements.txt");
        let same = fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted);
        if same && process::works(&mut self.python(&["-m", "pytest", "--version"])) {
            return Ok(true);
        }
        process::run(Command::new(python).args(["-m", "venv", "--clear"]).arg(&self.folder))?;
        if let Err(message) = process::run(self.pip("install").arg("--requirement").arg(&requirements)) {
            return if self.reaches_index() { Err(message) } else { Ok(false) };
        }
        fs::write(&stamp, wanted).map_err(|error| failed(&stamp, &error))?;
        Ok(true)
    }

    /// Builds the wheel in the profile for tests and installs it.
    fn install_wheel(&self, wheels: &Path) -> Result<(), String> {
        match fs::remove_dir_all(wheels) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(failed(wheels, &error)),
            _ => {}
        }
        let mut build = self.pip("wheel");
        build.args(["--no-build-isolation", "--no-deps", "--wheel-dir"]).arg(wheels);
        build.arg(repo::root().join(PACKAGE)).env("GRISTMILL_BUILD_PROFILE", "dev");
        process::run(&mut build)?;
        let entries = fs::read_dir(wheels).map_err(|error| failed(wheels, &error))?;
        let wheel = entries.flatten().map(|entry| entry.path()).next().ok_or("no wheel was built")?;
        process::run(self.pip("install").args(["--no-deps", "--force-reinstall"]).arg(wheel))
    }

    /// True when some package can be had.
    fn reaches_index(&self) -> bool {
        process::works(self.pip("download").args(["--no-deps", "--dest"]).arg(&self.folder).arg("pytest"))
    }

    fn pip(&self, subcommand: &str) -> Command {
        self.python(&["-m", "pip", subcommand, "--quiet", "--disable-pip-version-check"])
    }

    /// The environment's Python, which finds the environment's programs first.
    fn python(&self, args: &[&str]) -> Command {
        let programs = self.folder.join(if cfg!(windows) { "Scripts" } else { "bin" });
        let mut command = Command::new(programs.join("python"));
        let path = env::var_os("PATH").unwrap_or_default();
        let paths = std::iter::once(programs).chain(env::split_paths(&path));
        if let Ok(path) = env::join_paths(paths) {
            command.env("PATH", path);
        }
        command.env("PYTHONDONTWRITEBYTECODE", "1").args(args);
        command
    }
}

fn failed(path: &Path, error: &std::io::Error) -> String {
    format!("`{}`: {error}", path.display())
}
