//! All jobs of a store.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, SecondsFormat, Utc};
use gristmill_core::{Error, Result};
use rusqlite::{Connection, OptionalExtension, params};

use super::gate::Gate;
use super::job::{Job, JobStatus};
use super::table::{RunLock, failed, open};
use crate::config::{Clock, Settings};

/// All jobs of a store, of all projects. Every change is on the disk before it is told.
pub struct Jobs {
    db: Mutex<Connection>,
    clock: Clock,
    /// Gates of the jobs that run in this process, by key.
    pub(super) gates: Mutex<HashMap<i64, Arc<Gate>>>,
    /// Told when a job may be ready to run.
    work: Condvar,
    told: Mutex<u64>,
    hook: Mutex<Option<Box<dyn Fn() + Send + Sync>>>,
    lock: Option<RunLock>,
}

/// Jobs that have ended are kept, so many a project.
const KEPT: i64 = 1000;
/// Deliveries and keys of requests are remembered for so long, in milliseconds.
const REMEMBERED: i64 = 30 * 24 * 3600 * 1000;

impl Jobs {
    /// The file of the jobs of a store: beside the store, or in the project's folder where the store is a service.
    pub fn place(settings: &Settings) -> PathBuf {
        if settings.store.kind != "sqlite" {
            return settings.root.join(".gristmill/jobs.db");
        }
        let mut path = settings.store.path.as_os_str().to_owned();
        path.push("-jobs");
        path.into()
    }

    /// Opens the jobs of a file and takes the right to run them. Jobs that a killed server left are queued again.
    ///
    /// # Errors
    /// When another server has the right, or the file cannot be used.
    pub fn open(path: &Path, clock: Clock) -> Result<Self> {
        let db = open(path)?;
        Self::over(db, clock, Some(RunLock::take(path)?))
    }

    /// Opens the jobs of a file; who else has the right to run them keeps it.
    ///
    /// # Errors
    /// When the file cannot be used.
    pub fn join(path: &Path, clock: Clock) -> Result<Self> {
        let db = open(path)?;
        Self::over(db, clock, RunLock::take(path).ok())
    }

    fn over(db: Connection, clock: Clock, lock: Option<RunLock>) -> Result<Self> {
        let jobs = Self {
            db: Mutex::new(db),
            clock,
            gates: Mutex::default(),
            work: Condvar::new(),
            told: Mutex::new(0),
            hook: Mutex::new(None),
            lock,
        };
        if jobs.may_run() {
            jobs.resume()?;
            jobs.sweep()?;
        }
        Ok(jobs)
    }

    /// True when this process has the right to run jobs.
    pub fn may_run(&self) -> bool {
        self.lock.is_some()
    }

    /// Calls `hook` after every change.
    pub fn on_change(&self, hook: Box<dyn Fn() + Send + Sync>) {
        *self.hook.lock().unwrap_or_else(PoisonError::into_inner) = Some(hook);
    }

