//! Problems found in what we were given. Bad input is a value with diagnostics, not an error.

use std::fmt;

/// How much a problem matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// May cost some quality.
    Low,
    /// Costs quality.
    Medium,
    /// Text is damaged or lost.
    High,
}

impl Severity {
    /// The name used in reports and options.
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// Where a problem is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The document, by its `source`.
    pub source: String,
    /// Line in the source, from 1.
    pub line: Option<u64>,
    /// Index of the chunk in its document, from 0.
    pub chunk: Option<u32>,
}

/// One problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable name in kebab-case.
    pub code: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// What is wrong, in lower case, without a full stop.
    pub message: String,
    /// Where.
    pub place: Place,
    /// What to do about it.
    pub help: Option<String>,
    /// True when the document has text that could not be read: what came of it is not all of it.
    pub incomplete: bool,
}

impl Diagnostic {
    /// A problem of the document as a whole.
    pub fn new(code: &'static str, severity: Severity, source: &str, message: impl Into<String>) -> Self {
        let place = Place { source: source.to_owned(), ..Place::default() };
        Self { code, severity, message: message.into(), place, help: None, incomplete: false }
    }

    /// The same at a line, counted from 1.
    #[must_use]
    pub fn at_line(mut self, line: u64) -> Self {
        self.place.line = Some(line);
        self
    }

    /// The same at a chunk, counted from 0.
    #[must_use]
    pub fn at_chunk(mut self, chunk: u32) -> Self {
        self.place.chunk = Some(chunk);
        self
    }

    /// The same for a document that has text which could not be read.
    #[must_use]
    pub fn incomplete(mut self) -> Self {
        self.incomplete = true;
        self
    }

    /// The same with advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.place.source)?;
        if let Some(line) = self.place.line {
            write!(f, ":{line}")?;
        }
        if let Some(chunk) = self.place.chunk {
            write!(f, " (chunk {chunk})")?;
        }
        write!(f, ": {} [{}]", self.message, self.code)
    }
}

/// A value and the problems met while making it.
#[derive(Clone, Debug, Default)]
pub struct Outcome<T> {
    /// The result, as good as the input allows.
    pub value: T,
    /// What was wrong with the input.
    pub diagnostics: Vec<Diagnostic>,
}

impl<T> Outcome<T> {
    /// A result without problems.
    pub fn clean(value: T) -> Self {
        Self { value, diagnostics: Vec::new() }
    }
}
