//! Texts and payloads that wait for their vectors: in memory while they are few, in a temporary file when they are many.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};

use gristmill_core::{Error, Result};

/// More bytes than this go to a file.
const HELD: u64 = 4 * 1024 * 1024;

/// Pairs of text and payload, found by their number.
#[derive(Default)]
pub struct Shelf {
    /// The first pairs.
    held: Vec<(String, String)>,
    /// All others, where there is no more room.
    spilt: Option<Spilt>,
    bytes: u64,
}

/// Pairs in a temporary file.
struct Spilt {
    file: File,
    end: u64,
    places: Vec<Place>,
}

#[derive(Clone, Copy)]
struct Place {
    start: u64,
    text: u32,
    payload: u32,
}

impl Shelf {
    pub fn new() -> Self {
        Self::default()
    }

    /// Bytes of all texts and payloads.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Adds a pair behind the others.
    pub fn put(&mut self, text: &str, payload: &str) -> Result<()> {
        self.bytes += (text.len() + payload.len()) as u64;
        if self.bytes <= HELD {
            self.held.push((text.to_owned(), payload.to_owned()));
            return Ok(());
        }
        if self.spilt.is_none() {
            self.spilt = Some(Spilt { file: tempfile::tempfile().map_err(failed)?, end: 0, places: Vec::new() });
        }
        self.spilt.as_mut().map_or(Ok(()), |spilt| spilt.put(text, payload))
    }

    /// The pair of a number.
    pub fn get(&mut self, index: usize) -> Result<(String, String)> {
        if let Some(pair) = self.held.get(index) {
            return Ok(pair.clone());
        }
        let spilt = self.spilt.as_mut().ok_or_else(missing)?;
        spilt.get(index - self.held.len())
    }
}

impl Spilt {
    fn put(&mut self, text: &str, payload: &str) -> Result<()> {
        let size = |text: &str| u32::try_from(text.len()).map_err(|_| Error::input("a chunk of more than 4 GiB"));
        let place = Place { start: self.end, text: size(text)?, payload: size(payload)? };
        self.file.seek(SeekFrom::Start(self.end)).map_err(failed)?;
        self.file.write_all(text.as_bytes()).and_then(|()| self.file.write_all(payload.as_bytes())).map_err(failed)?;
        self.end += (text.len() + payload.len()) as u64;
        self.places.push(place);
        Ok(())
    }

    fn get(&mut self, index: usize) -> Result<(String, String)> {
        let place = *self.places.get(index).ok_or_else(missing)?;
        let mut text = vec![0; place.text as usize];
        let mut payload = vec![0; place.payload as usize];
        self.file.seek(SeekFrom::Start(place.start)).map_err(failed)?;
        self.file.read_exact(&mut text).and_then(|()| self.file.read_exact(&mut payload)).map_err(failed)?;
        Ok((unicode(text)?, unicode(payload)?))
    }
}

fn missing() -> Error {
    Error::bug("a chunk that was not put on the shelf")
}

fn unicode(bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).map_err(|cause| Error::bug("a shelf gave other bytes").because(cause))
}

fn failed(cause: std::io::Error) -> Error {
    Error::input("the temporary file cannot be used").because(cause)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_come_back_in_any_order_from_memory_and_from_a_file() {
        let mut shelf = Shelf::new();
        let large = "é".repeat(HELD as usize / 6);
        for n in 0..8 {
            shelf.put(&format!("{n}{large}"), &format!("{{\"n\":{n}}}")).unwrap();
            assert_eq!(shelf.get(0).unwrap().1, "{\"n\":0}");
        }
        for n in [7, 0, 3] {
            let (text, payload) = shelf.get(n).unwrap();
            assert!(text.starts_with(&n.to_string()) && text.len() == large.len() + 1);
            assert_eq!(payload, format!("{{\"n\":{n}}}"));
        }
        assert!(shelf.get(8).is_err());
    }
}
