//! The pieces of a file: its chunks as they stand, and all that stands between them.

mod json;
mod lines;
mod text;

use gristmill_core::Result;

use super::ChunkFormat;
use super::stream::{Input, Store};

pub(super) use text::{TextLayout, is_one_chunk, is_rule};

/// The bytes of a chunk and those between it and the chunk before.
#[derive(Debug, Default)]
pub(super) struct Piece {
    pub(super) gap: Vec<u8>,
    pub(super) bytes: Vec<u8>,
    /// First byte of the chunk in the file.
    pub(super) offset: u64,
    /// Line on which it begins, from 1.
    pub(super) line: u64,
}

/// Where the chunks of a file stand; found once when it is opened.
#[derive(Debug)]
pub(super) enum Layout {
    Json(json::List),
    Lines { head: u64 },
    Text(TextLayout),
}

impl Layout {
    pub(super) fn find(store: &Store, name: &str, format: ChunkFormat) -> Result<Self> {
        let mut input = Input::new(store, name, 0, 1);
        input.skip_mark()?;
        Ok(match format {
            ChunkFormat::Json => Self::Json(json::List::find(&mut input)?),
            ChunkFormat::Text => Self::Text(TextLayout::find(store, name)?),
            ChunkFormat::JsonLines | ChunkFormat::Parquet => Self::Lines { head: input.offset },
        })
    }

    /// Bytes before the first gap.
    pub(super) fn head(&self) -> u64 {
        match self {
            Self::Json(list) => list.start,
            Self::Lines { head } => *head,
            Self::Text(layout) => layout.head,
        }
    }
}

/// Reads pieces one after another.
pub(super) enum Pieces<'a> {
    Json(json::JsonPieces<'a>),
    Lines(lines::LinePieces<'a>),
    Text(text::TextPieces<'a>),
}

impl<'a> Pieces<'a> {
    pub(super) fn new(store: &'a Store, name: &'a str, layout: &'a Layout) -> Self {
        match layout {
            Layout::Json(list) => Self::Json(json::JsonPieces::new(store, name, list)),
            Layout::Lines { head } => Self::Lines(lines::LinePieces::new(Input::new(store, name, *head, 1))),
            Layout::Text(layout) => Self::Text(text::TextPieces::new(store, name, layout)),
        }
    }

    /// Puts the next piece into `piece`. After the last one gives false, and `gap` holds what stands after it; what
    /// then follows up to the end of the file begins at [`Self::tail`].
    pub(super) fn next(&mut self, piece: &mut Piece) -> Result<bool> {
        piece.gap.clear();
        piece.bytes.clear();
        match self {
            Self::Json(pieces) => pieces.next(piece),
            Self::Lines(pieces) => pieces.next(piece),
            Self::Text(pieces) => pieces.next(piece),
        }
    }

    /// Where the rest of the file begins; `None` if there is none.
    pub(super) fn tail(&self) -> Option<u64> {
        match self {
            Self::Json(pieces) => Some(pieces.tail),
            Self::Lines(_) | Self::Text(_) => None,
        }
    }
}
