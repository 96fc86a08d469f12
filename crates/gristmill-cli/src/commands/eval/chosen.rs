//! `--write`: the chosen settings go into the settings file.

use gristmill::eval::{Candidate, EvalReport, with_chosen};
use gristmill::{Error, Result};

use crate::args::Global;
use crate::output::write_text;
use crate::say;
use crate::settings::{current_folder, project_file};

/// Writes what the chosen setting says beyond the others. Questions that somebody asked decide, others only without them.
pub fn put(global: &Global, report: &EvalReport, said: &[Candidate]) -> Result<()> {
    let comparison = report.questions.as_ref().or(report.synthetic.as_ref());
    let chosen = comparison.and_then(|comparison| comparison.ranking.iter().find(|measured| measured.chosen));
    let retrievers = report.settings.len().checked_div(said.len()).unwrap_or(1).max(1);
    let candidate = chosen.and_then(|chosen| said.get(chosen.setting / retrievers));
    let candidate = candidate.ok_or_else(|| Error::bug("no setting was chosen"))?;
    if candidate.name.is_empty() {
        return Err(Error::usage("there is nothing to write: only one setting was measured")
            .hint("name settings to choose from with `--strategies` and `--grid`"));
    }
    let path = project_file(global)?.map_or_else(|| current_folder().map(|at| at.join("gristmill.toml")), Ok)?;
    let cannot = |cause| Error::config(format!("cannot read: {}", path.display())).because(cause);
    let text = if path.exists() { std::fs::read_to_string(&path).map_err(cannot)? } else { "version = 1\n".to_owned() };
    let tool = path.file_name().is_some_and(|name| name == "pyproject.toml");
    let table = if tool { "tool.gristmill.chunk" } else { "chunk" };
    write_text(Some(&path), &with_chosen(&text, table, &candidate.options)?)?;
    if !global.quiet {
        say::note(&format!("{} written to {}", candidate.name, path.display()));
    }
    Ok(())
}
