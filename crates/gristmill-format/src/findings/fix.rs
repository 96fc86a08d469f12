//! The report of a repair.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{Finding, ScanReport};
use crate::record::schema_of;

/// Version of the fix report's shape.
pub const FIX_SCHEMA: u32 = 1;

/// What a repair did to a chunk set, and what is still wrong with it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct FixReport {
    /// Version of this shape.
    pub version: u32,
    /// Version of gristmill that ran.
    pub gristmill: String,
    /// What was repaired, as it was named.
    pub input: String,
    /// The file that was written; null when none was.
    pub output: Option<String>,
    /// True when nothing was to be written.
    pub dry_run: bool,
    /// Chunks before.
    pub chunks_before: u64,
    /// Chunks after.
    pub chunks_after: u64,
    /// Chunks that were dropped because they held nothing, or nothing of their own.
    pub removed: u64,
    /// Chunks whose text moved into another.
    pub merged: u64,
    /// Chunks that became several.
    pub split: u64,
    /// Repairs by rule.
    pub changes: BTreeMap<Cow<'static, str>, u64>,
    /// What was repaired, in the order of the chunks, with `diff` where that was asked for.
    pub fixed: Vec<Finding>,
    /// What is found in the repaired chunks.
    pub left: ScanReport,
    /// What else there is to say, a sentence each.
    pub notes: Vec<String>,
}

impl FixReport {
    /// Number of repairs.
    pub fn repairs(&self) -> u64 {
        self.changes.values().sum()
    }
}

/// JSON Schema (2020-12) of a fix report.
pub fn fix_schema() -> Value {
    schema_of::<FixReport>("fix-report", FIX_SCHEMA)
}
