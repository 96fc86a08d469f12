//! What all requests share.

use std::path::PathBuf;
use std::sync::Arc;

use gristmill::config::{Env, Settings};
use gristmill::service::Jobs;
use gristmill::{Inputs, Result, RunCx};
use tokio::sync::{Semaphore, watch};

use crate::auth::Caller;
use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::traces::Traces;

/// What all requests share.
pub struct App {
    pub settings: Arc<Settings>,
    pub folder: PathBuf,
    pub own: Vec<PathBuf>,
    pub threads: usize,
    pub jobs: Arc<Jobs>,
    pub metrics: Metrics,
    /// Where it is told what took how long, when the settings name a place.
    pub traces: Option<Arc<Traces>>,
    /// Grows with every change of a job.
    pub news: watch::Sender<u64>,
    /// True from the moment on at which the server ends.
    pub ending: watch::Sender<bool>,
    /// Requests that are worked on.
    pub requests: Arc<Semaphore>,
    /// Requests of those who have not shown a token: calls of webhooks, and those who want to come in.
    pub strangers: Arc<Semaphore>,
    /// Requests of those who watch the server.
    pub watches: Arc<Semaphore>,
    /// Jobs that are followed.
    pub streams: Arc<Semaphore>,
    /// Work on documents; as many at a time as there are processors.
    pub work: Arc<Semaphore>,
    pub log: fn(&str),
    /// Whether agents may write.
    pub allow_write: bool,
}

/// What is asked for every few seconds by those who watch the server.
pub const WATCHED: [&str; 3] = ["/healthz", "/readyz", "/metrics"];

/// The shared state of the router.
pub type Shared = Arc<App>;

impl App {
    /// Does work on a thread of its own, when one of a few places for it is free.
    pub async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T, Problem> {
        let place = Arc::clone(&self.work).acquire_owned().await.map_err(|_| Problem::ending())?;
        let done = tokio::task::spawn_blocking(move || {
            let _place = place;
            work()
        });
        done.await.map_err(|_| Problem::bug("a step panicked"))?.map_err(Problem::from)
    }

    /// Reads or writes jobs, which takes no place of the work on documents.
    pub async fn with_jobs<T: Send + 'static>(
        &self,
        call: impl FnOnce(&Jobs) -> Result<T> + Send + 'static,
    ) -> Result<T, Problem> {
        let jobs = Arc::clone(&self.jobs);
        let done = tokio::task::spawn_blocking(move || call(&jobs));
        done.await.map_err(|_| Problem::bug("a step panicked"))?.map_err(Problem::from)
    }

    /// The project that is meant: the one that is asked for, else that of the settings, when the caller may see it.
    pub fn project(&self, caller: &Caller, asked: Option<&str>) -> Result<String, Problem> {
        let project = asked.unwrap_or(&self.settings.project);
        if caller.may_see(project) && self.knows(project) {
            return Ok(project.to_owned());
        }
        // Whether another's project exists is nobody's business.
        Err(Problem::not_found("project", project).pointing("/project", "not known"))
    }

    /// True for the project of the settings, and for those that a token is for.
    fn knows(&self, project: &str) -> bool {
        let mut named = self.settings.server.token.iter().filter_map(|token| token.projects.as_ref()).flatten();
        project == self.settings.project || named.any(|named| named == project)
    }

    /// The settings of a project.
    pub fn settings_of(&self, project: &str) -> Settings {
        let mut settings = Settings::clone(&self.settings);
        project.clone_into(&mut settings.project);
        settings
    }

    /// What a run of the configured sources reads.
    pub fn inputs(&self) -> Inputs {
        Inputs { folder: self.folder.clone(), own: self.own.clone(), ..Inputs::default() }
    }

    pub fn env(&self) -> &Env {
        &self.settings.world.env
    }

    /// True when nobody needs a token.
    pub fn is_open(&self) -> bool {
        self.settings.server.token.is_empty()
    }
}

/// Runs something that reads and cuts, without telling how far it is.
pub fn quietly<T>(threads: usize, lint: bool, run: impl FnOnce(&mut RunCx<'_>) -> T) -> T {
    run(&mut RunCx { workers: threads, inspect: false, lint, progress: &mut |_, _, _| {} })
}
