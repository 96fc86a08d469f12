//! What is wrong with a chunk, judged on its final form.

use gristmill_core::{BlockKind, Document, Limits, Severity};

use crate::window::Cut;

/// A fault of one chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// Nothing but white space and invisible characters.
    Empty,
    /// Above the limit.
    Oversized,
    /// Under the least size, and not a whole section.
    Short,
    /// Headings without text.
    HeadingOnly,
    /// Begins or ends inside a sentence, row or line that is larger than the limit.
    FallbackSplit,
    /// The repeated text is more than a quarter of the limit.
    ExcessiveOverlap,
}

impl Flaw {
    /// The name of the finding.
    pub fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty-chunk",
            Self::Oversized => "oversized-chunk",
            Self::Short => "short-chunk",
            Self::HeadingOnly => "heading-only",
            Self::FallbackSplit => "broken_sentence_fallback",
            Self::ExcessiveOverlap => "excessive-overlap",
        }
    }

    /// How much it matters.
    pub fn severity(self) -> Severity {
        match self {
            Self::Empty | Self::Oversized => Severity::High,
            Self::Short => Severity::Info,
            Self::HeadingOnly | Self::FallbackSplit | Self::ExcessiveOverlap => Severity::Low,
        }
    }

    /// True when the chunk is not accepted.
    pub fn rejects(self) -> bool {
        matches!(self, Self::Empty | Self::Oversized)
    }

    /// What is wrong, for people.
    pub fn message(self, size: u32, limits: &Limits) -> String {
        match self {
            Self::Empty => "no visible text".to_owned(),
            Self::Oversized => {
                format!("size {size} is above the limit of {}, and nothing smaller can be cut", limits.max)
            }
            Self::Short => format!("size {size} is below the least size of {}", limits.min),
            Self::HeadingOnly => "a heading without text".to_owned(),
            Self::FallbackSplit => "cut inside a sentence, row or line that is larger than the limit".to_owned(),
            Self::ExcessiveOverlap => {
                format!("the repeated text is more than a quarter of the limit of {}", limits.max)
            }
        }
    }
}

/// Judges a chunk.
pub fn flaws(cut: &Cut, document: &Document, limits: &Limits) -> Vec<Flaw> {
    let chunk = &cut.chunk;
    let body = chunk.body_text(&document.text);
    let found = [
        (Flaw::Empty, body.chars().all(invisible)),
        (Flaw::Oversized, chunk.size as usize > limits.max),
        (Flaw::Short, (chunk.size as usize) < limits.min && !whole_section(document, cut)),
        (Flaw::HeadingOnly, headings_only(document, cut)),
        (Flaw::FallbackSplit, chunk.fallback_split),
        (Flaw::ExcessiveOverlap, chunk.overlap_size as usize * 4 > limits.max),
    ];
    found.into_iter().filter_map(|(flaw, holds)| holds.then_some(flaw)).collect()
}

fn invisible(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}')
}

/// True when the chunk begins at a heading or the start of the text, and ends where another section begins or at the end.
fn whole_section(document: &Document, cut: &Cut) -> bool {
    let body = cut.chunk.body;
    let at_heading = |at: u32| document.sections[1..].iter().any(|s| s.heading.start == at);
    let first = document.text[..body.start as usize].trim().is_empty();
    let rest = &document.text[body.end as usize..];
    let next = body.end as usize + (rest.len() - rest.trim_start().len());
    let last = next >= document.text.len();
    (first || at_heading(body.start)) && (last || u32::try_from(next).is_ok_and(at_heading))
}

fn headings_only(document: &Document, cut: &Cut) -> bool {
    let body = cut.chunk.body;
    let from = document.blocks.partition_point(|b| b.span.end <= body.start);
    let mut inside = document.blocks[from..].iter().take_while(|b| b.span.start < body.end).peekable();
    inside.peek().is_some() && inside.all(|b| matches!(b.kind, BlockKind::Heading { .. }))
}
