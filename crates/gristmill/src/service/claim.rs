//! Whose turn it is, and how it ends.

use std::collections::HashSet;
use std::sync::{Arc, PoisonError};

use gristmill_core::Result;
use rusqlite::params;

use super::gate::Gate;
use super::job::{Job, JobError, JobStatus};
use super::jobs::{Jobs, key, parse, write};
use super::run::Ended;
use super::table::failed;

/// A job is begun so often before it is given up.
pub(super) const ATTEMPTS: u32 = 5;
/// The first pause before a job is begun again, in milliseconds; each is twice as long as the one before.
const PAUSE: i64 = 2_000;

/// A job whose turn it is.
pub struct Claimed {
    /// The job as it is begun.
    pub job: Job,
    pub(super) key: i64,
}

impl Jobs {
    /// The next job whose turn it is, of a project that no other job runs for. It is begun with this.
    ///
    /// # Errors
    /// When the file cannot be used.
    pub(super) fn claim(&self, busy: &HashSet<String>) -> Result<Option<Claimed>> {
        let claimed = {
            let mut db = self.db();
            let transaction = db.transaction().map_err(failed)?;
            let Some((key, mut job)) = self.next(&transaction, busy)? else { return Ok(None) };
            let now = self.now();
            job.attempts += 1;
            job.started_at = Some(now.clone());
            job.error = None;
            job.warnings.clear();
            job.come_to(JobStatus::Planning, &now);
            write(&transaction, key, &mut job)?;
            transaction.commit().map_err(failed)?;
            Claimed { job, key }
        };
        self.tell();
        Ok(Some(claimed))
    }

    fn next(&self, db: &rusqlite::Connection, busy: &HashSet<String>) -> Result<Option<(i64, Job)>> {
        let mut query = db
            .prepare_cached(
                "SELECT key, project, job FROM jobs WHERE status IN ('queued', 'waiting') AND ready_at <= ?1 ORDER BY key",
            )
            .map_err(failed)?;
        let mut rows = query.query([self.milliseconds()]).map_err(failed)?;
        let gates = self.gates.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(row) = rows.next().map_err(failed)? {
            let (key, project): (i64, String) = (row.get(0).map_err(failed)?, row.get(1).map_err(failed)?);
            if !busy.contains(&project) && !gates.contains_key(&key) {
                return Ok(Some((key, parse(&row.get::<_, String>(2).map_err(failed)?)?)));
            }
        }
        Ok(None)
    }

    /// Notes the gate of a job that is about to run. A job that was cancelled meanwhile finds it closed.
    pub(super) fn enter(&self, claimed: &Claimed, gate: &Arc<Gate>) -> Result<()> {
        self.gates.lock().unwrap_or_else(PoisonError::into_inner).insert(claimed.key, Arc::clone(gate));
        let now = self.job(&claimed.job.id)?;
        if now.is_none_or(|job| job.status.is_final()) {
            gate.close();
        }
        Ok(())
    }

    /// Forgets the gate of a job that has ended.
    pub(super) fn leave(&self, claimed: &Claimed) {
        self.gates.lock().unwrap_or_else(PoisonError::into_inner).remove(&claimed.key);
        self.tell();
    }

    /// Notes how a job ended. One that was cancelled meanwhile stays so; its figures are added.
    pub(super) fn end(&self, claimed: &Claimed, ended: &Ended) -> Result<Option<Job>> {
        if let Some(report) = &ended.report {
            self.set_report(claimed.key, report)?;
        }
        let pause =
            ended.error.as_ref().filter(|error| ended.again && error.retryable && claimed.job.attempts < ATTEMPTS);
        let pause = pause.map(|_| PAUSE << claimed.job.attempts.saturating_sub(1));
        if let Some(pause) = pause {
            let ready = self.milliseconds() + pause;
            self.db()
                .execute("UPDATE jobs SET ready_at = ?2 WHERE key = ?1", params![claimed.key, ready])
                .map_err(failed)?;
        }
        self.change(claimed.key, |job, now| {
            (job.files, job.chunks) = (ended.files, ended.chunks);
            if let Some(chunks) = ended.chunks {
                (job.progress.written, job.progress.embedded) = (chunks.upserted, chunks.embedded);
            }
            job.warnings.clone_from(&ended.warnings);
            if job.status.is_final() {
                return;
            }
            job.error.clone_from(&ended.error);
            match pause {
                Some(pause) => {
                    job.come_to(JobStatus::Waiting, now);
                    job.waiting_until = Some(self.later(pause));
                }
                None => job.come_to(ended.status, now),
            }
        })
    }

    /// Puts a job back that ends only because the server does.
    pub(super) fn put_back(&self, key: i64) -> Result<()> {
        self.change(key, |job, now| {
            if !job.status.is_final() && job.status != JobStatus::Queued {
                job.attempts = job.attempts.saturating_sub(1);
                job.come_to(JobStatus::Queued, now);
            }
        })?;
        Ok(())
    }

    /// The error of a job that cannot even be begun.
    pub(super) fn fail(&self, id: &str, error: JobError) -> Result<()> {
        let Some(key) = key(id) else { return Ok(()) };
        self.change(key, |job, now| {
            job.error = Some(error);
            job.come_to(JobStatus::Failed, now);
        })?;
        Ok(())
    }
}
