//! How a cut between two pieces is mended: the pieces are merged where the result fits, else the border moves to the nearest
//! edge of the sentence, else overlap that begins mid-sentence is trimmed.

use std::ops::Range;

use gristmill_core::PartKind;

use gristmill_text::resume::{self, Border, Cut, Gap};

use crate::seam::{fragment, sentence_start, sides, tail};
use crate::{Change, Piece, Repair, Span, View, is_invisible, label};

/// How a border is mended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mend {
    /// It cannot be.
    None,
    /// The two pieces become one.
    Merge,
    /// The first bytes of the right piece's body go to the end of the left one.
    Up(usize),
    /// The last bytes of the left piece's body go to the start of the right one.
    Down(usize),
    /// The first bytes of the overlap go.
    Trim(usize),
}

/// How the border between `left` and the next piece is mended.
pub fn mend(view: &View<'_>, left: usize) -> Mend {
    let (first, second, seam) = (&view.pieces[left], &view.pieces[left + 1], &view.seams[left]);
    let (Some(verdict), Some(before), Some(after)) = (seam.verdict, seam.left_line, seam.right_line) else {
        return Mend::None;
    };
    let overlaps = second.overlap_len() > 0;
    let (shown, next) = sides(first, second);
    let open = &shown[(view.shapes[left].paragraph(before).start as usize).min(shown.len())..];
    let ends = (view.shapes[left + 1].paragraph(after).end as usize).saturating_sub(second.shown_start());
    let rest = &next[..ends.min(next.len())];
    if overlaps && seam.covered {
        let from = fragment(open, rest, verdict.join).map(|len| len + white_at(&rest[len..]));
        return from.filter(|from| *from < second.overlap_len()).map_or(Mend::Trim(second.overlap_len()), Mend::Trim);
    }
    let fits = view.may_merge(left) && view.cx.fits(&merged(view, left));
    if fits && (overlaps || view.merges_few(left)) {
        return Mend::Merge;
    }
    if overlaps {
        return Mend::Trim(second.overlap_len());
    }
    let start = second.body_start();
    let up = fragment(open, rest, verdict.join).or_else(|| Some(rest.trim_end().len()));
    let up = up.filter(|len| says(second, start + len..second.text.len()));
    // Where the splitter kept the white space, the new border has its own, too; else where it would look like a cut.
    let kept = |len: usize| view.keeps_white || is_cut(open, &rest[..len], verdict.join, &next[len..]);
    let up = up.map(|len| len + if kept(len) { white_at(&next[len..]) } else { 0 });
    let settles =
        |len: &usize| *len >= rest.trim_end().len() || !shows_cut(open, &next[..*len], verdict.join, &next[*len..]);
    let up = up.filter(settles);
    if let Some(len) = up.filter(|len| view.cx.fits(&grown(&first.text, &next[..*len], &glue(view, left)))) {
        return Mend::Up(len);
    }
    let from = sentence_start(open);
    let len = open.len() - from;
    // A border that would look like a cut again is no better.
    let stays = says(first, 0..shown.len() - len) && !shows_cut("", &shown[..shown.len() - len], "", &open[from..]);
    let own = &shown[..shown.len() - len];
    // What indents the line goes along.
    let indent = own.rfind('\n').filter(|line| own[*line..].trim().is_empty()).map_or(0, |line| own.len() - line - 1);
    let moved = &shown[own.len() - indent..];
    if stays && view.cx.fits(&grown(&second.text, moved, &glue(view, left))) {
        return Mend::Down(len + if view.keeps_white { 0 } else { own.len() - own.trim_end().len() });
    }
    if fits { Mend::Merge } else { Mend::None }
}

/// True when the border behind `moved`, which goes on with `open`, is taken for a cut by one who does not know what white
/// space stood there.
fn is_cut(open: &str, moved: &str, join: &str, after: &str) -> bool {
    shows_cut(open, moved, join, after.trim_start())
}

/// The same by the white space at its edges, as far as there is some.
fn shows_cut(open: &str, moved: &str, join: &str, after: &str) -> bool {
    let before = format!("{}{join}{}", tail(open, 600), tail(moved, 600));
    let after = after.split("\n\n").next().unwrap_or(after);
    resume::judge(&Border { before: &before, after, gap: Gap::Unknown }).cut != Cut::None
}

/// True when a piece has text of its own in a range.
fn says(piece: &Piece, range: Range<usize>) -> bool {
    piece.parts.iter().filter(|part| part.kind == PartKind::Body).any(|part| {
        let (start, end) = (range.start.max(part.range.start as usize), range.end.min(part.range.end as usize));
        piece.text.get(start..end).is_some_and(|text| !text.chars().all(is_invisible))
    })
}

impl Mend {
    /// The repair that does it at the border between `left` and the next piece.
    pub fn repair(&self, view: &View<'_>, left: usize) -> Option<Repair> {
        let right = left + 1;
        let [first, second] = [left, right].map(|at| label(&view.pieces[at]));
        let between = glue(view, left);
        match self {
            Self::None => None,
            Self::Merge => {
                Some(Repair::lossless(format!("merge it into {first}"), Change::Join { left, right, between }))
            }
            Self::Up(len) => Some(Repair::lossless(
                format!("move the rest of the sentence to the end of {first}"),
                Change::MoveUp { left, right, len: *len, between },
            )),
            Self::Down(len) => Some(Repair::lossless(
                format!("move the start of the sentence from {first} to {second}"),
                Change::MoveDown { left, right, len: *len, between },
            )),
            Self::Trim(len) => {
                let start = view.pieces[right].shown_start();
                let span = Span::new(start, start + len);
                Some(Repair::lossless(
                    format!("begin the repeated text at a sentence; {first} holds the one it cuts"),
                    Change::Shed { piece: right, span },
                ))
            }
        }
    }
}

/// What stands between the texts of `left` and the next piece when they are joined: the white space at their edges where
/// they kept it, else what the words ask for.
pub fn glue(view: &View<'_>, left: usize) -> String {
    let (first, second) = (&view.pieces[left], &view.pieces[left + 1]);
    let own = &first.text[..first.body_end()];
    let next = &second.text[second.body_start()..];
    let before = &own[own.trim_end().len()..];
    let after = &next[..white_at(next)];
    if before.is_empty() && after.is_empty() {
        return view.seams[left].verdict.map_or("", |verdict| verdict.join).to_owned();
    }
    if before.is_empty() && view.seams[left].gap == Gap::Unknown {
        // White space that indents a line: its line end was dropped.
        return format!("\n{after}");
    }
    format!("{before}{after}")
}

/// What a merge of `left` and the next piece would be, as near as its size needs.
pub fn merged(view: &View<'_>, left: usize) -> String {
    let (first, second) = (&view.pieces[left], &view.pieces[left + 1]);
    grown(first.text.trim_end(), second.text[second.body_start()..].trim_start(), &glue(view, left))
}

fn grown(text: &str, more: &str, between: &str) -> String {
    let mut out = String::with_capacity(text.len() + more.len() + 2);
    out.push_str(text);
    out.push_str(if between.is_empty() { " " } else { between });
    out.push_str(more);
    out
}

fn white_at(text: &str) -> usize {
    text.len() - text.trim_start().len()
}
