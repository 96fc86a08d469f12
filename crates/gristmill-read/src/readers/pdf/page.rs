//! A page as it is drawn: runs of text, ruling lines, and what is known of the rest.

use unpdf::parser::TextSpan;
use unpdf::parser::backend::ObjectId;

use super::table::Table;

/// From one space to another: `x′ = a x + c y + e`, `y′ = b x + d y + f`.
pub(super) type Matrix = [f32; 6];

/// Letters of a stamp on a scan; a page of text has more.
const STAMP: usize = 60;

/// A page, upright, in points from its lower left corner.
pub(super) struct Page {
    /// From 1.
    pub number: u32,
    pub width: f32,
    pub height: f32,
    pub spans: Vec<TextSpan>,
    /// Tables that are drawn with their cells; their runs are no longer among `spans`.
    pub tables: Vec<Table>,
    pub rules: Vec<Rule>,
    /// True when text was read off its pictures.
    pub recognised: bool,
    /// How many pictures are painted.
    pub images: u32,
    /// The larger ones, in the order of drawing.
    pub pictures: Vec<Placed>,
    /// Runs of text whose font tells no characters.
    pub unreadable: usize,
    /// True when something of the page could not be read: a broken stream, or work beyond the limit.
    pub partial: bool,
}

impl Page {
    /// True when a picture fills most of the page and hardly any text is on it: a scan, perhaps with a stamp.
    pub(super) fn is_scan(&self) -> bool {
        let letters = || self.spans.iter().flat_map(|span| span.text.chars()).filter(|c| c.is_alphanumeric()).count();
        let covers = |placed: &Placed| {
            let m = &placed.matrix;
            (m[0] * m[3] - m[1] * m[2]).abs() > self.width * self.height * 0.6
        };
        !self.recognised && self.tables.is_empty() && self.pictures.iter().any(covers) && letters() < STAMP
    }

    /// True when the page shows no text.
    pub(super) fn is_blank(&self) -> bool {
        self.spans.iter().all(|span| span.text.trim().is_empty())
    }
}

/// A picture where it is painted.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    /// Its name in the resources of the page, or of the form.
    pub name: Vec<u8>,
    pub form: Option<ObjectId>,
    /// From the unit square, which the picture fills, to the page.
    pub matrix: Matrix,
}

/// A drawn line along one axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rule {
    /// Its place across: y of a horizontal line, x of a vertical one.
    pub at: f32,
    /// Where it begins along its axis.
    pub from: f32,
    /// Where it ends.
    pub to: f32,
    pub horizontal: bool,
}

/// The left edge of a run's ink: without its leading spaces.
pub(super) fn left(span: &TextSpan) -> f32 {
    let spaces = span.text.len() - span.text.trim_start_matches(' ').len();
    span.x + (spaces as f32 * span.font_size * 0.25).min(span.width.max(0.0))
}

/// The right edge of a run's ink: without its trailing spaces.
pub(super) fn right(span: &TextSpan) -> f32 {
    let spaces = span.text.len() - span.text.trim_end_matches(' ').len();
    match span.ink_width {
        Some(ink) if span.width_measured => span.x + ink,
        _ => span.x + (span.width - spaces as f32 * span.font_size * 0.25).max(0.0),
    }
}
