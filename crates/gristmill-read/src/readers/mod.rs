//! One folder for each kind of file.

pub mod markdown;
pub mod text;
