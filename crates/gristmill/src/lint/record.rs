//! Records of ours after a repair: positions, hashes and counts are those of the new text.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use gristmill_core::{Fingerprint, PartKind, Result, Sizer, Unit};
use gristmill_format::chunk_file::{Change, ChunkFile, Index};
use gristmill_format::{PartRecord, Record, normalized_hash};
use gristmill_lint::{Piece, part_of};
use gristmill_text::count::sizer;

use super::LintCx;
use super::write::{Rank, merged_ids};

/// Rewrites records.
pub(super) struct Records<'a> {
    file: &'a ChunkFile,
    index: &'a Index,
    tokens: Arc<dyn Sizer>,
}

impl<'a> Records<'a> {
    pub fn new(file: &'a ChunkFile, index: &'a Index, cx: &LintCx<'_>) -> Result<Self> {
        Ok(Self { file, index, tokens: sizer(Unit::Tokens, cx.tokenizer)? })
    }

    /// The record with the text of `piece`, at its new place in the document. `part` tells the parts of a split chunk apart.
    pub fn change(
        &self,
        mut record: Record<'static>,
        piece: Option<&Piece>,
        part: usize,
        rank: Option<&Rank>,
        names: &dyn Fn(usize) -> Result<Vec<String>>,
    ) -> Result<Change> {
        if let Some(piece) = piece {
            self.rewrite(&mut record, piece)?;
            let merged = merged_ids(record.metadata.merged_ids.iter().map(AsRef::as_ref), piece, names)?;
            record.metadata.merged_ids = merged.into_iter().map(Cow::Owned).collect();
            if part > 0 {
                become_part(&mut record, piece);
            }
        }
        if let Some(rank) = rank {
            let metadata = &mut record.metadata;
            (metadata.chunk_index, metadata.total_chunks) = (rank.index, rank.total);
            metadata.prev_chunk_id = rank.previous.clone().map(Cow::Owned);
            metadata.next_chunk_id = rank.next.clone().map(Cow::Owned);
        }
        Change::record(&record)
    }

    fn rewrite(&self, record: &mut Record<'static>, piece: &Piece) -> Result<()> {
        let body: String = piece.bodies().collect();
        let overlap = piece.parts.iter().find(|part| part.kind == PartKind::Overlap);
        let overlap = overlap.map_or("", |part| &piece.text[part.range.range()]);
        let tokens = self.tokens.size(&piece.text) as u64;
        record.content = Cow::Owned(piece.text.clone());
        record.token_count = tokens;
        record.normalized_text_hash = Cow::Owned(normalized_hash(&body, &mut Vec::new()).tagged());
        self.move_to(record, piece)?;
        let metadata = &mut record.metadata;
        metadata.token_count = tokens;
        metadata.overlap_token_count = self.tokens.size(overlap) as u64;
        metadata.word_count = body.split_whitespace().count() as u64;
        metadata.content_hash = Cow::Owned(Fingerprint::of(piece.text.as_bytes()).tagged());
        metadata.parts = parts(piece);
        Ok(())
    }

    /// Where the body lies now: its ends lie within records whose places are known.
    fn move_to(&self, record: &mut Record<'static>, piece: &Piece) -> Result<()> {
        let Some(place) = piece.place.clone() else { return Ok(()) };
        let metadata = &record.metadata;
        if (metadata.char_start, metadata.char_end) == (place.start, place.end) {
            return Ok(());
        }
        let near = self.near(piece, &place)?;
        if let Some((byte, line)) = near.iter().find_map(|other| position(other, place.start)) {
            let metadata = &mut record.metadata;
            (metadata.char_start, metadata.byte_start, metadata.line_start) = (place.start, byte, line);
        }
        if let Some((byte, line)) = near.iter().find_map(|other| position(other, place.end)) {
            let metadata = &mut record.metadata;
            (metadata.char_end, metadata.byte_end, metadata.line_end) = (place.end, byte, line);
        }
        Ok(())
    }

    /// The records whose text a piece may hold: its own, those that were merged into it, and their neighbours up to the
    /// ends of the piece.
    fn near(&self, piece: &Piece, place: &Range<u64>) -> Result<Vec<Record<'static>>> {
        let index = part_of(piece.index).0;
        let merged = piece.merged.iter().map(|merged| part_of(*merged).0);
        let own: BTreeSet<usize> = std::iter::once(index).chain(merged).collect();
        let (first, last) = (own.first().copied().unwrap_or(index), own.last().copied().unwrap_or(index));
        let mut near = Vec::new();
        for at in own {
            near.extend(self.same_source(index, at)?);
        }
        for at in (0..first).rev() {
            let Some(record) = self.same_source(index, at)? else { break };
            let begins = record.metadata.char_start <= place.start;
            near.push(record);
            if begins {
                break;
            }
        }
        for at in last + 1.. {
            let Some(record) = self.same_source(index, at)? else { break };
            let ends = record.metadata.char_end >= place.end;
            near.push(record);
            if ends {
                break;
            }
        }
        Ok(near)
    }

    /// The record at a place of the file when it is of the same source as the one at `index`.
    fn same_source(&self, index: usize, at: usize) -> Result<Option<Record<'static>>> {
        let [own, other] = [index, at].map(|at| self.index.entries.get(at));
        let other = other.filter(|other| own.is_some_and(|own| own.source() == other.source()));
        other.map_or(Ok(None), |other| Ok(self.file.read_at(at, other)?.record()))
    }
}

/// Gives the record of a split chunk the identity and the headings of a part that is not the first.
fn become_part(record: &mut Record<'static>, piece: &Piece) {
    if let Some(id) = &piece.id {
        record.chunk_id = Cow::Owned(id.clone());
    }
    let metadata = &mut record.metadata;
    let Some(title) = piece.path.last().filter(|_| metadata.heading_path != piece.path) else { return };
    for keyword in metadata.keywords.iter_mut().filter(|keyword| **keyword == metadata.section_title) {
        *keyword = Cow::Owned(title.clone());
    }
    metadata.section_title = Cow::Owned(title.clone());
    metadata.heading_path = piece.path.iter().cloned().map(Cow::Owned).collect();
}

/// Byte and line of the code point at `char` of the document, when the record's body holds it.
fn position(record: &Record<'_>, char: u64) -> Option<(u64, u64)> {
    let metadata = &record.metadata;
    if !(metadata.char_start..=metadata.char_end).contains(&char) {
        return None;
    }
    if char == metadata.char_end {
        return Some((metadata.byte_end, metadata.line_end));
    }
    let body = metadata.parts.iter().find(|part| part.kind == PartKind::Body)?;
    let skip = usize::try_from(body.start).ok()?;
    let take = usize::try_from(char - metadata.char_start).ok()?;
    let before: String = record.content.chars().skip(skip).take(take).collect();
    Some((metadata.byte_start + before.len() as u64, metadata.line_start + before.matches('\n').count() as u64))
}

fn parts(piece: &Piece) -> Vec<PartRecord> {
    let mut at = 0;
    let convert = |part: &gristmill_core::Part| {
        let start = at;
        at += piece.text[part.range.range()].chars().count() as u64;
        let origin = part.origin.map(|origin| [u64::from(origin.start), u64::from(origin.end)]);
        PartRecord { kind: part.kind, start, end: at, origin }
    };
    piece.parts.iter().map(convert).collect()
}
