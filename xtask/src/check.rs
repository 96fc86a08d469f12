//! `cargo xtask check`: everything that must hold, step by step, up to the first failure.

use std::process::{Command, ExitCode};

use crate::summary::Tally;
use crate::{cases, generate, process, python, repo, say, tidy};

type Step = fn() -> Result<Tally, String>;

const STEPS: [(&str, Step); 8] = [
    ("format", format),
    ("lints", lints),
    ("tidy", tidy::run),
    ("tests", tests),
    ("documentation tests", doc_tests),
    ("generated files", generate::check),
    ("shared cases", cases::listed),
    ("Python package", python::check),
];

/// Ends with the line `N passed, N failed, N skipped`, on standard output.
pub fn run() -> ExitCode {
    let mut total = Tally::default();
    for (name, step) in STEPS {
        say::note(&format!("== {name}"));
        total += step().unwrap_or_else(|message| {
            say::error(&message);
            Tally::failure()
        });
        if total.failed > 0 {
            say::note(&format!("stopped: {name} failed"));
            break;
        }
    }
    say::result(&total.to_string());
    if total.failed > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn format() -> Result<Tally, String> {
    with_component("fmt", "rustfmt", &["fmt", "--all", "--check"])
}

fn lints() -> Result<Tally, String> {
    with_component("clippy", "clippy", &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"])
}

/// Some toolchains are installed without these components.
fn with_component(subcommand: &str, component: &str, args: &[&str]) -> Result<Tally, String> {
    if !process::works(&mut repo::cargo(&[subcommand, "--version"])) {
        say::note(&format!("skipped: `cargo {subcommand}` is not there; try `rustup component add {component}`"));
        return Ok(Tally::skip());
    }
    process::run(&mut repo::cargo(args)).map(|()| Tally::default())
}

fn tests() -> Result<Tally, String> {
    if process::works(&mut repo::cargo(&["nextest", "--version"])) {
        let args = ["nextest", "run", "--workspace", "--locked", "--no-fail-fast", "--status-level", "fail"];
        return counted(&mut repo::cargo(&args));
    }
    counted(&mut repo::cargo(&["test", "--workspace", "--locked", "--no-fail-fast", "--tests"]))
}

fn doc_tests() -> Result<Tally, String> {
    counted(&mut repo::cargo(&["test", "--workspace", "--locked", "--no-fail-fast", "--doc"]))
}

/// Runs tests and adds up what their runners say. One that fails without saying so (a build error) counts as a failure.
pub fn counted(command: &mut Command) -> Result<Tally, String> {
    let mut total = Tally::default();
    command.env("CARGO_TERM_COLOR", "never");
    let good = process::watch(command, |line| total += Tally::from_line(line).unwrap_or_default())?;
    if !good && total.failed == 0 {
        total += Tally::failure();
    }
    Ok(total)
}
