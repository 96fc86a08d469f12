//! Chunks in a JSON list, alone or within an object.

use gristmill_core::{Error, Result};

use super::super::grammar::{space, value};
use super::super::stream::{Input, Store};
use super::Piece;

/// Keys under which an object holds its list of chunks, the most telling first.
const LISTS: [&str; 4] = ["chunks", "documents", "data", "items"];

const WRONG_NAME: &str = "a file with one chunk a line is to be named `.jsonl`";

/// Where the list stands.
#[derive(Clone, Debug)]
pub(crate) struct List {
    /// The byte after its `[`.
    pub(super) start: u64,
    line: u64,
    /// The key in [`LISTS`]; `None` for a list that is the whole file.
    key: Option<usize>,
}

impl List {
    /// Looks for the list: the first of the keys that holds one.
    pub(super) fn find(input: &mut Input<'_>) -> Result<Self> {
        match space(input, None)? {
            Some(b'[') => Ok(Self { start: input.offset + 1, line: input.line, key: None }),
            Some(b'{') => Self::find_in_object(input),
            _ => {
                let keys = LISTS.join("`, `");
                Err(input.error(&format!("expected a list of chunks, or an object with one under `{keys}`")))
            }
        }
    }

    fn find_in_object(input: &mut Input<'_>) -> Result<Self> {
        let mut best: Option<Self> = None;
        // What is wrong after the list is told when it is read.
        let looked = members(input, &mut |input, key| {
            let better = best.as_ref().and_then(|best| best.key).unwrap_or(LISTS.len());
            let rank = LISTS.iter().position(|known| *known == key);
            if let Some(rank) = rank.filter(|rank| *rank < better)
                && input.fill()?.first() == Some(&b'[')
            {
                best = Some(Self { start: input.offset + 1, line: input.line, key: Some(rank) });
                return Ok(rank > 0);
            }
            Ok(true)
        });
        match (best, looked) {
            (Some(best), _) => Ok(best),
            (None, Err(error)) => Err(error),
            (None, Ok(())) => {
                let problem = format!("no list of chunks under `{}`", LISTS.join("`, `"));
                Err(Error::input(format!("`{}`: {problem}", input.name)).hint(WRONG_NAME))
            }
        }
    }
}

/// Goes over the members of an object whose `{` or `,` is the next byte. `see` is given each key with the input at its
/// value, and says whether to go on.
fn members(input: &mut Input<'_>, see: &mut dyn FnMut(&mut Input<'_>, &str) -> Result<bool>) -> Result<()> {
    let mut first = input.fill()?.first() == Some(&b'{');
    let mut key = Vec::new();
    input.consume(1, 0);
    loop {
        let next = space(input, None)?;
        if first && next == Some(b'}') {
            break;
        }
        first = false;
        if next != Some(b'"') {
            return Err(input.error("not JSON: expected a key"));
        }
        key.clear();
        value(input, Some(&mut key))?;
        if space(input, None)? != Some(b':') {
            return Err(input.error("not JSON: expected `:`"));
        }
        input.consume(1, 0);
        space(input, None)?;
        if !see(input, &serde_json::from_slice::<String>(&key).unwrap_or_default())? {
            return Ok(());
        }
        value(input, None)?;
        match space(input, None)? {
            Some(b',') => input.consume(1, 0),
            Some(b'}') => break,
            _ => return Err(input.error("not JSON: expected `,` or `}`")),
        }
    }
    input.consume(1, 0);
    Ok(())
}

/// The elements of the list.
pub(crate) struct JsonPieces<'a> {
    input: Input<'a>,
    key: Option<usize>,
    first: bool,
    done: bool,
    /// Where the `]` stands, once it was reached.
    pub(super) tail: u64,
}

impl<'a> JsonPieces<'a> {
    pub(super) fn new(store: &'a Store, name: &'a str, list: &List) -> Self {
        let input = Input::new(store, name, list.start, list.line);
        Self { input, key: list.key, first: true, done: false, tail: list.start }
    }

    pub(super) fn next(&mut self, piece: &mut Piece) -> Result<bool> {
        if self.done {
            return Ok(false);
        }
        let mut next = space(&mut self.input, Some(&mut piece.gap))?;
        match next {
            Some(b']') => {
                self.done = true;
                self.tail = self.input.offset;
                return self.rest().map(|()| false);
            }
            Some(b',') if !self.first => {
                piece.gap.push(b',');
                self.input.consume(1, 0);
                next = space(&mut self.input, Some(&mut piece.gap))?;
            }
            Some(_) if self.first => {}
            Some(_) => return Err(self.input.error("not JSON: expected `,` or `]`")),
            None => {}
        }
        if next.is_none() {
            return Err(self.input.error("the list of chunks is not closed"));
        }
        self.first = false;
        (piece.offset, piece.line) = (self.input.offset, self.input.line);
        value(&mut self.input, Some(&mut piece.bytes))?;
        Ok(true)
    }

    /// Looks through what follows the list, which the input stands before.
    fn rest(&mut self) -> Result<()> {
        let Self { input, key, .. } = self;
        input.consume(1, 0);
        if let Some(own) = key.and_then(|key| LISTS.get(key)) {
            match space(input, None)? {
                Some(b',') => members(input, &mut |input, key| match input.fill()?.first() {
                    Some(b'[') if key == *own => Err(input.error(&format!("a second list of chunks under `{own}`"))),
                    _ => Ok(true),
                })?,
                Some(b'}') => input.consume(1, 0),
                _ => return Err(input.error("not JSON: expected `,` or `}`")),
            }
        }
        match space(input, None)? {
            None => Ok(()),
            Some(_) => Err(input.error("not JSON: more text after the end of the document").hint(WRONG_NAME)),
        }
    }
}
