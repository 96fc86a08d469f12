//! `gristmill eval`: which settings are right for these documents.

mod chosen;
mod gate;
mod questions;
mod text;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use clap::ValueEnum;
use gristmill::config::{Options, Preset, Settings, Task};
use gristmill::eval::{
    Asked, Candidate, Contender, EvalCx, EvalReport, Figure, candidates, evaluate, html, load_questions, with_candidate,
};
use gristmill::{Error, Inputs, Result, Retriever};

use self::gate::Gate;
use super::{Form, json};
use crate::args::Global;
use crate::exit::{GATE, PARTIAL};
use crate::inputs::InputArgs;
use crate::output::{print, write_text};
use crate::progress::Meter;
use crate::say;
use crate::settings::settle;

/// Measure which settings find most in these documents
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    input: InputArgs,
    /// File of questions with evidence [default: made by rule]
    #[arg(long, value_name = "FILE", help_heading = "Questions")]
    questions: Option<PathBuf>,
    /// Ask questions made by rule as well, apart from the others
    #[arg(long, help_heading = "Questions")]
    synthetic: bool,
    /// Strategies to compare [default: the configured one]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "Comparison")]
    strategies: Vec<String>,
    /// Sizes for faq, docs, legal, paper, chat, book
    #[arg(long, value_name = "NAME", help_heading = "Comparison")]
    preset: Option<Preset>,
    /// Values to compare, as "target=200,400;overlap=0,60"
    #[arg(long, value_name = "GRID", help_heading = "Comparison")]
    grid: Option<String>,
    /// Ways to search to compare: hybrid, dense, bm25
    #[arg(long, value_name = "WAYS", value_delimiter = ',', value_enum, help_heading = "Comparison")]
    #[arg(default_value = "hybrid", hide_possible_values = true)]
    retrievers: Vec<By>,
    /// Exit 1 below this, as recall@2048=0.8
    #[arg(long, value_name = "FIGURE=LEAST", help_heading = "Gate")]
    min: Vec<Gate>,
    /// Exit 1 above this, as break-rate=0.05
    #[arg(long, value_name = "FIGURE=MOST", help_heading = "Gate")]
    max: Vec<Gate>,
    /// text or json
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Text, help_heading = "Output")]
    #[arg(hide_possible_values = true)]
    format: Form,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Write a page with the worst questions over the source
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    html: Option<PathBuf>,
    /// Put the chosen settings into the settings file
    #[arg(long, help_heading = "Output")]
    write: bool,
    /// Write what was found for each question
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    rankings: Option<PathBuf>,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Questions(questions::Args),
}

/// How hits are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum By {
    Hybrid,
    Dense,
    Bm25,
}

impl From<By> for Retriever {
    fn from(by: By) -> Self {
        match by {
            By::Hybrid => Self::Hybrid,
            By::Dense => Self::Dense,
            By::Bm25 => Self::Bm25,
        }
    }
}

pub fn run(global: &Global, args: &Args) -> Result<ExitCode> {
    if let Some(Command::Questions(args)) = &args.command {
        return questions::run(global, args);
    }
    let settings = settle(Task::Ingest, global, args.options())?;
    let said = said(args, &settings)?;
    let contenders = contenders(global, args, &said)?;
    let inputs = inputs(global, args)?;
    let questions = asked(args, &settings, &inputs)?;
    let gates = args.min.iter().chain(&args.max);
    let meter = Mutex::new(Meter::new(global, false));
    let progress = |done: usize, all: usize, path: &str| {
        meter.lock().unwrap_or_else(PoisonError::into_inner).tick(done, all, path);
    };
    let cx = EvalCx {
        questions,
        retrievers: retrievers(args),
        figures: gates.filter_map(Gate::figure).collect::<Vec<Figure>>(),
        workers: global.workers(),
        rankings: args.rankings.as_deref(),
        progress: Some(&progress),
    };
    let report = evaluate(&contenders, &inputs, &cx)?;
    drop(meter);
    tell(global, &report);
    match args.format {
        Form::Json => write_text(args.output.as_deref(), &json(&report)?)?,
        Form::Text if args.output.is_some() => write_text(args.output.as_deref(), &text::text(&report, usize::MAX))?,
        Form::Text => print(&text::text(&report, crate::paint::columns()))?,
    }
    if let Some(path) = &args.html {
        write_text(Some(path), &html(&report))?;
    }
    let code = judge(args, &report)?;
    if args.write {
        chosen::put(global, &report, &said)?;
    }
    Ok(code)
}

