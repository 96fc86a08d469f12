//! Titles and their adornments.

use crate::lines::Lines;

/// An adorned title.
pub(super) struct Title<'t> {
    pub(super) text: &'t str,
    pub(super) style: Style,
    /// Lines it takes.
    pub(super) lines: usize,
}

/// The character of the adornment, and whether it also stands over the title.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Style {
    sign: char,
    over: bool,
}

/// The styles met so far, outermost first: the specification ranks them by their first use.
pub(super) struct Styles {
    met: Vec<Style>,
    level_before: u8,
}

impl Styles {
    pub(super) fn after(level_before: u8) -> Self {
        Self { met: Vec::new(), level_before }
    }

    /// The level of a style, 1 to 6.
    pub(super) fn level(&mut self, style: Style) -> u8 {
        let rank = self.met.iter().position(|met| *met == style).unwrap_or_else(|| {
            self.met.push(style);
            self.met.len() - 1
        });
        u8::try_from(rank + 1).unwrap_or(6).saturating_add(self.level_before).min(6)
    }
}

/// The title at line `at`, before line `end`.
pub(super) fn title_at<'t>(lines: &Lines<'t>, at: usize, end: usize) -> Option<Title<'t>> {
    if at + 1 >= end || lines.is_blank(at) || lines.is_blank(at + 1) {
        return None;
    }
    let line = |n: usize| lines.get(at + n).trim_end();
    if let Some(sign) = adornment(line(0)) {
        let whole = at + 2 < end && line(2) == line(0) && adornment(line(1)).is_none();
        return whole.then(|| Title { text: line(1).trim(), style: Style { sign, over: true }, lines: 3 });
    }
    let sign = adornment(line(1))?;
    let text = line(0);
    // The specification wants the underline to be as long as the title; short ones of four and more are understood.
    let fits = line(1).len() >= 4 || line(1).chars().count() >= text.chars().count();
    let is_text = lines.indent(at) == 0 && !text.starts_with(".. ");
    (fits && is_text).then_some(Title { text, style: Style { sign, over: false }, lines: 2 })
}

/// The character of a line that is made of one ASCII punctuation character only, at least two of it.
pub(super) fn adornment(line: &str) -> Option<char> {
    let sign = line.bytes().next().filter(u8::is_ascii_punctuation)?;
    (line.len() >= 2 && line != ".." && line != "::" && line.bytes().all(|byte| byte == sign)).then_some(sign as char)
}
