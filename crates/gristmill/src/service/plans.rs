//! Plans that are kept, so that a job can follow them.

use gristmill_core::{Error, Result};
use rusqlite::{OptionalExtension, params};
use serde::Serialize;

use super::jobs::Jobs;
use super::table::failed;
use crate::ingest::Plan;

/// A plan that is kept.
#[derive(Clone, Debug, Serialize)]
pub struct SavedPlan {
    /// Its name, such as `plan-7`.
    pub id: String,
    /// Whose documents.
    pub project: String,
    /// When it was made.
    pub created_at: String,
    /// What would be done.
    pub plan: Plan,
}

impl Jobs {
    /// Keeps a plan.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save_plan(&self, project: &str, plan: Plan) -> Result<SavedPlan> {
        let text = serde_json::to_string(&plan).map_err(|e| Error::bug("a plan cannot be written").because(e))?;
        let at = self.now();
        let db = self.db();
        db.execute("INSERT INTO plans(project, at, plan) VALUES(?1, ?2, ?3)", params![project, at, text])
            .map_err(failed)?;
        let id = format!("plan-{}", db.last_insert_rowid());
        Ok(SavedPlan { id, project: project.to_owned(), created_at: at, plan })
    }

    /// A plan.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn plan(&self, id: &str) -> Result<Option<SavedPlan>> {
        let digits = id.strip_prefix("plan-").filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
        let Some(key) = digits.and_then(|digits| digits.parse::<i64>().ok()) else { return Ok(None) };
        let db = self.db();
        let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get::<_, String>(2)?));
        let found = db.query_row("SELECT project, at, plan FROM plans WHERE key = ?1", [key], row).optional();
        let Some((project, created_at, text)) = found.map_err(failed)? else { return Ok(None) };
        let plan = serde_json::from_str(&text).map_err(|e| Error::bug("a plan cannot be read").because(e))?;
        Ok(Some(SavedPlan { id: id.to_owned(), project, created_at, plan }))
    }
}
