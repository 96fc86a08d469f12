//! `gristmill watch`: keeps the store in step while documents change.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use gristmill::config::{Settings, Task};
use gristmill::watch::{Changed, Watch};
use gristmill::{Error, ErrorKind, IngestReport, Inputs, Result, watched_paths};

use super::ingest::{Guards, outcome, run_once};
use crate::args::Global;
use crate::inputs::InputArgs;
use crate::output::print;
use crate::say;
use crate::settings::{ChunkArgs, at_least, current_folder, settle};

/// Keep the store in step while documents change, until interrupted
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files and folders [default: the sources of the settings]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Milliseconds without a change before an ingest begins
    #[arg(long, value_name = "MS", default_value_t = 500, value_parser = at_least::<1, u64>, help_heading = "Watch")]
    quiet_time: u64,
    /// Seconds after which sources of other machines are looked at again
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = at_least::<1, u64>, help_heading = "Watch")]
    every: u64,
    #[command(flatten)]
    guards: Guards,
    /// File of the store [default: .gristmill/store.db]
    #[arg(long, value_name = "FILE", help_heading = "Store")]
    store: Option<PathBuf>,
    #[command(flatten)]
    chunk: ChunkArgs,
}

pub fn run(global: &Global, args: &Args) -> Result<ExitCode> {
    let mut options = args.chunk.options();
    options.store.path.clone_from(&args.store);
    let settings = settle(Task::Ingest, global, options)?;
    let inputs = InputArgs { paths: args.paths.clone(), ..InputArgs::default() }.inputs(global, &[])?;
    let (paths, remote) = watched_paths(&settings, &inputs);
    // From before the first run on: what changes meanwhile is seen after it.
    let mut watch = Watch::new(&paths, &[settings.store.path.clone(), settings.root.join(".gristmill")])?;
    if let Some(why) = watch.polling().filter(|_| !global.quiet) {
        say::note(&format!("folders are looked through every second: {why}"));
    }
    let again = remote.then(|| Duration::from_secs(args.every));
    let mut first = true;
    loop {
        cycle(global, args, &settings, &inputs, std::mem::take(&mut first))?;
        let changed = wait(&mut watch, Duration::from_millis(args.quiet_time), again);
        if let Changed::Path(path) = changed
            && global.verbose
        {
            let here = current_folder().unwrap_or_default();
            say::note(&format!("changed: {}", path.strip_prefix(here).unwrap_or(&path).display()));
        }
    }
}

/// Waits for a change, or until it is time to look again.
fn wait(watch: &mut Watch, quiet: Duration, again: Option<Duration>) -> Changed {
    let stop = AtomicBool::new(false);
    let Some(again) = again else { return watch.next(quiet, &stop) };
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let end = Instant::now() + again;
            while Instant::now() < end && !done.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(50));
            }
            stop.store(true, Ordering::Relaxed);
        });
        let changed = watch.next(quiet, &stop);
        done.store(true, Ordering::Relaxed);
        changed
    })
}

/// One ingest. What fails for reasons outside, such as a service, is told and tried again at the next change.
fn cycle(global: &Global, args: &Args, settings: &Settings, inputs: &Inputs, first: bool) -> Result<()> {
    match run_once(global, settings, inputs, &args.guards.options()) {
        Ok(report) => {
            outcome(global, settings, &report);
            if !global.quiet && (first || has_done(&report)) {
                print(&super::ingest::text(settings, &report))?;
            }
            Ok(())
        }
        Err(error) if passes(&error) => {
            say::error(&error.chain());
            error.hint_text().into_iter().for_each(say::hint);
            Ok(())
        }
        Err(error) => Err(error),
    }
}

fn has_done(report: &IngestReport) -> bool {
    let chunks = &report.chunks;
    chunks.upserted + chunks.deleted > 0
}

fn passes(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Remote | ErrorKind::Store | ErrorKind::Guard | ErrorKind::Input)
}
