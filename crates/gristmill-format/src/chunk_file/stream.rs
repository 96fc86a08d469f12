//! Bytes that can be read at any place, from several threads.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};

use gristmill_core::{Error, Result};

use crate::write::output_error;

/// What an input is read from.
#[derive(Debug)]
pub(super) enum Store {
    File(File),
    Bytes(Vec<u8>),
}

impl Store {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        match self {
            Self::File(file) => read_file_at(file, buffer, offset),
            Self::Bytes(bytes) => {
                let rest = usize::try_from(offset).ok().and_then(|offset| bytes.get(offset..)).unwrap_or_default();
                rest.take(buffer.len() as u64).read(buffer)
            }
        }
    }

    /// The bytes from `offset` on, one after another.
    pub(super) fn from(&self, offset: u64) -> Cursor<'_> {
        Cursor { store: self, offset }
    }

    pub(super) fn starts_with(&self, mark: &[u8]) -> io::Result<bool> {
        let mut start = Vec::new();
        self.from(0).take(mark.len() as u64).read_to_end(&mut start)?;
        Ok(start == mark)
    }

    /// `length` bytes from `offset` on.
    pub(super) fn piece(&self, offset: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(length);
        self.from(offset).take(length as u64).read_to_end(&mut bytes)?;
        if bytes.len() == length { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

#[cfg(unix)]
fn read_file_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_file_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}

/// Reads on from a place.
pub(super) struct Cursor<'a> {
    store: &'a Store,
    offset: u64,
}

impl Read for Cursor<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.store.read_at(buffer, self.offset)?;
        self.offset += read as u64;
        Ok(read)
    }
}

/// An input that knows where it is.
pub(super) struct Input<'a> {
    reader: BufReader<Cursor<'a>>,
    pub(super) name: &'a str,
    /// Bytes before the next one.
    pub(super) offset: u64,
    /// Line of the next byte, from 1.
    pub(super) line: u64,
}

impl<'a> Input<'a> {
    pub(super) fn new(store: &'a Store, name: &'a str, offset: u64, line: u64) -> Self {
        Self { reader: BufReader::with_capacity(1 << 16, store.from(offset)), name, offset, line }
    }

    /// What is buffered; empty only at the end.
    pub(super) fn fill(&mut self) -> Result<&[u8]> {
        let name = self.name;
        self.reader.fill_buf().map_err(|error| unreadable(name, error))
    }

    /// Passes over `length` buffered bytes with `lines` line ends in them.
    pub(super) fn consume(&mut self, length: usize, lines: u64) {
        self.reader.consume(length);
        self.offset += length as u64;
        self.line += lines;
    }

    /// Puts the next line with its end into `line`; false at the end of the input.
    pub(super) fn line(&mut self, line: &mut Vec<u8>) -> Result<bool> {
        line.clear();
        let name = self.name;
        let read = self.reader.read_until(b'\n', line).map_err(|error| unreadable(name, error))?;
        self.offset += read as u64;
        self.line += u64::from(line.ends_with(b"\n"));
        Ok(read > 0)
    }

    /// Passes over a byte order mark.
    pub(super) fn skip_mark(&mut self) -> Result<()> {
        if self.fill()?.starts_with(b"\xef\xbb\xbf") {
            self.consume(3, 0);
        }
        Ok(())
    }

    /// An error with the place.
    pub(super) fn error(&self, problem: &str) -> Error {
        Error::input(format!("`{}`, line {}: {problem}", self.name, self.line))
    }
}

pub(super) fn unreadable(name: &str, cause: io::Error) -> Error {
    Error::input(format!("cannot read: `{name}`")).because(cause)
}

/// Copies the bytes of `store` from `start` to `end`, or to its end.
pub(super) fn copy(store: &Store, name: &str, start: u64, end: Option<u64>, out: &mut dyn Write) -> Result<()> {
    let length = end.map_or(u64::MAX, |end| end.saturating_sub(start));
    let mut input = BufReader::with_capacity(1 << 16, store.from(start).take(length));
    loop {
        let bytes = input.fill_buf().map_err(|error| unreadable(name, error))?;
        if bytes.is_empty() {
            return Ok(());
        }
        out.write_all(bytes).map_err(output_error)?;
        let length = bytes.len();
        input.consume(length);
    }
}
