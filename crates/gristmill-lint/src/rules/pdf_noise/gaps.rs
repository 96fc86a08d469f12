//! Page ends inside the text: form feeds, and blank lines in the middle of a sentence.

use gristmill_core::Span;
use gristmill_text::resume::{Border, Cut, Gap, judge};

use super::hyphens::Break;
use super::{Kind, Noise, shown};
use crate::{LineKind, View};

/// So many blank lines are no paragraph's end.
const BLANK_LINES: usize = 3;

/// The page ends inside a piece. Those that `breaks` mend are left out.
pub fn gaps(view: &View<'_>, at: usize, breaks: &[Break]) -> Vec<Noise> {
    let (text, shape) = (&view.pieces[at].text, &view.shapes[at]);
    let inside = shown(view, at);
    let mut found = Vec::new();
    let mut before: Option<usize> = None;
    for (index, line) in shape.lines.iter().enumerate() {
        if line.kind == LineKind::Blank
            || (line.span.start as usize) < inside.start
            || line.span.end as usize > inside.end
        {
            continue;
        }
        found.extend(feeds(text, line.span, line.kind));
        let last = before.replace(index);
        let wide = |last: &usize| index - last > BLANK_LINES || holds_feed(text, shape.lines[*last].span, line.span);
        let Some(last) = last.filter(wide) else { continue };
        found.extend(between(view, at, last, index));
    }
    found.retain(|noise| breaks.iter().all(|one| one.end() != noise.span.end as usize));
    found
}

/// True when a form feed stands between two lines.
fn holds_feed(text: &str, above: Span, below: Span) -> bool {
    let start = above.start as usize + text[above.range()].trim_end().len();
    let line = &text[below.range()];
    let end = below.start as usize + line.len() - line.trim_start().len();
    text[start..end].contains('\u{c}')
}

fn between(view: &View<'_>, at: usize, last: usize, next: usize) -> Option<Noise> {
    let (text, shape) = (&view.pieces[at].text, &view.shapes[at]);
    let (above, below) = (shape.lines[last], shape.lines[next]);
    let rigid = |kind: LineKind| kind.is_table() || kind.is_code() || kind == LineKind::Front;
    if rigid(above.kind) || rigid(below.kind) {
        return None;
    }
    let start = above.span.start as usize + text[above.span.range()].trim_end().len();
    let line = &text[below.span.range()];
    let end = below.span.start as usize + line.len() - line.trim_start().len();
    let white = &text[start..end];
    let noise = |text: String| Noise { span: Span::new(start, end), text, kind: Kind::Gap };
    if above.kind.is_running() && below.kind == LineKind::Prose {
        // One line of each side: paragraphs may be as long as the text, and hold as many form feeds.
        let before = &text[above.span.start as usize..start];
        let border = Border { before, after: &text[end..below.span.end as usize], gap: Gap::Unknown };
        let verdict = judge(&border);
        if verdict.cut == (Cut::Sentence { sure: true }) {
            return Some(noise(verdict.join.to_owned()));
        }
    }
    if !white.contains('\u{c}') || white.contains("\u{c}\u{c}") {
        return None;
    }
    let plain = white.replace('\u{c}', "");
    Some(noise(if plain.contains('\n') { plain } else { format!("\n\n{plain}") }))
}

/// Form feeds inside a line that two texts meet at. Fonts without names for their signs show signs as form feeds, too, with
/// blanks or more of them beside.
fn feeds(text: &str, line: Span, kind: LineKind) -> Vec<Noise> {
    let words = text[line.range()].trim();
    if kind.is_code() || kind.is_table() || !words.contains('\u{c}') {
        return Vec::new();
    }
    let offset = words.as_ptr() as usize - text.as_ptr() as usize;
    let meets = |at: usize| {
        let (before, after) = (words[..at].chars().next_back(), words[at + 1..].chars().next());
        before.zip(after).is_some_and(|(before, after)| !before.is_whitespace() && !after.is_whitespace())
    };
    let feed = |at| Noise { span: Span::new(offset + at, offset + at + 1), text: "\n\n".to_owned(), kind: Kind::Gap };
    words.match_indices('\u{c}').map(|(at, _)| at).filter(|at| meets(*at)).map(feed).collect()
}
