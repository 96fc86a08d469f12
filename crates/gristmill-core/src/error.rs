//! Why something could not be done at all.

use std::fmt;
use std::time::Duration;

/// Who has to act on an error. Decides exit code, HTTP status and exception class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The call was wrong.
    Usage,
    /// A setting was wrong.
    Config,
    /// The input cannot be read.
    Input,
    /// A service did not do what was asked.
    Remote,
    /// The store did not do what was asked.
    Store,
    /// A guard stopped the run before anything was written.
    Guard,
    /// The user stopped it.
    Cancelled,
    /// The output can no longer be written because its reader has gone.
    ClosedPipe,
    /// Our mistake.
    Bug,
}

/// Whether trying again can help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// It would fail again.
    Never,
    /// After a growing pause.
    Backoff,
    /// After the pause that was asked for.
    After(Duration),
}

/// What failed, why, and what to do.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    retry: Retry,
    message: String,
    hint: Option<String>,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// The result of what can fail for reasons other than the document's content.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error with a message in lower case, without a full stop; names in backticks.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, retry: Retry::Never, message: message.into(), hint: None, source: None }
    }

    /// A wrong call.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Usage, message)
    }

    /// A wrong setting.
    pub fn config(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Config, message)
    }

    /// An input that cannot be read.
    pub fn input(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Input, message)
    }

    /// A mistake of ours.
    pub fn bug(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Bug, message)
    }

    /// The same with what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same with its cause.
    #[must_use]
    pub fn because(mut self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// The same with advice on trying again.
    #[must_use]
    pub fn retry(mut self, retry: Retry) -> Self {
        self.retry = retry;
        self
    }

    /// Who has to act.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Whether trying again can help.
    pub fn retry_advice(&self) -> Retry {
        self.retry
    }

    /// What to do about it.
    pub fn hint_text(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// The message and its causes on one line, joined by `: `.
    pub fn chain(&self) -> String {
        let mut out = self.message.clone();
        let mut cause = std::error::Error::source(self);
        while let Some(error) = cause {
            out.push_str(": ");
            out.push_str(&error.to_string());
            cause = error.source();
        }
        out
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_deref().map(|e| e as &(dyn std::error::Error + 'static))
    }
}
