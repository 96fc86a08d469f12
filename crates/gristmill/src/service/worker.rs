//! Threads that run jobs.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use gristmill_core::{Error, ErrorKind, Result};

use super::callback;
use super::claim::Claimed;
use super::gate::{Gate, Sign};
use super::job::{Job, JobError, JobStatus};
use super::jobs::Jobs;
use super::run::{Ended, JobCx, inputs, run};
use crate::config::Settings;

/// What jobs are run with.
#[derive(Clone)]
pub struct ServiceCx {
    /// The settings; a job names its own project.
    pub settings: Arc<Settings>,
    /// The folder that sources are found from, absolute.
    pub folder: PathBuf,
    /// Files that are no documents.
    pub own: Vec<PathBuf>,
    /// Threads that read and cut for one job.
    pub threads: usize,
    /// Jobs of different projects that run at a time.
    pub at_a_time: usize,
    /// Tells what went wrong where no job can tell it.
    pub log: fn(&str),
    /// Told of every job that was run and has ended.
    pub ended: Arc<dyn Fn(&Job) + Send + Sync>,
}

/// Runs jobs until it is stopped.
pub struct Worker {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

struct Shared {
    jobs: Arc<Jobs>,
    cx: ServiceCx,
    /// Projects that a job runs for, also when it was cancelled and its threads have not ended.
    busy: Mutex<HashSet<String>>,
    stopped: AtomicBool,
}

/// How long a thread waits for news before it looks again: pauses end without news.
const LOOK: Duration = Duration::from_millis(500);
/// How long a stopped worker waits for its jobs.
const PATIENCE: Duration = Duration::from_secs(3);
/// News of how far a job is are not written more often.
const OFTEN: Duration = Duration::from_millis(200);

impl Worker {
    /// Begins to run the jobs.
    ///
    /// # Errors
    /// When the system gives no threads.
    pub fn start(jobs: Arc<Jobs>, cx: ServiceCx) -> Result<Self> {
        let at_a_time = cx.at_a_time.max(1);
        let shared = Arc::new(Shared { jobs, cx, busy: Mutex::default(), stopped: AtomicBool::new(false) });
        let mut threads = Vec::with_capacity(at_a_time);
        for _ in 0..at_a_time {
            let shared = Arc::clone(&shared);
            let thread = thread::Builder::new().name("job".into()).spawn(move || shared.work());
            threads.push(thread.map_err(|e| Error::bug("no thread to run jobs with").because(e))?);
        }
        Ok(Self { shared, threads })
    }

    /// Stops: jobs that run are put back, to be begun anew by the next server. Does not wait long for their threads; what
    /// they still do reaches no store.
    pub fn stop(self) {
        self.shared.stopped.store(true, Ordering::Release);
        let gates: Vec<Arc<Gate>> =
            self.shared.jobs.gates.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect();
        gates.iter().for_each(|gate| gate.close());
        self.shared.jobs.tell();
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end && !self.threads.iter().all(JoinHandle::is_finished) {
            thread::sleep(Duration::from_millis(10));
        }
        // What still waits for an answer of a service ends with the process: that is no fault of the job.
        let running: Vec<i64> =
            self.shared.jobs.gates.lock().unwrap_or_else(PoisonError::into_inner).keys().copied().collect();
        running.into_iter().for_each(|key| _ = self.shared.jobs.put_back(key));
    }
}

impl Shared {
    fn work(&self) {
        let mut seen = 0;
        while !self.stopped.load(Ordering::Acquire) {
            match self.take() {
                Ok(Some(claimed)) => self.serve(&claimed),
                Ok(None) => seen = self.jobs.wait_for_news(seen, LOOK),
                Err(error) => {
                    (self.cx.log)(&error.chain());
                    thread::sleep(LOOK);
                }
            }
        }
    }

    /// Takes the next job and marks its project as busy.
    fn take(&self) -> Result<Option<Claimed>> {
        let mut busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        let claimed = self.jobs.claim(&busy)?;
        if let Some(claimed) = &claimed {
            busy.insert(claimed.job.project.clone());
        }
        Ok(claimed)
    }

    fn serve(&self, claimed: &Claimed) {
        if let Err(error) = self.serve_or_fail(claimed) {
            (self.cx.log)(&format!("{}: {}", claimed.job.id, error.chain()));
            // The job must not stick, even where its end could not be noted in full.
            let _ = self.jobs.fail(&claimed.job.id, JobError::from(&error));
        }
        self.jobs.leave(claimed);
        self.busy.lock().unwrap_or_else(PoisonError::into_inner).remove(&claimed.job.project);
        self.jobs.tell();
    }

    fn serve_or_fail(&self, claimed: &Claimed) -> Result<()> {
        let gate = Arc::new(self.gate(claimed));
        self.jobs.enter(claimed, &gate)?;
        let ended = self.run(claimed, &gate);
        if self.stopped.load(Ordering::Acquire) && ended.status == JobStatus::Cancelled {
            return self.jobs.put_back(claimed.key);
        }
        if let Some(job) = self.jobs.end(claimed, &ended)? {
            if job.status.is_final() {
                (self.cx.ended)(&job);
            }
            self.tell(claimed, &job);
        }
        Ok(())
    }

