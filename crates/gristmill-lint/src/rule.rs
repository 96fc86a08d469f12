//! What a rule is.

use gristmill_core::Severity;

use crate::corpus::Corpus;
use crate::{Finding, View};

/// Looks at the pieces of one source.
pub trait GroupRule: Sync {
    /// Adds what it finds.
    fn check(&self, view: &View<'_>, out: &mut Vec<Finding>);
}

/// Looks at all pieces of a set, by what was noted of each. Pieces are named by their index in the input.
pub trait CorpusRule: Sync {
    /// Adds what it finds.
    fn check(&self, corpus: &Corpus<'_>, out: &mut Vec<Finding>);
}

/// Who does the work of a rule.
#[derive(Clone, Copy)]
pub enum Check {
    /// It needs the pieces of one source.
    Group(&'static dyn GroupRule),
    /// It needs all pieces.
    Corpus(&'static dyn CorpusRule),
}

/// What a rule can repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repairs {
    /// Nothing.
    Never,
    /// Only with `--unsafe`.
    Unsafe,
    /// Some or all of its findings, without loss.
    Lossless,
}

/// A rule: what it is called, what it is for, and who does it.
pub struct Rule {
    /// Names the defect, in kebab-case.
    pub name: &'static str,
    /// Says the defect, for people: `Chunk resumes a cut sentence`.
    pub title: &'static str,
    /// How much its findings matter, as a rule.
    pub severity: Severity,
    /// What it can repair.
    pub repairs: Repairs,
    /// What it finds, why that hurts, what the repair does: Markdown.
    pub docs: &'static str,
    /// Literate test cases: Markdown.
    pub cases: &'static str,
    /// Who does it.
    pub check: Check,
}
