//! Cuts units that are too large for any chunk, where nothing in the text ends.

use gristmill_core::{Measured, PartKind, Sizer};
use gristmill_text::segment::best_break;

use crate::border::{Border, Borders, Frame, Level};

/// Adds forced borders so that every unit, with its frame around it, is no larger than `max`, and measures the units.
pub fn split_oversized(
    text: &str,
    borders: &Borders,
    sizer: &dyn Sizer,
    measured: &dyn Measured,
    max: usize,
) -> Borders {
    let count = borders.list.len();
    let out =
        Borders { list: Vec::with_capacity(count), frames: borders.frames.clone(), sizes: Vec::with_capacity(count) };
    let mut split = Split { text, sizer, measured, max, out };
    for (n, border) in borders.list.iter().enumerate() {
        let end = borders.list.get(n + 1).map_or(text.len(), |next| next.at as usize);
        let end = border.at as usize + text[border.at as usize..end].trim_end().len();
        split.unit(*border, end);
    }
    split.out
}

struct Split<'a> {
    text: &'a str,
    sizer: &'a dyn Sizer,
    measured: &'a dyn Measured,
    max: usize,
    out: Borders,
}

impl Split<'_> {
    fn unit(&mut self, border: Border, end: usize) {
        self.out.list.push(border);
        let text = self.text;
        let mut room = self.room(border.frame);
        let mut start = border.at as usize;
        let mut size = self.measured.size(start..end);
        while size > room {
            let limit = self.measured.reach(start, room).clamp(start + 1, end);
            let mut cut = best_break(text, start, text.floor_char_boundary(limit));
            if cut <= start {
                cut = text.ceil_char_boundary(start + 1);
            }
            cut += text[cut..end].len() - text[cut..end].trim_start().len();
            if cut >= end {
                break;
            }
            let frame = border.frame.or_else(|| self.link(border.at as usize, cut));
            if frame.is_some() && border.frame.is_none() {
                // The marks of the link need room, too; the cut moves by a few characters at most.
                let narrower = self.room(frame);
                let limit = self.measured.reach(start, narrower).clamp(start + 1, cut);
                let nearer = text.floor_char_boundary(limit);
                if self.link(border.at as usize, nearer) == frame && nearer > start {
                    cut = nearer;
                }
            }
            let until = start + text[start..cut].trim_end().len();
            self.out.sizes.push(fit(self.measured.size(start..until)));
            self.out.list.push(Border { frame, ..Border::new(cut, Level::Forced) });
            start = cut;
            room = self.room(frame);
            size = self.measured.size(start..end);
        }
        self.out.sizes.push(fit(size));
    }

    fn room(&self, frame: Option<u32>) -> usize {
        let size = frame.and_then(|f| self.out.frames.get(f as usize)).map_or(0, |f| self.size(f));
        self.max.saturating_sub(size).max(1)
    }

    fn size(&self, frame: &Frame) -> usize {
        self.sizer.size(&frame.open) + self.sizer.size(&frame.close)
    }

    /// The frame of the Markdown link in whose destination `cut` lies: the rest of it stays a link with its text.
    fn link(&mut self, from: usize, cut: usize) -> Option<u32> {
        let unit = self.text.as_bytes().get(from..cut)?;
        let start = unit.iter().rposition(u8::is_ascii_whitespace).map_or(0, |at| at + 1);
        let target = start + memchr::memmem::rfind(&unit[start..], b"](")?;
        let text_end = from + target;
        if self.text[text_end + 2..cut].contains(')') {
            return None;
        }
        let open = memchr::memrchr(b'[', &unit[..target])?;
        let open = &self.text[from + open..text_end + 2];
        let frame = Frame { kind: PartKind::Opener, open: open.to_owned(), close: String::new() };
        if let Some(known) = self.out.frames.iter().rposition(|known| *known == frame) {
            return u32::try_from(known).ok();
        }
        if self.size(&frame) > self.max / 4 {
            return None;
        }
        self.out.frames.push(frame);
        u32::try_from(self.out.frames.len() - 1).ok()
    }
}

fn fit(size: usize) -> u32 {
    u32::try_from(size).unwrap_or(u32::MAX)
}
