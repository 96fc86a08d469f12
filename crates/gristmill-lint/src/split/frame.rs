//! What a part of a split piece needs around its own text: the fence or table header it goes on with, the path of headings.

use gristmill_core::PartKind;

use crate::outline::plain;
use crate::shape::{Fence, Line, LineKind, Shape, Table};
use crate::{LintCx, Piece, View};

/// The blocks, tables and headings of a piece, to be asked for at any place of its text.
pub struct Frames<'a> {
    piece: &'a Piece,
    cx: &'a LintCx<'a>,
    /// Code blocks: from the end of the line that opens them to the start of the one that closes them.
    fences: Vec<(usize, usize, Fence)>,
    /// Tables: from the start of their first row to the end of their last.
    tables: Vec<(usize, usize, Table)>,
    /// Headings in the piece's own text.
    headings: Vec<Own>,
    /// Titles that are open where the piece begins.
    above: Vec<String>,
    /// The path of headings that was put in front of the piece.
    injected: &'a str,
}

impl<'a> Frames<'a> {
    pub fn of(view: &'a View<'a>, at: usize) -> Self {
        let (piece, shape) = (&view.pieces[at], &view.shapes[at]);
        let starts = shape.starts.fence.clone().filter(|_| !shape.guessed);
        let goes_on = view.shapes.get(at + 1).is_some_and(|next| next.starts.fence.is_some());
        let path = piece.parts.iter().find(|part| part.kind == PartKind::Heading);
        Self {
            piece,
            cx: view.cx,
            fences: fences(&shape.lines, &piece.text, starts, |fence| goes_on || !fence.info.is_empty()),
            tables: tables(&shape.lines, &piece.text, shape.starts.table.clone()),
            headings: own_headings(piece, shape),
            above: view.outline.path_before(at).into_iter().map(plain).collect(),
            injected: path.map_or("", |part| &piece.text[part.range.range()]),
        }
    }

    /// The code block in which a place lies.
    pub fn fence(&self, at: usize) -> Option<&Fence> {
        self.block(at).map(|(_, fence)| fence)
    }

    /// Where the line ends that opens the code block in which a place lies.
    pub fn opened(&self, at: usize) -> Option<usize> {
        self.block(at).map(|(opened, _)| opened)
    }

    fn block(&self, at: usize) -> Option<(usize, &Fence)> {
        let after = self.fences.partition_point(|(start, ..)| *start < at);
        let (start, end, fence) = self.fences.get(after.checked_sub(1)?)?;
        (at <= *end).then_some((*start, fence))
    }

    /// What stands in front of a part whose text begins at `at`, and the path of headings that is still to be put there, for
    /// which there must be room. What would take half of the room is left out.
    pub fn front(&self, at: usize) -> (Vec<(PartKind, String)>, String) {
        let mut room = String::new();
        let mut take = |text: &str| {
            let fits = self.cx.is_small(&format!("{room}{text}").repeat(2));
            room.push_str(if fits { text } else { "" });
            fits
        };
        let heading = Some(self.injected).filter(|path| !path.is_empty() && !self.is_under_own_heading(at));
        let around = match (self.fence(at), self.table(at)) {
            (Some(fence), _) => Some((PartKind::Opener, format!("{}\n", fence.opening()))),
            (None, Some(table)) => Some((PartKind::TableHeader, format!("{}\n{}\n", table.header, table.delimiter))),
            (None, None) => None,
        };
        let around = around.filter(|(_, text)| take(text));
        let carried = heading.filter(|path| take(path)).map(|path| (PartKind::Heading, path.to_owned()));
        let carries = !self.piece.path.is_empty() || carried.is_some();
        let note = if carries { None } else { self.notes(at).find(|note| take(note)) };
        (carried.into_iter().chain(around).collect(), note.unwrap_or_default())
    }

    /// What stands behind a part whose text ends at `at`; `ends_line` says that a line end is there.
    pub fn back(&self, at: usize, ends_line: bool) -> Option<String> {
        let fence = self.fence(at)?;
        Some(if ends_line { fence.closing() } else { format!("\n{}", fence.closing()) })
    }

    /// Notes of the headings that govern a place, the longest first; none where a heading stands there.
    fn notes(&self, at: usize) -> impl Iterator<Item = String> {
        let before = self.headings.partition_point(|heading| heading.at < at);
        let begins = self.headings.get(before).is_some_and(|heading| heading.at == at);
        let mut titles: Vec<&str> = Vec::new();
        let mut next = before.checked_sub(1).filter(|_| !begins);
        while let Some(heading) = next.and_then(|heading| self.headings.get(heading)) {
            titles.push(&heading.title);
            next = heading.above;
        }
        titles.extend(self.above.iter().rev().filter(|_| !begins).map(String::as_str));
        titles.reverse();
        let titles: Vec<String> = titles.into_iter().map(str::to_owned).collect();
        (0..titles.len()).map(move |first| format!("[{}]\n\n", titles[first..].join(" > ")))
    }

