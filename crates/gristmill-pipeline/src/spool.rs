//! Records of a large document, kept on disk until the number of its chunks is known.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Seek, Write};

use gristmill_core::{Error, ErrorKind, Result};
use gristmill_format::Record;

/// A temporary file of records, gone when it is dropped.
pub struct Spool {
    out: BufWriter<File>,
}

impl Spool {
    /// An empty one, in the system's folder for temporary files.
    ///
    /// # Errors
    /// When there is no room for it.
    pub fn new() -> Result<Self> {
        Ok(Self { out: BufWriter::new(tempfile::tempfile().map_err(failed)?) })
    }

    /// Adds a record.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn push(&mut self, record: &Record<'_>) -> Result<()> {
        serde_json::to_writer(&mut self.out, record).map_err(|e| failed(e.into()))?;
        self.out.write_all(b"\n").map_err(failed)
    }

    /// Reads the records back, in order.
    ///
    /// # Errors
    /// When they cannot be read, or `take` fails.
    pub fn read(self, mut take: impl FnMut(Record<'static>) -> Result<()>) -> Result<()> {
        let mut file = self.out.into_inner().map_err(|e| failed(e.into_error()))?;
        file.rewind().map_err(failed)?;
        for line in BufReader::with_capacity(1 << 16, file).lines() {
            take(serde_json::from_str(&line.map_err(failed)?).map_err(|e| failed(e.into()))?)?;
        }
        Ok(())
    }
}

fn failed(cause: std::io::Error) -> Error {
    Error::new(ErrorKind::Input, "cannot keep the chunks of a large file on disk")
        .because(cause)
        .hint("free some room in the folder for temporary files, or set TMPDIR to another one")
}
