//! How far a run is.

use std::io::{IsTerminal, stderr, stdout};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::args::{Global, Progress};
use crate::say;

/// Shows how far a run is, on standard error.
pub struct Meter {
    mode: Progress,
    bar: Option<ProgressBar>,
    last: Instant,
}

/// Time between two lines.
const PAUSE: Duration = Duration::from_secs(2);

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
        Self { mode, bar: None, last: Instant::now() }
    }

    /// `done` of `all` documents are done, `path` is the last.
    pub fn tick(&mut self, done: usize, all: usize, path: &str) {
        let mode = self.mode;
        match mode {
            Progress::Bar => self.bar(done, all, path),
            Progress::Plain | Progress::Json if self.due(done, all) => say::line(&line(mode, done, all, path)),
            _ => {}
        }
    }

    fn bar(&mut self, done: usize, all: usize, path: &str) {
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::new(all as u64);
            let style = "{bar:30} {pos}/{len} documents  {per_sec}  {eta} left  {wide_msg}";
            bar.set_style(ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
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

fn line(mode: Progress, done: usize, all: usize, path: &str) -> String {
    if mode == Progress::Json {
        return serde_json::json!({ "event": "progress", "done": done, "total": all, "source": path }).to_string();
    }
    format!("{done} of {all} documents")
}
