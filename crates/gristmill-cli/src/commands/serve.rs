//! `gristmill serve`: the service.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use gristmill::config::{Options, Task};
use gristmill::{Inputs, Result};
use gristmill_server::{NewToken, Serve, new_token, serve};

use crate::args::Global;
use crate::inputs::InputArgs;
use crate::output::print;
use crate::say;
use crate::settings::settle;

/// Serve HTTP interface, jobs, webhooks and pages until interrupted
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Address and port [default: 127.0.0.1:7717]
    #[arg(long, value_name = "ADDRESS", help_heading = "Server")]
    bind: Option<String>,
    /// File of the store [default: .gristmill/store.db]
    #[arg(long, value_name = "FILE", help_heading = "Store")]
    store: Option<PathBuf>,
    /// Print a new token with the lines that let its bearer in, and end
    #[arg(long, help_heading = "Server")]
    new_token: bool,
}

pub fn run(global: &Global, args: &Args) -> Result<ExitCode> {
    if args.new_token {
        print(&token(&new_token()?))?;
        return Ok(ExitCode::SUCCESS);
    }
    serve(begin(global, args.bind.as_ref(), args.store.as_ref(), false)?)?;
    Ok(ExitCode::SUCCESS)
}

/// What a server is started with.
///
/// # Errors
/// When a setting is wrong.
pub fn begin(global: &Global, bind: Option<&String>, store: Option<&PathBuf>, allow_write: bool) -> Result<Serve> {
    let mut options = Options::default();
    options.store.path = store.cloned();
    options.server.bind = bind.cloned();
    let settings = settle(Task::Ingest, global, options)?;
    let Inputs { folder, own, .. } = InputArgs::default().inputs(global, &[])?;
    Ok(Serve { settings, folder, own, threads: global.workers(), log: say::note, ready, allow_write })
}

fn ready(address: SocketAddr) {
    say::line(&format!("gristmill serves at http://{address}"));
}

fn token(new: &NewToken) -> String {
    let NewToken { token, hash } = new;
    format!(
        "{token}\n\n# It is shown this once. In gristmill.toml:\n[[server.token]]\nname = \"new\"\nhash = \"{hash}\"\n\
        scope = \"read\"          # or write, admin\n# projects = [\"docs\"]    # all, without this line\n"
    )
}
