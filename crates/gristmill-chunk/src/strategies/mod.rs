//! One folder a strategy.

mod auto;
mod code;
mod fixed;
mod markdown;
mod page;
mod paragraph;
mod recursive;
mod semantic;
mod sentence;

pub use auto::Auto;
pub use code::Code;
pub use fixed::Fixed;
pub use markdown::Markdown;
pub use page::Page;
pub use paragraph::Paragraph;
pub use recursive::Recursive;
pub use semantic::Semantic;
pub use sentence::Sentence;
