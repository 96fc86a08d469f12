//! `gristmill scan`, `gristmill fix` and `gristmill rules`.

pub mod fix;
mod reference;
pub mod rules;
pub mod scan;
mod typed;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use gristmill::chunk_file::{ChunkFile, ChunkFormat};
use gristmill::config::{FailOn, Options, Settings, Task};
use gristmill::findings::{Baseline, Format, ScanReport, Shown};
use gristmill::{CutDocuments, Error, Given, Inputs, LintCx, Result, RunCx, cut_documents, is_chunk_file, open_chunks};

use crate::args::Global;
use crate::inputs::tell_apart;
use crate::output::is_stdout;
use crate::progress::Meter;
use crate::settings::{ChunkArgs, at_least, current_folder, one_of, settle};
use crate::words::counted;
use crate::{exit, paint, say, tell};

/// Arguments about which rules are checked, and how.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Rules")]
pub struct RuleArgs {
    /// Check only these rules, comma-separated [default: all]
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    select: Option<Vec<String>>,
    /// Check these rules besides those of --select
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    extend_select: Option<Vec<String>>,
    /// Do not check these rules
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    ignore: Option<Vec<String>>,
    /// More characters are too many [default: 4000]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = at_least::<1, usize>)]
    max_chars: Option<usize>,
    /// Fewer characters of prose are too few [default: 20]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = at_least::<0, usize>)]
    min_chars: Option<usize>,
    /// The model that embeds the chunks, with its limit
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// The token limit of the model that embeds the chunks
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = at_least::<1, usize>)]
    max_tokens: Option<usize>,
    /// Take changes that are not lossless for repairs, too
    #[arg(long = "unsafe")]
    pub risky: bool,
}

/// Arguments about what is scanned.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct SetArgs {
    /// Files of chunks, documents or folders, - for standard input
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// chunks or documents [default: by the name]
    #[arg(long = "as", value_name = "WHAT", value_enum, hide_possible_values = true, help_heading = "Input")]
    pub what: Option<What>,
    /// Name and kind of standard input
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    pub stdin_name: Option<String>,
    /// Folder that `source` in records is relative to
    #[arg(long, value_name = "DIR", help_heading = "Input")]
    pub source_root: Option<PathBuf>,
}

/// What a path is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum What {
    // Chunks of any splitter.
    Chunks,
    // Documents, which are cut first.
    Documents,
}

/// Arguments about what is shown.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub struct ShowArgs {
    /// text, json, jsonl, sarif, github, gitlab, junit, markdown, html
    #[arg(long, value_name = "FORMAT", default_value = "text", hide_default_value = true, value_parser = format)]
    pub format: Format,
    /// Show only how often each rule found something
    #[arg(long)]
    pub statistics: bool,
    /// List no more findings than this, the worst
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = at_least::<0, usize>)]
    pub max_findings: Option<usize>,
    /// Exit with 1 from info, low, medium or high on, or never
    #[arg(long, value_name = "SEVERITY", value_parser = one_of::<FailOn>)]
    pub fail_on: Option<FailOn>,
    /// Leave out the findings that this file lists
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
}

fn format(name: &str) -> std::result::Result<Format, String> {
    let names = || Format::ALL.map(Format::name).join(", ");
    Format::named(name).ok_or_else(|| format!("the formats are {}", names()))
}

/// Settings of a command that checks chunks.
fn settings(
    task: Task,
    global: &Global,
    chunk: &ChunkArgs,
    rules: &RuleArgs,
    fail_on: Option<FailOn>,
) -> Result<Settings> {
    let mut options: Options = chunk.options();
    let lint = &mut options.lint;
    (lint.select, lint.extend_select) = (rules.select.clone(), rules.extend_select.clone());
    (lint.ignore, lint.fail_on) = (rules.ignore.clone(), fail_on);
    lint.model.clone_from(&rules.model);
    (lint.max_chars, lint.min_chars, lint.max_tokens) = (rules.max_chars, rules.min_chars, rules.max_tokens);
    settle(task, global, options)
}

/// What rules are told.
fn cx<'a>(
    global: &Global,
    settings: &'a Settings,
    rules: &RuleArgs,
    max_findings: Option<usize>,
    diff: bool,
) -> LintCx<'a> {
    let tokenizer = settings.chunk.tokenizer.as_str();
    LintCx { settings: &settings.lint, tokenizer, workers: global.workers(), risky: rules.risky, max_findings, diff }
}

/// One thing to scan.
enum Set {
    /// A file of chunks.
    File(Box<ChunkFile>),
    /// Documents, cut.
    Cut(Box<CutDocuments>),
}

impl Set {
    /// True when a document could not be read, and so not be looked at.
    fn is_partial(&self) -> bool {
        match self {
            Self::File(_) => false,
            Self::Cut(cut) => cut.run.totals.failed > 0 || cut.run.totals.findings.contains_key(tell::UNSEEN),
        }
    }

    fn file(&self) -> &ChunkFile {
        match self {
            Self::File(file) => file,
            Self::Cut(cut) => &cut.file,
        }
    }
}

