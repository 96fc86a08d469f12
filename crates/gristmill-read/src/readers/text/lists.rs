//! Bulleted and numbered lines of plain text.

use gristmill_core::BlockKind;

use super::walk::columns;
use crate::lines::Lines;
use crate::outline::Outline;

/// What a list item begins with.
#[derive(Clone, Copy, PartialEq)]
struct Marker {
    /// The bullet, or the character after the number.
    sign: char,
    /// For numbered items.
    number: Option<u32>,
    /// Bytes up to the item's text.
    width: usize,
}

/// The first line of a list in the lines `from` up to `to`, a group without blank lines.
pub(super) fn first_item(lines: &Lines<'_>, from: usize, to: usize) -> Option<usize> {
    let mut bullets = (from..to).filter(|&at| marker(lines.trimmed(at)).is_some_and(|m| m.number.is_none()));
    let bullet = bullets.next().filter(|&first| {
        // A line of prose may begin with a dash: a list has more of them, or stands after a blank line or a colon.
        first == from || lines.trimmed(first - 1).ends_with([':', '：']) || bullets.next().is_some()
    });
    let number = (from..bullet.unwrap_or(to)).find(|&at| is_counted(lines, at));
    number.or(bullet)
}

/// Lines within which the next number of a numbered list is looked for.
const REACH: usize = 40;

/// True when line `at` begins with a number and the next number follows at the same indentation.
fn is_counted(lines: &Lines<'_>, at: usize) -> bool {
    let Some(Marker { number: Some(number), sign, .. }) = marker(lines.trimmed(at)) else { return false };
    let indent = lines.indent(at);
    let mut after = at + 1..lines.len().min(at + REACH);
    let next = after.find(|&line| {
        let here = lines.indent(line);
        let follows = here.abs_diff(indent) < 2
            && marker(lines.trimmed(line)).is_some_and(|m| m.sign == sign && m.number == Some(number + 1));
        let ends = lines.is_blank(line - 1) && !lines.is_blank(line) && here <= indent;
        follows || ends
    });
    next.is_some_and(|line| marker(lines.trimmed(line)).is_some_and(|m| m.number == Some(number + 1)))
}

/// Characters that stand before the items of a list.
const BULLETS: &[char] = &['-', '*', '+', '•', '◦', '‣', '▪', '●', '○', '·'];

/// The marker at the start of a line, when text follows it.
fn marker(line: &str) -> Option<Marker> {
    let first = line.chars().next()?;
    let (sign, number, mark) = if BULLETS.contains(&first) { (first, None, first.len_utf8()) } else { counter(line)? };
    let text = line[mark..].trim_start();
    let spaced = line[mark..].starts_with([' ', '\t', '\u{3000}']) || matches!(sign, '•' | '●' | '、');
    (spaced && !text.is_empty()).then(|| Marker { sign, number, width: line.len() - text.len() })
}

/// `1.`, `1)`, `(1)`, `1、` and `a)`: the sign, the number and the length.
fn counter(line: &str) -> Option<(char, Option<u32>, usize)> {
    let open = usize::from(line.starts_with('('));
    let rest = &line[open..];
    let digits = rest.bytes().take_while(u8::is_ascii_digit).take(4).count();
    let letter = rest.bytes().next().filter(u8::is_ascii_lowercase);
    let (number, len) = match (digits, letter) {
        (1..=3, _) => (rest[..digits].parse().ok()?, digits),
        (0, Some(letter)) => (u32::from(letter - b'a') + 1, 1),
        _ => return None,
    };
    let sign = rest[len..].chars().next()?;
    let fits = match sign {
        ')' => true,
        '.' | '、' => open == 0 && digits > 0,
        _ => false,
    };
    fits.then_some((sign, Some(number), open + len + sign.len_utf8()))
}

/// Deepest nesting; items further in are taken as items of the innermost list.
const DEEPEST: usize = 16;

/// An open list.
struct Open {
    indent: usize,
    /// Where the text of its items begins, in bytes from the start of the line.
    content: usize,
    marker: Marker,
}

