//! Keeps a store in step with its sources.

mod given;
mod guard;
mod plan;
mod planning;
mod publish;
mod report;
pub(crate) mod seen;
mod turn;
mod verify;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use gristmill_core::{
    Diagnostic, DocumentId, Embedder, Error, Fingerprint, Result, Severity, Store, Tracked, VectorSpec, Writer,
};
use gristmill_format::{Record, RunReport};
use gristmill_pipeline::Sink;
use gristmill_pipeline::sync::{Apply, ApplyOptions, Diff, DiffOptions, diff};

pub use self::given::{ingest_given, ingest_given_into};
use self::plan::Counter;
pub use self::plan::{Plan, PlannedChange, PlannedChunks, PlannedDocument};
pub use self::planning::plan;
pub use self::report::{Chunks, Files, IngestFailure, IngestReport};
use self::seen::SeenNow;
pub use self::verify::{Drift, DriftKind, VerifyReport, verify, verify_and_repair};
use crate::config::{FailOn, Settings};
use crate::documents::{Documents, Inputs};
use crate::lint::trips;
use crate::open::{open_embedder, open_queue, open_store, wanted};
use crate::run::{RunCx, run_over};
use crate::toolkit::Toolkit;

/// What may be set for one run.
#[derive(Clone, Debug, Default)]
pub struct IngestOptions {
    /// Writes every document anew; vectors of known texts are still reused.
    pub rebuild: bool,
    /// Embeds every text anew, too.
    pub recreate: bool,
    /// Takes a source without documents for an emptied one.
    pub allow_empty_source: bool,
    /// Percent of the documents in the store that may be removed at most.
    pub max_delete: Option<f64>,
    /// Dollars that embedding may cost at most.
    pub max_cost: Option<f64>,
    /// Does exactly this, or nothing when something has changed since. What it was made with holds, instead of `rebuild`,
    /// `recreate` and `select`.
    pub plan: Option<Plan>,
    /// Only these documents are looked at: each path stands for itself and for all below it. The others stay as they are.
    pub select: Option<BTreeSet<String>>,
    /// Only these documents are looked at, none below them.
    pub only: Option<HashSet<DocumentId>>,
    /// How long to wait for the end of another run that writes. Default: not at all.
    pub wait: Duration,
    /// Documents that are written anew.
    pub again: HashSet<DocumentId>,
    /// Those of them whose vectors in the store are not trusted.
    pub distrust: HashSet<DocumentId>,
}

/// Brings the store in step with the sources: new and changed documents are cut, embedded and stored, gone ones removed.
///
/// # Errors
/// When settings are wrong, a guard trips, or the store or embedder cannot be used before anything was committed.
/// Documents that fail, and what ended the run later, are in the report.
pub fn ingest(
    settings: &Settings,
    inputs: &Inputs,
    options: &IngestOptions,
    cx: &mut RunCx<'_>,
) -> Result<IngestReport> {
    let embedder = open_embedder(settings)?;
    let store = open_store(settings, true)?;
    ingest_into(store.as_ref(), &embedder, settings, inputs, options, cx)
}

/// The same with a store and an embedder of the caller's own.
///
/// # Errors
/// As for [`ingest`].
pub fn ingest_into(
    store: &dyn Store,
    embedder: &Arc<dyn Embedder>,
    settings: &Settings,
    inputs: &Inputs,
    options: &IngestOptions,
    cx: &mut RunCx<'_>,
) -> Result<IngestReport> {
    let (toolkit, options) = (Toolkit::new(settings)?, &options.planned());
    Session { settings, inputs, options, toolkit: &toolkit, embedder, store, carried: HashMap::new() }.run(cx)
}

/// A run, which may need a second attempt.
struct Session<'a> {
    settings: &'a Settings,
    inputs: &'a Inputs,
    options: &'a IngestOptions,
    toolkit: &'a Toolkit,
    embedder: &'a Arc<dyn Embedder>,
    store: &'a dyn Store,
    /// Vectors that the first attempt was given.
    carried: HashMap<Fingerprint, Vec<f32>>,
}

enum Attempt {
    Done(Box<IngestReport>),
    OtherLength(usize),
}

impl IngestOptions {
    /// With what the plan was made with, where there is one.
    fn planned(&self) -> Self {
        let mut options = self.clone();
        if let Some(plan) = &self.plan {
            (options.rebuild, options.recreate) = (plan.rebuild, plan.recreate);
            options.select.clone_from(&plan.select);
        }
        options
    }

    fn rebuilds(&self) -> bool {
        self.rebuild || self.recreate
    }

