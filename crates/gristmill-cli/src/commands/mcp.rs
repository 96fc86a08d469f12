//! `gristmill mcp`: tools for agents.

use std::path::PathBuf;
use std::process::ExitCode;

use gristmill::Result;
use gristmill_server::{Mcp, mcp, serve};

use super::serve::begin;
use crate::args::Global;

/// Offer tools to agents by the Model Context Protocol, over standard input and output
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Serve them at /mcp instead, with all else that `serve` serves
    #[arg(long, help_heading = "Server")]
    http: bool,
    /// Address and port for --http [default: 127.0.0.1:7717]
    #[arg(long, value_name = "ADDRESS", help_heading = "Server")]
    bind: Option<String>,
    /// Offer tools that write, too
    #[arg(long, help_heading = "Server")]
    allow_write: bool,
    /// File of the store [default: .gristmill/store.db]
    #[arg(long, value_name = "FILE", help_heading = "Store")]
    store: Option<PathBuf>,
}

pub fn run(global: &Global, args: &Args) -> Result<ExitCode> {
    let begun = begin(global, args.bind.as_ref(), args.store.as_ref(), args.allow_write)?;
    if args.http {
        serve(begun)?;
    } else {
        mcp(Mcp { serve: begun })?;
    }
    Ok(ExitCode::SUCCESS)
}
