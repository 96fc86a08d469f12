//! Records as JSON text.

use std::sync::mpsc::Sender;

use gristmill::format::{Record, Writer};
use gristmill::{Error, Result};

/// A JSON list that grows.
#[derive(Clone, Default)]
pub struct JsonList(Vec<u8>);

impl JsonList {
    /// Adds a record.
    ///
    /// # Errors
    /// When it is no JSON, which would be our mistake.
    pub fn push(&mut self, record: &Record<'_>) -> Result<()> {
        self.0.push(if self.0.is_empty() { b'[' } else { b',' });
        let written = serde_json::to_writer(&mut self.0, record);
        written.map_err(|error| Error::bug("a record cannot be written").because(error))
    }

    /// The whole list.
    ///
    /// # Errors
    /// When it is no Unicode, which would be our mistake.
    pub fn close(mut self) -> Result<String> {
        if self.0.is_empty() {
            self.0.push(b'[');
        }
        self.0.push(b']');
        String::from_utf8(self.0).map_err(|error| Error::bug("records are no Unicode").because(error))
    }
}

/// A writer that hands all records over when the last one has come.
pub struct Collect {
    list: JsonList,
    sender: Sender<String>,
}

impl Collect {
    /// Hands over to `sender`.
    pub fn new(sender: Sender<String>) -> Self {
        Self { list: JsonList::default(), sender }
    }
}

impl Writer for Collect {
    fn write(&mut self, record: &Record<'_>) -> Result<()> {
        self.list.push(record)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.sender.send(self.list.close()?).map_err(|_| Error::bug("nobody takes the records"))
    }
}
