//! Code fences that are opened in one chunk and closed in another, or nowhere.

use gristmill_core::{PartKind, Severity, Span};

use super::split_code;
use crate::border::{leading, line_glue, lines_down, may_grow, merge};
use crate::fences::is_code;
use crate::{
    Change, Check, Fence, Finding, GroupRule, LineKind, Repair, Repairs, Rule, Shape, View, is_invisible, label,
};

pub static RULE: Rule = Rule {
    name: "unclosed-fence",
    title: "Code fence is not whole",
    severity: Severity::Medium,
    repairs: Repairs::Lossless,
    docs: include_str!("docs.md"),
    cases: include_str!("cases.md"),
    check: Check::Group(&UnclosedFence),
};

struct UnclosedFence;

impl GroupRule for UnclosedFence {
    fn check(&self, view: &View<'_>, out: &mut Vec<Finding>) {
        let mut before = guessed(view, 0);
        for (at, shape) in view.shapes.iter().enumerate() {
            let after = after(view, at);
            let (begins, open) = (shape.starts.fence.as_ref(), shape.ends.fence.as_ref());
            if (begins.is_some() || open.is_some()) && !view.pieces[at].text.chars().all(is_invisible) {
                let whole = (begins.is_none() || before.is_some()) && (open.is_none() || after.is_some());
                let repair = if open.is_some() { after.clone() } else { before.clone() };
                let finding = Finding::new(RULE.name, RULE.severity, at, message(view, at, begins, open));
                let finding = place(view, at).map_or(finding.clone(), |span| finding.at(span));
                out.push(finding.repair(repair.filter(|_| whole)));
            }
            before = after.or_else(|| guessed(view, at + 1));
        }
    }
}

fn message(view: &View<'_>, at: usize, begins: Option<&Fence>, open: Option<&Fence>) -> String {
    let marks = |fence: &Fence| fence.opening().trim_start_matches([' ', '>', '\t']).to_owned();
    match (begins, open) {
        (Some(fence), None) if view.shapes[at].guessed => {
            format!("holds the end of a code block ({}) whose start no chunk shows", marks(fence))
        }
        (Some(fence), None) => format!("holds the end of a code block without its start: {}", marks(fence)),
        (Some(fence), Some(_)) if view.shapes[at].left_open.is_none() => {
            format!("lies inside a code block without its start: {}", marks(fence))
        }
        (_, Some(fence)) => format!("code fence {} is opened and not closed", marks(fence)),
        (None, None) => String::new(),
    }
}

/// The line that shows it.
fn place(view: &View<'_>, at: usize) -> Option<Span> {
    let shape = &view.shapes[at];
    let line = shape.left_open.or(shape.closes_first).or_else(|| shape.first_from(view.pieces[at].shown_start()))?;
    let span = shape.lines[line].span;
    (!span.is_empty()).then_some(span)
}

/// What mends the border after a piece: the block is whole on both sides of it. None too where nothing is to be mended.
fn after(view: &View<'_>, left: usize) -> Option<Repair> {
    let open = view.shapes[left].ends.fence.as_ref();
    let Some(next) = view.shapes.get(left + 1) else { return close(view, left, open?) };
    let carried = next.starts.fence.as_ref().filter(|_| !next.guessed);
    let Some(carried) = carried else { return close(view, left, open?) };
    if view.pieces[left + 1].text.chars().all(is_invisible) {
        return None;
    }
    split_code::mend(view, left).or_else(|| end_of_block(view, left)).or_else(|| start_of_block(view, left)).or_else(
        || {
            let opener = insert_opener(view, left + 1, carried)?;
            let Some(open) = open else { return Some(Repair::lossless(title(None, Some(carried)), opener)) };
            let closer = insert_closer(view, left, open)?;
            Some(Repair::lossless(title(Some(open), Some(carried)), closer).and(opener))
        },
    )
}

fn title(closed: Option<&Fence>, opened: Option<&Fence>) -> String {
    match (closed, opened) {
        (Some(_), None) => "close the code block".to_owned(),
        (None, Some(fence)) => format!("open the code block with {}", fence.opening().trim()),
        _ => "close the code block, and open it again in the next chunk".to_owned(),
    }
}

/// Closes a block whose end no later chunk shows. A bare fence before prose may be the end of another block: it is left.
fn close(view: &View<'_>, at: usize, fence: &Fence) -> Option<Repair> {
    let (shape, piece) = (&view.shapes[at], &view.pieces[at]);
    let from = shape.left_open.map_or(0, |line| shape.lines[line].span.end as usize);
    // A next piece that repeats the opening line shows the whole block.
    let repeated = view.pieces.get(at + 1).is_some_and(|next| next.overlap_len() > 0);
    let sure = repeated || !fence.info.is_empty() || shape.left_open.is_none() || is_code(&piece.text[from..]);
    let closer = insert_closer(view, at, fence).filter(|_| sure)?;
    Some(Repair::lossless(title(Some(fence), None), closer))
}

