//! What rules about whole lines need to mend a border.

use crate::{Change, LineKind, Repair, Span, View, label};

/// What stands between `left` and the next piece when they are joined as lines: the white space that was kept, with at
/// least `least` line ends.
pub fn line_glue(view: &View<'_>, left: usize, least: &str) -> String {
    let kept = white(view, left);
    let ends = kept.matches('\n').count();
    let wanted = least.matches('\n').count();
    if ends >= wanted {
        return kept;
    }
    // Blanks before the border are lost at the end of a line; those after it indent the next one.
    let indent = kept.rsplit('\n').next().unwrap_or_default();
    let indent = if ends == 0 { white_after(view, left) } else { indent };
    format!("{least}{indent}")
}

fn white(view: &View<'_>, left: usize) -> String {
    let (first, second) = (&view.pieces[left], &view.pieces[left + 1]);
    let own = &first.text[..first.body_end()];
    format!("{}{}", &own[own.trim_end().len()..], leading(&second.text[second.body_start()..]))
}

fn white_after<'p>(view: &View<'p>, left: usize) -> &'p str {
    let second = &view.pieces[left + 1];
    leading(&second.text[second.body_start()..])
}

/// The white space at the start of a text.
pub fn leading(text: &str) -> &str {
    &text[..text.len() - text.trim_start().len()]
}

/// The repair that makes one piece of `left` and the next, when they may be one and fit.
pub fn merge(view: &View<'_>, left: usize, between: String) -> Option<Repair> {
    let (first, second) = (&view.pieces[left], &view.pieces[left + 1]);
    let own = first.text[..first.body_end()].trim_end();
    let joined = format!("{own}{between}{}", second.text[second.body_start()..].trim_start());
    let title = format!("merge it into {}", label(first));
    let fits = view.may_merge(left) && view.cx.fits(&joined);
    fits.then(|| Repair::lossless(title, Change::Join { left, right: left + 1, between }))
}

/// The change that moves what stands at the end of `left`, from the line at byte `from` on, to the next piece. What stays
/// keeps a line end where the splitter kept white space: without one the border would look like a cut within a line.
pub fn lines_down(view: &View<'_>, left: usize, from: usize, between: String) -> Change {
    let piece = &view.pieces[left];
    let own = piece.body_start() + piece.text[piece.body_start()..from].trim_end().len();
    let from = if view.keeps_white { from } else { own };
    Change::MoveDown { left, right: left + 1, len: piece.body_end() - from, between }
}

/// True when a text that a repair makes larger is still within the limits, or was beyond them before.
pub fn may_grow(view: &View<'_>, piece: usize, more: &str) -> bool {
    let text = &view.pieces[piece].text;
    let mut grown = String::with_capacity(text.len() + more.len() + 1);
    grown.push_str(more);
    // Words and tokens of the two stay apart, as line ends keep them.
    grown.push('\n');
    grown.push_str(text);
    view.cx.fits(&grown) || !view.cx.fits(text)
}

/// True when a piece ends with its heading's line and the next one may begin within that line: no line end was kept, and
/// the text goes on as a title does.
pub fn cuts_heading(view: &View<'_>, left: usize) -> bool {
    let (Some([first, second]), Some(seam)) = (view.pieces.get(left..left + 2), view.seams.get(left)) else {
        return false;
    };
    let kind = |piece: usize, line: Option<usize>| line.map(|line| view.shapes[piece].lines[line].kind);
    let kinds = (kind(left, seam.left_line), kind(left + 1, seam.right_line));
    if !matches!(kinds, (Some(LineKind::Heading(_)), Some(LineKind::Prose))) || white(view, left).contains('\n') {
        return false;
    }
    let own = &second.text[second.body_start()..];
    let mut lines = own.trim_start().lines();
    let line = lines.next().unwrap_or_default().trim_end();
    let alone = lines.next().is_none_or(|next| next.trim().is_empty());
    let spaced = first.text[..first.body_end()].ends_with(char::is_whitespace) || own.starts_with(char::is_whitespace);
    let starts = line.chars().next();
    let small = starts.is_some_and(char::is_lowercase);
    let caseless = starts.is_some_and(|c| c.is_alphabetic() && !c.is_lowercase() && !c.is_uppercase());
    let short = caseless && line.chars().count() <= TITLE && lines.next().is_some();
    alone && !is_ended(line) && (small || short || spaced && starts == Some('{'))
}

/// The rest of a title has no more characters, where letters have no case.
const TITLE: usize = 16;

/// True for text with the mark that ends a sentence, or that announces what follows.
pub fn is_ended(text: &str) -> bool {
    let closing = |c: char| c.is_whitespace() || "*_`\"')]}»”’」』）】》".contains(c);
    text.trim_end_matches(closing).ends_with(|c| ".!?:;…。！？：；．؟؛۔।॥".contains(c))
}

/// True for two lines of values with the same number of commas, tabs or semicolons, at least two, and no end of a
/// sentence.
pub fn are_records(above: &str, below: &str) -> bool {
    let is_text = |line: &str| is_ended(line) || line.contains(". ") || line.contains(", ") && !line.contains('\t');
    let same = |mark: char| {
        let count = above.matches(mark).count();
        count >= 2 && count == below.matches(mark).count()
    };
    let [above, below] = [above.trim_matches(' '), below.trim_matches(' ')];
    !is_text(above) && !is_text(below) && [',', '\t', ';'].into_iter().any(same)
}

/// Repeated text begins at its next line; the piece before holds all of the first. `what` says at what: `repeated code at a
/// line`.
pub fn trim_to_line(view: &View<'_>, left: usize, what: &str) -> Option<Repair> {
    let right = left + 1;
    let piece = &view.pieces[right];
    let (start, own) = (piece.shown_start(), piece.body_start());
    let repeated = &piece.text[start..own];
    let len = repeated.find('\n').map_or(repeated.len(), |at| at + 1);
    let title = format!("begin the {what}; {} holds the one it cuts", label(&view.pieces[left]));
    Some(Repair::lossless(title, Change::Shed { piece: right, span: Span::new(start, start + len) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_told_from_sentences() {
        assert!(are_records("1,lamp,10", "3,table,80"));
        assert!(are_records("1\tlamp, red\t10", "3\ttable\t80"));
        assert!(!are_records("1,lamp,10", "3,table"));
        assert!(!are_records("red, green, and", "blue, white, black"));
        assert!(!are_records("1,lamp,10", "3,table,80."));
    }
}
