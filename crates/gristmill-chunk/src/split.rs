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
    let out = Borders {
        list: Vec::with_capacity(count),
        frames: borders.frames.clone(),
        zones: borders.zones.clone(),
        sizes: Vec::with_capacity(count),
    };
    let mut split = Split { text, sizer, measured, max, out };
    for (n, border) in borders.list.iter().enumerate() {
        let end = borders.list.get(n + 1).map_or(text.len(), |next| next.at as usize);
        let end = border.at as usize + text[border.at as usize..end].trim_end().len();
        split.unit(*border, end);
    }
    split.out
}

/// Bytes for each unit of size up to which a text may fit: tokens of more are rare.
const NEAR: usize = 32;

/// How far back the beginning of a link is looked for.
const LOOK_BACK: usize = 8 * 1024;

struct Split<'a> {
    text: &'a str,
    sizer: &'a dyn Sizer,
    measured: &'a dyn Measured,
    max: usize,
    out: Borders,
}

impl Split<'_> {
    /// Adds a unit in as many pieces as it takes. Each step looks no further than one piece reaches.
    fn unit(&mut self, border: Border, end: usize) {
        self.out.list.push(border);
        let mut piece = border;
        loop {
            let start = piece.at as usize;
            let room = self.room(&piece, end);
            if let Some(size) = self.fits(start, end, room) {
                return self.out.sizes.push(fit(size));
            }
            let limit = self.text.floor_char_boundary(self.measured.reach(start, room));
            let next = if limit < end { self.cut(&border, &piece, limit, end) } else { None };
            let until = next.map_or(end, |next| start + self.text[start..next.at as usize].trim_end().len());
            self.out.sizes.push(fit(self.measured.size(start..until)));
            let Some(next) = next else { return };
            self.out.list.push(next);
            piece = next;
        }
    }

    /// The size of the text from `start` to `end` if it is no larger than `room`. Long texts, whose size would take long
    /// to find, are left to be looked at piece by piece.
    fn fits(&self, start: usize, end: usize, room: usize) -> Option<usize> {
        let near = end - start <= NEAR * room;
        near.then(|| self.measured.size(start..end)).filter(|size| *size <= room)
    }

    /// Where the piece of `unit` that begins at `piece` is cut, at or before `limit`. `None` when nothing would be left
    /// behind it.
    fn cut(&mut self, unit: &Border, piece: &Border, limit: usize, end: usize) -> Option<Border> {
        let start = piece.at as usize;
        let mut cut = self.place(piece, limit, end)?;
        // The line that closes a fence is no piece of its own.
        while is_fence(&self.text[start..cut], &self.text[cut..end]) {
            let nearer = self.text.floor_char_boundary(start + (cut - start) / 2);
            match self.place(piece, nearer, end) {
                Some(earlier) if earlier < cut => cut = earlier,
                _ => break,
            }
        }
        let frame = self.out.frame_at(fit(cut)).or_else(|| self.link(unit.at as usize, cut));
        Some(Border { frame, ..Border::new(cut, Level::Forced) })
    }

    /// The best place for a cut at or before `limit`, after at least one character.
    fn place(&self, piece: &Border, limit: usize, end: usize) -> Option<usize> {
        let (text, start) = (self.text, piece.at as usize);
        // Headings and opening lines stay with what follows them, where that fits at all.
        let from = if (piece.hold as usize) < limit { start.max(piece.hold as usize) } else { start };
        let mut cut = best_break(text, from, limit.max(from));
        if cut <= start {
            cut = text.ceil_char_boundary(start + 1);
        }
        cut += text[cut..end].len() - text[cut..end].trim_start().len();
        (cut < end).then_some(cut)
    }

    /// What is left of the limit for a piece that begins at `piece` and may end before `end`.
    fn room(&self, piece: &Border, end: usize) -> usize {
        let frame = |index: Option<u32>| index.and_then(|f| self.out.frames.get(f as usize));
        let open = frame(piece.frame).map_or(0, |f| self.sizer.size(&f.open));
        let inner = self.out.frame_at(fit(end.saturating_sub(1)));
        let close = frame(piece.frame.or(inner)).map_or(0, |f| self.sizer.size(&f.close));
        self.max.saturating_sub(open + close).max(1)
    }

    /// The frame of the Markdown link in whose destination `cut` lies: the rest of it stays a link with its text.
    fn link(&mut self, from: usize, cut: usize) -> Option<u32> {
        let from = self.text.ceil_char_boundary(from.max(cut.saturating_sub(LOOK_BACK)));
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
        if self.sizer.size(&frame.open) > self.max / 4 {
            return None;
        }
        self.out.frames.push(frame);
        u32::try_from(self.out.frames.len() - 1).ok()
    }
}

/// True when nothing is left but the line that closes a fence.
fn is_fence(before: &str, rest: &str) -> bool {
    const LONGEST: usize = 64;
    let marks = rest.trim_matches([' ', '\t', '\n', '>']);
    let alone = before.trim_end_matches([' ', '\t', '>']).ends_with('\n');
    let one = |mark: u8| marks.bytes().all(|byte| byte == mark);
    alone && (3..=LONGEST).contains(&marks.len()) && (one(b'`') || one(b'~'))
}

fn fit(size: usize) -> u32 {
    u32::try_from(size).unwrap_or(u32::MAX)
}