    /// Runs the job; a panic in it is its failure.
    fn run(&self, claimed: &Claimed, gate: &Arc<Gate>) -> Ended {
        let cx = &self.cx;
        let inputs = inputs(cx.folder.clone(), cx.own.clone());
        let mut told = Instant::now().checked_sub(OFTEN);
        let mut progress = |done: usize, total: usize, path: &str| {
            let due = done == total || told.is_none_or(|told| told.elapsed() >= OFTEN);
            if due && !gate.is_closed() {
                told = Some(Instant::now());
                self.note(claimed, gate, |job, _| {
                    let progress = &mut job.progress;
                    (progress.done, progress.total) = (done as u64, total as u64);
                    path.clone_into(&mut progress.source);
                });
            }
        };
        let mut cx = JobCx {
            settings: &cx.settings,
            inputs: &inputs,
            workers: cx.threads,
            jobs: &self.jobs,
            gate,
            progress: &mut progress,
        };
        catch_unwind(AssertUnwindSafe(|| run(&claimed.job, &mut cx))).unwrap_or_else(|_| Ended {
            status: JobStatus::Failed,
            error: Some(JobError::from(&Error::new(ErrorKind::Bug, "a step panicked"))),
            ..Ended::default()
        })
    }

    /// A gate that notes what passes it.
    fn gate(&self, claimed: &Claimed) -> Gate {
        let (jobs, key, clock) = (Arc::clone(&self.jobs), claimed.key, Mutex::new(Signs::default()));
        Gate::watched(Box::new(move |sign| {
            let mut signs = clock.lock().unwrap_or_else(PoisonError::into_inner);
            if signs.take(sign) {
                let now = signs.clone();
                drop(signs);
                // What cannot be noted now is noted with the next sign, or at the end.
                let _ = jobs.change(key, |job, at| now.show(job, at, &|pause| jobs.later(pause)));
            }
        }))
    }

    fn note(&self, claimed: &Claimed, gate: &Gate, change: impl FnOnce(&mut Job, &str)) {
        let changed = self.jobs.change(claimed.key, |job, now| {
            if !job.status.is_final() {
                change(job, now);
            }
        });
        match changed {
            // Another process may have cancelled it.
            Ok(Some(job)) if job.status.is_final() => gate.close(),
            Ok(_) => {}
            Err(error) => (self.cx.log)(&error.chain()),
        }
    }

    /// Tells whoever wants to be told how the job ended.
    fn tell(&self, claimed: &Claimed, job: &Job) {
        let url = self.jobs.callback_of(claimed.key).ok().flatten().filter(|_| job.status.is_final());
        let Some(url) = url else { return };
        let (job, private, log) = (job.clone(), self.cx.settings.server.allow_private_callbacks, self.cx.log);
        let (jobs, key) = (Arc::clone(&self.jobs), claimed.key);
        // The project is free for the next job meanwhile.
        thread::spawn(move || {
            if let Err(error) = callback::send(&url, &job, private, log) {
                let warning = format!("the callback failed: {}", error.chain());
                // The log has it in any case.
                let _ = jobs.change(key, |job, _| job.warnings.push(warning));
            }
        });
    }
}

/// What was seen of a job since it was noted last.
#[derive(Clone, Debug, Default)]
struct Signs {
    noted: Option<Instant>,
    embedded: u64,
    written: u64,
    stage: Option<super::job::Stage>,
    shown: Option<super::job::Stage>,
    pause: Option<Duration>,
}

/// A pause of a service that names none.
const SHORT: Duration = Duration::from_secs(1);

impl Signs {
    /// Takes a sign in; true when it is time to note it.
    fn take(&mut self, sign: Sign) -> bool {
        let paused = self.pause.is_some();
        match sign {
            Sign::At(stage) => self.stage = Some(stage),
            Sign::Embedded(texts) => self.embedded += texts,
            Sign::Written(chunks) => self.written += chunks,
            Sign::Pause(pause) => self.pause = Some(pause.unwrap_or(SHORT)),
        }
        if !matches!(sign, Sign::Pause(_)) {
            self.pause = None;
        }
        let turned = paused != self.pause.is_some() || self.shown.is_none();
        let due = turned || self.noted.is_none_or(|noted| noted.elapsed() >= OFTEN);
        if due {
            (self.noted, self.shown) = (Some(Instant::now()), self.stage);
        }
        due
    }

    fn show(&self, job: &mut Job, now: &str, later: &dyn Fn(i64) -> String) {
        if job.status.is_final() {
            return;
        }
        (job.progress.embedded, job.progress.written) = (self.embedded, self.written);
        if let Some(pause) = self.pause {
            if job.status != JobStatus::Waiting {
                job.come_to(JobStatus::Waiting, now);
            }
            job.waiting_until = Some(later(i64::try_from(pause.as_millis()).unwrap_or(i64::MAX)));
            return;
        }
        if job.status != JobStatus::Running {
            job.come_to(JobStatus::Running, now);
        }
        job.stage = self.stage;
    }
}
