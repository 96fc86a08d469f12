//! One folder for each kind of file.

pub mod chat;
pub mod faq;
pub mod log;
pub mod markdown;
pub mod text;