    /// The path of the headings that govern a part whose text begins at `at`: of the piece, then those that stand in it. Only
    /// records of ours are told it; what other tools say of their chunks is theirs.
    pub fn path(&self, at: usize) -> Vec<String> {
        let path = &self.piece.path;
        let before = self.headings.partition_point(|heading| heading.at <= at);
        let Some(mut next) = before.checked_sub(1).filter(|_| self.piece.overlap_known) else { return path.clone() };
        let mut own = Vec::new();
        let mut level = u8::MAX;
        while let Some(heading) = self.headings.get(next) {
            own.push(heading.title.clone());
            level = heading.level;
            let Some(above) = heading.above else { break };
            next = above;
        }
        // The last title is most often that of a heading in the piece, whose level tells those of the others.
        let known = self.headings.iter().find(|heading| path.last() == Some(&heading.title));
        let last = known.map_or(path.len(), |heading| usize::from(heading.level));
        let keep = path.len().saturating_sub((last + 1).saturating_sub(usize::from(level)));
        path.iter().take(keep).cloned().chain(own.into_iter().rev()).collect()
    }

    fn table(&self, at: usize) -> Option<&Table> {
        let after = self.tables.partition_point(|(start, ..)| *start <= at);
        let (_, end, table) = self.tables.get(after.checked_sub(1)?)?;
        let begins_line = at == 0 || self.piece.text[..at].ends_with('\n');
        (at < *end && begins_line).then_some(table)
    }

    /// True when a heading of the piece's own stands at or before a place.
    fn is_under_own_heading(&self, at: usize) -> bool {
        self.headings.first().is_some_and(|heading| heading.at <= at)
    }
}

/// A heading in a piece's own text.
struct Own {
    /// Where its line begins.
    at: usize,
    level: u8,
    title: String,
    /// The heading of the piece that it stands under.
    above: Option<usize>,
}

fn own_headings(piece: &Piece, shape: &Shape) -> Vec<Own> {
    let mut own: Vec<Own> = Vec::new();
    for heading in &shape.headings {
        let at = shape.lines[heading.line].span.start as usize;
        if at < piece.body_start() || piece.is_injected(at) {
            continue;
        }
        let mut above = own.len().checked_sub(1);
        while let Some(other) = above.and_then(|above| own.get(above)).filter(|other| other.level >= heading.level) {
            above = other.above;
        }
        own.push(Own { at, level: heading.level, title: plain(&heading.title), above });
    }
    own
}

/// Code blocks. `holds` says whether what follows a fence that is not closed is code: a bare one may be the end of a block
/// whose start is lost.
fn fences(
    lines: &[Line],
    text: &str,
    starts: Option<Fence>,
    holds: impl Fn(&Fence) -> bool,
) -> Vec<(usize, usize, Fence)> {
    let mut fences = Vec::new();
    let mut open = starts.map(|fence| (0, fence));
    for line in lines {
        match line.kind {
            LineKind::Open => {
                open = Fence::opened_by(&text[line.span.range()]).map(|fence| (line.span.end as usize, fence));
            }
            LineKind::Close => {
                fences.extend(open.take().map(|(start, fence)| (start, line.span.start as usize, fence)));
            }
            _ => {}
        }
    }
    fences.extend(open.filter(|(_, fence)| holds(fence)).map(|(start, fence)| (start, text.len(), fence)));
    fences
}

fn tables(lines: &[Line], text: &str, starts: Option<Table>) -> Vec<(usize, usize, Table)> {
    let mut tables: Vec<(usize, usize, Table)> = Vec::new();
    let mut known = starts;
    let mut goes_on = false;
    for (at, line) in lines.iter().enumerate() {
        let (start, end) = (line.span.start as usize, line.span.end as usize);
        match (line.kind, &known) {
            (LineKind::TableHeader, _) => {
                let below = lines.get(at + 1).map_or("", |line| &text[line.span.range()]);
                known = Table::begun_by(&text[line.span.range()], below);
                goes_on = false;
            }
            (LineKind::TableDelimiter, _) => {}
            (LineKind::Row, Some(table)) => {
                match tables.last_mut().filter(|_| goes_on) {
                    Some(last) => last.1 = end,
                    None => tables.push((start, end, table.clone())),
                }
                goes_on = true;
            }
            _ => goes_on = false,
        }
    }
    tables
}
