//! Writes a chunk file back.

use std::io::Write;

use gristmill_core::Result;

use super::change::{Change, Notes, Verdict};
use super::pieces::{self, Layout, Piece, Pieces};
use super::stream::copy;
use super::{ChunkFile, splice};
use crate::write::output_error;

impl ChunkFile {
    /// Writes the file with `verdict` done to its chunks, which are asked for in order. What is kept is written as it
    /// stands, byte for byte; of a table from which anything changes, the values.
    ///
    /// # Errors
    /// Those of reading, of `verdict`, and of writing to `out`.
    pub fn write(
        &self,
        out: &mut (dyn Write + Send),
        verdict: &mut dyn FnMut(usize) -> Result<Verdict>,
    ) -> Result<Notes> {
        #[cfg(feature = "parquet")]
        if let Some(table) = &self.table {
            return super::parquet::write(table, &self.name, out, verdict);
        }
        copy(&self.store, &self.name, 0, Some(self.layout.head()), out)?;
        let mut pieces = Pieces::new(&self.store, &self.name, &self.layout);
        let mut rewrite =
            Rewrite { file: self, out: &mut *out, notes: Notes::default(), seen: 0, kept: 0, gaps: Gaps::default() };
        let mut piece = Piece::default();
        while pieces.next(&mut piece)? {
            rewrite.put(&piece, verdict(rewrite.seen)?)?;
        }
        rewrite.end(&piece.gap)?;
        let notes = rewrite.notes;
        if let Some(tail) = pieces.tail() {
            copy(&self.store, &self.name, tail, None, out)?;
        }
        out.flush().map_err(output_error)?;
        Ok(notes)
    }

    /// A piece with next to no text, which is read once for each part of a chunk in place of all of it. Its one character shows
    /// how the file writes those beyond ASCII.
    fn frame(&self, piece: &Piece) -> Result<Piece> {
        let bytes = match &self.layout {
            Layout::Text(_) => Vec::new(),
            _ => splice::apply(&piece.bytes, &Change::text("\u{e000}"), &mut Notes::default())?,
        };
        Ok(Piece { bytes, ..Piece::default() })
    }

    /// The bytes of a piece with a change in them.
    fn changed(&self, piece: &Piece, change: &Change, notes: &mut Notes) -> Result<Vec<u8>> {
        let Layout::Text(layout) = &self.layout else { return splice::apply(&piece.bytes, change, notes) };
        change.metadata.iter().chain(&change.fields).for_each(|setting| notes.unheld(&setting.key));
        let text = match &change.text {
            Some(text) if text.as_bytes() != piece.bytes => text,
            _ => return Ok(piece.bytes.clone()),
        };
        notes.split += usize::from(!pieces::is_one_chunk(text, layout.ruled));
        let text = if layout.crlf { text.replace("\r\n", "\n").replace('\n', "\r\n") } else { text.clone() };
        Ok(text.into_bytes())
    }
}

/// What has been written so far.
struct Rewrite<'a> {
    file: &'a ChunkFile,
    out: &'a mut dyn Write,
    notes: Notes,
    seen: usize,
    kept: usize,
    gaps: Gaps,
}

/// What stands before the first and before the second chunk.
#[derive(Default)]
struct Gaps {
    first: Vec<u8>,
    second: Vec<u8>,
}

impl Rewrite<'_> {
    /// Writes a chunk after what stands before it; the first one after what stood before the first of the input. So a
    /// chunk goes with the separator before it, or, at the start, with the one after it.
    fn put(&mut self, piece: &Piece, verdict: Verdict) -> Result<()> {
        match self.seen {
            0 => self.gaps.first.clone_from(&piece.gap),
            1 => self.gaps.second.clone_from(&piece.gap),
            _ => {}
        }
        self.seen += 1;
        match verdict {
            Verdict::Keep => self.put_bytes(piece, None, &piece.bytes),
            Verdict::Change(change) => {
                let bytes = self.file.changed(piece, &change, &mut self.notes)?;
                self.put_bytes(piece, None, &bytes)
            }
            Verdict::Several(changes) => {
                let between = self.between(piece)?;
                let gaps = std::iter::once(None).chain(std::iter::repeat(Some(between.as_slice())));
                let frame = self.file.frame(piece)?;
                changes.iter().zip(gaps).try_for_each(|(change, gap)| {
                    let bytes = self.file.changed(&frame, change, &mut self.notes)?;
                    self.put_bytes(piece, gap, &bytes)
                })
            }
            Verdict::Remove => {
                self.notes.removed += 1;
                Ok(())
            }
        }
    }

    /// Writes a chunk after `gap`, or after what stands before it in the input.
    fn put_bytes(&mut self, piece: &Piece, gap: Option<&[u8]>, bytes: &[u8]) -> Result<()> {
        let gap = gap.unwrap_or(if self.kept == 0 { &self.gaps.first } else { &piece.gap });
        self.out.write_all(gap).and_then(|()| self.out.write_all(bytes)).map_err(output_error)?;
        self.notes.changed += usize::from(*bytes != piece.bytes);
        self.kept += 1;
        Ok(())
    }

    /// What is to stand between chunks that were one: the same as before it, of the first chunk as after it.
    fn between(&self, piece: &Piece) -> Result<Vec<u8>> {
        let file = self.file;
        if self.seen > 1 {
            return Ok(piece.gap.clone());
        }
        let mut pieces = Pieces::new(&file.store, &file.name, &file.layout);
        let mut second = Piece::default();
        if pieces.next(&mut second)? && pieces.next(&mut second)? {
            return Ok(second.gap);
        }
        let line: &[u8] = if matches!(&file.layout, Layout::Text(layout) if layout.crlf) { b"\r\n" } else { b"\n" };
        Ok(match &file.layout {
            Layout::Json(_) if piece.gap.is_empty() => b", ".to_vec(),
            Layout::Json(_) => [b",", piece.gap.as_slice()].concat(),
            Layout::Lines { .. } => line.to_vec(),
            Layout::Text(layout) if layout.ruled => [line, b"---", line].concat(),
            Layout::Text(_) => line.repeat(2),
        })
    }

    /// Writes what stands after the last chunk; nothing if no chunk is left.
    fn end(&mut self, gap: &[u8]) -> Result<()> {
        let gap = match self.kept {
            0 if self.seen > 0 => return Ok(()),
            1 if self.seen > 1 && self.needs_rule(gap) => &self.gaps.second,
            _ => gap,
        };
        self.out.write_all(gap).map_err(output_error)
    }

    /// True when the one chunk that is left of a text file would be taken apart at its blank lines.
    fn needs_rule(&self, after: &[u8]) -> bool {
        let has_rule = |gap: &[u8]| gap.split_inclusive(|byte| *byte == b'\n').any(pieces::is_rule);
        let is_ruled = matches!(&self.file.layout, Layout::Text(layout) if layout.ruled);
        is_ruled && !has_rule(&self.gaps.first) && !has_rule(after)
    }
}
