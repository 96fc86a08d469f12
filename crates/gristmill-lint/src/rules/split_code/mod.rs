//! Borders inside a line or a statement of code.

mod statement;

use gristmill_core::{PartKind, Severity, Span};
use gristmill_text::resume::{self, Border, Gap};

use crate::border::{line_glue, merge, trim_to_line};
use crate::cut::glue;
use crate::seam::sides;
use crate::{Change, Check, Fence, Finding, GroupRule, LineKind, Repair, Repairs, Rule, View, is_invisible, label};
use statement::{Brackets, goes_on, is_torn, resumes};

pub static RULE: Rule = Rule {
    name: "split-code",
    title: "Border inside a statement of code",
    severity: Severity::Medium,
    repairs: Repairs::Lossless,
    docs: include_str!("docs.md"),
    cases: include_str!("cases.md"),
    check: Check::Group(&SplitCode),
};

/// So many lines on each side of a border are read for open brackets.
const LINES: usize = 40;

struct SplitCode;

impl GroupRule for SplitCode {
    fn check(&self, view: &View<'_>, out: &mut Vec<Finding>) {
        for left in 0..view.seams.len() {
            let Some(cut) = cut(view, left) else { continue };
            let right = left + 1;
            let what = match cut {
                CodeCut::Line => "a line",
                CodeCut::Statement { .. } => "a statement",
            };
            let message = format!("begins inside {what} of code that {} cut", view.label(left));
            let piece = &view.pieces[right];
            let line = view.seams[left].right_line.map_or(Span::default(), |line| view.shapes[right].lines[line].span);
            let span = Span { start: line.start.max(u32::try_from(piece.shown_start()).unwrap_or(0)), end: line.end };
            let span = if span.start < span.end { span.trimmed(&piece.text) } else { line };
            let finding = Finding::new(RULE.name, RULE.severity, right, message).with(left);
            out.push(finding.at(span).repair(mend_cut(view, left, cut)));
        }
    }
}

/// What a border in code cuts.
#[derive(Clone, Copy)]
enum CodeCut {
    /// A line.
    Line,
    /// A statement of several lines, which begins at a byte of the left piece.
    Statement { from: usize },
}

/// The repair for a border that cuts code; none where it cuts nothing, or cannot be mended.
pub fn mend(view: &View<'_>, left: usize) -> Option<Repair> {
    mend_cut(view, left, cut(view, left)?)
}

fn cut(view: &View<'_>, left: usize) -> Option<CodeCut> {
    let seam = &view.seams[left];
    let (before, after) = (&view.shapes[left], &view.shapes[left + 1]);
    let (last, first) = (before.lines[seam.left_line?], after.lines[seam.right_line?]);
    let inside = matches!(last.kind, LineKind::Code | LineKind::Open) && first.kind == LineKind::Code;
    let carried = after.starts.fence.is_some() && !after.guessed && (last.kind == LineKind::Code || seam.within_line());
    if !inside || !(carried || is_marked(view, left)) {
        return None;
    }
    if seam.within_line() {
        return Some(CodeCut::Line);
    }
    let has_overlap = view.pieces[left + 1].overlap_len() > 0;
    if has_overlap || last.kind != LineKind::Code || holds_no_statements(view, left) {
        return None;
    }
    statement(view, left).map(|from| CodeCut::Statement { from })
}

/// True when the border lies in a block that a repair or a chunker closed and opened again.
fn is_marked(view: &View<'_>, left: usize) -> bool {
    view.pieces[left].has(PartKind::Closer) && view.pieces[left + 1].has(PartKind::Opener)
}

/// Output, data and prose in code fences: brackets say nothing there.
fn holds_no_statements(view: &View<'_>, left: usize) -> bool {
    let fence = view.shapes[left + 1].starts.fence.as_ref().or(view.shapes[left + 1].ends.fence.as_ref());
    let info = fence.map_or("", |fence| fence.info.as_str());
    let language = info.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty()).unwrap_or_default();
    let plain = [
        "text",
        "txt",
        "plain",
        "plaintext",
        "output",
        "console",
        "log",
        "md",
        "markdown",
        "mdx",
        "diff",
        "mermaid",
        "json",
        "jsonc",
        "json5",
        "jsonl",
        "yaml",
        "yml",
        "toml",
        "csv",
        "html",
        "xml",
        "svg",
        "ansi",
    ];
    if !language.is_empty() {
        return plain.contains(&language.to_ascii_lowercase().as_str());
    }
    let piece = &view.pieces[left];
    !crate::fences::is_code(&piece.text[..piece.body_end()])
}

