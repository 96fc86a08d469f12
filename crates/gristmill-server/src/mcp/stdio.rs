//! Over standard input and output: a request a line, an answer a line.

use std::io::{BufRead, Write};
use std::sync::{Arc, Mutex, PoisonError};

use gristmill::{Error, Result};
use tokio::sync::Semaphore;

use super::protocol::respond_to;
use crate::Serve;
use crate::auth::Caller;
use crate::serve::{Parts, start};

/// What the tools are started with.
pub struct Mcp {
    /// As for the server; it does not listen.
    pub serve: Serve,
}

/// Requests that are worked on at a time.
const AT_A_TIME: usize = 8;

/// Answers requests until standard input ends.
///
/// # Errors
/// When the jobs of the store cannot be opened or standard input cannot be read.
pub fn mcp(mcp: Mcp) -> Result<()> {
    let Parts { app, runtime, worker } = start(mcp.serve, true)?;
    let out = Arc::new(Mutex::new(std::io::stdout()));
    let places = Arc::new(Semaphore::new(AT_A_TIME));
    let mut tasks = Vec::new();
    for line in std::io::stdin().lock().split(b'\n') {
        let line = line.map_err(|cause| Error::input("cannot read standard input").because(cause))?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let (app, out, places) = (Arc::clone(&app), Arc::clone(&out), Arc::clone(&places));
        tasks.retain(|task: &tokio::task::JoinHandle<()>| !task.is_finished());
        tasks.push(runtime.spawn(async move {
            let Ok(_place) = places.acquire().await else { return };
            if let Some(answer) = respond_to(&app, &Caller::local(), &line).await {
                let mut out = out.lock().unwrap_or_else(PoisonError::into_inner);
                // Nobody is left to answer when the output is closed.
                let _ = writeln!(out, "{answer}").and_then(|()| out.flush());
            }
        }));
    }
    runtime.block_on(async {
        for task in tasks {
            let _ = task.await;
        }
    });
    if let Some(worker) = worker {
        worker.stop();
    }
    runtime.shutdown_background();
    if let Some(traces) = &app.traces {
        traces.end();
    }
    Ok(())
}