/// Opens a block whose start no chunk shows, when what stands before its end is surely code.
fn guessed(view: &View<'_>, at: usize) -> Option<Repair> {
    let shape = view.shapes.get(at).filter(|shape| shape.guessed)?;
    let fence = shape.starts.fence.as_ref()?;
    let end = shape.closes_first.map(|line| shape.lines[line].span.start as usize)?;
    let piece = &view.pieces[at];
    let code = piece.text.get(piece.shown_start()..end)?;
    let opener = insert_opener(view, at, fence).filter(|_| is_code(code))?;
    Some(Repair::lossless(title(None, Some(fence)), opener))
}

fn insert_closer(view: &View<'_>, piece: usize, fence: &Fence) -> Option<Change> {
    let text = &view.pieces[piece].text;
    let line = if text.ends_with('\n') { fence.closing() } else { format!("\n{}", fence.closing()) };
    let all = format!(
        "{line}{}",
        view.shapes[piece].starts.fence.as_ref().map_or(String::new(), |fence| format!("{}\n", fence.opening()))
    );
    may_grow(view, piece, &all).then_some(Change::Insert { piece, at: text.len(), text: line, kind: PartKind::Closer })
}

fn insert_opener(view: &View<'_>, piece: usize, fence: &Fence) -> Option<Change> {
    let line = format!("{}\n", fence.opening());
    let all = format!(
        "{line}{}",
        view.shapes[piece].ends.fence.as_ref().map_or(String::new(), |fence| format!("\n{}", fence.closing()))
    );
    let at = view.pieces[piece].shown_start();
    may_grow(view, piece, &all).then_some(Change::Insert { piece, at, text: line, kind: PartKind::Opener })
}

/// The right piece begins with the line that closes the block: it belongs to the code.
fn end_of_block(view: &View<'_>, left: usize) -> Option<Repair> {
    let right = left + 1;
    let (piece, shape) = (&view.pieces[right], &view.shapes[right]);
    let first = shape.first_from(piece.shown_start())?;
    if shape.closes_first != Some(first) {
        return None;
    }
    let end = shape.lines[first].span.end as usize;
    if end <= piece.body_start() {
        let rest = &piece.text[end..piece.body_start()];
        let span = Span::new(piece.shown_start(), end + usize::from(rest.starts_with('\n')));
        return Some(Repair::lossless("drop the repeated end of a code block", Change::Shed { piece: right, span }));
    }
    if piece.overlap_len() > 0 || !ends_in_code(&view.shapes[left]) {
        return None;
    }
    let start = piece.body_start();
    let line = piece.text.get(start..end)?;
    if piece.text.get(end..piece.body_end())?.chars().all(is_invisible) {
        return merge(view, left, line_end(line));
    }
    let len = end - start;
    let title = format!("move the end of the code block to {}", label(&view.pieces[left]));
    let change = Change::MoveUp { left, right, len, between: line_end(line) };
    may_grow(view, left, line).then(|| Repair::lossless(title, change))
}

fn ends_in_code(shape: &Shape) -> bool {
    shape.ends.fence.is_some()
}

/// A line end with the blanks that indent a line.
fn line_end(line: &str) -> String {
    let white = leading(line);
    format!("\n{}", white.rsplit('\n').next().unwrap_or_default())
}

/// The left piece ends with the line that opens the block: it belongs to the code.
fn start_of_block(view: &View<'_>, left: usize) -> Option<Repair> {
    let (piece, shape) = (&view.pieces[left], &view.shapes[left]);
    let last = shape.last_until(piece.body_end())?;
    let line = shape.lines[last];
    let own = line.span.start as usize >= piece.body_start();
    if line.kind != LineKind::Open || !own || view.pieces[left + 1].overlap_len() > 0 {
        return None;
    }
    let between = line_glue(view, left, "\n");
    let own = piece.text[piece.body_start()..line.span.start as usize].trim_end();
    if own.chars().all(is_invisible) {
        return merge(view, left, between);
    }
    let from = line.span.start as usize;
    let next = label(&view.pieces[left + 1]);
    let title = format!("move the start of the code block to {next}");
    let change = lines_down(view, left, from, between);
    may_grow(view, left + 1, &piece.text[from..]).then(|| Repair::lossless(title, change))
}
