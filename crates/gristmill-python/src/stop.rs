//! Stopping in the middle of work: Ctrl-C, and exceptions of a caller's own functions.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use gristmill::format::{Record, Writer};
use gristmill::{Error, ErrorKind, Result};
use pyo3::prelude::*;

/// So many records pass between two looks at signals.
const HEEDED: usize = 256;

/// What stops the work, once something does.
#[derive(Clone, Default)]
pub struct Stop {
    why: Arc<Mutex<Option<PyErr>>>,
    passed: Arc<AtomicUsize>,
}

impl Stop {
    /// Notes an exception; the work ends before the next record.
    pub fn note(&self, result: PyResult<()>) {
        if let Err(error) = result {
            self.why.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    }

    /// To be asked at each record.
    ///
    /// # Errors
    /// Of kind [`ErrorKind::Cancelled`] when the work is to end.
    pub fn heed(&self) -> Result<()> {
        if self.passed.fetch_add(1, Ordering::Relaxed).is_multiple_of(HEEDED) {
            let signals = Python::attach(|py| -> PyResult<()> { py.check_signals() });
            self.note(signals);
        }
        let stopped = self.why.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        if stopped { Err(Error::new(ErrorKind::Cancelled, "stopped")) } else { Ok(()) }
    }

    /// The exception that stopped the work, where one did; else what came of it.
    ///
    /// # Errors
    /// The exception.
    pub fn or<T>(self, done: PyResult<T>) -> PyResult<T> {
        match self.why.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(error) => Err(error),
            None => done,
        }
    }
}

/// A writer that ends the run when something stops it.
pub struct Stoppable {
    /// Where records go.
    pub writer: Box<dyn Writer>,
    /// What may stop it.
    pub stop: Stop,
}

impl Writer for Stoppable {
    fn write(&mut self, record: &Record<'_>) -> Result<()> {
        self.stop.heed()?;
        self.writer.write(record)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.stop.heed()?;
        self.writer.finish()
    }
}
