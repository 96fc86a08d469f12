//! `gristmill rules`: what can be found.

use std::fmt::Write as _;
use std::process::ExitCode;

use gristmill::findings::{Repair, RuleInfo};
use gristmill::{Result, rule_infos};

use super::super::{Form, json};
use crate::output::print;
use crate::paint::{BOLD, DIM, paint};

/// List the rules of scan and fix
#[derive(Debug, clap::Args)]
pub struct Args {
    /// text or json
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Text, help_heading = "Output")]
    #[arg(hide_possible_values = true)]
    format: Form,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let rules = rule_infos();
    match args.format {
        Form::Json => print(&json(&rules)?)?,
        Form::Text => print(&text(&rules))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn text(rules: &[RuleInfo]) -> String {
    let width = rules.iter().map(|rule| rule.name.len()).max().unwrap_or_default();
    let mut out = String::new();
    for rule in rules {
        let fix = match rule.repair {
            Repair::None => "",
            Repair::Lossless => " ·fixable",
            Repair::Unsafe => " ·fixable with --unsafe",
        };
        let name = paint(BOLD, format!("{:width$}", rule.name));
        let _ = writeln!(out, "{name}  {:6}  {}{}", rule.severity.name(), rule.title, paint(DIM, fix));
    }
    let _ = writeln!(out, "\n`gristmill explain RULE` says more about one");
    out
}
