//! Which texts say the same, and which part of a text repeats the end of the one before.
mod anchors;
mod bands;
mod exact;
mod fold;
mod index;
mod overlap;
mod resolve;
mod shingles;
mod sketch;
mod units;
mod verify;

pub use index::{Index, Options, Pair, Texts};
pub use overlap::{Overlap, overlap};
pub use sketch::Sketch;
pub use verify::{Relation, Shared};
