//! A blocking HTTP client for the services gristmill talks to: one request, one answer, nothing tried again.
//!
//! An answer of any status is a [`Response`]; [`Trouble`] is only what kept an answer from coming. Neither a header's
//! value nor what a URL holds besides its host is ever shown.
#![deny(missing_docs)]

mod addresses;
mod client;
mod headers;
mod options;
mod response;
mod retry_after;
mod trouble;

pub use addresses::{Addresses, is_public};
pub use client::{Client, Method};
pub use headers::Headers;
pub use options::{ClientOptions, ProxyOptions};
pub use response::Response;
pub use retry_after::retry_after;
pub use trouble::{Trouble, TroubleKind};
