//! What of a text a reader sees, without the marks around it.

use gristmill_core::{PartKind, Span};

use crate::shape::{Line, LineKind, Shape, without_containers};
use crate::{Piece, is_invisible};

/// Characters that a piece tells its readers, not counting white space at the ends of lines: prose, list entries, cells and
/// code, without headings, fences, marks, targets of links, tags and what was injected. Han, kana and Hangul characters
/// count double, each run of white space once. Counting stops at `enough`.
pub fn told(piece: &Piece, shape: &Shape, enough: usize) -> usize {
    let mut count = 0;
    for line in shape.lines.iter().filter(|line| tells(piece, line)) {
        let words = &piece.text[line.span.range()];
        let is_code = line.kind == LineKind::Code;
        count += width(if is_code { words } else { without_containers(words) }, is_code);
        if count >= enough {
            break;
        }
    }
    count
}

/// From the first to the last line that [`told`] counts.
pub fn telling(piece: &Piece, shape: &Shape) -> Option<Span> {
    let mut lines = shape.lines.iter().filter(|line| tells(piece, line)).map(|line| line.span);
    let first = lines.next()?;
    let last = lines.next_back().unwrap_or(first);
    Some(Span { start: first.start, end: last.end })
}

/// True for lines with text of their own.
fn tells(piece: &Piece, line: &Line) -> bool {
    let quiet = matches!(
        line.kind,
        LineKind::Blank | LineKind::Open | LineKind::Close | LineKind::Break | LineKind::Context | LineKind::Front
    );
    let marks = || piece.text[line.span.range()].bytes().all(|byte| b" \t>|-:=+_*~".contains(&byte));
    !quiet && !line.kind.is_heading() && line.kind != LineKind::TableDelimiter && !marks()
}

/// The width of one line.
fn width(line: &str, is_code: bool) -> usize {
    let (mut count, mut white) = (0, false);
    let mut add = |c: char| {
        if is_invisible(c) {
            white |= count > 0 && c.is_whitespace();
            return;
        }
        count += usize::from(std::mem::take(&mut white)) + if is_wide(c) { 2 } else { 1 };
    };
    if is_code {
        line.chars().for_each(add);
    } else {
        read(line, |c, _| add(c));
    }
    count
}

/// Gives the characters of a line that are no marks of Markdown or HTML, each with true when it belongs to a link.
pub fn read(line: &str, mut tell: impl FnMut(char, bool)) {
    let (last_tag, last_round) = (line.rfind('>').unwrap_or(0), line.rfind(')').unwrap_or(0));
    let targets = line.contains("](");
    let (mut at, mut in_link, mut depth) = (0, false, 0_usize);
    while let Some(c) = line[at..].chars().next() {
        let rest = &line[at..];
        if rest.starts_with("](") && at < last_round {
            in_link = depth > 1;
            depth = depth.saturating_sub(1);
            at += target_len(rest);
            continue;
        }
        if c == '<' && at < last_tag && rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || "/!".contains(c)) {
            let address = rest[1..].starts_with("http");
            let len = rest.find('>').map_or(1, |end| end + 1);
            if address {
                rest[1..len - 1].chars().for_each(|c| tell(c, true));
            }
            at += len;
            continue;
        }
        if rest.starts_with("http://") || rest.starts_with("https://") {
            let len =
                rest.find(|c: char| c.is_whitespace() || matches!(c, ')' | ']' | '>' | '"')).unwrap_or(rest.len());
            rest[..len].chars().for_each(|c| tell(c, true));
            at += len;
            continue;
        }
        match c {
            '[' if targets => {
                depth += 1;
                in_link = true;
            }
            ']' => {
                depth = depth.saturating_sub(1);
                in_link &= depth > 0;
            }
            '*' | '_' | '`' | '~' | '|' | '#' | '\\' | '[' | '!' => {}
            _ => tell(c, in_link),
        }
        at += c.len_utf8();
    }
}