    /// True for documents that are looked at.
    fn selects(&self, document: DocumentId, source: &str) -> bool {
        if self.only.as_ref().is_some_and(|only| !only.contains(&document)) {
            return false;
        }
        let Some(select) = &self.select else { return true };
        let mut above = Some(source);
        while let Some(path) = above {
            if select.contains(path) {
                return true;
            }
            above = path.rsplit_once('/').map(|(folder, _)| folder);
        }
        false
    }

    /// Notes selected paths at which there is no document, neither in the sources nor in the store.
    fn note_unmatched(&self, documents: &mut Documents, tracked: &[Tracked]) {
        let Some(select) = &self.select else { return };
        let listed = documents.every_job().map(|job| &*job.source);
        let there: BTreeSet<&str> = listed.chain(tracked.iter().map(|tracked| &*tracked.version.source)).collect();
        let is_there = |path: &String| {
            let below = format!("{path}/");
            there.contains(&**path) || there.range(&*below..).next().is_some_and(|first| first.starts_with(&below))
        };
        documents.unmatched = select.iter().filter(|path| !is_there(path)).cloned().collect();
    }

    /// Leaves out what is not looked at.
    fn narrow(&self, documents: &mut Documents, tracked: &mut Vec<Tracked>) {
        if self.select.is_some() || self.only.is_some() {
            let keep: Vec<bool> = documents.every_job().map(|job| self.selects(job.id, &job.source)).collect();
            documents.select(|index| keep[index]);
            tracked.retain(|tracked| self.selects(tracked.version.document, &tracked.version.source));
        }
    }
}

impl Session<'_> {
    fn run(&mut self, cx: &mut RunCx<'_>) -> Result<IngestReport> {
        let mut spec = wanted(self.embedder.as_ref());
        // A model may tell the length of its vectors only with the first of them; then another collection may be wanted.
        for _ in 0..2 {
            match self.attempt(&spec, cx)? {
                Attempt::Done(report) => return Ok(*report),
                Attempt::OtherLength(length) => spec.dimensions = Some(length),
            }
        }
        Err(Error::config(format!("the model gives vectors of changing length: `{}`", spec.model)))
    }

    fn attempt(&mut self, spec: &VectorSpec, cx: &mut RunCx<'_>) -> Result<Attempt> {
        let (settings, options) = (self.settings, self.options);
        let mut documents = Documents::list(settings, self.inputs)?;
        // The right to write comes first, so that nobody changes what the plan is made from.
        let mut writer = turn::writer(self.store, spec, options.wait)?;
        let answering = self.store.tracked()?;
        let mut meant = answering.clone();
        options.note_unmatched(&mut documents, &meant);
        options.narrow(&mut documents, &mut meant);
        let compared = !answering.is_empty() || writer.is_shadow() || options.plan.is_some();
        let seen = SeenNow::of(settings, &mut documents, compared, cx.workers)?;
        self.guard(&documents, &seen, &meant)?;
        let mut tracked = meant;
        if writer.is_shadow() {
            tracked = writer.tracked()?;
            options.narrow(&mut documents, &mut tracked);
        }
        let diff = self.diff(&documents, &seen, &tracked);
        note_spoilt(&mut documents, &diff);
        self.ensure_planned(&documents, &seen, &diff, writer.as_ref(), spec)?;
        let mut report = IngestReport { model: spec.model.clone(), ..IngestReport::default() };
        report.files.unchanged = diff.work.iter().filter(|work| work.is_none()).count() as u64;
        report.unmatched.clone_from(&documents.unmatched);
        documents.select(|index| diff.work[index].is_some());
        if let Some(most) = options.max_cost {
            let work = diff.work.iter().flatten().cloned();
            let counter = Counter::new(Some(writer.as_ref()), work, self.embedder.limits()).anew(options.recreate);
            let counter = planning::count(settings, self.toolkit, &documents, counter, cx)?;
            guard::cost(planning::cost(settings, &spec.model, &counter), Some(most))?;
        }
        if settings.lint.fail_on != FailOn::Never {
            let run = run_over(settings, self.toolkit, &documents, &mut Nothing, cx)?;
            if trips(&run, settings.lint.fail_on) {
                return Ok(Attempt::Done(Box::new(IngestReport { stopped: true, run, ..report })));
            }
        }
        self.write(report, &documents, diff, &answering, writer.as_mut(), cx)
    }

    fn diff(&self, documents: &Documents, seen: &SeenNow, tracked: &[Tracked]) -> Diff {
        let options = DiffOptions {
            rebuild: self.options.rebuilds(),
            again: Some(&self.options.again),
            unseen: &documents.unseen,
        };
        diff(&seen.list(documents), tracked, options)
    }

    /// What would be gone is what answers now, whichever collection is written.
    fn guard(&self, documents: &Documents, seen: &SeenNow, answering: &[Tracked]) -> Result<()> {
        guards(self.settings, self.inputs, self.options, documents, &self.diff(documents, seen, answering), answering)
    }

    /// Fails when a plan is to be followed and no longer fits.
    fn ensure_planned(
        &self,
        documents: &Documents,
        seen: &SeenNow,
        diff: &Diff,
        writer: &dyn Writer,
        spec: &VectorSpec,
    ) -> Result<()> {
        let Some(plan) = &self.options.plan else { return Ok(()) };
        let mut now = Plan::of(self.settings, documents, seen, diff, spec);
        now.new_model = writer.is_shadow();
        plan.ensure_fits(&now)
    }

    fn write(
        &mut self,
        mut report: IngestReport,
        documents: &Documents,
        diff: Diff,
        answering: &[Tracked],
        writer: &mut dyn Writer,
        cx: &mut RunCx<'_>,
    ) -> Result<Attempt> {
        let mut queue = open_queue(self.embedder)?;
        let all = self.options.recreate.then(|| documents.every_job().map(|job| job.id).collect());
        let distrust: &HashSet<DocumentId> = all.as_ref().unwrap_or(&self.options.distrust);
        let options = ApplyOptions { batch: self.settings.store.batch_size, distrust };
        let work = diff.work.into_iter().flatten();
        let mut apply = Apply::new(writer, queue.as_mut(), options, work).carrying(std::mem::take(&mut self.carried));
        let mut run = RunReport::default();
        let ran = run_over(self.settings, self.toolkit, documents, &mut apply, cx).map(|report| run = report);
        let (applied, carried, outcome) = apply.finish(ran, &diff.gone);
        if let Some(length) = applied.other_length {
            self.carried = carried;
            return Ok(Attempt::OtherLength(length));
        }
        report.add(&applied);
        report.run = run;
        report.add_unread(documents);
        report.add_untaken(documents, self.options.select.as_ref());
        let only = self.options.only.as_ref();
        let outcome = outcome.and_then(|()| publish::publish(&mut report, documents, only, answering, writer));
        report.files.failed = report.failures.len() as u64;
        report.end(outcome).map(|report| Attempt::Done(Box::new(report)))
    }
}

