//! Reading in a process of its own: whatever a broken file makes the engine do, it costs that file and no other.
//!
//! The program hands the worker's side ([`work`]) its input and output; the reader ([`PdfWorker`]) starts it for each file, with
//! a limit on its time and, on Unix, on its memory.

#[cfg(test)]
mod tests;
mod wire;

use std::ffi::OsString;
use std::io::{Read, Write};
use std::process::Command;
use std::time::Duration;

use gristmill_core::{Document, DocumentId, Error, Fingerprint, Input, Outcome, Reader, Result};

use super::child::{self, Ended};
use super::ocr::PdfWithOcr;
use super::{Pdf, converted};

/// Reads PDF files, each in a process that is started for it.
#[derive(Clone, Debug)]
pub struct PdfWorker {
    /// The program and its arguments that make it call [`work`].
    pub command: Vec<OsString>,
    /// How long one file may take.
    pub time: Duration,
    /// Memory that one file may take, in bytes; heeded on Unix.
    pub memory: u64,
}

impl PdfWorker {
    /// A worker with five minutes and 2 GiB for a file.
    pub fn new(command: Vec<OsString>) -> Self {
        Self { command, time: Duration::from_secs(300), memory: 2 << 30 }
    }

    /// The command, behind a shell that sets the limit on memory.
    fn limited(&self) -> Command {
        let words = self.command.iter().map(OsString::as_os_str);
        if cfg!(unix) {
            let mut command = Command::new("/bin/sh");
            let limit = (self.memory / 1024).to_string();
            command.args(["-c", "ulimit -v \"$0\" && exec \"$@\"", &limit]).args(words);
            return command;
        }
        let mut words = words;
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words);
        command
    }

    fn answer(&self, input: &Input<'_>) -> Result<Vec<u8>> {
        let ended = child::run(&mut self.limited(), |mut to| wire::ask(&mut to, input), self.time)
            .map_err(|error| Error::bug("the process that reads PDF files cannot be started").because(error))?;
        let hint = "the file is broken, or very large: repair it, e.g. with `qpdf`, or split it";
        match ended {
            Ended::Well(answer) => Ok(answer),
            Ended::Badly(said) => {
                let said = said.trim();
                Err(Error::input(format!("reading the PDF ended its process, which may take {}: {said}", self.room()))
                    .hint(hint))
            }
            Ended::Late => {
                Err(Error::input(format!("the PDF takes longer than the limit: {} s", self.time.as_secs())).hint(hint))
            }
        }
    }

    fn room(&self) -> String {
        format!("{} MiB", self.memory >> 20)
    }
}

impl Reader for PdfWorker {
    fn name(&self) -> &'static str {
        Pdf.name()
    }

    fn summary(&self) -> &'static str {
        Pdf.summary()
    }

    fn extensions(&self) -> &'static [&'static str] {
        Pdf.extensions()
    }

    fn converts(&self) -> bool {
        true
    }

    fn read(&self, input: &Input<'_>) -> Result<Outcome<Document>> {
        Ok(wire::answered(&self.answer(input)?, input.source)?.document(input, self.name()))
    }
}

/// The worker's side: reads one file from `from` and writes what became of it to `to`.
///
/// # Errors
/// When `from` cannot be read or `to` not written.
pub fn work(mut from: &mut dyn Read, mut to: &mut dyn Write, ocr: Option<&PdfWithOcr>) -> std::io::Result<()> {
    let (source, bytes) = wire::asked(&mut from)?;
    let input = Input {
        id: DocumentId::new("", "", &source),
        source: &source,
        fingerprint: Fingerprint::of(&bytes),
        bytes: &bytes,
        open: &[],
        first: true,
    };
    wire::answer(&mut to, &converted(&input, ocr))
}
