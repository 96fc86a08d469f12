//! Conversations by turn: chat logs, exports of messengers, transcripts.

mod name;
mod stamp;
mod style;

use gristmill_core::{Attrs, BlockKind, Document, Input, Outcome, Reader, Result};

use self::style::{Begin, STYLES, Style};
use crate::document::read_lines;
use crate::lines::Lines;
use crate::outline::Outline;
use crate::readers::text::Walk;

/// Reads conversations.
pub struct Chat;

impl Reader for Chat {
    fn name(&self) -> &'static str {
        "chat"
    }

    fn summary(&self) -> &'static str {
        "chat logs and transcripts by turn"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &[]
    }

    fn read(&self, input: &Input<'_>) -> Result<Outcome<Document>> {
        read_lines(input, self.name(), |lines, outline| {
            turns(lines, best(lines), outline);
            Attrs::new()
        })
    }
}

/// True when most of `text` is turns of one style and at least two speakers speak more than once.
pub(crate) fn fits(text: &str) -> bool {
    let lines = Lines::of(text);
    STYLES.iter().any(|style| style::Evidence::of(&lines, *style).is_conversation())
}

/// The style in which the most lines begin a turn.
fn best(lines: &Lines<'_>) -> Style {
    let turns = |style: &Style| (0..lines.len()).filter(|&at| style.begin(lines, at).is_some()).count();
    // The first of equals: `max_by_key` takes the last.
    STYLES.iter().rev().copied().max_by_key(turns).unwrap_or(Style::Named)
}

fn turns(lines: &Lines<'_>, style: Style, outline: &mut Outline) {
    let walk = Walk::new(lines);
    let first = (0..lines.len()).find(|&at| style.begin(lines, at).is_some()).unwrap_or(lines.len());
    walk.range(0, first, outline);
    let mut at = first;
    while at < lines.len() {
        let end = (at + 1..lines.len()).find(|&next| ends_turn(&walk, lines, style, next)).unwrap_or(lines.len());
        match style.begin(lines, at) {
            Some(Begin::Turn(_)) => outline.block(BlockKind::Turn, lines.visible(at, end)),
            Some(Begin::Event) => outline.block(BlockKind::Line, lines.visible(at, end)),
            // A heading, with what stands under it before the next turn.
            None => walk.range(at, end, outline),
        }
        at = end;
    }
}

/// True when line `at` does not go on with the turn before it. Transcripts have headings, logs of chats have none.
fn ends_turn(walk: &Walk<'_, '_>, lines: &Lines<'_>, style: Style, at: usize) -> bool {
    let transcript = matches!(style, Style::Named | Style::Bold);
    style.begin(lines, at).is_some() || (transcript && lines.is_blank(at - 1) && walk.is_heading(at, lines.len()))
}

#[cfg(test)]
mod tests;
