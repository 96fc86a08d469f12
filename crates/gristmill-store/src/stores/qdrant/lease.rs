//! The right to write for a tenant: a point that names its holder and expires.
//!
//! Whoever wants it writes a claim of its own first and looks for those of others afterwards. Of two that try at the same
//! moment at least one sees the other, so that never both go on; it may be that neither does. A claim that has expired, or
//! whose process has ended on this machine, is removed by the next run. A writer whose claim was removed stops at its next look, which comes after a third of the
//! time of a claim and before the next write: clocks that differ or jump can let two write for that long, not longer.
//! Since every write may be repeated, what both have written is set right by the next run.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::time::Duration;

use gristmill_core::{Error, ErrorKind, Result, Retry};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::collection::{Collection, Wanted};
use super::point::{named, written};
use super::process;
use super::scope::kind;

/// Seconds that a claim lasts.
const LASTS: u64 = 60;

/// Held while writing.
pub(super) struct Lease {
    base: Collection,
    holder: Uuid,
    /// When the claim was last written.
    taken: u64,
}

/// A claim of another holder.
struct Claim {
    point: Uuid,
    expires: u64,
    /// Its process is known to have ended.
    ended: bool,
}

impl Lease {
    /// Takes the right.
    ///
    /// # Errors
    /// When another run holds it.
    pub(super) fn take(base: Collection) -> Result<Self> {
        let random = || RandomState::new().hash_one(0);
        let holder = Uuid::from_u64_pair(random(), random());
        let mut lease = Self { base, holder, taken: 0 };
        lease.claim()?;
        let (_, others) = lease.claims()?;
        lease.yield_to(&others)?;
        Ok(lease)
    }

    /// Holds the right for longer, where a third of it has gone.
    ///
    /// # Errors
    /// When another run has taken it.
    pub(super) fn renew(&mut self) -> Result<()> {
        let now = (self.base.scope.clock)();
        if (self.taken..self.taken.saturating_add(LASTS / 3)).contains(&now) {
            return Ok(());
        }
        let (mine, others) = self.claims()?;
        if !mine {
            return Err(self.lost());
        }
        self.claim()?;
        self.yield_to(&others)
    }

    /// Writes a claim into another collection, which takes the place of this one.
    pub(super) fn copy_to(&self, other: &Collection) -> Result<()> {
        other.put(&[self.point()?])
    }

    fn point(&self) -> Result<String> {
        let mut fields = Map::new();
        fields.insert("expires".into(), self.taken.saturating_add(LASTS).into());
        fields.extend(process::own().map(|own| ("process".to_owned(), Value::from(own))));
        let payload = named(&self.base.scope, kind::CLAIM, fields);
        written(self.base.scope.claim_point(self.holder), "{}", &payload)
    }

    fn claim(&mut self) -> Result<()> {
        self.taken = (self.base.scope.clock)();
        self.base.put(&[self.point()?])
    }

    /// Whether the own claim stands, and those of others.
    fn claims(&self) -> Result<(bool, Vec<Claim>)> {
        let (mut mine, mut others) = (false, Vec::new());
        let own = self.base.scope.claim_point(self.holder);
        self.base.scroll(&self.base.scope.filter(&[kind::CLAIM], []), &Wanted::payload(), |found| {
            if found.id == own {
                mine = true;
            } else {
                let fields = self.base.fields(&found);
                let expires = fields.get("expires").and_then(Value::as_u64).unwrap_or(0);
                let ended = fields.get("process").and_then(Value::as_str).is_some_and(process::has_ended);
                others.push(Claim { point: found.id, expires, ended });
            }
            Ok(())
        })?;
        Ok((mine, others))
    }

    /// Removes claims that hold no more. The own one goes when another stands.
    fn yield_to(&self, others: &[Claim]) -> Result<()> {
        if let Some(standing) = others.iter().find(|claim| claim.expires > self.taken && !claim.ended) {
            return Err(self.taken_by_another(standing.expires - self.taken));
        }
        let expired: Vec<Uuid> = others.iter().map(|claim| claim.point).collect();
        self.base.remove(&expired)
    }

    fn taken_by_another(&self, seconds: u64) -> Error {
        let Collection { scope, name } = &self.base;
        Error::new(
            ErrorKind::Store,
            format!("another run is writing project `{}` in the collection: `{name}`", scope.tenant),
        )
        .hint(format!("wait until it has ended; if it was killed, its right to write ends in {seconds} seconds"))
        .retry(Retry::After(Duration::from_secs(seconds)))
    }

    fn lost(&self) -> Error {
        let Collection { scope, name } = &self.base;
        Error::new(
            ErrorKind::Store,
            format!("another run has begun to write project `{}` in the collection: `{name}`", scope.tenant),
        )
        .hint("this run paused for too long, or clocks differ; run it again when the other one has ended")
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        // If it cannot be given back now, it expires.
        _ = self.base.remove(&[self.base.scope.claim_point(self.holder)]);
    }
}
