//! How well chunks can be found, and how whole they are: figures, questions with evidence, comparison of settings.
//!
//! Everything here is arithmetic over places: questions name ranges of sources, chunks stand in ranges of sources, a ranking
//! is a list of chunks. Who cuts and who searches is not known here.
#![deny(missing_docs)]

mod figure;
mod intrinsic;
mod items;
mod judge;
mod known;
mod locate;
mod question;
mod ranges;
mod resample;
mod source;
mod whole;

pub use figure::{FIGURES, Figure, RANKED_BY};
pub use intrinsic::{Cut, Intrinsic, Missing, Outline, Tally, uniformity};
pub use items::{ItemKind, KeyItem, items};
pub use judge::{Judge, Passages};
pub use known::known_items;
pub use locate::{Haystack, How, LEAST_SCORE, Located, find_exact};
pub use question::{Asked, Passage, Question, read_questions};
pub use ranges::{Range, Ranges};
pub use resample::{Draws, Interval, RESAMPLES, halves, holm, mean, ranks};
pub use source::Source;
pub use whole::Kind;