/// Notes documents that are removed from the store because what is in their files now is none: a damaged or half-written file
/// looks like that.
fn note_spoilt(documents: &mut Documents, diff: &Diff) {
    let reasons: HashMap<&str, &str> =
        documents.passed_over.iter().map(|(source, reason)| (&**source, &**reason)).collect();
    let gone = diff.gone.iter().filter(|gone| !gone.moved);
    let notes: Vec<Diagnostic> = gone
        .filter_map(|gone| {
            let reason = reasons.get(&*gone.source)?;
            let message = format!("is no document any more ({reason}), and is removed from the store");
            Some(Diagnostic::new("no-document-any-more", Severity::High, &gone.source, message))
        })
        .collect();
    documents.diagnostics.extend(notes);
}

/// Stops a run that would remove what nobody meant to remove.
fn guards(
    settings: &Settings,
    inputs: &Inputs,
    options: &IngestOptions,
    documents: &Documents,
    diff: &Diff,
    answering: &[Tracked],
) -> Result<()> {
    guard::empty(settings, documents, answering, options.allow_empty_source)?;
    guard::emptied(settings, documents, &diff.gone, options.allow_empty_source)?;
    guard::deletions(&diff.gone, answering, options, !inputs.paths.is_empty() && options.plan.is_none())
}

impl IngestReport {
    /// Adds what could not be read or looked at.
    fn add_unread(&mut self, documents: &Documents) {
        // What could not be looked at may have changed: the run is not complete.
        for unseen in &documents.unseen {
            let name = if unseen.is_empty() { "." } else { unseen };
            self.fail(name, "could not be looked at; what the store has of it was kept");
        }
        let unread = self.run.documents.iter().filter_map(|document| {
            let error = document.error.as_ref()?;
            Some(IngestFailure { source: document.source.clone(), message: error.message.clone() })
        });
        let unread: Vec<IngestFailure> = unread.collect();
        self.failures.extend(unread);
    }

    /// Adds files that were asked for by their own path, and that no reader takes.
    fn add_untaken(&mut self, documents: &Documents, select: Option<&BTreeSet<String>>) {
        for (source, reason) in &documents.passed_over {
            if select.is_some_and(|select| select.contains(source)) {
                self.fail(source, reason);
            }
        }
    }
}

/// Looks at the chunks before any is written.
struct Nothing;

impl Sink for Nothing {
    fn record(&mut self, _: &Record<'_>) -> Result<()> {
        Ok(())
    }
}
