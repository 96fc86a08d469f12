//! Reading in a process of its own.
//!
//! The program hands the worker's side ([`work`]) its input and output; the reader starts it for each file, with a limit on its
//! time and, on Unix, on its memory. One process a file: starting one takes milliseconds, and none has to be trusted after a
//! file that it did not survive.

#[cfg(test)]
mod tests;
mod wire;

use std::ffi::OsString;
use std::io::{Read, Write};
use std::process::Command;
use std::time::Duration;

use gristmill_core::{DocumentId, Error, Input, Result};

use super::child::{self, Ended};
use super::converted;
use super::nesting::STACK;
use super::ocr::Ocr;
use crate::converted::Converted;

/// How processes that read a PDF are started, and what they may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worker {
    /// The program and its arguments that make it call [`work`].
    pub command: Vec<OsString>,
    /// How long one file may take.
    pub time: Duration,
    /// Memory that one file may take, in bytes; heeded on Unix.
    pub memory: u64,
}

/// Sets the limits on memory in KiB and on time of the processor in seconds, and becomes the program. The second is for a worker
/// that nobody waits for any more. A system that knows a limit not, or has a lower one, is left as it is. No core is dumped.
const LIMITED: &str =
    "ulimit -c 0 2>/dev/null; ulimit -v \"$0\" 2>/dev/null; ulimit -t \"$1\" 2>/dev/null; shift; exec \"$@\"";

impl Worker {
    /// What the process makes of the file.
    pub(super) fn converted(&self, input: &Input<'_>) -> Result<Converted> {
        let ended = child::run(&mut self.limited(), |mut to| wire::ask(&mut to, input), self.time)
            .map_err(|error| Error::config("the process that reads PDF files cannot be started").because(error))?;
        match ended {
            Ended::Well(answer) => wire::answered(&answer, input.source),
            Ended::Badly(said) if OUT_OF_MEMORY.iter().any(|words| said.contains(words)) => {
                Err(too_much(format!("the PDF takes more memory than the limit: {} MiB", self.memory >> 20)))
            }
            Ended::Badly(said) => Err(too_much(format!("reading the PDF ended its process: {}", one_line(&said)))),
            Ended::Late => Err(too_much(format!("the PDF takes longer than the limit: {} s", self.time.as_secs()))),
        }
    }

    /// The command, behind a shell that sets the limits.
    fn limited(&self) -> Command {
        let mut words = self.command.iter().map(OsString::as_os_str);
        if cfg!(unix) {
            let mut command = Command::new("/bin/sh");
            // What is set aside for the stack counts, though hardly any of it is taken.
            let memory = ((self.memory + STACK as u64) / 1024).to_string();
            let time = (self.time.as_secs() + 1).to_string();
            command.args(["-c", LIMITED, &memory, &time]).args(words);
            return command;
        }
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words);
        command
    }
}

/// What Rust says when it gets no memory.
const OUT_OF_MEMORY: [&str; 2] = ["memory allocation of", "out of memory"];

fn too_much(message: String) -> Error {
    let hint =
        "the file is broken, or very large: repair it, e.g. with `qpdf`, split it, or raise the limits of `[read]`";
    Error::input(message).hint(hint)
}

fn one_line(said: &str) -> String {
    said.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ")
}

/// The worker's side: reads one file from `from` and writes what became of it to `to`.
///
/// # Errors
/// When `from` cannot be read or `to` not written.
pub fn work(mut from: &mut dyn Read, mut to: &mut dyn Write, ocr: Option<&Ocr>) -> std::io::Result<()> {
    let (source, bytes) = wire::asked(&mut from)?;
    let input = Input { id: DocumentId::new("", "", &source), source: &source, bytes: &bytes, open: &[], first: true };
    wire::answer(&mut to, &converted(&input, ocr))
}
