//! The project's own commands: `cargo xtask check` and what it is made of.

mod cases;
mod check;
mod compare;
mod demo;
mod fuzz;
mod generate;
mod process;
mod python;
mod repo;
mod say;
mod summary;
mod tidy;

use std::process::ExitCode;

use summary::Tally;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  check               everything that must hold: format, lints, tidy, tests, generated files, cases, Python
  tidy                the rules of the repository that the compiler does not know
  generate [--check]  writes the generated files, or tells which are out of date
  cases [MODE AREA…]  runs the shared cases of xtask/cases.txt, or those named here
  python              builds the wheel of the Python package, installs it and runs its tests
  compare WHAT        shows gristmill beside public tools, which it installs: chunk, extract, growth, ingest, scan
  fuzz [NAME…]        looks for inputs that break readers, settings, webhooks, counts; --seconds N for each
  demo                curates, ingests and searches the example handbook";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["check"] => return check::run(),
        ["tidy"] => tidy::run(),
        ["generate"] => generate::write(),
        ["generate", "--check"] => generate::check(),
        ["cases"] => cases::listed(),
        ["cases", mode, areas @ ..] => cases::run(mode, areas),
        ["python"] => python::check(),
        ["fuzz", words @ ..] => fuzz::fuzz(words),
        ["compare", what] => compare::run(what),
        ["demo"] => demo::run(),
        _ => Err(USAGE.to_owned()),
    };
    match result {
        Ok(Tally { failed: 0, .. }) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(message) => {
            say::error(&message);
            ExitCode::FAILURE
        }
    }
}
