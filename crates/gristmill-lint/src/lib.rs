//! Finds damage in chunks, whoever cut them, and repairs what can be repaired without loss.
//!
//! [`Piece`]s of one source make a [`Group`]. Rules look at a [`View`] of it (lines, borders, headings) and give
//! [`Finding`]s, some with a [`Repair`]; the engine makes repairs until none is left and proves each of them. What needs all
//! pieces, such as duplicates, works on the [`Corpus`]: small digests, and texts that can be read again.

mod border;
mod corpus;
mod cut;
mod cx;
mod engine;
mod fences;
mod finding;
mod outline;
mod piece;
mod rule;
mod rules;
mod seam;
mod shape;
mod split;
mod view;
mod visible;

pub use corpus::{Corpus, Digest, Texts, check_corpus, digest};
pub use cx::{LintCx, TokenLimit};
pub use engine::{Applied, Group, Repaired, check, is_invisible, repair};
pub use finding::{Change, Finding, Fold, Repair, Safety};
pub use gristmill_core::Span;
pub use outline::Outline;
pub use piece::{Piece, part_index, part_of};
pub use rule::{Check, CorpusRule, GroupRule, Repairs, Rule};
pub use rules::RULES;
pub use seam::{Cut, Edges, Seam};
pub use shape::{Fence, Heading, Inside, Line, LineKind, Shape, Table};
pub use view::{View, label};
