//! Chunks in JSON Lines.

use gristmill_core::Result;

use super::super::stream::Input;
use super::Piece;

/// The lines that are not blank.
pub(crate) struct LinePieces<'a> {
    input: Input<'a>,
    line: Vec<u8>,
    /// What stands after the last chunk on its line.
    after: Vec<u8>,
}

impl<'a> LinePieces<'a> {
    pub(super) fn new(input: Input<'a>) -> Self {
        Self { input, line: Vec::new(), after: Vec::new() }
    }

    pub(super) fn next(&mut self, piece: &mut Piece) -> Result<bool> {
        piece.gap.append(&mut self.after);
        loop {
            let (offset, number) = (self.input.offset, self.input.line);
            if !self.input.line(&mut self.line)? {
                return Ok(false);
            }
            let from_start = self.line.trim_ascii_start();
            let (before, chunk) = (self.line.len() - from_start.len(), from_start.trim_ascii_end());
            if chunk.is_empty() {
                piece.gap.extend_from_slice(&self.line);
                continue;
            }
            piece.gap.extend_from_slice(self.line.get(..before).unwrap_or_default());
            piece.bytes.extend_from_slice(chunk);
            self.after.extend_from_slice(from_start.get(chunk.len()..).unwrap_or_default());
            (piece.offset, piece.line) = (offset + before as u64, number);
            return Ok(true);
        }
    }
}
