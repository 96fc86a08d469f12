//! Records in JSON arrays and JSON Lines.

use std::io::{self, BufRead};

use gristmill_core::{Error, Result};

use crate::Record;

/// Gives the records of a JSON array or of JSON Lines in order.
///
/// Holds one record at a time. A record that cannot be read is an error with its line, and reading goes on after it;
/// after an error of the input itself there is nothing more.
pub struct RecordReader<R> {
    input: R,
    name: String,
    array: bool,
    line: u64,
    element: Vec<u8>,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Start,
    Inside,
    Done,
}

impl<R: BufRead> RecordReader<R> {
    /// Reads from `input`; `name` stands for it in messages.
    ///
    /// # Errors
    /// When `format` is neither `json` nor `jsonl`.
    pub fn new(input: R, format: &str, name: &str) -> Result<Self> {
        let array = match format {
            "json" => true,
            "jsonl" => false,
            other => {
                return Err(Error::usage(format!("records cannot be read one by one from this format: `{other}`"))
                    .hint("the formats are `json` and `jsonl`"));
            }
        };
        Ok(Self { input, name: name.to_owned(), array, line: 1, element: Vec::new(), state: State::Start })
    }

    fn advance(&mut self) -> Result<Option<Record<'static>>> {
        if self.state == State::Start {
            self.state = State::Inside;
            self.skip_byte_order_mark()?;
            if self.array {
                self.open_array()?;
            }
        }
        let first_line = if self.array { self.next_element()? } else { self.next_line()? };
        let Some(line) = first_line else {
            self.state = State::Done;
            return Ok(None);
        };
        match serde_json::from_slice(&self.element) {
            Ok(record) => Ok(Some(record)),
            Err(error) => Err(self.no_record(line, &error)),
        }
    }

    fn skip_byte_order_mark(&mut self) -> Result<()> {
        let bytes = self.fill()?;
        if bytes.starts_with(b"\xef\xbb\xbf") {
            self.input.consume(3);
        }
        Ok(())
    }

    /// Reads the next line that is not blank into `element`; gives its number.
    fn next_line(&mut self) -> Result<Option<u64>> {
        loop {
            self.element.clear();
            let read = self.input.read_until(b'\n', &mut self.element);
            if read.map_err(|error| self.broken(error))? == 0 {
                return Ok(None);
            }
            let line = self.line;
            self.line += 1;
            if !self.element.trim_ascii().is_empty() {
                return Ok(Some(line));
            }
        }
    }

    fn open_array(&mut self) -> Result<()> {
        match self.next_visible()? {
            Some(b'[') => Ok(()),
            _ => Err(self.syntax("expected `[` at the start of the list of records")),
        }
    }

    /// Reads the next element of the array into `element`; gives the line on which it begins.
    ///
    /// Only strings and brackets are looked at, to find the end; whether the element is JSON is for its parser.
    fn next_element(&mut self) -> Result<Option<u64>> {
        self.element.clear();
        let mut next = self.next_visible()?;
        if next == Some(b',') {
            next = self.next_visible()?;
        }
        let first = match next {
            Some(b']') => return self.end_of_array(),
            Some(byte) => byte,
            None => return Err(self.syntax("the list of records is not closed")),
        };
        let line = self.line;
        let mut scan = Scan::default();
        self.element.push(first);
        scan.byte(first);
        while !self.copy_until_end(&mut scan)? {}
        Ok(Some(line))
    }

    /// Moves buffered bytes into `element` up to the end of the element; true when the end was reached.
    fn copy_until_end(&mut self, scan: &mut Scan) -> Result<bool> {
        self.fill()?;
        let bytes = self.input.fill_buf().unwrap_or_default();
        if bytes.is_empty() {
            return Err(self.syntax("the list of records is not closed"));
        }
        let end = bytes.iter().position(|byte| scan.ends_before(*byte));
        let piece = bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default();
        self.element.extend_from_slice(piece);
        self.line += piece.iter().filter(|byte| **byte == b'\n').count() as u64;
        let taken = piece.len();
        self.input.consume(taken);
        Ok(end.is_some())
    }

    fn end_of_array(&mut self) -> Result<Option<u64>> {
        match self.next_visible()? {
            None => Ok(None),
            Some(_) => Err(self.syntax("there is text after the list of records")),
        }
    }

    /// Takes the next byte that is not white space.
    fn next_visible(&mut self) -> Result<Option<u8>> {
        loop {
            let Some(byte) = self.fill()?.first().copied() else { return Ok(None) };
            self.input.consume(1);
            match byte {
                b'\n' => self.line += 1,
                b' ' | b'\t' | b'\r' => {}
                byte => return Ok(Some(byte)),
            }
        }
    }

    fn fill(&mut self) -> Result<&[u8]> {
        let Self { input, name, state, .. } = self;
        input.fill_buf().map_err(|error| {
            *state = State::Done;
            Error::input(format!("cannot read: `{name}`")).because(error)
        })
    }

    fn broken(&mut self, error: io::Error) -> Error {
        self.state = State::Done;
        Error::input(format!("cannot read: `{}`", self.name)).because(error)
    }

    /// An error after which nothing can be made of the rest.
    fn syntax(&mut self, problem: &str) -> Error {
        self.state = State::Done;
        Error::input(format!("`{}`, line {}: {problem}", self.name, self.line))
    }

    fn no_record(&self, line: u64, error: &serde_json::Error) -> Error {
        let line = line + (error.line() as u64).saturating_sub(1);
        let text = error.to_string();
        // The parser counts from the start of the element; the line of the file stands in front.
        let problem = text.rsplit_once(" at line ").map_or(text.as_str(), |(problem, _)| problem);
        Error::input(format!("`{}`, line {line}: not a record: {problem}", self.name))
    }
}

impl<R: BufRead> Iterator for RecordReader<R> {
    type Item = Result<Record<'static>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.state == State::Done { None } else { self.advance().transpose() }
    }
}

/// Finds the end of an element of a JSON array.
#[derive(Default)]
struct Scan {
    depth: u64,
    string: bool,
    escaped: bool,
}

impl Scan {
    /// True when the element ends before `byte`; else takes it into account.
    fn ends_before(&mut self, byte: u8) -> bool {
        if self.depth == 0 && !self.string && matches!(byte, b',' | b']') {
            return true;
        }
        self.byte(byte);
        false
    }

    fn byte(&mut self, byte: u8) {
        if self.string {
            self.string = self.escaped || byte != b'"';
            self.escaped = byte == b'\\' && !self.escaped;
            return;
        }
        match byte {
            b'"' => self.string = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }
}
