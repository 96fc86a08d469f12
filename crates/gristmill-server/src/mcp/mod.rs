//! Tools for agents, by the Model Context Protocol: over standard input and output, or by `POST /mcp`.
//!
//! Of the protocol only what tools need is spoken: a request in, an answer out, no sessions.

mod protocol;
mod stdio;
mod tools;

pub use protocol::route;
pub use stdio::{Mcp, mcp};
