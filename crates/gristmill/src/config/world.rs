//! What a run knows of the world outside its settings. Front ends hand it in.

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
}

/// Tells the time: the system's, or one that is some seconds away from it.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Clock {
    shift: i64,
}

impl Clock {
    /// The system's time, moved by some seconds.
    pub fn shifted(seconds: i64) -> Self {
        Self { shift: seconds }
    }

    /// The time.
    pub fn now(self) -> SystemTime {
        let shift = Duration::from_secs(self.shift.unsigned_abs());
        let now = SystemTime::now();
        let moved = if self.shift < 0 { now.checked_sub(shift) } else { now.checked_add(shift) };
        moved.unwrap_or(now)
    }

    /// Tells seconds since 1970.
    pub fn seconds(self) -> Arc<dyn Fn() -> u64 + Send + Sync> {
        Arc::new(move || self.now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()))
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Clock({:+} s)", self.shift)
    }
}
