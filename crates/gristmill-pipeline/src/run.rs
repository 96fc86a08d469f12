//! Works on many documents and hands their records on, in the order of the sources.

use std::collections::HashSet;

use gristmill_core::{Diagnostic, EditKind, Error, ErrorKind, Fingerprint, Result, Severity};
use gristmill_format::Record;
use gristmill_format::report::{DocumentMetadata, DocumentReport, Finding, ReportBuilder};

use crate::facts::Facts;
use crate::ordered::ordered;
use crate::records::{Rank, RecordMaker};
use crate::stages::{Job, Stages};
use crate::work::{Fate, Summary, Windows, Worked, work};

/// What is done with a chunk whose text equals that of an earlier one of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duplicates {
    /// It is not accepted.
    Reject,
    /// It is not accepted when the earlier one is of the same document: what becomes of a document does not depend on
    /// which others the run works on.
    RejectWithin,
    /// It is counted.
    Keep,
}

/// Takes what a run brings forth.
pub trait Sink {
    /// A document follows.
    ///
    /// # Errors
    /// Ends the run.
    fn begin(&mut self, job: &Job, arrival: &Arrival<'_>) -> Result<()> {
        let _ = (job, arrival);
        Ok(())
    }

    /// One accepted chunk, with its size in the unit of the limits. Chunks of a document come together and in order.
    ///
    /// # Errors
    /// Ends the run.
    fn record(&mut self, record: &Record<'_>) -> Result<()>;

    /// No reader takes a document.
    ///
    /// # Errors
    /// Ends the run.
    fn skipped(&mut self, job: &Job) -> Result<()> {
        let _ = job;
        Ok(())
    }

    /// A document is complete: all its chunks have come.
    ///
    /// # Errors
    /// Of kind [`ErrorKind::Input`]: the document failed; others end the run.
    fn document(&mut self, job: &Job) -> Result<()> {
        let _ = job;
        Ok(())
    }
}

/// What is known of a document before its chunks come.
#[derive(Clone, Copy, Debug)]
pub struct Arrival<'a> {
    /// Hash of its bytes.
    pub fingerprint: Fingerprint,
    /// Number of its accepted chunks.
    pub chunks: usize,
    /// Set when it has text that could not be read: what was said about it.
    pub incomplete: Option<&'a Diagnostic>,
}

/// Settings of a run that are not those of a stage.
#[derive(Clone, Copy, Debug)]
pub struct RunOptions {
    /// Threads that read and cut.
    pub workers: usize,
    /// What is done with equal chunks.
    pub duplicates: Duplicates,
}

/// Told about every document that is done: number done, and its path.
pub type Progress<'a> = dyn FnMut(usize, &str) + 'a;

/// Works on `jobs`. Documents that fail are in the report; only the sink can end a run.
///
/// # Errors
/// What the sink returns.
pub fn run<'a>(
    jobs: &'a [Job],
    stages: &'a Stages<'a>,
    options: RunOptions,
    sink: &mut dyn Sink,
    report: &mut ReportBuilder,
    progress: &mut Progress<'_>,
) -> Result<()> {
    let mut seen = HashSet::new();
    let one = |index: usize| (stages.fetch)(index).and_then(|content| work(&jobs[index], content.as_ref(), stages));
    ordered(jobs.len(), options.workers, one, |index, fate| {
        let job = &jobs[index];
        match fate.and_then(|fate| fate) {
            Ok(Fate::Skipped(reason)) => {
                report.skip(&job.source, reason);
                sink.skipped(job)?;
            }
            Ok(Fate::Worked(worked)) => {
                let mut delivery = Delivery { job, options, seen: &mut seen, sink, report };
                delivery.document(*worked)?;
            }
            Err(error) => report.document(DocumentReport::failed(&job.source, &error)),
        }
        progress(index + 1, &job.source);
        Ok(())
    })
}

struct Delivery<'a> {
    job: &'a Job,
    options: RunOptions,
    /// First half of the hash of every accepted text.
    seen: &'a mut HashSet<u128>,
    sink: &'a mut dyn Sink,
    report: &'a mut ReportBuilder,
}

