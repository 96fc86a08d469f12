//! What a run knows of the world outside its settings. Front ends hand it in.

use std::ffi::OsString;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::Env;

/// What a run knows of the world outside its settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct World {
    /// The environment, in which secrets are looked up.
    pub env: Env,
    /// What time it is.
    pub clock: Clock,
    /// The program and the arguments that make it call [`read_pdf`](crate::read_pdf), to which what OCR is to do and its
    /// languages are added: a process is started for each PDF file. Without it they are read in this process, where nothing
    /// limits their time and memory but the reader's own bounds.
    pub worker: Option<Vec<OsString>>,
}

/// Tells the time, as a front end gives it: moved by some seconds, for tests. By default it stands still, which is no trouble
/// but to a store whose rights to write expire.
#[derive(Clone, Copy)]
pub struct Clock {
    now: fn() -> SystemTime,
    shift: i64,
}

impl Clock {
    /// A clock that is moved by some seconds.
    pub fn new(now: fn() -> SystemTime, shift: i64) -> Self {
        Self { now, shift }
    }

    /// What tells it, without the shift.
    pub(crate) fn source(self) -> fn() -> SystemTime {
        self.now
    }

    /// The time.
    pub fn now(self) -> SystemTime {
        let shift = Duration::from_secs(self.shift.unsigned_abs());
        let now = (self.now)();
        let moved = if self.shift < 0 { now.checked_sub(shift) } else { now.checked_add(shift) };
        moved.unwrap_or(now)
    }

    /// Tells seconds since 1970.
    pub fn seconds(self) -> Arc<dyn Fn() -> u64 + Send + Sync> {
        Arc::new(move || self.now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()))
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::new(|| UNIX_EPOCH, 0)
    }
}

impl PartialEq for Clock {
    fn eq(&self, other: &Self) -> bool {
        self.shift == other.shift
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Clock({:+} s)", self.shift)
    }
}
