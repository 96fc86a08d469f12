//! How jobs are asked for.

use gristmill_core::{Error, Result};
use rusqlite::{Connection, OptionalExtension, params};

use super::job::{Commits, Job, JobProgress, JobStatus, Mode, Moment, Scope};
use super::jobs::{Jobs, name, parse, read, write};
use super::table::failed;

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub struct NewJob {
    /// Whose documents.
    pub project: String,
    /// How much is done anew.
    pub mode: Mode,
    /// Paths of the documents that are meant; `None` for all.
    pub select: Option<Vec<String>>,
    /// Nothing is written.
    pub dry_run: bool,
    /// The plan that is followed.
    pub plan_id: Option<String>,
    /// Who asks.
    pub cause: String,
    /// A repository and the commit that was pushed.
    pub commit: Option<(String, String)>,
    /// The job that is repeated.
    pub retry_of: Option<String>,
    /// Where to tell how it ended. Never shown.
    pub callback: Option<String>,
    /// A key by which a repeated request is known, and the digest of the request.
    pub request: Option<(String, String)>,
    /// The delivery of a webhook.
    pub delivery: Option<Delivery>,
}

/// A call of a webhook.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delivery {
    /// Who called.
    pub provider: String,
    /// By what a repeated call is known.
    pub id: String,
    /// The repository.
    pub repository: String,
    /// The branch.
    pub branch: String,
    /// The commit before the push.
    pub before: String,
    /// The commit after it.
    pub after: String,
    /// True when history was rewritten or may have been: the commit may be older than the one before.
    pub forced: bool,
}

/// What came of asking.
#[derive(Clone, Debug)]
pub enum Submitted {
    /// A new job.
    New(Box<Job>),
    /// The same was asked before: the job of then. `None` when it is no longer kept.
    Repeated(Option<Box<Job>>),
    /// The key of the request belongs to another one.
    Conflict,
    /// A newer commit of the branch is known.
    Stale,
}

impl Jobs {
    /// Takes a job in. Jobs of the same project that wait their turn are superseded: the new one does their work, too.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn submit(&self, new: &NewJob) -> Result<Submitted> {
        let submitted = {
            let mut db = self.db();
            let transaction = db.transaction().map_err(failed)?;
            if let Some(known) = self.known(&transaction, new)? {
                return Ok(known);
            }
            let job = self.insert(&transaction, new)?;
            transaction.commit().map_err(failed)?;
            job
        };
        self.tell();
        Ok(Submitted::New(Box::new(submitted)))
    }

    /// Repeats a job that has ended.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn retry(&self, job: &Job) -> Result<Submitted> {
        let commit = job.commit.as_ref().and_then(|commit| {
            let repository = job.commits.iter().find(|(_, other)| *other == commit)?.0;
            Some((repository.clone(), commit.clone()))
        });
        let callback = super::jobs::key(&job.id).map(|key| self.callback_of(key)).transpose()?.flatten();
        self.submit(&NewJob {
            project: job.project.clone(),
            mode: job.mode,
            select: (job.scope == Scope::Delta).then(|| job.select.clone()),
            dry_run: job.dry_run,
            plan_id: job.plan_id.clone(),
            cause: job.cause.clone(),
            commit,
            retry_of: Some(job.id.clone()),
            callback,
            ..NewJob::default()
        })
    }

    fn known(&self, db: &Connection, new: &NewJob) -> Result<Option<Submitted>> {
        if let Some((key, digest)) = &new.request {
            let found = db
                .query_row(
                    "SELECT digest, job FROM requests WHERE project = ?1 AND key = ?2",
                    [&new.project, key],
                    |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?)),
                )
                .optional()
                .map_err(failed)?;
            if let Some((before, job)) = found {
                return Ok(Some(if before == *digest { repeated(db, job)? } else { Submitted::Conflict }));
            }
        }
        let Some(delivery) = &new.delivery else { return Ok(None) };
        let found = db
            .query_row(
                "SELECT job FROM deliveries WHERE provider = ?1 AND delivery = ?2",
                [&delivery.provider, &delivery.id],
                |row| row.get::<_, i64>(0),
            )
            .optional()
            .map_err(failed)?;
        if let Some(job) = found {
            return repeated(db, job).map(Some);
        }
        Ok(is_stale(db, delivery)?.then_some(Submitted::Stale))
    }

    fn insert(&self, db: &Connection, new: &NewJob) -> Result<Job> {
        db.execute(
            "INSERT INTO jobs(project, status, ready_at, job, callback) VALUES(?1, 'queued', 0, '', ?2)",
            params![new.project, new.callback],
        )
        .map_err(failed)?;
        let key = db.last_insert_rowid();
        let mut job = fresh(name(key), new, self.now());
        if job.may_be_superseded() {
            self.supersede(db, &mut job)?;
        }
        write(db, key, &mut job)?;
        let at = self.milliseconds();
        if let Some((request, digest)) = &new.request {
            db.execute(
                "INSERT INTO requests(project, key, digest, job, at) VALUES(?1, ?2, ?3, ?4, ?5)",
                params![new.project, request, digest, key, at],
            )
            .map_err(failed)?;
        }
        if let Some(Delivery { provider, id, repository, branch, before, after, .. }) = &new.delivery {
            db.execute(
                "INSERT INTO deliveries(provider, delivery, job, at, repository, branch, before_commit, after_commit)
                VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                params![provider, id, key, at, repository, branch, before, after],
            )
            .map_err(failed)?;
        }
        Ok(job)
    }

    /// Lets a new job do what waits its turn.
    fn supersede(&self, db: &Connection, job: &mut Job) -> Result<()> {
        let mut query = db
            .prepare_cached(
                "SELECT key, job FROM jobs WHERE project = ?1 AND status IN ('queued', 'waiting') AND job <> ''",
            )
            .map_err(failed)?;
        let rows = query.query_map([&job.project], |row| Ok((row.get(0)?, row.get(1)?))).map_err(failed)?;
        let waiting: Vec<(i64, String)> = rows.collect::<rusqlite::Result<_>>().map_err(failed)?;
        let gates = self.gates.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        for (key, text) in waiting.iter().rev().filter(|(key, _)| !gates.contains_key(key)) {
            let mut earlier = parse(text)?;
            if earlier.may_be_superseded() {
                job.take_over(&earlier);
                earlier.superseded_by = Some(job.id.clone());
                earlier.come_to(JobStatus::Superseded, &job.created_at);
                write(db, *key, &mut earlier)?;
            }
        }
        Ok(())
    }

    pub(super) fn callback_of(&self, key: i64) -> Result<Option<String>> {
        let found = self.db().query_row("SELECT callback FROM jobs WHERE key = ?1", [key], |row| row.get(0)).optional();
        Ok(found.map_err(failed)?.flatten())
    }
}

