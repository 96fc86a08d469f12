//! Finds what a piece repeats of the one before it.

use gristmill_core::{Part, PartKind, Span};

use gristmill_text::similar::{self, Overlap};
use rustc_hash::FxHashSet;

use super::place;
use crate::outline::titles;
use crate::shape::{Table, atx, marks};
use crate::{Piece, is_invisible};

/// Between the titles of a note.
const NOTE_DIVIDER: &str = " > ";
/// A title may hold the divider, too: so many places are tried.
const MOST_LEVELS: usize = 16;
/// Stands for a character of which only a part is there.
pub const LOST: char = '\u{fffd}';
/// So much of an address is looked at for a short repetition.
const PART: usize = 64;
/// So many different letters it must have.
const LEAST_LETTERS: usize = 4;

/// Marks overlap in the pieces whose maker does not say what it is, and the note line with the path of headings that a
/// repair put in where the file cannot say so.
pub fn derive(pieces: &mut [Piece], likely: bool) {
    let may_be_noted = |piece: &Piece| !piece.overlap_known && piece.note().is_some();
    let titles = if pieces.iter().any(may_be_noted) { titles(pieces) } else { FxHashSet::default() };
    let mut left_changed = false;
    for at in 0..pieces.len() {
        let (before, rest) = pieces.split_at_mut(at);
        let Some(piece) = rest.first_mut() else { return };
        let after = before.last().map(|left| left.index);
        let changed = piece.derived_after != Some(after);
        if !std::mem::replace(&mut left_changed, changed) && !changed {
            continue;
        }
        piece.derived_after = Some(after);
        piece.ensure_tiled();
        if piece.overlap_known {
            piece.overlap_before = before.last().map_or(0, |left| known(left, piece));
            continue;
        }
        mark_note(piece, &titles);
        forget(piece);
        piece.overlap_before = 0;
        if let Some(left) = before.last_mut() {
            find(left, piece, likely);
        }
    }
}

/// Marks a first line such as `[Guide > Install]`, which is what a repair puts in where the file cannot say so. It is the
/// text's own when no piece shows a heading of that title.
fn mark_note(piece: &mut Piece, titles: &FxHashSet<String>) {
    let Some((path, len)) = piece.note() else { return };
    let ends = path.rmatch_indices(NOTE_DIVIDER).take(MOST_LEVELS).map(|(at, mark)| &path[at + mark.len()..]);
    if ends.chain([path]).any(|title| titles.contains(title)) {
        piece.mark_note(len);
    }
}

/// How much of `left` the known overlap of `piece` repeats.
fn known(left: &Piece, piece: &Piece) -> usize {
    let overlap = piece.parts.iter().find(|part| part.kind == PartKind::Overlap);
    let Some(text) = overlap.map(|part| piece.text[part.range.range()].trim()) else { return 0 };
    let shown = left.text[..left.body_end()].trim_end();
    if !text.is_empty() && shown.ends_with(text) { text.len() } else { 0 }
}

/// Takes overlap that was found before for body again.
fn forget(piece: &mut Piece) {
    let mut parts: Vec<Part> = Vec::with_capacity(piece.parts.len());
    for mut part in piece.parts.drain(..) {
        if part.kind == PartKind::Overlap {
            part.kind = PartKind::Body;
        }
        match parts.last_mut().filter(|last| last.kind == PartKind::Body && part.kind == PartKind::Body) {
            Some(last) if last.origin.is_none() && part.origin.is_none() => last.range.end = part.range.end,
            _ => parts.push(part),
        }
    }
    piece.parts = parts;
}

/// Looks for repeated text; also behind the fence lines and table headers that a repair put in where the file cannot say so.
fn find(left: &mut Piece, piece: &mut Piece, likely: bool) {
    let end = left.body_end();
    if by_place(left, piece) || repeats(left, end, piece, None, likely) {
        return;
    }
    let closer = closing_line(left);
    let front = opening_lines(piece);
    let tries = [(closer, front), (closer, None), (None, front)];
    for (closer, front) in tries.into_iter().filter(|(closer, front)| closer.is_some() || front.is_some()) {
        if repeats(left, closer.unwrap_or(end), piece, front, likely) {
            if let (Some(at), Some(last)) = (closer, left.parts.last_mut()) {
                last.range = Span::new(last.range.start as usize, at);
                let range = Span::new(at, left.text.len());
                left.parts.push(Part { kind: PartKind::Closer, range, origin: None });
            }
            return;
        }
    }
}

