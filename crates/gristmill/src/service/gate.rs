//! The gate between a job and what it changes.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use gristmill_core::{Error, ErrorKind, Result};

use super::job::Stage;

/// Told what a job works on.
type Watch = dyn Fn(Sign) + Send + Sync;

/// What a job shows of itself while it works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// It begins such work.
    At(Stage),
    /// Texts were embedded.
    Embedded(u64),
    /// Chunks were written.
    Written(u64),
    /// A service asked for a pause; without a time of its own, for a short one.
    Pause(Option<Duration>),
}

/// The gate between a job and what it changes. Once it is closed, nothing passes any more.
pub struct Gate {
    closed: AtomicBool,
    watch: Mutex<Option<Box<Watch>>>,
}

impl Gate {
    /// An open gate.
    pub fn new() -> Self {
        Self { closed: AtomicBool::new(false), watch: Mutex::new(None) }
    }

    pub(super) fn watched(watch: Box<Watch>) -> Self {
        Self { closed: AtomicBool::new(false), watch: Mutex::new(Some(watch)) }
    }

    /// Closes it for good.
    pub fn close(&self) {
        self.closed.store(true, Ordering::Release);
    }

    /// True when nothing passes any more.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    /// Lets work pass.
    ///
    /// # Errors
    /// Of kind [`ErrorKind::Cancelled`] when it is closed.
    pub(super) fn pass(&self, sign: Option<Sign>) -> Result<()> {
        if self.is_closed() {
            return Err(Error::new(ErrorKind::Cancelled, "the job was stopped"));
        }
        if let Some(sign) = sign {
            self.show(sign);
        }
        Ok(())
    }

    /// Shows what is done. What a closed gate's threads still do concerns nobody.
    pub(super) fn show(&self, sign: Sign) {
        if self.is_closed() {
            return;
        }
        if let Some(watch) = self.watch.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            watch(sign);
        }
    }
}

impl Default for Gate {
    fn default() -> Self {
        Self::new()
    }
}
