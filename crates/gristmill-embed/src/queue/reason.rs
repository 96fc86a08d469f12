//! An error that may be told several times.

use gristmill_core::{Error, ErrorKind, Retry};

/// An error that may be told several times.
#[derive(Clone, Debug)]
pub(super) struct Reason {
    kind: ErrorKind,
    retry: Retry,
    message: String,
    hint: Option<String>,
}

impl Reason {
    pub fn of(error: &Error) -> Self {
        let hint = error.hint_text().map(str::to_owned);
        Self { kind: error.kind(), retry: error.retry_advice(), message: error.chain(), hint }
    }

    /// The same with what was done about it in front.
    pub fn after(mut self, what: &str) -> Self {
        self.message = format!("{what}: {}", self.message);
        self
    }

    pub fn error(&self) -> Error {
        let error = Error::new(self.kind, self.message.clone()).retry(self.retry);
        if let Some(hint) = &self.hint { error.hint(hint.clone()) } else { error }
    }
}