fn repeated(db: &Connection, job: i64) -> Result<Submitted> {
    Ok(Submitted::Repeated(read(db, job)?.map(Box::new)))
}

/// True when a push is known that came after this one. Deliveries may come in another order than they were made.
fn is_stale(db: &Connection, delivery: &Delivery) -> Result<bool> {
    let Delivery { repository, branch, before, after, .. } = delivery;
    if delivery.forced && may_go_back(db, delivery)? {
        return Ok(false);
    }
    db.query_row(
        "SELECT EXISTS(
            SELECT 1 FROM deliveries WHERE repository = ?1 AND branch = ?2 AND before_commit = ?3
            AND after_commit <> ?4 AND after_commit <> ?3
        )",
        [repository, branch, after, before],
        |row| row.get(0),
    )
    .map_err(failed)
}

/// True for a push that may put a branch back to an older commit: it follows the last one that is known, or one that nobody has
/// told of. One that follows an older push is late.
fn may_go_back(db: &Connection, delivery: &Delivery) -> Result<bool> {
    let Delivery { repository, branch, before, .. } = delivery;
    let head = db
        .query_row(
            "SELECT after_commit FROM deliveries WHERE repository = ?1 AND branch = ?2 ORDER BY at DESC, job DESC LIMIT 1",
            [repository, branch],
            |row| row.get::<_, String>(0),
        )
        .optional()
        .map_err(failed)?;
    if before.is_empty() || head.is_none_or(|head| head == *before) {
        return Ok(true);
    }
    let is_known = db.query_row(
        "SELECT EXISTS(
            SELECT 1 FROM deliveries WHERE repository = ?1 AND branch = ?2 AND ?3 IN (before_commit, after_commit)
        )",
        [repository, branch, before],
        |row| row.get::<_, bool>(0),
    );
    Ok(!is_known.map_err(failed)?)
}

fn fresh(id: String, new: &NewJob, now: String) -> Job {
    let mut commits = Commits::new();
    commits.extend(new.commit.clone());
    let mut select = new.select.clone().unwrap_or_default();
    select.sort();
    select.dedup();
    Job {
        id,
        project: new.project.clone(),
        status: JobStatus::Queued,
        stage: None,
        scope: if new.select.is_some() { Scope::Delta } else { Scope::Full },
        mode: new.mode,
        dry_run: new.dry_run,
        select,
        plan_id: new.plan_id.clone(),
        cause: new.cause.clone(),
        commit: new.commit.as_ref().map(|(_, commit)| commit.clone()),
        commits,
        history: vec![Moment { status: JobStatus::Queued, at: now.clone() }],
        created_at: now,
        started_at: None,
        finished_at: None,
        waiting_until: None,
        progress: JobProgress::default(),
        attempts: 0,
        callback: new.callback.is_some(),
        retry_of: new.retry_of.clone(),
        superseded_by: None,
        error: None,
        warnings: Vec::new(),
        files: None,
        chunks: None,
        version: 0,
    }
}

/// What a plan is called when it is gone.
pub(super) fn no_plan(id: &str) -> Error {
    Error::input(format!("there is no plan `{id}`")).hint("make a new one")
}