/// Where the statement that is open at the border begins.
fn statement(view: &View<'_>, left: usize) -> Option<usize> {
    let seam = &view.seams[left];
    let (before, after) = (&view.shapes[left], &view.shapes[left + 1]);
    let (last, first) = (seam.left_line?, seam.right_line?);
    let brackets = brackets(view, left, last);
    if let Some(from) = brackets.statement() {
        return Some(from);
    }
    let text = |piece: usize, span: Span| &view.pieces[piece].text[span.range()];
    let span = before.lines[last].span;
    let close = seam.gap != Gap::Paragraph;
    let next = text(left + 1, after.lines[first].span);
    let torn = seam.gap == Gap::Unknown && is_torn(text(left, span), next);
    let broken = torn || goes_on(text(left, span)) || resumes(next);
    let first = first_line(view, left, last)
        .map_or(view.pieces[left].body_start(), |line| before.lines[line].span.start as usize);
    (close && broken).then_some(first)
}

/// The line on which a statement begins that goes on line by line up to `last`; none when that is too far up.
fn first_line(view: &View<'_>, left: usize, last: usize) -> Option<usize> {
    let lines = &view.shapes[left].lines;
    let text = |line: usize| &view.pieces[left].text[lines[line].span.range()];
    let begins = |line: &usize| {
        let before = line.checked_sub(1).filter(|before| lines[*before].kind == LineKind::Code);
        before.is_none_or(|before| !goes_on(text(before)) && !resumes(text(*line)))
    };
    (last.saturating_sub(LINES)..=last).rev().find(begins)
}

/// The brackets open after line `last` of the left piece.
fn brackets(view: &View<'_>, left: usize, last: usize) -> Brackets {
    let lines = &view.shapes[left].lines;
    let own = view.pieces[left].shown_start();
    let code = |index: &usize| lines[*index].kind == LineKind::Code && lines[*index].span.start as usize >= own;
    let first = (last.saturating_sub(LINES)..=last).rev().take_while(code).last().unwrap_or(last);
    let mut brackets = Brackets::default();
    for line in &lines[first..=last] {
        brackets.line(&view.pieces[left].text[line.span.range()], line.span.start as usize);
    }
    brackets
}

fn mend_cut(view: &View<'_>, left: usize, cut: CodeCut) -> Option<Repair> {
    if view.pieces[left + 1].overlap_len() > 0 {
        return trim_to_line(view, left, "repeated code at a line");
    }
    let between = match cut {
        CodeCut::Line => glue(view, left),
        CodeCut::Statement { .. } if within_words(view, left) => words_glue(view, left),
        CodeCut::Statement { .. } => line_glue(view, left, "\n"),
    };
    let merged = merge(view, left, between.clone());
    if merged.is_some() && view.merges_few(left) || is_marked(view, left) {
        return merged;
    }
    up(view, left, cut, &between).or_else(|| down(view, left, cut, &between)).or(merged)
}

/// True when the white space at the border is lost and no line of code would end there: a name stands on both sides.
fn within_words(view: &View<'_>, left: usize) -> bool {
    let (before, after) = sides(&view.pieces[left], &view.pieces[left + 1]);
    let name = |c: char| c.is_alphanumeric() || c == '_';
    let lines = [before.lines().next_back(), after.lines().next()].map(Option::unwrap_or_default);
    let words = before.ends_with(|c| name(c) || c == '.') && after.starts_with(name);
    let indented = after.starts_with(char::is_whitespace);
    view.seams[left].gap == Gap::Unknown && !indented && (words || is_torn(lines[0], lines[1]))
}

