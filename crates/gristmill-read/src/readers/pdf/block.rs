//! Blocks of a document: lines put together to paragraphs, items, listings.

use super::leader;
use super::lines::{Line, Piece};
use super::marker::marker;
use super::paragraph::{Column, breaks, pitch, usual_size};
use super::style::{Style, style};
use super::table::Table;
use super::words::Words;

/// What a block is.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Paragraph,
    Heading(u8),
    /// With its mark in Markdown (`-` or `7.`) and its left edge.
    Item {
        mark: String,
        left: f32,
    },
    /// The lines as printed.
    Code,
    Table(Table),
}

/// A block with the page it begins on.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub kind: Kind,
    pub text: String,
    pub page: u32,
    /// Where in `text` other pages begin.
    pub turns: Vec<(usize, u32)>,
    pub size: f32,
    pub bold: bool,
    /// Does not run from left to right.
    pub turned: bool,
    /// Baselines of its first and its last line.
    pub first: f32,
    pub last: f32,
    /// Number of lines.
    pub lines: usize,
    /// Where the last line ends, and how far lines of its column reach.
    pub end: f32,
    pub reach: f32,
}

impl Block {
    /// A block without a place of its own on the page.
    pub(super) fn new(kind: Kind, text: String, page: u32) -> Self {
        Self {
            kind,
            text,
            page,
            turns: Vec::new(),
            size: 0.0,
            bold: false,
            turned: false,
            first: 0.0,
            last: 0.0,
            lines: 1,
            end: 0.0,
            reach: 0.0,
        }
    }

    pub(super) fn style(&self) -> Style {
        style(self.size, self.bold)
    }

    /// True for running text, listings and tables left out.
    pub(super) fn is_text(&self) -> bool {
        matches!(self.kind, Kind::Paragraph | Kind::Item { .. })
    }

    /// True for what may turn out to be a heading.
    pub(super) fn may_be_heading(&self) -> bool {
        let bullet = matches!(&self.kind, Kind::Item { mark, .. } if mark == "-");
        self.is_text() && !bullet && !self.turned && self.lines <= 4 && self.text.chars().count() <= 250
    }

    /// The text as a heading: the mark of an item is its number again.
    pub(super) fn title(&self) -> String {
        match &self.kind {
            Kind::Item { mark, .. } => format!("{mark} {}", self.text),
            _ => self.text.clone(),
        }
    }

    /// Makes a heading of it.
    pub(super) fn make_heading(&mut self, level: u8) {
        self.text = self.title();
        self.kind = Kind::Heading(level);
    }
}

/// Puts the pieces of a page together: the blocks of each column, in reading order.
pub(super) fn blocks(pieces: Vec<Piece>, page: u32, words: &Words) -> Vec<Vec<Block>> {
    let pitch = pitch(&pieces);
    let mut out = vec![Vec::new()];
    let mut add = |blocks: &mut dyn Iterator<Item = Block>, fresh: bool| {
        if let Some(column) = out.last_mut() {
            column.extend(blocks);
        }
        if fresh {
            out.push(Vec::new());
        }
    };
    let mut group: Vec<Line> = Vec::new();
    let mut column = Column::new(usual_size(&pieces));
    let mut pieces = pieces.into_iter().peekable();
    while let Some(piece) = pieces.next() {
        match piece {
            Piece::Line(line) => {
                let next = match pieces.peek() {
                    Some(Piece::Line(next)) => Some(next),
                    _ => None,
                };
                if breaks(&group, &line, next, &column, pitch) {
                    // Back up the page: the next column.
                    let fresh = group.last().is_some_and(|last| line.y > last.y + line.size);
                    add(&mut block(&std::mem::take(&mut group), page, &column, words).into_iter(), fresh);
                }
                column.take(&line);
                group.push(line);
            }
            Piece::Table(table) => {
                let before = block(&std::mem::take(&mut group), page, &column, words);
                add(&mut before.into_iter().chain([Block::new(Kind::Table(table), String::new(), page)]), false);
            }
        }
    }
    add(&mut block(&group, page, &column, words).into_iter(), false);
    out
}

fn block(lines: &[Line], page: u32, column: &Column, words: &Words) -> Option<Block> {
    let (first, last) = (lines.first()?, lines.last()?);
    let letters: usize = lines.iter().map(|line| line.text.len()).sum();
    let (kind, text) = if lines.iter().all(|line| line.mono) {
        (Kind::Code, listing(lines))
    } else {
        let mut text = String::new();
        lines.iter().for_each(|line| words.append(&mut text, &line.text));
        match marker(&text) {
            _ if leader::is_entry(&text) => {
                (Kind::Item { mark: "-".to_owned(), left: first.left }, leader::shortened(&text))
            }
            Some(found) => (Kind::Item { mark: found.mark, left: first.left }, found.rest.to_owned()),
            None => (Kind::Paragraph, text),
        }
    };
    if text.trim().is_empty() {
        return None;
    }
    let mut block = Block::new(kind, text, page);
    block.size = lines.iter().map(|line| line.size * line.text.len() as f32).sum::<f32>() / letters.max(1) as f32;
    block.bold = lines.iter().all(|line| line.bold);
    block.turned = lines.iter().all(|line| line.turned);
    (block.first, block.last) = (first.y, last.y);
    (block.lines, block.end, block.reach) = (lines.len(), last.right, column.right);
    Some(block)
}

/// Lines as printed: blanks before them by their place, an empty line where there is a gap.
fn listing(lines: &[Line]) -> String {
    let left = lines.iter().map(|line| line.left).fold(f32::MAX, f32::min);
    let steps = lines.windows(2).map(|pair| pair[0].y - pair[1].y);
    let step = steps.filter(|step| *step > 1.0).fold(f32::MAX, f32::min);
    let mut out = String::new();
    let mut before = None;
    for line in lines {
        let gap = before.map_or(0.0, |y: f32| (y - line.y) / step);
        match gap {
            _ if before.is_none() => {}
            gap if gap > 1.7 => out.push_str("\n\n"),
            gap if gap > 0.3 => out.push('\n'),
            _ => out.push(' '),
        }
        if out.is_empty() || out.ends_with('\n') {
            let advance = if line.advance > 0.5 { line.advance } else { line.size * 0.6 };
            let blanks = ((line.left - left) / advance).round().clamp(0.0, 200.0) as usize;
            out.extend(std::iter::repeat_n(' ', blanks));
        }
        out.push_str(line.raw.trim_start());
        before = Some(line.y);
    }
    out
}
