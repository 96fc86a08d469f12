//! Programs that work for the reader: fed, waited for no longer than allowed, ended when late.

use std::io::Read;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Bytes of output that are kept.
const MOST_OUTPUT: u64 = 1 << 30;
/// Bytes of complaints that are kept.
const MOST_SAID: u64 = 4 << 10;

/// How a program ended.
#[derive(Debug)]
pub(super) enum Ended {
    /// With this output.
    Well(Vec<u8>),
    /// With a bad status: how, and what it said.
    Badly(String),
    /// Not in time; it was ended.
    Late,
}

/// Runs the program, lets `feed` write its input, and takes its output.
pub(super) fn run(
    command: &mut Command,
    feed: impl FnOnce(ChildStdin) -> std::io::Result<()> + Send,
    limit: Duration,
) -> std::io::Result<Ended> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (input, output, said) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        // A program that stops reading has said why elsewhere.
        scope.spawn(|| input.map(feed));
        let said = scope.spawn(|| said.map(|mut said| take(&mut said, MOST_SAID)).unwrap_or_default());
        let (done, finished) = mpsc::channel();
        scope.spawn(move || done.send(output.map(|mut output| take(&mut output, MOST_OUTPUT)).unwrap_or_default()));
        let output = finished.recv_timeout(limit);
        if output.is_err() {
            child.kill()?;
        }
        let status = child.wait()?;
        let said = String::from_utf8_lossy(&said.join().unwrap_or_default()).into_owned();
        Ok(match output {
            Ok(output) if status.success() => Ended::Well(output),
            Ok(_) => Ended::Badly(format!("{status}: {said}")),
            Err(_) => Ended::Late,
        })
    })
}

/// All that comes, of which `most` bytes are kept.
fn take(from: &mut impl Read, most: u64) -> Vec<u8> {
    let mut kept = Vec::new();
    let _ = from.by_ref().take(most).read_to_end(&mut kept);
    let _ = std::io::copy(from, &mut std::io::sink());
    kept
}