fn words_glue(view: &View<'_>, left: usize) -> String {
    let (before, after) = sides(&view.pieces[left], &view.pieces[left + 1]);
    if before.ends_with(['.', '?', '!']) {
        return String::new();
    }
    resume::judge(&Border { before, after, gap: Gap::Unknown }).join.to_owned()
}

/// Moves the rest of the line or statement to the piece before.
fn up(view: &View<'_>, left: usize, cut: CodeCut, between: &str) -> Option<Repair> {
    let (first, second) = (&view.pieces[left], &view.pieces[left + 1]);
    let (seam, shape) = (&view.seams[left], &view.shapes[left + 1]);
    let from = seam.right_line?;
    let mut last = match cut {
        CodeCut::Line => from,
        CodeCut::Statement { .. } => statement_end(view, left)?,
    };
    let next = (last + 1..shape.lines.len()).find(|index| shape.lines[*index].kind != LineKind::Blank)?;
    let closes = shape.lines[next].kind == LineKind::Close;
    if closes {
        last = next;
    }
    let start = second.body_start();
    // The line end goes along, so that no line is cut there.
    let end = shape.lines.get(last + 1).map_or(second.body_end(), |line| line.span.start as usize);
    let moved = second.text.get(start..end)?;
    let stays = second.text.get(end..second.body_end())?;
    let mark = shape.starts.fence.as_ref().filter(|_| !closes).map(Fence::closing).unwrap_or_default();
    let grown = format!("{}{between}{}\n{mark}", first.text, moved.trim_start());
    // Both as they are before the block is closed.
    let held = view.cx.can_hold(&format!("{}{between}{moved}", first.text.trim_end())) && view.cx.can_hold(stays);
    let fits = !stays.chars().all(is_invisible) && view.cx.fits(&grown) && held;
    let title = format!("move the rest of the code to the end of {}", label(first));
    let change = Change::MoveUp { left, right: left + 1, len: end - start, between: between.to_owned() };
    fits.then(|| Repair::lossless(title, change))
}

/// The line of the right piece on which the statement at the border ends.
fn statement_end(view: &View<'_>, left: usize) -> Option<usize> {
    let (seam, shape) = (&view.seams[left], &view.shapes[left + 1]);
    let mut brackets = brackets(view, left, seam.left_line?);
    let from = seam.right_line?;
    let text = |index: usize| shape.lines.get(index).map_or("", |line| &view.pieces[left + 1].text[line.span.range()]);
    let code = (from..shape.lines.len().min(from + LINES)).take_while(|at| shape.lines[*at].kind == LineKind::Code);
    for index in code {
        brackets.line(text(index), 0);
        if brackets.statement().is_none() && !goes_on(text(index)) && !resumes(text(index + 1)) {
            return Some(index);
        }
    }
    None
}

/// Moves the start of the line or statement to the piece after.
fn down(view: &View<'_>, left: usize, cut: CodeCut, between: &str) -> Option<Repair> {
    let (first, second) = (&view.pieces[left], &view.pieces[left + 1]);
    let shape = &view.shapes[left];
    let last = shape.lines[view.seams[left].left_line?];
    let from = match cut {
        CodeCut::Line => last.span.start as usize,
        CodeCut::Statement { from } => from,
    };
    let line = shape.line_at(from)?;
    let before = shape.lines[..line].iter().rev().find(|line| line.kind != LineKind::Blank)?;
    // An opening fence alone would be left behind, or text before a fence that is moved itself.
    let leaves_code = before.kind == LineKind::Code || last.kind == LineKind::Open;
    let own = first.body_start();
    let stays = first.text.get(own..from).is_some_and(|text| !text.chars().all(is_invisible));
    let moved = first.text.get(from..first.body_end())?;
    let mark = shape.ends.fence.as_ref().map(Fence::opening).unwrap_or_default();
    let grown = format!("{mark}\n{}{between}{}", moved.trim_end(), second.text);
    let title = format!("move the start of the code from {} to {}", label(first), label(second));
    let change = Change::MoveDown { left, right: left + 1, len: first.body_end() - from, between: between.to_owned() };
    let held = view.cx.can_hold(&first.text[..from]);
    (leaves_code && stays && held && view.cx.fits(&grown)).then(|| Repair::lossless(title, change))
}
