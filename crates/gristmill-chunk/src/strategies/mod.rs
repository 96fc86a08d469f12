//! One folder a strategy.

mod fixed;
mod markdown;
mod paragraph;
mod recursive;
mod sentence;

pub use fixed::Fixed;
pub use markdown::Markdown;
pub use paragraph::Paragraph;
pub use recursive::Recursive;
pub use sentence::Sentence;
