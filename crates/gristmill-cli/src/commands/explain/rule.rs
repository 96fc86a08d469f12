//! A rule with its reasons and its repair.

use gristmill::Result;
use gristmill::findings::{Repair, RuleInfo};

use super::super::{Form, json};
use crate::output::{print, write_text};
use crate::paint::{BOLD, paint};

pub fn show(rule: &RuleInfo, form: Form) -> Result<()> {
    if form == Form::Json {
        return write_text(None, &json(rule)?);
    }
    let repair = match rule.repair {
        Repair::None => "not repaired",
        Repair::Lossless => "repaired without loss",
        Repair::Unsafe => "repaired with `--unsafe` only",
    };
    let head = format!("{} ({}, {repair})", paint(BOLD, rule.name), rule.severity.name());
    print(&format!("{head}\n{}\n\n{}", rule.title, rule.docs.trim_start()))
}
