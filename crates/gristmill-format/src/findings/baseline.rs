//! Findings that are known and no longer told.

use std::collections::BTreeMap;
use std::io::{self, Write};

use gristmill_core::{Error, Result};
use serde::{Deserialize, Serialize};

use super::Finding;

/// Version of the baseline's shape.
pub const BASELINE_VERSION: u32 = 1;

/// The findings that a project has accepted, to be kept beside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Baseline {
    /// Version of this shape.
    pub version: u32,
    /// Sorted by rule, file and fingerprint, so that two versions of a baseline can be compared.
    pub findings: Vec<Known>,
}

/// One known finding, or several that look the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Known {
    /// Name of the rule, for people who read the file.
    pub rule: String,
    /// The source, else the file of chunks, for people who read the file.
    pub file: String,
    /// What recognises it.
    pub fingerprint: String,
    /// How often it stands.
    pub count: u64,
}

impl Baseline {
    /// All of `findings`, hidden ones not being among them.
    pub fn of(findings: &[Finding]) -> Self {
        let mut known: BTreeMap<(&str, &str, &str), u64> = BTreeMap::new();
        for finding in findings {
            *known.entry((&finding.rule, finding.place.name(), &finding.fingerprint)).or_insert(0) += 1;
        }
        let known = known.into_iter().map(|((rule, file, fingerprint), count)| {
            let [rule, file, fingerprint] = [rule, file, fingerprint].map(str::to_owned);
            Known { rule, file, fingerprint, count }
        });
        Self { version: BASELINE_VERSION, findings: known.collect() }
    }

    /// Reads a baseline.
    ///
    /// # Errors
    /// When `text` is no baseline, or one of a version that is not known.
    pub fn read(text: &str) -> Result<Self> {
        const HINT: &str = "write it anew with `--write-baseline`";
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let baseline: Self =
            serde_json::from_str(text).map_err(|e| Error::input(format!("not a baseline: {e}")).hint(HINT))?;
        if baseline.version == BASELINE_VERSION {
            Ok(baseline)
        } else {
            let message = format!("a baseline of an unknown version: {}", baseline.version);
            Err(Error::input(message).hint(HINT))
        }
    }

    /// Writes the baseline as JSON.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, self)?;
        out.write_all(b"\n")
    }

    /// How often each finding is known.
    pub(super) fn counts(&self) -> BTreeMap<&str, u64> {
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for known in &self.findings {
            let count = counts.entry(&known.fingerprint).or_insert(0);
            *count = count.saturating_add(known.count);
        }
        counts
    }
}
