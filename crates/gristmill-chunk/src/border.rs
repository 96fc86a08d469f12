//! Where a document may be cut, and what a cut there costs.

use gristmill_core::{PartKind, Span};

/// What ends at a border, from the strongest to the weakest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Before a heading of this level.
    Heading(u8),
    /// Between texts that are to be kept apart (pages, topics): always cut.
    Apart,
    /// Between blocks, or between a question with its answer and the next.
    Block,
    /// Between the turns of a conversation or the entries of a log.
    Turn,
    /// Between blocks inside a container (a list item's second paragraph, a quote's).
    Inner,
    /// Between list items, nested this deep.
    Item(u8),
    /// Between table rows.
    Row,
    /// Between code lines with a blank line before the cut.
    CodeGap,
    /// Between code lines.
    CodeLine,
    /// Before a definition in source code, with this many around it.
    Unit(u8),
    /// Before a statement in source code, with this many statements and definitions around it.
    Statement(u8),
    /// Between sentences.
    Sentence,
    /// Between lines whose meaning is not known.
    Line,
    /// Between something and what it introduces: `Do this:` and the list, an opening tag and its content.
    Attached,
    /// Nothing ends here: inside a unit that is too large for one chunk.
    Forced,
}

impl Level {
    /// What a cut here costs, on the scale of [`crate::pack`], where a chunk of half the target size costs 0.25.
    /// Chosen on the Markdown corpora so that structure figures hold and sizes stay even.
    pub fn cost(self) -> f32 {
        match self {
            Self::Heading(level) => 0.01 * f32::from(level.saturating_sub(1)),
            Self::Apart => 0.0,
            Self::Block => 0.12,
            Self::Turn => 0.05,
            Self::Inner => 0.30,
            Self::Item(depth) => 0.18 + 0.35 * f32::from(depth.saturating_sub(1)),
            Self::Row => 0.35,
            Self::CodeGap => 0.40,
            Self::Unit(depth) => 0.02 + 0.06 * f32::from(depth),
            Self::Statement(depth) => (0.15 + 0.25 * f32::from(depth)).min(0.85),
            Self::Sentence => 0.40,
            Self::CodeLine => 0.80,
            Self::Line => 0.50,
            Self::Attached => 0.90,
            Self::Forced => 4.0,
        }
    }
}

/// What must be put around text that is cut out of the middle of a table or a code block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Kind of the part in front.
    pub kind: PartKind,
    /// Lines put in front, with the line end.
    pub open: String,
    /// Line put behind, with the line end before it; empty for none.
    pub close: String,
}

/// A place where the text may be cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Border {
    /// First byte of what follows the cut.
    pub at: u32,
    /// What ends here.
    pub level: Level,
    /// Index of the frame that this border lies in, if it lies within a table or a code block.
    pub frame: Option<u32>,
    /// What introduces the text after the cut: repeated in front of it where it fits. Empty for none.
    pub lead_in: Span,
    /// Where the text begins that headings and opening lines at the border belong to: nothing is cut before it.
    pub hold: u32,
}

/// Text that needs a frame when it is cut, wherever the cut is: the rows of a table, the lines of a code block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zone {
    /// The rows or lines.
    pub span: Span,
    /// Index of the frame.
    pub frame: u32,
}

impl Border {
    /// A border outside of frames, with nothing to repeat.
    pub fn new(at: usize, level: Level) -> Self {
        let at = Span::new(at, at);
        Self { at: at.start, level, frame: None, lead_in: Span::default(), hold: at.start }
    }
}

/// All borders of a document in order. The first is where its text begins; it is not a cut.
#[derive(Clone, Debug, Default)]
pub struct Borders {
    /// Sorted by position, no two at the same.
    pub list: Vec<Border>,
    /// What `Border.frame` points to.
    pub frames: Vec<Frame>,
    /// In order, none within another.
    pub zones: Vec<Zone>,
    /// Size of the text between each border and the next, without white space after it. Filled by [`crate::split`].
    pub sizes: Vec<u32>,
}

impl Borders {
    /// Lets nothing be cut between the last border and `hold`.
    pub fn hold(&mut self, hold: u32) {
        if let Some(last) = self.list.last_mut() {
            last.hold = last.hold.max(hold);
        }
    }

    /// The frame that a cut at `at` needs.
    pub fn frame_at(&self, at: u32) -> Option<u32> {
        let after = self.zones.partition_point(|zone| zone.span.start < at);
        let zone = self.zones.get(after.checked_sub(1)?)?;
        (at < zone.span.end).then_some(zone.frame)
    }

    /// Adds a border unless one stands at the same place or after it.
    pub fn push(&mut self, border: Border) {
        if self.list.last().is_none_or(|last| last.at < border.at) {
            self.list.push(border);
        }
    }
}
