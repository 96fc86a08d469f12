//! Records of ours after a repair: positions, hashes and counts are those of the new text.

use std::borrow::Cow;
use std::sync::Arc;

use gristmill_core::{Fingerprint, PartKind, Result, Sizer, Unit};
use gristmill_format::chunk_file::{Change, ChunkFile, Index};
use gristmill_format::{PartRecord, Record, normalized_hash};
use gristmill_lint::Piece;
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

    /// The record with the text of `piece`, at its new place in the document.
    pub fn change(
        &self,
        mut record: Record<'static>,
        piece: Option<&Piece>,
        rank: Option<&Rank>,
        name: &dyn Fn(usize) -> Result<String>,
    ) -> Result<Change> {
        if let Some(piece) = piece {
            self.rewrite(&mut record, piece)?;
            let known = serde_json::to_value(&record.metadata.merged_ids).ok();
            let merged = merged_ids(known.as_ref(), piece, name)?;
            record.metadata.merged_ids = merged.into_iter().map(Cow::Owned).collect();
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
        record.normalized_text_hash = Cow::Owned(normalized_hash(&body, &mut String::new()).tagged());
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
        let near = self.near(piece)?;
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

    /// The records whose text a piece may hold.
    fn near(&self, piece: &Piece) -> Result<Vec<Record<'static>>> {
        let mut places = vec![piece.index, piece.index + 1];
        places.extend(piece.index.checked_sub(1));
        places.extend(piece.merged.iter().flat_map(|merged| [*merged, *merged + 1]));
        let mut near = Vec::new();
        for place in places {
            if let Some(entry) = self.index.entries.get(place) {
                near.extend(self.file.read_at(place, entry)?.record());
            }
        }
        let own = self.index.entries.get(piece.index).and_then(gristmill_format::chunk_file::Entry::source);
        let sources = &self.index.sources;
        near.retain(|record| own.and_then(|own| sources.get(own)).is_some_and(|own| *own == *record.metadata.source));
        Ok(near)
    }
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
