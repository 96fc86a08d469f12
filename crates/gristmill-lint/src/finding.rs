//! What rules find, and what they propose.

use gristmill_core::{PartKind, Severity, Span};

use crate::Piece;

/// Something a rule found. Pieces are named by their place in the group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Name of the rule.
    pub rule: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// The piece it is about.
    pub piece: usize,
    /// Other pieces it speaks of.
    pub related: Vec<usize>,
    /// The place in the text of the piece.
    pub span: Option<Span>,
    /// What is wrong, in lower case, without a full stop.
    pub message: String,
    /// What would mend it.
    pub repair: Option<Repair>,
}

impl Finding {
    /// A finding about a piece as a whole.
    pub fn new(rule: &'static str, severity: Severity, piece: usize, message: impl Into<String>) -> Self {
        Self { rule, severity, piece, related: Vec::new(), span: None, message: message.into(), repair: None }
    }

    /// The same at a place of the text.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        self.span = Some(span);
        self
    }

    /// The same, speaking of another piece, too.
    #[must_use]
    pub fn with(mut self, other: usize) -> Self {
        self.related.push(other);
        self
    }

    /// The same with a repair, when there is one.
    #[must_use]
    pub fn repair(mut self, repair: Option<Repair>) -> Self {
        self.repair = repair;
        self
    }

    /// True when it has a repair of at least this safety.
    pub fn is_offered(&self, least: Safety) -> bool {
        self.repair.as_ref().is_some_and(|repair| repair.safety >= least)
    }

    /// Takes back a repair of at least this safety: it cannot be made, or does not mend it.
    pub fn withdraw(&mut self, least: Safety) {
        self.repair = self.repair.take().filter(|repair| repair.safety < least);
    }
}

/// How far a repair may be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Safety {
    /// Changes what can be found: only made when asked for.
    Unsafe,
    /// Loses nothing; the engine proves it.
    Lossless,
}

/// A change that mends a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// What it does, as an order: ``merge it into chunk `a` ``.
    pub title: String,
    /// How far it may be trusted.
    pub safety: Safety,
    /// What changes. All or nothing.
    pub changes: Vec<Change>,
}

impl Repair {
    /// A repair that loses nothing.
    pub fn lossless(title: impl Into<String>, change: Change) -> Self {
        Self { title: title.into(), safety: Safety::Lossless, changes: vec![change] }
    }

    /// A repair that is made only when asked for.
    pub fn risky(title: impl Into<String>, change: Change) -> Self {
        Self { title: title.into(), safety: Safety::Unsafe, changes: vec![change] }
    }

    /// The same with one change more.
    #[must_use]
    pub fn and(mut self, change: Change) -> Self {
        self.changes.push(change);
        self
    }
}

/// One change. Pieces are named by their place in the group, text by bytes of the text as it was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Takes a piece out.
    Remove {
        /// The piece.
        piece: usize,
    },
    /// Puts text in that is not the piece's own.
    Insert {
        /// The piece.
        piece: usize,
        /// Where.
        at: usize,
        /// What.
        text: String,
        /// What it is; not body.
        kind: PartKind,
    },
    /// Writes body text in another way.
    Replace {
        /// The piece.
        piece: usize,
        /// What goes.
        span: Span,
        /// What comes.
        text: String,
        /// What may differ between the two.
        fold: Fold,
    },
    /// Takes out overlap or injected text.
    Shed {
        /// The piece.
        piece: usize,
        /// What goes; holds no body.
        span: Span,
    },
    /// Appends all that `right` has of its own to `left`; `right` goes.
    Join {
        /// The piece that stays.
        left: usize,
        /// The piece that goes, the next one that is there.
        right: usize,
        /// What comes between the two.
        between: String,
    },
    /// Moves the first bytes of `right`'s body to the end of `left`.
    MoveUp {
        /// The piece that grows.
        left: usize,
        /// The piece after it.
        right: usize,
        /// How many bytes of its body, from the first on.
        len: usize,
        /// What comes between the two in `left`.
        between: String,
    },
    /// Moves the last bytes of `left`'s body to the start of `right`'s.
    MoveDown {
        /// The piece that shrinks.
        left: usize,
        /// The piece after it.
        right: usize,
        /// How many bytes of its body, up to the last.
        len: usize,
        /// What comes between the two in `right`.
        between: String,
    },
    /// Makes several pieces of one. The first keeps its index.
    Split {
        /// The piece.
        piece: usize,
        /// Its parts, in order.
        into: Vec<Piece>,
    },
}

impl Change {
    /// The pieces it touches.
    pub fn pieces(&self) -> Vec<usize> {
        match self {
            Self::Remove { piece }
            | Self::Insert { piece, .. }
            | Self::Replace { piece, .. }
            | Self::Shed { piece, .. }
            | Self::Split { piece, .. } => {
                vec![*piece]
            }
            Self::Join { left, right, .. } | Self::MoveUp { left, right, .. } | Self::MoveDown { left, right, .. } => {
                vec![*left, *right]
            }
        }
    }
}

/// What a declared change of writing may leave out or put in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// White space and zero-width characters.
    Space,
    /// White space, zero-width characters and hyphens.
    Hyphen,
    /// Anything: the repair is not lossless.
    Free,
}
