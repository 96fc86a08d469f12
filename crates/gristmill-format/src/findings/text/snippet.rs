//! The lines a finding is about, cut to the terminal, with its place underlined.

use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::RangeInclusive;

use gristmill_core::Severity;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::paint::Paint;
use crate::findings::visible::picture;
use crate::findings::{Shown, Snippet};
use crate::report::page::count;

/// Lines that are shown unless all are asked for.
const LINES: usize = 3;

/// Columns that a terminal is taken to have for text.
const WIDTHS: RangeInclusive<usize> = 20..=1000;

/// The underlined lines with their numbers in the chunk.
pub(super) fn write(
    snippet: &Snippet,
    severity: Severity,
    shown: &Shown,
    paint: Paint,
    out: &mut dyn Write,
) -> io::Result<()> {
    let lines = marked(snippet);
    let last = lines.last().map_or(0, |line| line.number);
    let digits = last.to_string().len();
    let columns = shown.width.saturating_sub(6 + digits + 3).clamp(*WIDTHS.start(), *WIDTHS.end());
    let listed = if shown.verbose { lines.len() } else { LINES };
    for line in lines.iter().take(listed) {
        let window = Window::of(line, columns);
        let [before, inside, after] = &window.parts;
        let bar = paint.dim(&format!("      {:>digits$} |", line.number));
        writeln!(out, "{}", format!("{bar} {before}{inside}{after}").trim_end())?;
        let carets = paint.severity(severity, &"^".repeat(window.carets));
        let bar = paint.dim(&format!("      {:>digits$} |", ""));
        writeln!(out, "{bar} {}{carets}", " ".repeat(window.indent))?;
    }
    if lines.len() > listed {
        let more = count((lines.len() - listed) as u64, "more line");
        writeln!(out, "{}", paint.dim(&format!("      {:>digits$} | … {more}", "")))?;
    }
    Ok(())
}

/// A line that is underlined from one code point to another.
struct Marked<'a> {
    number: u64,
    text: &'a str,
    from: usize,
    to: usize,
}

/// The lines of the snippet that are underlined. One is always: where nothing is marked, a place is.
fn marked(snippet: &Snippet) -> Vec<Marked<'_>> {
    let all = snippet.text.chars().count();
    let [start, end] = [snippet.start, snippet.end.max(snippet.start)]
        .map(|place| usize::try_from(place).map_or(all, |place| place.min(all)));
    let mut at = 0;
    let mut lines = Vec::new();
    for (above, text) in (0..).zip(snippet.text.split('\n')) {
        let length = text.chars().count();
        let inside = start < at + length && end > at;
        let only_place = lines.is_empty() && start <= at + length;
        if inside || only_place {
            let [from, to] = [start, end].map(|place| place.saturating_sub(at).min(length));
            let number = snippet.line.saturating_add(above);
            lines.push(Marked { number, text: text.strip_suffix('\r').unwrap_or(text), from, to });
        }
        at += length + 1;
        if end < at {
            break;
        }
    }
    lines
}

/// What fits of a line, and where to underline it.
struct Window {
    /// Before the place, the place, and after it.
    parts: [String; 3],
    /// Columns before the underline.
    indent: usize,
    /// Columns of the underline.
    carets: usize,
}

impl Window {
    fn of(line: &Marked<'_>, columns: usize) -> Self {
        let skipped = line.from.saturating_sub(columns);
        let shown: Vec<char> = line.text.chars().skip(skipped).take(columns * 3).collect();
        let mark = line.from - skipped;
        let first = first(&shown, mark, skipped, columns);
        let mut parts = [const { String::new() }; 3];
        let cut_before = skipped + first > 0;
        if cut_before {
            parts[0].push('…');
        }
        let mut width = usize::from(cut_before);
        let more_follows = line.text.chars().count() > skipped + shown.len();
        for (at, c) in shown.iter().enumerate().skip(first) {
            let piece = piece(*c);
            width += wide(&piece);
            let is_last = at + 1 == shown.len() && !more_follows;
            let part = usize::from(at >= mark) + usize::from(at >= line.to.saturating_sub(skipped).max(mark));
            if width + usize::from(!is_last) > columns {
                parts[part].push('…');
                break;
            }
            parts[part].push_str(&piece);
        }
        let indent = wide(&parts[0]);
        let carets = wide(&format!("{}{}", parts[0], parts[1])).saturating_sub(indent).max(1);
        Self { parts, indent, carets }
    }
}

/// The first character that is shown: the line's first if the place is then seen well, else one a little before it.
fn first(shown: &[char], mark: usize, skipped: usize, columns: usize) -> usize {
    let before = shown.get(..mark).unwrap_or(shown);
    let total: usize = before.iter().map(|c| wide(&piece(*c))).sum();
    let room = if skipped == 0 && total <= columns * 2 / 3 { columns } else { columns / 3 };
    let mut width = 0;
    let kept = before.iter().rev().take_while(|c| {
        width += wide(&piece(**c));
        width <= room
    });
    before.len() - kept.count()
}

/// What is shown for a character. A tab is an arrow of fixed width, so that the underline stands right.
fn piece(c: char) -> Cow<'static, str> {
    match c {
        '\t' => Cow::Borrowed("→   "),
        _ => Cow::Owned(picture(c).unwrap_or_else(|| c.to_string())),
    }
}

fn wide(text: &str) -> usize {
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(only), None) => only.width().unwrap_or(0),
        _ => text.width(),
    }
}