impl Delivery<'_> {
    fn document(&mut self, mut worked: Worked) -> Result<()> {
        if self.options.duplicates == Duplicates::RejectWithin {
            self.seen.clear();
        }
        let accepted: Vec<bool> = worked.summaries.iter().map(|s| self.accepts(s, &worked)).collect();
        let mut entry = entry(self.job, &worked);
        let windows = std::mem::replace(&mut worked.windows, Windows::Taken);
        let arrival = Arrival {
            fingerprint: worked.fingerprint,
            chunks: accepted.iter().filter(|keep| **keep).count(),
            incomplete: worked.diagnostics.iter().find(|diagnostic| diagnostic.incomplete),
        };
        self.sink.begin(self.job, &arrival)?;
        let (chunks, tokens) = self.records(&worked, windows, &accepted)?;
        (entry.chunks, entry.tokens) = (chunks, tokens);
        if let Err(error) = self.sink.document(self.job) {
            if error.kind() != ErrorKind::Input {
                return Err(error);
            }
            entry.error = Some((&error).into());
        }
        self.report.document(entry);
        Ok(())
    }

    /// Judges a chunk and notes what is wrong with it.
    fn accepts(&mut self, summary: &Summary, worked: &Worked) -> bool {
        let limits = &worked.cutting.limits;
        for flaw in &summary.flaws {
            let message = flaw.message(summary.size, limits);
            self.finding(flaw.name(), flaw.severity(), summary, summary.line, message);
        }
        for remark in &summary.remarks {
            let line = summary.line + remark.lines;
            self.finding(remark.rule, remark.severity, summary, line, remark.message.clone());
        }
        if let Some(flaw) = summary.flaws.iter().find(|flaw| flaw.rejects()) {
            self.report.reject(flaw.name());
            return false;
        }
        if self.seen.insert(half(&summary.hash.0)) {
            return true;
        }
        self.report.duplicate();
        let message = "the same text as an earlier chunk".to_owned();
        self.finding("exact-duplicate", Severity::Medium, summary, summary.line, message);
        if self.options.duplicates != Duplicates::Keep {
            self.report.reject("exact-duplicate");
            return false;
        }
        true
    }

    fn finding(&mut self, rule: &'static str, severity: Severity, summary: &Summary, line: u64, message: String) {
        let diagnostic = Diagnostic::new(rule, severity, &self.job.source, message).at_line(line);
        let mut finding = Finding::from(&diagnostic);
        finding.chunk_id = Some(summary.id.to_string());
        self.report.finding(finding);
    }

    /// Hands on the accepted records; gives their number and tokens.
    fn records(&mut self, worked: &Worked, windows: Windows, accepted: &[bool]) -> Result<(u64, u64)> {
        let kept: Vec<&Summary> =
            worked.summaries.iter().zip(accepted).filter_map(|(s, keep)| keep.then_some(s)).collect();
        let mut state = Counted { next: 0, tokens: 0 };
        let source_hash = worked.fingerprint.tagged();
        match windows {
            Windows::Held(window) => {
                let maker = RecordMaker { facts: &worked.facts, source: &self.job.source, source_hash: &source_hash };
                for (cut, _) in window.chunks.iter().zip(accepted).filter(|(_, keep)| **keep) {
                    let record = maker.record(&window, cut, rank(&kept, state.next));
                    self.pass(&record, &kept, &mut state)?;
                }
            }
            Windows::Spooled(spool) => {
                let mut keep = accepted.iter();
                spool.read(|mut record| {
                    if keep.next().is_some_and(|keep| *keep) {
                        rank(&kept, state.next).put_into(&mut record);
                        self.pass(&record, &kept, &mut state)?;
                    }
                    Ok(())
                })?;
            }
            Windows::Taken => return Err(Error::bug("the chunks of a document were handed on twice")),
        }
        Ok((state.next as u64, state.tokens))
    }

    fn pass(&mut self, record: &Record<'_>, kept: &[&Summary], state: &mut Counted) -> Result<()> {
        self.report.chunk(record, u64::from(kept[state.next].size));
        state.tokens += record.token_count;
        state.next += 1;
        self.sink.record(record)
    }
}

struct Counted {
    next: usize,
    tokens: u64,
}

fn half(hash: &[u8; 32]) -> u128 {
    hash[..16].iter().fold(0, |sum, byte| sum << 8 | u128::from(*byte))
}

fn rank(kept: &[&Summary], index: usize) -> Rank {
    let id = |at: Option<usize>| at.and_then(|at| kept.get(at)).map(|s| s.id.to_string());
    Rank {
        index: index as u64,
        total: kept.len() as u64,
        previous: id(index.checked_sub(1)),
        next: id(Some(index + 1)),
    }
}

fn entry(job: &Job, worked: &Worked) -> DocumentReport {
    let mut entry = DocumentReport {
        source: job.source.clone(),
        format: worked.format.into(),
        encoding: worked.encoding.into(),
        metadata: metadata(&worked.facts),
        inspection: worked.inspection,
        removals: worked.removals.clone(),
        needs_review: worked.inspection.is_some_and(|counts| counts.unclosed_fences > 0),
        ..DocumentReport::default()
    };
    for (rule, count) in &worked.repaired {
        *entry.repairs.entry((*rule).into()).or_insert(0) += count;
    }
    for diagnostic in &worked.diagnostics {
        entry.warn(diagnostic);
        entry.needs_review |= REVIEW.contains(&diagnostic.code);
    }
    if let Some(noise) = noise(job, worked) {
        entry.warn(&noise);
        entry.needs_review = true;
    }
    entry
}

/// One character in so many that cleaning takes out as noise makes the noise widespread.
const WIDESPREAD: u64 = 10;

/// Noise that is too much for a text: what is left may not be what its author wrote.
fn noise(job: &Job, worked: &Worked) -> Option<Diagnostic> {
    let kinds = [EditKind::Control, EditKind::Boilerplate, EditKind::PageMark].map(EditKind::name);
    let noise = worked.removals.iter().filter(|removal| kinds.contains(&removal.kind.as_ref()));
    let removed: u64 = noise.map(|removal| removal.characters).sum();
    let kept = worked.characters;
    let widespread = kept > 0 && removed * WIDESPREAD >= removed + kept;
    widespread.then(|| {
        let message = format!("widespread noise: {removed} characters taken out, {kept} left");
        Diagnostic::new("widespread-noise", Severity::Medium, &job.source, message)
    })
}

/// Problems after which a person should look at the document.
const REVIEW: &[&str] = &["unclosed-fence", "undecodable-bytes", "malformed-front-matter", "pdf-no-text"];

fn metadata(facts: &Facts) -> DocumentMetadata {
    let mut attributes = facts.attributes.clone();
    attributes.extend(facts.declared.iter().map(|(name, value)| (name.clone(), value.clone())));
    DocumentMetadata {
        title: Some(facts.title.clone()),
        document_type: facts.document_type.clone(),
        language: facts.language.clone(),
        created_at: facts.created_at.clone(),
        attributes,
    }
}
