//! `gristmill scan`: what is wrong with chunks.

use std::path::PathBuf;
use std::process::ExitCode;

use gristmill::config::Task;
use gristmill::findings::{Baseline, Format, ScanReport, write_scan};
use gristmill::{Result, rule_infos, scan};

use super::{RuleArgs, Set, SetArgs, ShowArgs, cx, judge, lessen, settings, shown, typed};
use crate::args::Global;
use crate::output::written;
use crate::settings::ChunkArgs;

/// Find damage in chunks of any splitter
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    set: SetArgs,
    #[command(flatten)]
    rules: RuleArgs,
    #[command(flatten)]
    show: ShowArgs,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Write what is found to a baseline, and leave it out from now on
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    write_baseline: Option<PathBuf>,
    #[command(flatten)]
    chunk: ChunkArgs,
}

/// Findings that are held, unless another number is asked for; all are counted.
const HELD: usize = 100_000;

pub fn run(global: &Global, args: &Args) -> Result<ExitCode> {
    let settings = settings(Task::Scan, global, &args.chunk, &args.rules, args.show.fail_on)?;
    // What a baseline knows must be seen before anything is let go.
    let all = args.show.baseline.is_some() || args.write_baseline.is_some();
    let held = (!all).then(|| args.show.max_findings.unwrap_or(HELD));
    let cx = cx(global, &settings, &args.rules, held, args.show.format == Format::Html);
    args.set.spare(&[args.output.as_deref(), args.write_baseline.as_deref()])?;
    let sets = args.set.sets(global, &settings)?;
    let (next, unread) = (next(&sets), sets.iter().any(Set::is_partial));
    let mut whole: Option<ScanReport> = None;
    let mut faults = Vec::new();
    for set in sets {
        let scanned = scan(set.file(), &cx)?;
        faults.extend(scanned.faults);
        whole = Some(match whole {
            None => scanned.report,
            Some(before) => before.joined(scanned.report),
        });
    }
    let mut report = whole.unwrap_or_default();
    if let Some(path) = &args.write_baseline {
        let known = Baseline::of(&report.findings);
        written(Some(path), false, &mut |out| known.write(out))?;
        report.leave_out(&known);
    }
    lessen(&mut report, &args.show)?;
    let shown = shown(global, &args.show, false, next);
    let is_text = args.show.format == Format::Text;
    if !(global.quiet && is_text && args.output.is_none()) {
        written(args.output.as_deref(), is_text, &mut |out| {
            write_scan(args.show.format, &report, &rule_infos(), &shown, out)
        })?;
    }
    Ok(judge(&report, &faults, unread, settings.lint.fail_on))
}

/// The repair to type next. `fix` takes one set.
fn next(sets: &[Set]) -> Option<String> {
    match sets {
        [Set::File(_)] => Some(typed::fix_after_scan()),
        [Set::Cut(_)] => Some(typed::fix_after_scan() + " -o chunks.json"),
        _ => None,
    }
}
