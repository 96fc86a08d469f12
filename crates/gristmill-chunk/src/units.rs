//! Source code: a definition that fits is never opened, a larger one at the statements in it.

use gristmill_core::{Block, BlockKind, PartKind, Span};

use crate::blocks::Walk;
use crate::border::Level;

/// The longest text that only closes what is open, in bytes: `}`, `end`, `});`.
const CLOSER: usize = 8;

/// True for definitions in source code.
pub fn is_definition(kind: BlockKind) -> bool {
    matches!(kind, BlockKind::Unit { signature } if !signature.is_empty())
}

impl Walk<'_> {
    /// True when a unit need not be opened.
    pub(crate) fn fits(&self, unit: &Block) -> bool {
        // Definitions stand by themselves, statements under the signature of theirs.
        let frame = if is_definition(unit.kind) { 0 } else { self.frame_size() };
        let start = self.line_start(unit.span.start) as usize;
        self.measured.size(start..unit.span.end as usize) + frame <= self.grain.max
    }

    /// The frame that a cut here needs.
    pub(crate) fn open_frame(&self) -> Option<u32> {
        self.open.iter().rev().find_map(|open| open.frame)
    }

    /// Size of the signature that is put before statements.
    pub(crate) fn frame_size(&self) -> usize {
        self.open.iter().rev().find(|open| open.frame.is_some()).map_or(0, |open| open.frame_size)
    }

    /// What ends before a unit or a statement.
    pub(crate) fn code_level(&self, block: &Block) -> Level {
        let Some(open) = self.open.last() else {
            return if is_definition(block.kind) { Level::Unit(0) } else { Level::Statement(0) };
        };
        let behind_signature = is_definition(open.kind) && self.last.is_some_and(|l| l.span.start == open.span.start);
        let closes = block.span.end == open.span.end && block.span.len() <= CLOSER;
        if behind_signature || closes {
            return Level::Attached;
        }
        let count = |found: usize| u8::try_from(found).unwrap_or(u8::MAX);
        if is_definition(block.kind) {
            Level::Unit(count(self.open.iter().filter(|open| is_definition(open.kind)).count()))
        } else {
            Level::Statement(count(self.open.iter().rev().position(|open| is_definition(open.kind)).unwrap_or(0) + 1))
        }
    }

    /// The frame that repeats a signature, and its size.
    pub(crate) fn signature_frame(&mut self, signature: Span) -> (Option<u32>, usize) {
        let start = self.line_start(signature.start) as usize;
        let lines = format!("{}\n", &self.text[start..signature.end as usize]);
        let size = self.sizer.size(&lines);
        if signature.is_empty() || size > self.grain.max / 4 {
            return (None, 0);
        }
        (self.frame(PartKind::Opener, lines, String::new()), size)
    }
}