impl Args {
    /// What holds for all settings that are compared.
    fn options(&self) -> Options {
        Options { preset: self.preset, ..Options::default() }
    }
}

/// What each of the settings to compare says beyond the others.
fn said(args: &Args, settings: &Settings) -> Result<Vec<Candidate>> {
    let configured = &settings.eval.strategies;
    let strategies: &[String] = match args.strategies.as_slice() {
        [] if configured.len() > 1 => configured,
        named => named,
    };
    candidates(strategies, args.grid.as_deref())
}

/// The settings to compare. What is to be said of values is said once.
fn contenders(global: &Global, args: &Args, said: &[Candidate]) -> Result<Vec<Contender>> {
    let below = args.options();
    let one = |candidate: &Candidate| {
        let settings = settle(Task::Ingest, global, with_candidate(&below, candidate))?;
        Ok(Contender { name: candidate.name.clone(), settings })
    };
    said.iter().map(one).collect()
}

fn inputs(global: &Global, args: &Args) -> Result<Inputs> {
    let outputs: Vec<_> = args.output.iter().chain(&args.html).chain(&args.rankings).map(PathBuf::as_path).collect();
    let mut inputs = args.input.inputs(global, &outputs)?;
    inputs.own.extend(args.questions.iter().map(|path| inputs.folder.join(path)));
    Ok(inputs)
}

/// The questions: those of the file, those made by rule, or both.
fn asked(args: &Args, settings: &Settings, inputs: &Inputs) -> Result<Vec<Asked>> {
    let file = args.questions.as_ref().or(settings.eval.questions.as_ref());
    let mut asked = file.map_or_else(|| Ok(Vec::new()), |path| load_questions(path))?;
    if file.is_none() || args.synthetic {
        asked.extend(gristmill::eval::make_questions(settings, inputs)?);
    }
    if asked.is_empty() {
        return Err(Error::input("there are no questions, and none can be made of these documents")
            .hint("name a file of questions with `--questions`"));
    }
    Ok(asked)
}

fn retrievers(args: &Args) -> Vec<Retriever> {
    let mut out: Vec<Retriever> = Vec::new();
    for by in &args.retrievers {
        let retriever = Retriever::from(*by);
        if !out.contains(&retriever) {
            out.push(retriever);
        }
    }
    out
}

/// Questions shown among those left out.
const SHOWN: usize = 5;

/// What was left out, on standard error.
fn tell(global: &Global, report: &EvalReport) {
    for failed in &report.failed {
        say::failed(&format!("{}: {}", failed.id, failed.reason));
    }
    if global.quiet {
        return;
    }
    let shown = if global.verbose { usize::MAX } else { SHOWN };
    for left_out in report.left_out.iter().take(shown) {
        say::warning(&format!("question left out: {}: {}", left_out.id, left_out.reason));
    }
    for inexact in report.inexact.iter().filter(|inexact| inexact.how == "fuzzy").take(shown) {
        let place = format!("{}:{}", inexact.source, inexact.line);
        say::note(&format!("quote of {} found in {place} at {:.0} %", inexact.id, 100.0 * inexact.score));
    }
}

/// The exit code, with what missed its gate told.
fn judge(args: &Args, report: &EvalReport) -> Result<ExitCode> {
    let mut missed = Vec::new();
    for gate in &args.min {
        missed.extend(gate.missed(report, true)?);
    }
    for gate in &args.max {
        missed.extend(gate.missed(report, false)?);
    }
    missed.iter().for_each(|missed| say::failed(missed));
    Ok(match (missed.is_empty(), report.failed.is_empty()) {
        (false, _) => ExitCode::from(GATE),
        (true, false) => ExitCode::from(PARTIAL),
        (true, true) => ExitCode::SUCCESS,
    })
}
