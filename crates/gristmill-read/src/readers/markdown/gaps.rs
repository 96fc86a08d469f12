//! Text that lies in no event of the parser: link reference definitions.

use gristmill_core::{BlockKind, Span};

/// The pieces of `text[from..to]` that hold more than container marks: runs of lines, without the marks at their ends.
/// A run that opens with `[label]:` defines links; should anything else be left over, it is prose, never lost.
pub(super) fn gaps(text: &str, from: usize, to: usize) -> impl Iterator<Item = (BlockKind, Span)> {
    let mut at = from;
    std::iter::from_fn(move || {
        let (run, next) = run(text, at, to)?;
        at = next;
        Some((kind(&text[run.range()]), run))
    })
}

fn kind(run: &str) -> BlockKind {
    if run.starts_with('[') && run.contains("]:") { BlockKind::Definition } else { BlockKind::Paragraph }
}

/// The first run of lines with something to say, and where to go on.
fn run(text: &str, from: usize, to: usize) -> Option<(Span, usize)> {
    let mut at = from;
    let mut found: Option<(usize, usize)> = None;
    for line in text.get(from..to)?.split_inclusive('\n') {
        let said = line.trim_start_matches([' ', '\t', '>', '\n']);
        let start = at + (line.len() - said.len());
        let end = start + said.trim_end().len();
        if end > start {
            found = Some((found.map_or(start, |(first, _)| first), end));
        } else if found.is_some() {
            break;
        }
        at += line.len();
    }
    found.map(|(start, end)| (Span::new(start, end), at))
}
