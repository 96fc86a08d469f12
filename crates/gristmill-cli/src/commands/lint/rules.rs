//! `gristmill rules`: what can be found.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::ValueEnum;
use gristmill::findings::{Repair, RuleInfo};
use gristmill::{Result, rule_infos};

use super::super::json;
use super::reference;
use crate::output::{print, write_text};
use crate::paint::{BOLD, DIM, paint};

/// List the rules of scan and fix
#[derive(Debug, clap::Args)]
pub struct Args {
    /// text, json or markdown
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Text, help_heading = "Output")]
    #[arg(hide_possible_values = true)]
    format: Form,
}

/// Whom the list is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    // For people at a terminal.
    Text,
    // For programs.
    Json,
    // The page docs/reference/rules.md.
    Markdown,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let rules = rule_infos();
    match args.format {
        Form::Json => print(&json(&rules)?)?,
        Form::Text => print(&text(&rules))?,
        Form::Markdown => write_text(None, &reference::page(&rules))?,
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