impl SetArgs {
    fn is_chunks(&self, path: &Path) -> bool {
        match self.what {
            Some(what) => what == What::Chunks,
            None => is_stdout(path) || is_chunk_file(path),
        }
    }

    /// Fails for an output that would replace what is scanned.
    fn spare(&self, outputs: &[Option<&Path>]) -> Result<()> {
        let outputs: Vec<&Path> = outputs.iter().flatten().copied().filter(|path| !is_stdout(path)).collect();
        tell_apart(&current_folder()?, &self.paths, &outputs)
    }

    /// The sets to scan: each file of chunks, and all documents as one.
    fn sets(&self, global: &Global, settings: &Settings) -> Result<Vec<Set>> {
        let (files, documents): (Vec<&PathBuf>, Vec<&PathBuf>) =
            self.paths.iter().partition(|path| self.is_chunks(path));
        if self.paths.is_empty() && settings.source.is_empty() {
            return Err(Error::usage("nothing to scan").hint("name a file of chunks, or documents to cut first"));
        }
        let mut sets = Vec::new();
        for path in files {
            sets.push(Set::File(Box::new(if is_stdout(path) { self.standard_input()? } else { open_chunks(path)? })));
        }
        if !documents.is_empty() || self.paths.is_empty() {
            sets.push(Set::Cut(Box::new(self.cut(global, settings, &documents)?)));
        }
        Ok(sets)
    }

    fn standard_input(&self) -> Result<ChunkFile> {
        let name = self.stdin_name.as_deref().unwrap_or("standard input");
        ChunkFile::from_bytes(standard_input()?, name, ChunkFormat::of_path(Path::new(name)))
    }

    fn cut(&self, global: &Global, settings: &Settings, documents: &[&PathBuf]) -> Result<CutDocuments> {
        let (streams, paths): (Vec<PathBuf>, _) =
            documents.iter().map(|path| (*path).clone()).partition(|path| is_stdout(path));
        let name = self.stdin_name.clone().unwrap_or_else(|| "stdin.md".to_owned());
        let given = if streams.is_empty() { None } else { Some(vec![Given { name, bytes: standard_input()? }]) };
        let shown: Vec<String> = documents.iter().map(|path| path.display().to_string()).collect();
        let shown = if shown.is_empty() { "configured sources".to_owned() } else { shown.join(", ") };
        let inputs =
            Inputs { folder: current_folder()?, paths, root: self.source_root.clone(), given, own: Vec::new() };
        let cut = {
            let mut meter = Meter::new(global, false);
            let mut progress = |done: usize, all: usize, path: &str| meter.tick(done, all, path);
            let mut cx = RunCx { workers: global.workers(), inspect: false, lint: false, progress: &mut progress };
            cut_documents(settings, &inputs, &shown, &mut cx)?
        };
        tell::judge(settings, &inputs, &cut.run, FailOn::Never)?;
        // What rules find is told once, by the scan.
        let mut told = cut.run.clone();
        told.findings.clear();
        tell::tell(global, &told);
        Ok(cut)
    }
}

fn standard_input() -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().read_to_end(&mut bytes);
    read.map_err(|e| Error::input("cannot read standard input").because(e))?;
    Ok(bytes)
}

/// How a report is shown.
fn shown(global: &Global, args: &ShowArgs, diff: bool, command: Option<String>) -> Shown {
    Shown { verbose: global.verbose, width: paint::columns(), colour: true, diff, statistics: args.statistics, command }
}

/// Takes out of a report what is known already and what is not to be listed.
fn lessen(report: &mut ScanReport, args: &ShowArgs) -> Result<()> {
    if let Some(path) = &args.baseline {
        let gone = report.leave_out(&baseline(path)?);
        if gone > 0 {
            let known = counted(gone, "finding");
            say::note(&format!(
                "{} lists {known} no longer there; `scan --write-baseline` writes it anew",
                path.display()
            ));
        }
    }
    if let Some(max) = args.max_findings {
        report.keep_at_most(max);
    }
    Ok(())
}

fn baseline(path: &Path) -> Result<Baseline> {
    let failed = |e| Error::input(format!("cannot read the baseline: {}", path.display())).because(e);
    let text = std::fs::read_to_string(path).map_err(failed)?;
    Baseline::read(&text).map_err(|e| Error::input(format!("not a baseline: {}", path.display())).because(e))
}

/// The exit code of a report, once mistakes of ours are told.
fn judge(report: &ScanReport, faults: &[String], unread: bool, fail_on: FailOn) -> ExitCode {
    for fault in faults {
        say::failed(fault);
    }
    if !faults.is_empty() {
        exit::bug();
        return ExitCode::from(exit::BUG);
    }
    let trips = report.worst().is_some_and(|worst| fail_on.fails(worst));
    ExitCode::from(match (trips, unread) {
        (true, _) => exit::GATE,
        (false, true) => exit::PARTIAL,
        (false, false) => 0,
    })
}
