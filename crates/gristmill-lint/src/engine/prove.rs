//! Proves that a repair lost nothing.

use gristmill_core::PartKind;

use super::overlap::LOST;
use crate::shape::{atx, cells, is_break, is_framed_row, item_mark, marks};
use crate::{Change, Fold, Piece};

/// What may differ between the text before and after `changes`.
pub fn fold(changes: &[Change]) -> Fold {
    let folds = changes.iter().map(|change| match change {
        Change::Replace { fold, .. } => *fold,
        _ => Fold::Space,
    });
    folds.max_by_key(|fold| *fold as u8).unwrap_or(Fold::Space)
}

/// True when the pieces hold the same body text in the same order before and after, apart from what `fold` allows.
pub fn same_body<'a>(
    before: impl Iterator<Item = &'a Piece>,
    after: impl Iterator<Item = &'a Piece>,
    fold: Fold,
) -> bool {
    let letters = |piece: &'a Piece| piece.bodies().flat_map(str::chars);
    // What stands for a lost character is no text.
    let kept = |c: &char| !folded(*c, fold) && *c != LOST;
    before.flat_map(letters).filter(kept).eq(after.flat_map(letters).filter(kept))
}

/// True when what began a line before still begins one: all lines, or those that begin a block where `changes` write text
/// in another way, which may undo the wrapping of lines. Both hold the same body text.
pub fn lines_stand<'a>(
    before: impl Iterator<Item = &'a Piece>,
    after: impl Iterator<Item = &'a Piece>,
    changes: &[Change],
) -> bool {
    let fold = fold(changes);
    let rewrites = changes.iter().any(|change| matches!(change, Change::Replace { .. }));
    // Where a cut lies within a line, what comes after it may look like an entry, a row, or a remark in code.
    let must = |start: &LineStart| match start.ended {
        true => !rewrites || begins_block(start.line),
        false => is_head(start.line) && !start.line.starts_with("# "),
    };
    let mut stand = line_starts(after, fold).into_iter().map(|start| start.at).peekable();
    line_starts(before, fold).iter().filter(|start| must(start)).all(|start| {
        while stand.next_if(|at| *at < start.at).is_some() {}
        stand.peek() == Some(&start.at)
    })
}

/// The first character of a line that shows.
struct LineStart<'a> {
    /// How many characters of bodies that show stand before it.
    at: usize,
    /// The line from there on.
    line: &'a str,
    /// A line end stands before it in the same part.
    ended: bool,
}

/// Where lines of bodies begin.
fn line_starts<'a>(pieces: impl Iterator<Item = &'a Piece>, fold: Fold) -> Vec<LineStart<'a>> {
    let mut starts = Vec::new();
    let mut at = 0;
    for piece in pieces {
        let mut begins = true;
        for part in &piece.parts {
            let mut ended = false;
            let from = part.range.start as usize;
            for (offset, c) in piece.text[part.range.range()].char_indices() {
                begins |= c == '\n';
                ended |= c == '\n';
                if folded(c, fold) || c == LOST {
                    continue;
                }
                let first = std::mem::take(&mut begins);
                if part.kind != PartKind::Body {
                    continue;
                }
                if first {
                    let line = piece.text[from + offset..].lines().next().unwrap_or("");
                    starts.push(LineStart { at, line, ended });
                    starts.extend(entry_start(at, line, fold));
                }
                at += 1;
            }
        }
    }
    starts
}

/// Blocks begin behind the mark of a list entry, too.
fn entry_start(at: usize, line: &str, fold: Fold) -> Option<LineStart<'_>> {
    let text = item_mark(line)?.trim_start();
    let mark = line[..line.len() - text.len()].chars().filter(|c| !folded(*c, fold)).count();
    (!text.is_empty()).then_some(LineStart { at: at + mark, line: text, ended: false })
}

fn is_head(line: &str) -> bool {
    atx(line).is_some() || marks(line).is_some() || is_break(line)
}

fn begins_block(line: &str) -> bool {
    let bare = line.trim_start_matches([' ', '\t', '>']);
    is_head(bare) || item_mark(bare).is_some() || is_framed_row(bare) && cells(bare) > 1
}

fn folded(c: char, fold: Fold) -> bool {
    is_invisible(c) || fold == Fold::Hyphen && is_hyphen(c)
}

/// White space, and characters that show nothing.
pub fn is_invisible(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{ad}')
}

fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}' | '\u{ac}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stand(before: &[&str], after: &[&str]) -> bool {
        let pieces = |texts: &[&str]| -> Vec<Piece> {
            texts.iter().enumerate().map(|(at, text)| Piece::new(at, None, (*text).to_owned())).collect()
        };
        let (before, after) = (pieces(before), pieces(after));
        lines_stand(before.iter(), after.iter(), &[Change::Join { left: 0, right: 1, between: String::new() }])
    }

    #[test]
    fn lines_are_not_glued_to_text() {
        assert!(stand(&["One\n\n## Two", "three"], &["One", "## Two\n\nthree"]));
        assert!(!stand(&["One\n\n## Two", "three"], &["One## Two\n\nthree"]));
        assert!(!stand(&["One", "## Two\nthree"], &["One ## Two\nthree"]));
        assert!(!stand(&["One", "```sh\nls\n```"], &["One ```sh\nls\n```"]));
        assert!(!stand(&["| 1 |\n| 2 |", "| 3 |"], &["| 1 | | 2 |\n| 3 |"]));
        assert!(stand(&["text\n1.", "```sh\nls\n```"], &["text", "1. ```sh\nls\n```"]));
        assert!(stand(&["```\nls  ", "# all files\n```"], &["```\nls  # all files\n```"]));
        assert!(stand(&["a word cut", "in two"], &["a word cut in two"]));
        assert!(stand(&["| 1 | two", "| three |"], &["| 1 | two | three |"]));
    }
}
