//! `gristmill init --ci`: a scan as part of every change.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use gristmill::{CiFile, CiKind, Error, Result, ci_file};

use super::{Args, create};
use crate::args::Global;
use crate::output::print;
use crate::paint::{BOLD, paint};

/// What runs the scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Ci {
    Github,
    Gitlab,
    PreCommit,
}

pub fn run(global: &Global, args: &Args, ci: Ci) -> Result<ExitCode> {
    let kind = match ci {
        Ci::Github => CiKind::Github,
        Ci::Gitlab => CiKind::Gitlab,
        Ci::PreCommit => CiKind::PreCommit,
    };
    if args.paths.is_empty() && !Path::new("gristmill.toml").exists() {
        return Err(Error::usage(
            "nothing says what is scanned: no path was given and there is no gristmill.toml here",
        )
        .hint("name files of chunks or folders, or write settings first: `gristmill init`"));
    }
    let file = ci_file(kind, &named(&args.paths)?, args.from.as_deref())?;
    write(&file)?;
    if !global.quiet {
        print(&format!("wrote {}\n\nnext: {}\n", paint(BOLD, file.path), file.next))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The names of the paths as any system writes them.
fn named(paths: &[PathBuf]) -> Result<Vec<String>> {
    let name = |path: &PathBuf| {
        let outside = || Error::usage(format!("not below the current folder: {}", path.display()));
        if path.is_absolute() || path.components().any(|part| part.as_os_str() == "..") {
            return Err(outside());
        }
        if !path.exists() {
            return Err(Error::input(format!("no such file or folder: {}", path.display())));
        }
        let name = path.to_str().filter(|name| !name.contains('\n')).ok_or_else(outside)?;
        Ok(name.replace(std::path::MAIN_SEPARATOR, "/"))
    };
    paths.iter().map(name).collect()
}

fn write(file: &CiFile) -> Result<()> {
    let path = Path::new(file.path);
    create(path, &file.text, |path| {
        Error::usage(format!("there is a file already: {}", path.display()))
            .hint(format!("it is left as it is; this would be written:\n\n{}", file.text.trim_end()))
    })
}
