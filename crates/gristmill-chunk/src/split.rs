//! Cuts units that are too large for any chunk, where nothing in the text ends.

use gristmill_core::Measured;
use gristmill_text::segment::best_break;

use crate::border::{Border, Borders, Level};

/// Adds forced borders so that every unit, with its frame around it, is no larger than `max`.
/// `frame_size` gives the size of a frame's lines.
pub fn split_oversized(
    text: &str,
    borders: &Borders,
    measured: &dyn Measured,
    max: usize,
    frame_size: &dyn Fn(u32) -> usize,
) -> Borders {
    let list = &borders.list;
    let mut out = Borders { list: Vec::with_capacity(list.len()), frames: borders.frames.clone() };
    for (n, border) in list.iter().enumerate() {
        out.list.push(*border);
        let end = list.get(n + 1).map_or(text.len(), |next| next.at as usize);
        let end = border.at as usize + text[border.at as usize..end].trim_end().len();
        let room = max.saturating_sub(border.frame.map_or(0, frame_size)).max(1);
        split_unit(text, *border, end, measured, room, &mut out);
    }
    out
}

fn split_unit(text: &str, border: Border, end: usize, measured: &dyn Measured, room: usize, out: &mut Borders) {
    let mut start = border.at as usize;
    while measured.size(start..end) > room {
        let limit = measured.reach(start, room).clamp(start + 1, end);
        let mut cut = best_break(text, start, text.floor_char_boundary(limit));
        if cut <= start {
            cut = text.ceil_char_boundary(start + 1);
        }
        cut += text[cut..end].len() - text[cut..end].trim_start().len();
        if cut >= end {
            return;
        }
        out.push(Border { frame: border.frame, ..Border::new(cut, Level::Forced) });
        start = cut;
    }
}
