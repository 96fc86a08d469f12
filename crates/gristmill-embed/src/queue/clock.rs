//! The time.

use std::thread;
use std::time::{Duration, Instant};

/// Tells the time and lets it pass.
pub trait Clock: Send + Sync {
    /// Time since some moment. Never goes back.
    fn now(&self) -> Duration;

    /// Lets this time pass.
    fn sleep(&self, pause: Duration);
}

/// The clock of the machine.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock(Instant);

impl SystemClock {
    /// A clock that counts from now.
    pub fn new() -> Self {
        Self(Instant::now())
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }

    fn sleep(&self, pause: Duration) {
        thread::sleep(pause);
    }
}
