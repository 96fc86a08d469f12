//! What rules about whole lines need to mend a border.

use crate::{Change, Repair, View, label};

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
