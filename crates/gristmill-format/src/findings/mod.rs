//! What `scan` and `fix` have to say, as data and in every format it is written in.
//!
//! Nothing here looks at chunks, at the terminal or at the clock: a report goes in, text comes out.

mod baseline;
mod diff;
mod fingerprint;
mod fix;
mod github;
mod gitlab;
mod groups;
mod html;
mod json;
mod junit;
mod markdown;
mod repairs;
mod rule;
mod sarif;
mod scan;
mod snippet;
mod text;
mod uri;
mod visible;
mod words;

use std::io::{self, BufWriter, Write};

pub use baseline::{BASELINE_VERSION, Baseline, Known};
pub use fingerprint::{around, fingerprint};
pub use fix::{FIX_SCHEMA, FixReport, fix_schema};
pub use rule::{Repair, RuleInfo};
pub use scan::{BySeverity, Diff, Finding, Place, SCAN_SCHEMA, ScanReport, SourcePlace, Summary, Version, scan_schema};
pub use snippet::Snippet;
pub use visible::visible;

/// What a report is written as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// For people at a terminal.
    #[default]
    Text,
    /// The report itself.
    Json,
    /// One finding a line, and a last line that sums up.
    Jsonl,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// Workflow commands of GitHub Actions.
    Github,
    /// Code quality report of GitLab.
    Gitlab,
    /// JUnit XML, for views of test results.
    Junit,
    /// For job summaries and comments.
    Markdown,
    /// One page that needs no other file and no network.
    Html,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 9] = [
        Self::Text,
        Self::Json,
        Self::Jsonl,
        Self::Sarif,
        Self::Github,
        Self::Gitlab,
        Self::Junit,
        Self::Markdown,
        Self::Html,
    ];

    /// The name used in options.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Jsonl => "jsonl",
            Self::Sarif => "sarif",
            Self::Github => "github",
            Self::Gitlab => "gitlab",
            Self::Junit => "junit",
            Self::Markdown => "markdown",
            Self::Html => "html",
        }
    }

    /// The format of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }
}

/// How much of a report is shown, and how.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Every finding with all that is known of it; else long lists are cut short with the number left out.
    pub verbose: bool,
    /// Columns of the terminal. Only the text form has use for it.
    pub width: usize,
    /// Whether the text form is coloured.
    pub colour: bool,
    /// Whether the text of chunks before and after a repair is shown.
    pub diff: bool,
    /// Counts by rule in place of findings, in the text form.
    pub statistics: bool,
    /// What to type next, such as `gristmill fix chunks.json`, where something can be repaired.
    pub command: Option<String>,
}

impl Default for Shown {
    fn default() -> Self {
        Self { verbose: false, width: 100, colour: false, diff: false, statistics: false, command: None }
    }
}

/// Writes what a scan found. `rules` are those that were checked; formats that list rules list these.
///
/// # Errors
/// Those of `out`.
pub fn write_scan(
    format: Format,
    report: &ScanReport,
    rules: &[RuleInfo],
    shown: &Shown,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    scan_to(format, report, rules, shown, &mut out)?;
    out.flush()
}

/// Writes what a repair did and what it left. The formats of other tools tell only what is left.
///
/// # Errors
/// Those of `out`.
pub fn write_fix(
    format: Format,
    report: &FixReport,
    rules: &[RuleInfo],
    shown: &Shown,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    match format {
        Format::Text => text::fix(report, rules, shown, &mut out),
        Format::Json => json::whole(report, &mut out),
        Format::Jsonl => json::fix_lines(report, &mut out),
        Format::Markdown => markdown::fix(report, rules, shown, &mut out),
        Format::Html => html::fix(report, rules, shown, &mut out),
        Format::Sarif | Format::Github | Format::Gitlab | Format::Junit => {
            scan_to(format, &report.left, rules, shown, &mut out)
        }
    }?;
    out.flush()
}

fn scan_to(
    format: Format,
    report: &ScanReport,
    rules: &[RuleInfo],
    shown: &Shown,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        Format::Text => text::scan(report, rules, shown, out),
        Format::Json => json::whole(report, out),
        Format::Jsonl => json::lines(report, out),
        Format::Sarif => sarif::write(report, rules, out),
        Format::Github => github::write(report, out),
        Format::Gitlab => gitlab::write(report, out),
        Format::Junit => junit::write(report, rules, out),
        Format::Markdown => markdown::scan(report, rules, shown, out),
        Format::Html => html::scan(report, rules, shown, out),
    }
}
