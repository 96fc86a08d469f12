//! One folder for each kind of file.

pub mod log;
pub mod markdown;
pub mod text;