/// The length of `](target)` at the start of a text that has a `)`.
fn target_len(rest: &str) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in rest.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth <= 1 => return at + 1,
            b')' => depth -= 1,
            _ => {}
        }
    }
    rest.len()
}

/// Han, kana and Hangul: one character says as much as a short word or syllable.
pub fn is_wide(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{2fdf}' | '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{312f}' | '\u{3131}'..='\u{318e}'
        | '\u{31a0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}

/// A copy of a piece's text, byte for byte in the same places, with blanks for code, inline code, front matter, overlap and
/// injected text. Line ends stay.
pub fn without_code(piece: &Piece, shape: &Shape) -> String {
    let mut bytes = piece.text.clone().into_bytes();
    for part in piece.parts.iter().filter(|part| part.kind != PartKind::Body) {
        blank(&mut bytes[part.range.range()]);
    }
    let mut open = None;
    for line in &shape.lines {
        let (start, end) = (line.span.start as usize, line.span.end as usize);
        if line.kind.is_code() || line.kind == LineKind::Front {
            blank(&mut bytes[start..end]);
        }
        let runs = !line.kind.is_code() && !matches!(line.kind, LineKind::Blank | LineKind::Front);
        match (runs, open) {
            (true, None) => open = Some(start),
            (false, Some(from)) => {
                inline_code(&mut bytes[from..start]);
                open = None;
            }
            _ => {}
        }
    }
    if let Some(from) = open {
        inline_code(&mut bytes[from..]);
    }
    // Only whole characters were replaced.
    String::from_utf8(bytes).unwrap_or_default()
}

fn blank(bytes: &mut [u8]) {
    bytes.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
}

/// Runs of backticks looked at for the end of inline code.
const RUNS_AHEAD: usize = 64;

/// Blanks the inline code of a paragraph.
fn inline_code(bytes: &mut [u8]) {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for at in memchr::memchr_iter(b'`', bytes) {
        match runs.last_mut().filter(|(start, len)| start + len == at) {
            Some((_, len)) => *len += 1,
            None => runs.push((at, 1)),
        }
    }
    let mut index = 0;
    while let Some(&(start, len)) = runs.get(index) {
        let ahead = &runs[index + 1..(index + 1 + RUNS_AHEAD).min(runs.len())];
        let Some(close) = ahead.iter().position(|(_, other)| *other == len) else {
            index += 1;
            continue;
        };
        let (end, marks) = ahead[close];
        blank(&mut bytes[start..end + marks]);
        index += close + 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LintCx;
    use crate::view::View;

    fn seen(text: &str) -> (usize, String) {
        let pieces = [Piece::new(0, None, text.to_owned())];
        let cx = LintCx::default();
        let view = View::new(None, &pieces, &cx);
        (told(&pieces[0], &view.shapes[0], usize::MAX), without_code(&pieces[0], &view.shapes[0]))
    }

    #[test]
    fn marks_headings_and_fences_tell_nothing() {
        assert_eq!(seen("# Title\n\n- **Yes**, it does.").0, 13);
        assert_eq!(seen("[text](https://example.org/a_(b)) <br>end").0, 8);
        assert_eq!(seen("```sh\nmake all\n```").0, 8);
        assert_eq!(seen("| a | b |\n|---|---|\n| 1 | 2 |").0, 6);
        assert_eq!(seen("三个 工作日").0, 11);
        assert_eq!(seen("---").0, 0);
        assert_eq!(seen("| --- | --- |").0, 0);
    }

    #[test]
    fn code_becomes_blanks() {
        let (_, bare) = seen("a `b` c ``d ` é`` `e\n\n```\nf\n```\ng");
        assert_eq!(bare, "a     c            `e\n\n   \n \n   \ng");
        assert_eq!(seen(&"`".repeat(9)).1.len(), 9);
    }

    #[test]
    fn links_are_told_from_words() {
        let mut told = [String::new(), String::new()];
        read("See [one [two]](x) and https://a.org, too: <http://b.org>!", |c, link| told[usize::from(link)].push(c));
        assert_eq!(told[1], "one twohttps://a.org,http://b.org");
    }
}
