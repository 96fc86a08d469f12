//! How far a run is.

use std::fmt;
use std::io::{IsTerminal, stderr, stdout};
use std::time::{Duration, Instant};

use indicatif::{FormattedDuration, ProgressBar, ProgressState, ProgressStyle};

use crate::args::{Global, Progress};
use crate::say;

/// Shows how far a run is, on standard error.
pub struct Meter {
    mode: Progress,
    bar: Option<ProgressBar>,
    start: Instant,
    last: Instant,
    /// How long a run must last before the bar is worth a look.
    patience: Duration,
}

/// Time between two lines.
const PAUSE: Duration = Duration::from_secs(2);

/// A bar that nobody asked for stays away from short runs.
const PATIENCE: Duration = Duration::from_millis(500);

impl Meter {
    /// The meter that was asked for. One that is not asked for stays away while records run over the same terminal.
    pub fn new(global: &Global, streams: bool) -> Self {
        let terminal = stderr().is_terminal() && !(streams && stdout().is_terminal());
        let mode = match global.progress {
            _ if global.quiet => Progress::None,
            Progress::Auto if terminal => Progress::Bar,
            Progress::Auto => Progress::None,
            other => other,
        };
        let patience = if global.progress == Progress::Auto { PATIENCE } else { Duration::ZERO };
        let now = Instant::now();
        Self { mode, bar: None, start: now, last: now, patience }
    }

    /// `done` of `all` documents are done, `path` is the last.
    pub fn tick(&mut self, done: usize, all: usize, path: &str) {
        let mode = self.mode;
        match mode {
            Progress::Bar if self.start.elapsed() >= self.patience => self.bar(done, all, path),
            Progress::Plain | Progress::Json if self.due(done, all) => say::line(&line(mode, done, all, path)),
            _ => {}
        }
    }

    fn bar(&mut self, done: usize, all: usize, path: &str) {
        let start = self.start;
        let bar = self.bar.get_or_insert_with(|| ProgressBar::new(all as u64).with_style(style(start)));
        bar.set_position(done as u64);
        bar.set_message(crate::paint::visible(path));
    }

    fn due(&mut self, done: usize, all: usize) -> bool {
        let due = done == all || self.last.elapsed() >= PAUSE;
        if due {
            self.last = Instant::now();
        }
        due
    }
}

impl Drop for Meter {
    /// What is said afterwards begins on a line of its own, also after an error.
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// The bar with the mean rate since `start`, and the time that is left at this rate.
fn style(start: Instant) -> ProgressStyle {
    let template = "{bar:30} {pos}/{len} documents  {rate}  {left} left  {wide_msg}";
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let done = |state: &ProgressState| u32::try_from(state.pos()).unwrap_or(u32::MAX).max(1);
    let rate = move |state: &ProgressState, out: &mut dyn fmt::Write| {
        let rate = f64::from(done(state)) / start.elapsed().as_secs_f64().max(0.001);
        // Nobody is left to tell when standard error is closed.
        let _ = write!(out, "{rate:.0}/s");
    };
    let left = move |state: &ProgressState, out: &mut dyn fmt::Write| {
        let to_do = state.len().unwrap_or_default().saturating_sub(state.pos());
        let each = start.elapsed() / done(state);
        let left = each.saturating_mul(u32::try_from(to_do).unwrap_or(u32::MAX));
        let _ = write!(out, "{}", FormattedDuration(Duration::from_secs(left.as_secs())));
    };
    style.with_key("rate", rate).with_key("left", left)
}

fn line(mode: Progress, done: usize, all: usize, path: &str) -> String {
    if mode == Progress::Json {
        return serde_json::json!({ "event": "progress", "done": done, "total": all, "source": path }).to_string();
    }
    format!("{done} of {all} documents")
}
