//! One folder a strategy.

mod auto;
mod code;
mod fixed;
mod markdown;
mod paragraph;
mod recursive;
mod sentence;

pub use auto::Auto;
pub use code::Code;
pub use fixed::Fixed;
pub use markdown::Markdown;
pub use paragraph::Paragraph;
pub use recursive::Recursive;
pub use sentence::Sentence;
