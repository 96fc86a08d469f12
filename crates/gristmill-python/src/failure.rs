//! What goes wrong, as exceptions of the package.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use gristmill::{Error, ErrorKind, Result};
use pyo3::prelude::*;

/// Works without Python's lock; an error becomes an exception of the package, a panic a `BugError`.
pub fn working<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T> + Send) -> PyResult<T> {
    let done = py.detach(|| catch_unwind(AssertUnwindSafe(work)));
    match done {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(exception(py, &error)),
        Err(panic) => Err(exception(py, &Error::bug(format!("a step panicked: {}", message(panic.as_ref()))))),
    }
}

fn exception(py: Python<'_>, error: &Error) -> PyErr {
    let made = || {
        let class = py.import("gristmill._errors")?.getattr(class_name(error.kind()))?;
        class.call1((error.chain(), error.hint_text()))
    };
    made().map_or_else(|failed| failed, PyErr::from_value)
}

fn class_name(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Usage => "UsageError",
        ErrorKind::Config => "ConfigError",
        ErrorKind::Input | ErrorKind::ClosedPipe => "InputError",
        ErrorKind::Remote => "RemoteError",
        ErrorKind::Store => "StoreError",
        ErrorKind::Guard => "GuardError",
        ErrorKind::Cancelled => "CancelledError",
        ErrorKind::Bug => "BugError",
    }
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}

/// Panics, in builds for tests only: to show what a caller sees then.
#[cfg(debug_assertions)]
#[pyfunction]
#[pyo3(name = "_panic_on_purpose")]
pub fn panic_on_purpose(py: Python<'_>) -> PyResult<()> {
    working(py, || panic!("on purpose"))
}