/// Marks what the piece repeats of the text before byte `end` of `left`. `front` is the length and kind of what stands in
/// front of it.
fn repeats(left: &Piece, end: usize, piece: &mut Piece, front: Option<(usize, PartKind)>, likely: bool) -> bool {
    let start = piece.body_start();
    let Some(first) = piece.parts.iter().position(|part| part.kind == PartKind::Body) else { return false };
    let body = piece.parts[first].range;
    let shown = &left.text[..end];
    if start > 0 && !piece.text[..start].ends_with('\n') {
        // What is put in front of a text ends with its line: this text may begin anywhere.
        return false;
    }
    let from = start + front.map_or(0, |(len, _)| len);
    let Some(own) = piece.text.get(from..body.end as usize) else { return false };
    let Some(overlap) = shared(shown, own, likely) else { return false };
    if own[overlap.right..].chars().all(is_invisible)
        && piece.parts[first + 1..].iter().all(|part| part.kind != PartKind::Body)
    {
        // All of it stands in the piece before: a duplicate, not overlap.
        return false;
    }
    mark(piece, first, from, from + overlap.right);
    if let Some((_, kind)) = front {
        piece.parts.insert(first, Part { kind, range: Span::new(start, from), origin: None });
    }
    piece.overlap_before = overlap.left.saturating_sub(shown.len() - shown.trim_end().len());
    true
}

/// What `own` repeats of the end of `shown`. A splitter that counts tokens may cut a character on either side of it, which
/// leaves marks of what was lost where the other text has the character.
fn shared(shown: &str, own: &str, likely: bool) -> Option<Overlap> {
    let found = if likely { similar::likely_overlap } else { similar::overlap };
    let (before, after) = (shown.trim_end_matches(LOST), own.trim_start_matches(LOST));
    let overlap = found(before, after).or_else(|| part_of_word(before, after))?;
    if overlap.whole && !likely && !is_head(&after[..overlap.right], &after[overlap.right..]) {
        // The text may say it twice, and what is taken for overlap goes when pieces are merged.
        return None;
    }
    let white = before.len() - before.trim_end().len();
    let ends_line = before[before.len() - white..].contains('\n');
    let repeated = after[..overlap.right].trim_end().len();
    let follows = &after[repeated..after.len() - after[repeated..].trim_start().len()];
    if ends_line && !follows.contains('\n') {
        // The line goes on in the second text: it begins with the words of the heading above it, say.
        return None;
    }
    let (left, right) = (overlap.left + shown.len() - before.len(), overlap.right + own.len() - after.len());
    Some(Overlap { left, right, ..overlap })
}

/// True for what no text says twice in a row: headings without any text, and the header of the table that follows.
fn is_head(repeated: &str, after: &str) -> bool {
    let lines = || repeated.lines().map(str::trim).filter(|line| !line.is_empty());
    let next = after.lines().map(str::trim).find(|line| !line.is_empty());
    let header = lines().next_back().zip(next).is_some_and(|(header, next)| Table::begun_by(header, next).is_some());
    header || lines().all(|line| atx(line).is_some())
}

/// A short repetition inside an address or the like: `https://docs.example.` and `example.org/`. No space stands on either
/// side of it, so that it is not a word said twice.
fn part_of_word(before: &str, after: &str) -> Option<Overlap> {
    let word = |c: &char| c.is_ascii_graphic();
    let (head, tail): (String, String) = (
        after.chars().take_while(word).take(PART).collect(),
        before.chars().rev().take_while(word).take(PART).collect(),
    );
    // Of words that begin as others end, spaces may be lost.
    let last = tail.chars().next().filter(char::is_ascii_punctuation)?;
    let ends = head.char_indices().rev().filter(|(_, c)| *c == last).map(|(at, _)| at + 1);
    let mut parts = ends.filter(|len| *len < head.len() && *len < tail.len()).map(|len| &head[..len]);
    let part = parts.find(|part| before.ends_with(part))?;
    let letters: FxHashSet<char> = part.chars().filter(char::is_ascii_alphabetic).collect();
    let doubled = before[..before.len() - part.len()].ends_with(part) || after[part.len()..].starts_with(part);
    (letters.len() >= LEAST_LETTERS && !doubled).then_some(Overlap {
        left: part.len(),
        right: part.len(),
        whole: false,
    })
}

/// Marks what the piece repeats where the places of the two say so, however short it is.
fn by_place(left: &Piece, piece: &mut Piece) -> bool {
    let Some(first) = piece.parts.iter().position(|part| part.kind == PartKind::Body) else { return false };
    let body = piece.parts[first].range;
    let shown = &left.text[..left.body_end()];
    let Some(len) = place::shared(left, shown, piece, &piece.text[body.range()]) else { return false };
    let start = body.start as usize;
    mark(piece, first, start, start + len);
    piece.overlap_before = len.saturating_sub(shown.len() - shown.trim_end().len());
    true
}

/// Makes the bytes from `from` to `border` of a body overlap; what is before them is the caller's.
fn mark(piece: &mut Piece, first: usize, from: usize, border: usize) {
    let origin = piece.parts[first].origin.take();
    let end = piece.parts[first].range.end as usize;
    piece.parts[first] = Part { kind: PartKind::Body, range: Span::new(border, end), origin };
    piece.parts.insert(first, Part { kind: PartKind::Overlap, range: Span::new(from, border), origin: None });
}

