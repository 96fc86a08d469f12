//! What is read.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use gristmill::config::Settings;
use gristmill::report::RunReport;
use gristmill::{Error, Given, Inputs, Result};

use crate::args::Global;
use crate::output::is_stdout;
use crate::settings::{current_folder, project_file};

/// Arguments about what is read.
#[derive(Clone, Debug, Default, Args)]
pub struct InputArgs {
    /// Files, folders, - for standard input [default: configured sources]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Folder that `source` in records is relative to
    #[arg(long, value_name = "DIR", help_heading = "Input")]
    pub source_root: Option<PathBuf>,
    /// Name and kind of standard input [default: stdin.md]
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    pub stdin_name: Option<String>,
}

/// The name of standard input where none is given.
const STDIN: &str = "stdin.md";

impl InputArgs {
    /// The inputs. `outputs` are what the run writes: they are no documents, and none may be a file that is to be read.
    ///
    /// # Errors
    /// When an output is an input or another output, or standard input cannot be read.
    pub fn inputs(&self, global: &Global, outputs: &[&Path]) -> Result<Inputs> {
        let folder = current_folder()?;
        let (streams, paths): (Vec<PathBuf>, _) = self.paths.iter().cloned().partition(|path| is_stdout(path));
        let (streamed, outputs): (Vec<&Path>, Vec<&Path>) = outputs.iter().partition(|path| is_stdout(path));
        if streamed.len() > 1 {
            return Err(Error::usage("two outputs go to standard output").hint("name a file for one of them"));
        }
        tell_apart(&folder, &paths, &outputs)?;
        let mut own: Vec<PathBuf> = outputs.iter().map(|path| folder.join(path)).collect();
        own.extend(project_file(global)?.filter(|file| !paths.iter().any(|path| same(&folder.join(path), file))));
        let given = if streams.is_empty() { None } else { Some(vec![self.standard_input()?]) };
        Ok(Inputs { folder, paths, root: self.source_root.clone(), given, own })
    }

    fn standard_input(&self) -> Result<Given> {
        let mut bytes = Vec::new();
        let read = std::io::stdin().read_to_end(&mut bytes);
        read.map_err(|e| Error::input("cannot read standard input").because(e))?;
        Ok(Given { name: self.stdin_name.clone().unwrap_or_else(|| STDIN.to_owned()), bytes })
    }
}

/// Fails for an output that is an input, or another output.
///
/// # Errors
/// Usage: it names the output.
pub fn tell_apart(folder: &Path, paths: &[PathBuf], outputs: &[&Path]) -> Result<()> {
    for (index, output) in outputs.iter().enumerate() {
        let place = folder.join(output);
        if paths.iter().map(|path| folder.join(path)).any(|path| path.is_file() && same(&path, &place)) {
            return Err(Error::usage(format!("the output would replace an input: {}", output.display())));
        }
        if outputs.iter().skip(index + 1).any(|other| same(&folder.join(other), &place)) {
            return Err(Error::usage(format!("two outputs have the same name: {}", output.display())));
        }
    }
    Ok(())
}

/// True for two names of one file, whether or not it exists.
fn same(a: &Path, b: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    a == b || real(a).is_some_and(|a| Some(a) == real(b))
}

/// An error for a run that found no document.
pub fn nothing_to_read(settings: &Settings, inputs: &Inputs, report: &RunReport) -> Error {
    let sources = settings.source.iter().map(|source| &source.path);
    let given = inputs.given.iter().flatten().map(|given| given.name.clone());
    let paths: Vec<String> = if inputs.paths.is_empty() && inputs.given.is_none() {
        sources.map(|path| path.display().to_string()).collect()
    } else {
        given.chain(inputs.paths.iter().map(|path| path.display().to_string())).collect()
    };
    let error = Error::input(format!("no readable document{}: {}", passed_over(report), paths.join(", ")));
    error.hint("`gristmill formats` lists the files that are read")
}

/// Files that are named among those that were passed over.
const NAMED: usize = 3;

fn passed_over(report: &RunReport) -> String {
    let mut named: Vec<String> =
        report.skipped.iter().take(NAMED).map(|skipped| format!("{} ({})", skipped.source, skipped.reason)).collect();
    let more = report.totals.skipped - named.len() as u64;
    if more > 0 {
        named.push(format!("{more} more"));
    }
    if named.is_empty() { String::new() } else { format!(", passed over {}", named.join(", ")) }
}