struct Lists<'a, 't> {
    lines: &'a Lines<'t>,
    open: Vec<Open>,
    /// The paragraph that is being read: its first byte and its last line.
    paragraph: Option<(usize, usize)>,
}

/// Tells the list that begins at line `from`; gives the line after it.
pub(super) fn walk(lines: &Lines<'_>, from: usize, to: usize, outline: &mut Outline) -> usize {
    let mut lists = Lists { lines, open: Vec::new(), paragraph: None };
    let mut at = from;
    let mut end = from;
    while at < to {
        if lines.is_blank(at) {
            at += 1;
            continue;
        }
        if !lists.line(at, at > end, outline) {
            break;
        }
        at += 1;
        end = at;
    }
    lists.close(0, outline);
    end
}

impl Lists<'_, '_> {
    /// Takes line `at`; false when the list has ended before it.
    fn line(&mut self, at: usize, after_blank: bool, outline: &mut Outline) -> bool {
        let indent = self.lines.indent(at);
        if let Some(marker) = marker(self.lines.trimmed(at)).filter(|marker| self.accepts(at, indent, *marker)) {
            self.item(at, indent, marker, outline);
            return true;
        }
        if after_blank {
            let Some(depth) = self.open.iter().rposition(|list| indent >= list.content.min(list.indent + 2)) else {
                return false;
            };
            self.close(depth + 1, outline);
            self.flush(outline);
            self.paragraph = Some((self.lines.content(at), at));
            return true;
        }
        let outer = self.open.first().map_or(0, |list| list.indent);
        // A line at the margin goes on with the item only where the line before was too long to hold its first word.
        if indent <= outer && columns(self.lines.get(at - 1), 60) < 60 {
            return false;
        }
        if let Some((_, last)) = &mut self.paragraph {
            *last = at;
        }
        true
    }

    /// A number begins an item where it counts on, or where it begins a list that counts on.
    fn accepts(&self, at: usize, indent: usize, marker: Marker) -> bool {
        let Some(number) = marker.number else { return true };
        let open = self.open.iter().rev().find(|list| indent.abs_diff(list.indent) < 2);
        open.is_some_and(|list| list.marker.sign == marker.sign && list.marker.number.is_some_and(|n| n + 1 == number))
            || is_counted(self.lines, at)
    }

    fn item(&mut self, at: usize, indent: usize, marker: Marker, outline: &mut Outline) {
        let deeper = self.open.iter().take_while(|list| list.indent + 1 < indent).count().min(DEEPEST - 1);
        // Lists further in end here; the list at this indentation goes on if its marker is of the same kind.
        self.close(deeper + 1, outline);
        let same = self
            .open
            .get(deeper)
            .map(|list| list.marker.sign == marker.sign && list.marker.number.is_some() == marker.number.is_some());
        match same {
            Some(true) => {
                self.flush(outline);
                outline.leave(0);
            }
            Some(false) => self.close(deeper, outline),
            None => self.flush(outline),
        }
        let start = self.lines.content(at);
        let open = Open { indent, content: indent + marker.width, marker };
        if same == Some(true) {
            self.open[deeper] = open;
        } else {
            outline.enter(BlockKind::List { ordered: marker.number.is_some() }, start);
            self.open.push(open);
        }
        outline.enter(BlockKind::Item, start);
        self.paragraph = Some((start + marker.width, at));
    }

    /// Ends all lists but the outer `keep`.
    fn close(&mut self, keep: usize, outline: &mut Outline) {
        while self.open.len() > keep {
            self.flush(outline);
            outline.leave(0);
            outline.leave(0);
            self.open.pop();
        }
    }

    fn flush(&mut self, outline: &mut Outline) {
        if let Some((start, last)) = self.paragraph.take() {
            let span = gristmill_core::Span::new(start, self.lines.end(last)).trimmed(self.lines.whole());
            outline.block(BlockKind::Paragraph, span);
        }
    }
}