/// True when what is left of the overlap of a piece would be seen by one who reads the two pieces.
pub fn is_seen(left: &Piece, piece: &Piece, likely: bool) -> bool {
    if piece.overlap_known {
        return true;
    }
    let mut pair = [left.clone(), piece.clone()];
    derive(&mut pair, likely);
    pair[1].overlap_len() == piece.overlap_len()
}

/// Where the line begins that closes a block at the end of a piece, with the line end before it.
fn closing_line(piece: &Piece) -> Option<usize> {
    let text = piece.text.trim_end();
    let last = piece.parts.last().filter(|last| last.kind == PartKind::Body)?;
    let at = text.rfind('\n').filter(|at| *at > last.range.start as usize)?;
    marks(&text[at + 1..]).filter(|(_, _, info)| info.is_empty()).map(|_| at)
}

/// The line that opens a block, or the header of a table, with which the text of a piece begins.
fn opening_lines(piece: &Piece) -> Option<(usize, PartKind)> {
    let own = piece.text.get(piece.body_start()..piece.body_end())?;
    let first = own.split_inclusive('\n').next()?;
    if marks(first.trim_end()).is_some() {
        return Some((first.len(), PartKind::Opener));
    }
    let second = own.get(first.len()..)?.split_inclusive('\n').next()?;
    Table::begun_by(first.trim_end(), second.trim_end()).map(|_| (first.len() + second.len(), PartKind::TableHeader))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(left: &str, right: &str) -> String {
        let mut pieces = [left, right].map(|text| Piece::new(0, None, text.to_owned()));
        derive(&mut pieces, false);
        pieces[1].text[pieces[1].shown_start()..pieces[1].body_start()].to_owned()
    }

    #[test]
    fn overlap_is_seen_beside_a_cut_character() {
        let left = "默认是浅层的：仅在被赋新值时，才会触发回调函数，而在嵌套属性变化时不会，你需要深层\u{fffd}";
        let right = "\u{fffd}\u{fffd}在被赋新值时，才会触发回调函数，而在嵌套属性变化时不会，你需要深层侦听器：";
        let repeated = "\u{fffd}\u{fffd}在被赋新值时，才会触发回调函数，而在嵌套属性变化时不会，你需要深层";
        assert_eq!(shown(left, right), repeated);
    }

    #[test]
    fn a_line_with_the_words_of_the_heading_above_is_no_overlap() {
        let title = "Subscription licenses for the users of other organisations";
        let left = format!("The rest is old.\n\n## {title}\n\n");
        assert_eq!(shown(&left, &format!("{title} are granted for each user.")), "");
        let heading = format!("## {title}");
        assert_eq!(shown(&left, &format!("{heading}\n\nThese are granted.")), heading);
    }

    #[test]
    fn what_the_text_may_say_twice_is_no_overlap() {
        let entry = "- Fill the tank of the old mill up to the mark.\n";
        assert_eq!(shown(entry, &format!("{entry}- Close the lid.")), "");
        assert_eq!(shown("- Fill the tank of the old mill up to", "tank of the old mill up to the mark."), "");
        let torn = "of the old mill up to the upper mark by the wall of the yard";
        assert_eq!(shown(&format!("- Fill the tank {torn}"), &format!("{torn} and close it.")), torn);
        let header = "| Name of the plan you have taken | Price of it in euro a month |";
        assert_eq!(shown(&format!("Plans:\n\n{header}"), &format!("{header}\n|---|---|\n| A | 1 |")), header);
    }

    #[test]
    fn a_short_overlap_is_seen_inside_an_address() {
        assert_eq!(shown("See [it](https://docs.mills.", "mills.org/#place) there."), "mills.");
        assert_eq!(shown("It was very, very", "very good."), "");
        assert_eq!(shown("This was important", "tantamount to more."), "");
        assert_eq!(shown("See [it](https://mills.mills.", "mills.org/#place) there."), "");
    }

    #[test]
    fn overlap_is_seen_behind_marks_that_a_repair_put_in() {
        let texts = [
            "Do this first of all:\n\n```sh\ncd the/place/to/be\nmake everything there is to make\n```",
            "```sh\ncd the/place/to/be\nmake everything there is to make\nmake install\n```",
        ];
        let mut pieces: Vec<Piece> =
            texts.iter().enumerate().map(|(at, text)| Piece::new(at, None, (*text).to_owned())).collect();
        derive(&mut pieces, true);
        let kinds = |piece: &Piece| piece.parts.iter().map(|part| part.kind).collect::<Vec<_>>();
        assert_eq!(kinds(&pieces[0]), [PartKind::Body, PartKind::Closer]);
        assert_eq!(kinds(&pieces[1]), [PartKind::Opener, PartKind::Overlap, PartKind::Body]);
        assert_eq!(pieces[1].overlap_before, "cd the/place/to/be\nmake everything there is to make".len());
        assert_eq!(&pieces[0].text[pieces[0].body_end()..], "\n```");
    }
}
