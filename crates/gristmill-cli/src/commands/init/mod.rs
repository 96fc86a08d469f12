//! `gristmill init`: a first settings file.

mod ci;

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use gristmill::config::Preset;
use gristmill::{Error, Proposal, Result, propose};

use crate::args::Global;
use crate::output::{print, write_text};
use crate::paint::{BOLD, paint};
use crate::settings::current_folder;
use crate::words::counted;

/// Write gristmill.toml from a look at the files
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files and folders with documents [default: found below]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Sizes for faq, docs, legal, paper, chat, book [default: guessed]
    #[arg(long, value_name = "NAME", help_heading = "Options")]
    preset: Option<Preset>,
    /// Write a file that runs the scan: github, gitlab or pre-commit
    #[arg(long, value_name = "WHERE", value_enum, hide_possible_values = true, help_heading = "Options")]
    #[arg(conflicts_with_all = ["preset", "force"])]
    ci: Option<ci::Ci>,
    /// Where CI gets gristmill from: its Git address, or ADDRESS@TAG
    #[arg(long, value_name = "ADDRESS", requires = "ci", help_heading = "Options")]
    from: Option<String>,
    /// Replace a settings file that is there
    #[arg(long, help_heading = "Options")]
    force: bool,
}

pub fn run(global: &Global, args: &Args) -> Result<ExitCode> {
    if let Some(ci) = args.ci {
        return ci::run(global, args, ci);
    }
    let here = current_folder()?;
    let named = global.config.clone().unwrap_or_else(|| PathBuf::from("gristmill.toml"));
    let file = here.join(&named);
    let folder = file.parent().unwrap_or(&here);
    if file.exists() && !args.force {
        return Err(exists(&named));
    }
    // Paths are relative to the current folder, those in the file to the file's.
    let absolute = |path: &PathBuf| if folder == here { path.clone() } else { here.join(path) };
    let paths: Vec<PathBuf> = args.paths.iter().map(absolute).collect();
    let proposal = propose(folder, &paths, args.preset)?;
    write(&named, &proposal.text, args.force)?;
    if !global.quiet {
        print(&summary(&named, &proposal))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn write(path: &Path, text: &str, replace: bool) -> Result<()> {
    if replace {
        return write_text(Some(path), text);
    }
    create(path, text, exists)
}

/// Writes a file that must not be there yet.
fn create(path: &Path, text: &str, exists: impl Fn(&Path) -> Error) -> Result<()> {
    let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    let written = folder.and_then(|()| File::create_new(path)).and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|e| match e.kind() {
        ErrorKind::AlreadyExists => exists(path),
        _ => Error::input(format!("cannot write: {}", path.display())).because(e),
    })
}

fn exists(path: &Path) -> Error {
    Error::usage(format!("there is a settings file already: {}", path.display()))
        .hint("`--force` replaces it; `gristmill config show --origins` shows what holds")
}

fn summary(path: &Path, proposal: &Proposal) -> String {
    let mut out = format!("wrote {}\n", paint(BOLD, path.display()));
    for source in &proposal.sources {
        let mut kinds: Vec<_> = source.documents.iter().collect();
        kinds.sort_by_key(|(kind, count)| (std::cmp::Reverse(**count), **kind));
        let kinds: Vec<String> = kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        out.push_str(&format!(
            "  source  {}: {} ({})\n",
            source.path,
            counted(source.count(), "document"),
            kinds.join(", ")
        ));
    }
    out.push_str(&format!("  preset  {}\n", why(proposal)));
    if !proposal.unread.is_empty() {
        let unread: Vec<String> = proposal.unread.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        out.push_str(&format!("  not read by this version: {}\n", unread.join(", ")));
    }
    let config =
        if path == Path::new("gristmill.toml") { String::new() } else { format!(" --config {}", path.display()) };
    let next = [
        ("inspect", "", "counts what stands in the documents"),
        ("curate", " --report .gristmill/report.md", "writes chunks.json and a report"),
        ("ingest", "", "fills the store"),
        ("search", " \"…\"", "asks it"),
    ];
    out.push_str("\nnext:\n");
    for (command, arguments, what) in next {
        let typed = format!("gristmill {command}{config}{arguments}");
        out.push_str(&format!("  {typed:<width$}  {what}\n", width = 46 + config.len()));
    }
    out
}

fn why(proposal: &Proposal) -> String {
    match (proposal.preset, proposal.guess) {
        (None, _) => "none: nothing tells the kind of text".to_owned(),
        (Some(preset), None) => format!("{preset}, as asked"),
        (Some(preset), Some(guess)) if !guess.is_clear() => format!("{preset}: the documents are of several kinds"),
        (Some(preset), Some(guess)) => {
            let most = format!("{} of {} documents", guess.votes, guess.of);
            format!("{preset}: {most} look like it")
        }
    }
}
