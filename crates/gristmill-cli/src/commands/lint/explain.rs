//! `gristmill explain`: a rule with its reasons and its repair.

use std::process::ExitCode;

use gristmill::findings::Repair;
use gristmill::{Result, find_rule};

use crate::args::Global;
use crate::output::print;
use crate::paint::{BOLD, paint};

/// Explain a rule: what it finds, why it hurts, how it is repaired
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Name of a rule
    #[arg(value_name = "RULE")]
    rule: String,
}

pub fn run(_: &Global, args: &Args) -> Result<ExitCode> {
    let rule = find_rule(&args.rule)?;
    let repair = match rule.repair {
        Repair::None => "not repaired",
        Repair::Lossless => "repaired without loss",
        Repair::Unsafe => "repaired with `--unsafe` only",
    };
    let head = format!("{} ({}, {repair})", paint(BOLD, rule.name), rule.severity.name());
    print(&format!("{head}\n{}\n\n{}", rule.title, rule.docs.trim_start()))?;
    Ok(ExitCode::SUCCESS)
}