    /// A job.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn job(&self, id: &str) -> Result<Option<Job>> {
        let Some(key) = key(id) else { return Ok(None) };
        read(&self.db(), key)
    }

    /// The newest jobs, newest first: of `projects`, or of all when nothing is named; those before `before`.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn list(&self, projects: Option<&[String]>, before: Option<&str>, limit: usize) -> Result<Vec<Job>> {
        let before = before.and_then(key).unwrap_or(i64::MAX);
        let db = self.db();
        let mut found = Vec::new();
        let mut query =
            db.prepare_cached("SELECT job, project FROM jobs WHERE key < ?1 ORDER BY key DESC").map_err(failed)?;
        let mut rows = query.query([before]).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let project: String = row.get(1).map_err(failed)?;
            if found.len() == limit {
                break;
            }
            if projects.is_none_or(|known| known.contains(&project)) {
                found.push(parse(&row.get::<_, String>(0).map_err(failed)?)?);
            }
        }
        Ok(found)
    }

    /// Jobs by status.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn counts(&self) -> Result<Vec<(String, u64)>> {
        let db = self.db();
        let mut query =
            db.prepare_cached("SELECT status, count(*) FROM jobs GROUP BY status ORDER BY status").map_err(failed)?;
        let count = |row: &rusqlite::Row<'_>| row.get::<_, i64>(1).map(i64::unsigned_abs);
        let rows = query.query_map([], |row| Ok((row.get(0)?, count(row)?))).map_err(failed)?;
        rows.collect::<rusqlite::Result<_>>().map_err(failed)
    }

    /// The report of a job as JSON, once there is one.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn report(&self, id: &str) -> Result<Option<String>> {
        let Some(key) = key(id) else { return Ok(None) };
        let db = self.db();
        let found = db.query_row("SELECT report FROM jobs WHERE key = ?1", [key], |row| row.get(0)).optional();
        Ok(found.map_err(failed)?.flatten())
    }

    /// Stops a job. What it has committed stays; nothing of it is written from now on. A job that has ended stays as it is.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn cancel(&self, id: &str) -> Result<Option<Job>> {
        let Some(number) = key(id) else { return Ok(None) };
        if let Some(gate) = self.gates.lock().unwrap_or_else(PoisonError::into_inner).get(&number) {
            gate.close();
        }
        self.change(number, |job, now| {
            if !job.status.is_final() {
                job.come_to(JobStatus::Cancelled, now);
            }
        })
    }

    /// Changes a job and tells; gives it as it is then.
    pub(super) fn change(&self, key: i64, change: impl FnOnce(&mut Job, &str)) -> Result<Option<Job>> {
        let changed = {
            let mut db = self.db();
            let transaction = db.transaction().map_err(failed)?;
            let Some(mut job) = read(&transaction, key)? else { return Ok(None) };
            change(&mut job, &self.now());
            write(&transaction, key, &mut job)?;
            transaction.commit().map_err(failed)?;
            job
        };
        self.tell();
        Ok(Some(changed))
    }

    /// Notes the report of a job.
    pub(super) fn set_report(&self, key: i64, report: &str) -> Result<()> {
        self.db().execute("UPDATE jobs SET report = ?2 WHERE key = ?1", params![key, report]).map_err(failed)?;
        Ok(())
    }

    /// What a killed server left begins anew. What brought the server down again and again is given up.
    fn resume(&self) -> Result<()> {
        let left: Vec<i64> = {
            let db = self.db();
            let mut query = db
                .prepare("SELECT key FROM jobs WHERE status IN ('planning', 'running', 'waiting')")
                .map_err(failed)?;
            let rows = query.query_map([], |row| row.get(0)).map_err(failed)?;
            rows.collect::<rusqlite::Result<_>>().map_err(failed)?
        };
        for key in left {
            self.change(key, |job, now| {
                if job.attempts >= super::claim::ATTEMPTS {
                    job.error = Some(super::job::JobError {
                        code: "bug".into(),
                        message: format!("the server ended {} times while it ran this job", job.attempts),
                        hint: Some("look at the server's log, then retry the job".into()),
                        retryable: true,
                    });
                    job.come_to(JobStatus::Failed, now);
                } else {
                    job.come_to(JobStatus::Queued, now);
                }
            })?;
        }
        self.db().execute("UPDATE jobs SET ready_at = 0 WHERE status = 'queued'", []).map_err(failed)?;
        Ok(())
    }

    /// Forgets what is old.
    pub(super) fn sweep(&self) -> Result<()> {
        let db = self.db();
        let old = self.milliseconds() - REMEMBERED;
        db.execute("DELETE FROM deliveries WHERE at < ?1", [old]).map_err(failed)?;
        db.execute("DELETE FROM requests WHERE at < ?1", [old]).map_err(failed)?;
        db.execute(
            "DELETE FROM jobs WHERE status NOT IN ('queued', 'planning', 'running', 'waiting') AND key <= (
                SELECT key FROM jobs AS other WHERE other.project = jobs.project ORDER BY key DESC LIMIT 1 OFFSET ?1
            )",
            [KEPT],
        )
        .map_err(failed)?;
        db.execute("DELETE FROM plans WHERE key <= (SELECT max(key) FROM plans) - ?1", [KEPT]).map_err(failed)?;
        Ok(())
    }

    pub(super) fn db(&self) -> MutexGuard<'_, Connection> {
        // A panic in between leaves nothing half done: the transaction was rolled back.
        self.db.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The time as RFC 3339 with milliseconds.
    pub(super) fn now(&self) -> String {
        stamp(self.clock, 0)
    }

    /// The time so many milliseconds from now.
    pub(super) fn later(&self, milliseconds: i64) -> String {
        stamp(self.clock, milliseconds)
    }

    /// Milliseconds since 1970.
    pub(super) fn milliseconds(&self) -> i64 {
        DateTime::<Utc>::from(self.clock.now()).timestamp_millis()
    }

    /// Tells whoever waits for work or for news.
    pub(super) fn tell(&self) {
        *self.told.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.work.notify_all();
        if let Some(hook) = self.hook.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            hook();
        }
    }

    /// Waits for news since `seen`, or until some time has passed; gives what to hand in next.
    pub(super) fn wait_for_news(&self, seen: u64, most: Duration) -> u64 {
        let told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.work.wait_timeout_while(told, most, |told| *told == seen);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

fn stamp(clock: Clock, milliseconds: i64) -> String {
    let now = DateTime::<Utc>::from(clock.now());
    let moved = now.checked_add_signed(chrono::Duration::milliseconds(milliseconds)).unwrap_or(now);
    moved.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// The name of a job.
pub(super) fn name(key: i64) -> String {
    format!("job-{key}")
}

/// The key of a job with this name.
pub(super) fn key(id: &str) -> Option<i64> {
    let digits = id.strip_prefix("job-").filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    digits.parse().ok()
}

pub(super) fn parse(text: &str) -> Result<Job> {
    serde_json::from_str(text).map_err(|e| Error::bug("a job cannot be read").because(e))
}

pub(super) fn read(db: &Connection, key: i64) -> Result<Option<Job>> {
    let mut query = db.prepare_cached("SELECT job FROM jobs WHERE key = ?1").map_err(failed)?;
    let text: Option<String> = query.query_row([key], |row| row.get(0)).optional().map_err(failed)?;
    text.map(|text| parse(&text)).transpose()
}

/// Writes a job that was changed.
pub(super) fn write(db: &Connection, key: i64, job: &mut Job) -> Result<()> {
    job.version += 1;
    let text = serde_json::to_string(job).map_err(|e| Error::bug("a job cannot be written").because(e))?;
    let mut query = db.prepare_cached("UPDATE jobs SET status = ?2, job = ?3 WHERE key = ?1").map_err(failed)?;
    query.execute(params![key, job.status.name(), text]).map_err(failed)?;
    Ok(())
}
