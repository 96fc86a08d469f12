//! `gristmill fix`: chunks without the damage that can be repaired.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use gristmill::chunk_file::{ChunkFormat, Notes};
use gristmill::config::Task;
use gristmill::findings::{FixReport, Format, write_fix};
use gristmill::{Error, Fixed, LintCx, Result, fix, rule_infos};

use super::super::chunk::format_for;
use super::{RuleArgs, Set, SetArgs, ShowArgs, cx, judge, lessen, settings, shown, typed};
use crate::args::Global;
use crate::output::{Output, cannot_write, is_stdout, written};
use crate::settings::ChunkArgs;
use crate::words::counted;

/// Repair chunks without loss; write NAME.clean.EXT
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    set: SetArgs,
    #[command(flatten)]
    rules: RuleArgs,
    /// Where the repaired chunks go [default: NAME.clean.EXT]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Replace the file
    #[arg(long, conflicts_with = "output", help_heading = "Output")]
    in_place: bool,
    /// Write nothing; say what would be done
    #[arg(long, help_heading = "Output")]
    dry_run: bool,
    /// Show the chunks before and after each repair
    #[arg(long, help_heading = "Output")]
    diff: bool,
    #[command(flatten)]
    show: ShowArgs,
    #[command(flatten)]
    chunk: ChunkArgs,
}

pub fn run(global: &Global, args: &Args) -> Result<ExitCode> {
    let settings = settings(Task::Fix, global, &args.chunk, &args.rules, args.show.fail_on)?;
    let diff = args.diff || args.dry_run && global.verbose || args.show.format == Format::Html;
    let cx = cx(global, &settings, &args.rules, None, diff);
    args.set.spare(&[args.output.as_deref()]).map_err(|error| error.hint("`--in-place` replaces it"))?;
    let mut sets = args.set.sets(global, &settings)?;
    let set = sets.pop().filter(|_| sets.is_empty());
    let set = set.ok_or_else(|| {
        Error::usage("`fix` takes one file of chunks, or documents").hint("call it for each file of chunks")
    })?;
    let place = place(args, &set)?;
    place.as_deref().map_or(Ok(()), |place| refuse_other_format(&set, place))?;
    let mut fixed = fix(set.file(), &cx)?;
    fixed.report.dry_run = args.dry_run;
    if !args.dry_run {
        deliver(&mut fixed, &set, &cx, place.as_deref(), args.in_place)?;
    }
    let Fixed { mut report, faults, .. } = fixed;
    lessen(&mut report.left, &args.show)?;
    let streams = place.as_deref().is_some_and(is_stdout) && !args.dry_run;
    if !global.quiet || args.show.format != Format::Text {
        show(global, args, &report, diff, streams)?;
    }
    Ok(judge(&report.left, &faults, set.is_partial(), settings.lint.fail_on))
}

/// Fails for a name that tells another format than that of the file, which is kept.
fn refuse_other_format(set: &Set, place: &Path) -> Result<()> {
    let (Set::File(file), Some(told)) = (set, ChunkFormat::of_path(place)) else { return Ok(()) };
    if told == file.format() {
        return Ok(());
    }
    let message = format!(
        "repaired chunks keep the format of their file, which is {}: {}",
        file.format().name(),
        place.display()
    );
    Err(Error::usage(message).hint("`gristmill curate` writes other formats from documents"))
}

/// Where the repaired chunks go.
fn place(args: &Args, set: &Set) -> Result<Option<PathBuf>> {
    if let Some(output) = &args.output {
        return Ok(Some(output.clone()));
    }
    let first = args.set.paths.first();
    match (set, first) {
        (Set::Cut(_), _) if args.dry_run => Ok(None),
        (Set::Cut(_), _) => {
            Err(Error::usage("the chunks of documents need a place to go").hint("say `-o chunks.json`, or `--dry-run`"))
        }
        (Set::File(_), Some(path)) if is_stdout(path) => Ok(Some(path.clone())),
        (Set::File(_), Some(path)) if args.in_place => Ok(Some(path.clone())),
        (Set::File(_), Some(path)) => Ok(Some(clean_name(path))),
        (Set::File(_), None) => Ok(None),
    }
}

/// `chunks.json` becomes `chunks.clean.json`.
fn clean_name(path: &Path) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(".clean");
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

/// Writes the repaired chunks, and says in the report where they are.
fn deliver(fixed: &mut Fixed, set: &Set, cx: &LintCx<'_>, place: Option<&Path>, in_place: bool) -> Result<()> {
    let Some(place) = place else { return Ok(()) };
    if in_place && fixed.fates.is_empty() {
        return Ok(());
    }
    let (output, mut out) = Output::open(Some(place))?;
    let written = match set {
        Set::File(file) => fixed.write(file, cx, out.as_mut()).and_then(|notes| {
            out.flush().map_err(|e| cannot_write(place, e))?;
            drop(out);
            Ok(notes)
        }),
        Set::Cut(cut) => format_for(Some(place).filter(|place| !is_stdout(place)), None, "jsonl")
            .and_then(|format| fixed.write_records(cut, cx, format, out)),
    };
    match written {
        Ok(notes) => {
            output.done()?;
            fixed.report.output = (!is_stdout(place)).then(|| place.display().to_string());
            fixed.report.notes.extend(told(&notes));
            Ok(())
        }
        Err(error) => {
            output.abandon();
            Err(error)
        }
    }
}

/// What else there is to say about the file that was written.
fn told(notes: &Notes) -> Vec<String> {
    let mut told = Vec::new();
    for (key, chunks) in &notes.unheld {
        told.push(format!("the file has no place for `{key}` of {}", counted(*chunks as u64, "chunk")));
    }
    if notes.stale_vectors > 0 {
        let changed = counted(notes.stale_vectors as u64, "changed chunk");
        told.push(format!("vectors of the old text are left at {changed}: embed them again"));
    }
    if notes.split > 0 {
        let split = counted(notes.split as u64, "chunk");
        told.push(format!("the format cannot hold {split} whole: read back, they are several"));
    }
    told
}

fn show(global: &Global, args: &Args, report: &FixReport, diff: bool, streams: bool) -> Result<()> {
    let next = (args.dry_run && !args.set.paths.is_empty()).then(typed::fix_after_dry_run);
    let shown = shown(global, &args.show, diff, next);
    let is_text = args.show.format == Format::Text;
    let mut write = |out: &mut dyn Write| write_fix(args.show.format, report, &rule_infos(), &shown, out);
    if streams {
        // Standard output holds the chunks.
        let mut out = anstream::stderr().lock();
        return write(&mut out).map_err(|e| cannot_write(Path::new("-"), e));
    }
    written(None, is_text, &mut write)
}
