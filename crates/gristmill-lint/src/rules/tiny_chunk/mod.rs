//! Chunks that say too little to stand for themselves.

mod question;

use gristmill_core::{PartKind, Severity};
use gristmill_text::resume::Gap;

use crate::border::{are_records, cuts_heading, is_ended, line_glue};
use crate::rules::missing_text::placeholder;
use crate::rules::orphan_table;
use crate::shape::{LineKind, is_framed_row};
use crate::visible::{telling, told};
use crate::{Change, Check, Cut, Finding, GroupRule, Repair, Repairs, Rule, View, cut, is_invisible};

pub static RULE: Rule = Rule {
    name: "tiny-chunk",
    title: "Chunk says too little",
    severity: Severity::Medium,
    repairs: Repairs::Lossless,
    docs: include_str!("docs.md"),
    cases: include_str!("cases.md"),
    check: Check::Group(&TinyChunk),
};

struct TinyChunk;

impl GroupRule for TinyChunk {
    fn check(&self, view: &View<'_>, out: &mut Vec<Finding>) {
        for (at, piece) in view.pieces.iter().enumerate() {
            let Some(size) = tiny(view, at) else { continue };
            let noun = if size == 1 { "character" } else { "characters" };
            let message = format!("{size} {noun} of text say too little to be found by");
            let repair = partner(view, at).map(|(left, other)| {
                let title = match other == left {
                    true => format!("merge it into {}", view.label(other)),
                    false => format!("merge {} into it", view.label(other)),
                };
                Repair::lossless(title, Change::Join { left, right: left + 1, between: between(view, left) })
            });
            let mut finding = Finding::new(RULE.name, RULE.severity, at, message).repair(repair);
            finding.span = telling(piece, &view.shapes[at]);
            out.push(finding);
        }
    }
}

/// The size of a piece that says too little. Chunks without text and those that are nothing but headings have rules of
/// their own, a section that is short is whole, and several rows of short cells say what their header says of them.
pub fn tiny(view: &View<'_>, at: usize) -> Option<usize> {
    let (piece, shape) = (&view.pieces[at], &view.shapes[at]);
    let size = told(piece, shape, view.cx.min_chars);
    let own = piece.body_start();
    let bare = piece.text.chars().all(is_invisible) || shape.only_headings(own, piece.text.len());
    let rows = shape.lines.iter().filter(|line| matches!(line.kind, LineKind::Row | LineKind::OrphanRow));
    let is_table = rows.take(2).count() > 1;
    let small = size < view.cx.min_chars && !bare && !is_table && placeholder(&piece.text).is_none();
    (small && !is_section(view, at)).then_some(size)
}

/// True for a piece that is all of what stands under a heading.
fn is_section(view: &View<'_>, at: usize) -> bool {
    let named = view.begins_with_heading(at).is_some() || !view.pieces[at].path.is_empty();
    let goes_on = view.before(at).is_some_and(|before| view.same_section(before)) || view.same_section(at);
    named && !goes_on
}

/// The border at which the piece is merged, and the piece on its other side.
fn partner(view: &View<'_>, at: usize) -> Option<(usize, usize)> {
    let back = view.before(at).map(|before| (before, before));
    let forward = view.after(at).map(|next| (at, next));
    let order = match direction(view, at) {
        Direction::Onward => [forward, back],
        Direction::OnwardOnly => [forward, None],
        Direction::Back => [back, forward],
    };
    let may = |left: usize| {
        let free = !orphan_table::cuts(view, left) && !cuts_row(view, left) && !cuts_heading(view, left);
        view.same_section(left) && view.may_merge(left) && free && view.cx.fits(&merged(view, left))
    };
    order.into_iter().flatten().find(|(left, _)| may(*left))
}

/// What the two pieces at a border are as one, or a little more.
fn merged(view: &View<'_>, left: usize) -> String {
    let (first, second) = (&view.pieces[left], &view.pieces[left + 1]);
    let mut text = format!("{}{}", first.text.trim_end(), between(view, left));
    let stays = |kind| matches!(kind, PartKind::Body | PartKind::Closer | PartKind::TableHeader);
    let more: String =
        second.parts.iter().filter(|part| stays(part.kind)).map(|part| &second.text[part.range.range()]).collect();
    text.push_str(more.trim_start());
    text
}

/// Where a piece belongs.
enum Direction {
    Back,
    Onward,
    /// The text before has nothing to do with it.
    OnwardOnly,
}

/// Text belongs to what follows when it announces it, or a sentence goes on there; a question belongs to its answer.
fn direction(view: &View<'_>, at: usize) -> Direction {
    let cuts = |left: usize| view.seams.get(left).is_some_and(|seam| seam.cut() != Cut::None);
    if at.checked_sub(1).is_some_and(cuts) {
        return Direction::Back;
    }
    let piece = &view.pieces[at];
    let text = piece.text.trim_end().trim_end_matches(['*', '_']);
    if question::asks(&piece.text[piece.body_start()..]) {
        return Direction::OnwardOnly;
    }
    if cuts(at) || text.ends_with([':', '：']) { Direction::Onward } else { Direction::Back }
}

/// What comes between the two texts: what the cut asks for, the white space they kept, else a blank line, or a line end
/// where lines go on: in lists, tables, code, records, and in a sentence that may go on.
fn between(view: &View<'_>, left: usize) -> String {
    let seam = &view.seams[left];
    let kept = cut::glue(view, left);
    if seam.cut() != Cut::None || seam.adjoins || kept.contains('\n') {
        return kept;
    }
    if kept.len() > 1 || kept == "\t" {
        return line_glue(view, left, "\n");
    }
    if is_tight(view, left) { "\n".to_owned() } else { "\n\n".to_owned() }
}

/// The lines at a border.
fn lines<'v>(view: &'v View<'_>, left: usize) -> Option<[(LineKind, &'v str); 2]> {
    let line = |piece: usize, line: usize| {
        let line = view.shapes[piece].lines[line];
        (line.kind, view.pieces[piece].text[line.span.range()].trim())
    };
    let seam = &view.seams[left];
    Some([line(left, seam.left_line?), line(left + 1, seam.right_line?)])
}

/// True for a border inside a row of a table, as far as its bars tell.
fn cuts_row(view: &View<'_>, left: usize) -> bool {
    let Some([(before, above), (after, below)]) = lines(view, left) else { return false };
    let open = above.starts_with('|') && (!above.ends_with('|') || above.len() == 1) && below.ends_with('|');
    open && !before.is_code() && !after.is_code() && view.seams[left].cut() == Cut::None
}

fn is_tight(view: &View<'_>, left: usize) -> bool {
    let Some([(before, above), (after, below)]) = lines(view, left) else { return false };
    let unknown = view.seams[left].gap == Gap::Unknown;
    match (before, after) {
        (LineKind::Prose, LineKind::Prose) if unknown && (!is_ended(above) || are_records(above, below)) => true,
        (LineKind::Item, LineKind::Item) => true,
        _ if is_framed_row(above) && is_framed_row(below) => true,
        _ => before.is_table() && after.is_table() || before.is_code() && after.is_code() && before != LineKind::Close,
    }
}
