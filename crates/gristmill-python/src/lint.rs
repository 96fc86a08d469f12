//! Chunks under the rules: what is wrong with them, and their repair.

use gristmill::chunk_file::{ChunkFile, ChunkFormat, Notes};
use gristmill::config::{Settings, Task};
use gristmill::findings::{FixReport, Format, ScanReport, Shown, write_fix, write_scan};
use gristmill::{Error, Fate, Fixed, LintCx, Result, rule_infos};
use pyo3::prelude::*;

use crate::failure::working;
use crate::settings::{settle, workers};
use crate::table::Table;

/// What stands for a file in messages.
const NAME: &str = "chunks";

/// The column that names the chunks merged into another, where a table has no other place for them.
const MERGED: &str = "merged_ids";

/// What was found, and what was repaired where something was.
enum Told {
    Scan(ScanReport),
    Fix(Box<FixReport>),
}

/// A report that can be written in every format of findings.
#[pyclass(frozen, module = "gristmill._native")]
pub struct Findings {
    told: Told,
    /// Repairs that failed their proof and were taken back: mistakes of ours.
    #[pyo3(get)]
    faults: Vec<String>,
    /// Number of changed chunks that still carry a vector of their old text.
    #[pyo3(get)]
    stale_vectors: usize,
}

#[pymethods]
impl Findings {
    /// The report as `text`, `json`, `jsonl`, `sarif`, `github`, `gitlab`, `junit`, `markdown` or `html`.
    fn render(&self, py: Python<'_>, format: &str) -> PyResult<String> {
        working(py, || {
            let shown = Shown { verbose: true, ..Shown::default() };
            let format = Format::named(format).ok_or_else(|| unknown(format))?;
            let rules = rule_infos();
            let mut out = Vec::new();
            let written = match &self.told {
                Told::Scan(report) => write_scan(format, report, &rules, &shown, &mut out),
                Told::Fix(report) => write_fix(format, report, &rules, &shown, &mut out),
            };
            written.map_err(|error| Error::bug("a report cannot be written").because(error))?;
            String::from_utf8(out).map_err(|error| Error::bug("a report is no Unicode").because(error))
        })
    }
}

/// What is wrong with chunks, given one a line as JSON.
#[pyfunction]
pub fn check(py: Python<'_>, chunks: Vec<u8>, options: &str, risky: bool, jobs: Option<usize>) -> PyResult<Findings> {
    working(py, || checked(chunks, options, risky, jobs))
}

/// What is wrong with chunks, given as the rows of a table.
#[pyfunction]
pub fn check_table(
    py: Python<'_>,
    table: &Table,
    options: &str,
    risky: bool,
    jobs: Option<usize>,
) -> PyResult<Findings> {
    working(py, || checked(table.lines()?, options, risky, jobs))
}

fn checked(chunks: Vec<u8>, options: &str, risky: bool, jobs: Option<usize>) -> Result<Findings> {
    let settings = settle(Task::Scan, options, None)?.value;
    let scanned = gristmill::scan(&opened(chunks)?, &lint_cx(&settings, risky, jobs))?;
    Ok(Findings { told: Told::Scan(scanned.report), faults: scanned.faults, stale_vectors: 0 })
}

/// The repaired chunks, given one a line as JSON: the index of each that is left, once for each of its parts if it was
/// split, the lines, and the report.
#[pyfunction]
pub fn repair(
    py: Python<'_>,
    chunks: Vec<u8>,
    options: &str,
    risky: bool,
    jobs: Option<usize>,
) -> PyResult<(Vec<usize>, String, Findings)> {
    working(py, || {
        let settings = settle(Task::Scan, options, None)?.value;
        let (file, cx) = (opened(chunks)?, lint_cx(&settings, risky, jobs));
        let fixed = gristmill::fix(&file, &cx)?;
        let mut lines = Vec::new();
        let notes = fixed.write(&file, &cx, &mut lines)?;
        let lines = String::from_utf8(lines).map_err(|error| Error::bug("chunks are no Unicode").because(error))?;
        let before = usize::try_from(fixed.report.chunks_before).unwrap_or(usize::MAX);
        let count = |index: &usize| fixed.fates.get(index).map_or(1, Fate::count);
        let left = (0..before).flat_map(|index| std::iter::repeat_n(index, count(&index))).collect();
        Ok((left, lines, Findings::of_repair(fixed, &notes)))
    })
}

/// The repaired chunks, given as the rows of a table: the table, and the report.
#[pyfunction]
pub fn repair_table(
    py: Python<'_>,
    table: &Table,
    options: &str,
    risky: bool,
    jobs: Option<usize>,
) -> PyResult<(Table, Findings)> {
    working(py, || {
        let settings = settle(Task::Scan, options, None)?.value;
        let (file, cx) = (opened(table.lines()?)?, lint_cx(&settings, risky, jobs));
        let fixed = gristmill::fix(&file, &cx)?;
        let (batch, notes) = fixed.write_table(&file, &cx, &table.with_place(MERGED)?)?;
        Ok((Table { batch }.without_empty(MERGED, &table.batch)?, Findings::of_repair(fixed, &notes)))
    })
}

fn opened(lines: Vec<u8>) -> Result<ChunkFile> {
    ChunkFile::from_bytes(lines, NAME, Some(ChunkFormat::JsonLines))
}

impl Findings {
    fn of_repair(fixed: Fixed, notes: &Notes) -> Self {
        Self { told: Told::Fix(Box::new(fixed.report)), faults: fixed.faults, stale_vectors: notes.stale_vectors }
    }
}

fn lint_cx(settings: &Settings, risky: bool, jobs: Option<usize>) -> LintCx<'_> {
    LintCx {
        settings: &settings.lint,
        tokenizer: &settings.chunk.tokenizer,
        workers: workers(jobs),
        risky,
        max_findings: None,
        diff: false,
    }
}

fn unknown(format: &str) -> Error {
    let known: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
    Error::usage(format!("there is no format of this name: {format}"))
        .hint(format!("choose one of {}", known.join(", ")))
}
