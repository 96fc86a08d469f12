//! The border between two neighbouring pieces: what stood there, and whether it cuts something.

use gristmill_text::resume::{self, Border, Gap, Verdict};

use crate::Piece;
use crate::border::are_records;
use crate::engine::Ruler;
use crate::shape::{LineKind, Shape};

pub use gristmill_text::resume::Cut;

/// The border between a piece and the next.
#[derive(Clone, Debug)]
pub struct Seam {
    /// What is known of the white space between the two.
    pub gap: Gap,
    /// The last line of the left piece that is not blank and was not injected.
    pub left_line: Option<usize>,
    /// The first line of the right piece that is not blank and was not injected.
    pub right_line: Option<usize>,
    /// What the start of the right piece's text cuts of the running text before it. With overlap that is the place in the
    /// left piece at which the overlap begins.
    pub verdict: Option<Verdict>,
    /// With overlap: the sentence in which the right piece begins ends within the left piece, which holds all of it.
    pub covered: bool,
    /// Text is missing between the two.
    pub hole: bool,
    /// Nothing is missing between the two, not even white space: their places say so.
    pub adjoins: bool,
}

impl Seam {
    /// What is cut.
    pub fn cut(&self) -> Cut {
        self.verdict.map_or(Cut::None, |verdict| verdict.cut)
    }

    /// True when it is known that no line end stood at the border.
    pub fn within_line(&self) -> bool {
        matches!(self.gap, Gap::None | Gap::Space)
    }
}

/// The borders between the pieces.
pub fn seams(pieces: &[Piece], shapes: &[Shape], keeps_white: bool) -> Vec<Seam> {
    let keeps = Keeps { white: keeps_white, lines: keeps_lines(pieces), count: counts(pieces) };
    let pairs = pieces.windows(2).zip(shapes.windows(2));
    pairs
        .filter_map(|(pieces, shapes)| {
            Some(seam([pieces.first()?, pieces.last()?], [shapes.first()?, shapes.last()?], keeps))
        })
        .collect()
}

/// The own text of the left piece up to the border, and the text of the right piece from the border on.
pub fn sides<'p>(left: &'p Piece, right: &'p Piece) -> (&'p str, &'p str) {
    let end = left.body_end();
    let end = if right.overlap_before == 0 { end } else { overlap_start(&left.text[..end], right.overlap_before) };
    (&left.text[..end], &right.text[right.shown_start()..])
}

/// Where the last `len` bytes of text begin, white space at the end not counted.
pub fn overlap_start(text: &str, len: usize) -> usize {
    let at = text.trim_end().len().saturating_sub(len);
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

fn seam([left, right]: [&Piece; 2], [before, after]: [&Shape; 2], keeps: Keeps) -> Seam {
    let (shown, next) = sides(left, right);
    let left_line = before.last_until(shown.len());
    let right_line = after.first_from(right.shown_start());
    let kinds = [left_line.map(|at| before.lines[at].kind), right_line.map(|at| after.lines[at].kind)];
    let gap = match gap(left, right, shown, next, keeps) {
        Gap::Space if !is_placed(left, right) && is_indented(kinds, shown, next) => Gap::Unknown,
        gap => gap,
    };
    let hole = is_hole(left, right, keeps.count);
    let measured = || Ruler::of(left).is_some() && Ruler::of(right).is_some();
    let adjoins = right.overlap_len() == 0 && is_adjacent(left, right) == Some(true) && measured();
    let mut seam = Seam { gap, left_line, right_line, verdict: None, covered: false, hole, adjoins };
    if hole {
        return seam;
    }
    let (Some(last), Some(first)) = (left_line, right_line) else { return seam };
    let within = seam.within_line();
    let runs = |kind: LineKind| kind.is_running() || within && matches!(kind, LineKind::Heading(_) | LineKind::Html);
    // A heading of a lower level begins a line whatever stood before it; `# ` may be the rest of a line.
    let begins = |kind: LineKind| kind.is_code() || kind.is_table() || matches!(kind, LineKind::Heading(2..));
    let resumes = |kind: LineKind| kind == LineKind::Prose || within && !begins(kind);
    if !runs(before.lines[last].kind) || !resumes(after.lines[first].kind) {
        return seam;
    }
    let lines = [
        (before.lines[last].kind, left, before.lines[last].span),
        (after.lines[first].kind, right, after.lines[first].span),
    ];
    let [above, below] = lines.map(|(kind, piece, span)| (kind, &piece.text[span.range()]));
    if !is_placed(left, right) && stands_apart(above, below, gap) {
        return seam;
    }
    let paragraph = before.paragraph(last).start as usize;
    let open = shown.get(paragraph..).unwrap_or(shown);
    let ends = (after.paragraph(first).end as usize).saturating_sub(right.shown_start());
    let rest = next.get(..ends).unwrap_or(next);
    let mut verdict = resume::judge(&Border { before: open, after: rest, gap });
    if verdict.cut == (Cut::Sentence { sure: false }) && within && is_known([left, right], keeps) {
        // What stands on one line is one sentence, as long as no full stop leaves a doubt.
        verdict.cut = Cut::Sentence { sure: gap == Gap::None || !open.trim_end().ends_with('.') };
    }
    seam.verdict = Some(verdict);
    seam.covered = right.overlap_before > 0
        && ends_within(open, rest, left.text[..left.body_end()].trim_end().len() - shown.len());
    seam
}

/// True when what stands at the border is known.
fn is_placed(left: &Piece, right: &Piece) -> bool {
    is_adjacent(left, right) == Some(true) || right.overlap_before > 0
}

/// True when the white space at the border indents a line of code or a list entry, whose line end was dropped.
fn is_indented(kinds: [Option<LineKind>; 2], shown: &str, next: &str) -> bool {
    let lines = match kinds {
        [Some(above), Some(LineKind::Code)] => above.is_code(),
        [_, Some(LineKind::Item | LineKind::Open)] => true,
        _ => false,
    };
    lines && !shown.ends_with(char::is_whitespace) && (next.starts_with("  ") || next.starts_with('\t'))
}

/// True for lines that do not go on in one another, whatever white space was kept: a block that begins, and records.
fn stands_apart(above: (LineKind, &str), below: (LineKind, &str), gap: Gap) -> bool {
    let begins = match below.0 {
        LineKind::Heading(2..) | LineKind::Break => true,
        LineKind::Item => above.0 == LineKind::Item && starts_alike(above.1, below.1),
        _ => false,
    };
    gap == Gap::None && begins || gap == Gap::Unknown && above.0 == LineKind::Prose && are_records(above.1, below.1)
}

/// True for two list entries with the same mark.
fn starts_alike(above: &str, below: &str) -> bool {
    let mark = |line: &str| line.trim_start().chars().next().filter(|c| !c.is_ascii_digit());
    mark(above).is_some() && mark(above) == mark(below)
}

/// True when a line end at the border would be there to see.
fn is_known([left, right]: [&Piece; 2], keeps: Keeps) -> bool {
    keeps.lines || right.overlap_before > 0 || is_adjacent(left, right) == Some(true)
}

/// Whether the right piece begins where the left one ends, as far as they tell.
fn is_adjacent(left: &Piece, right: &Piece) -> Option<bool> {
    left.place.as_ref().zip(right.place.as_ref()).map(|(left, right)| left.end == right.start)
}

/// True when the sentence at the border, of which `rest` is the continuation, ends within the first `overlap` bytes.
fn ends_within(open: &str, rest: &str, overlap: usize) -> bool {
    fragment(open, rest, "").is_some_and(|len| len <= overlap)
}

/// How many bytes at the start of `rest` belong to the sentence that is open at the end of `open`; `None` when all of it
/// does. White space after the sentence is not counted.
pub fn fragment(open: &str, rest: &str, join: &str) -> Option<usize> {
    let from = open.len() - tail(open, 600).len();
    let mut joined = open[from..].to_owned();
    joined.push_str(join);
    let border = joined.len();
    joined.push_str(rest);
    let mut starts = Vec::new();
    gristmill_text::segment::sentence_starts(&joined, &mut starts);
    let next = starts.into_iter().find(|start| *start > border && !joined[border..*start].trim().is_empty())?;
    Some(joined[border..next].trim_end().len())
}

/// Where the sentence that is open at the end of `open` begins.
pub fn sentence_start(open: &str) -> usize {
    let from = open.len() - tail(open, 4_000).len();
    let mut starts = Vec::new();
    gristmill_text::segment::sentence_starts(&open[from..], &mut starts);
    from + starts.last().copied().unwrap_or(0)
}

/// The last `len` bytes or a few more.
pub fn tail(text: &str, len: usize) -> &str {
    let at = text.len().saturating_sub(len);
    let at = (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    &text[at..]
}

/// Characters between two places that white space may take up.
const WHITE: u64 = 16;

/// True when text stood between the two that no piece has: their numbers or places say so.
fn is_hole(left: &Piece, right: &Piece, counts: bool) -> bool {
    let orders = left.order.zip(right.order).filter(|_| counts);
    let skipped = orders.is_some_and(|(left, right)| right.0 > left.1.saturating_add(1));
    let places = left.place.as_ref().zip(right.place.as_ref());
    skipped || places.is_some_and(|(left, right)| right.start > left.end.saturating_add(WHITE))
}

/// True when the numbers of the pieces count them one by one, at half of the borders at least.
fn counts(pieces: &[Piece]) -> bool {
    let (mut all, mut next) = (0_usize, 0_usize);
    for pair in pieces.windows(2) {
        if let [Piece { order: Some(left), .. }, Piece { order: Some(right), .. }] = pair {
            all += 1;
            next += usize::from(right.0 == left.1.saturating_add(1));
        }
    }
    next > 0 && 2 * next >= all
}

fn gap(left: &Piece, right: &Piece, shown: &str, next: &str, keeps: Keeps) -> Gap {
    let white = |text: &str| text.contains('\n');
    let before = &shown[shown.trim_end().len()..];
    let after = &next[..next.len() - next.trim_start().len()];
    let breaks = before.matches('\n').count() + after.matches('\n').count();
    if breaks > 1 {
        return Gap::Paragraph;
    }
    if white(before) || white(after) {
        return Gap::Line;
    }
    if before.is_empty() && (after.len() > 1 || after == "\t") && right.overlap_before == 0 && !keeps.lines {
        // The indentation of a line, by a splitter that drops line ends.
        return Gap::Unknown;
    }
    if !before.is_empty() || !after.is_empty() {
        return Gap::Space;
    }
    if right.overlap_before > 0 {
        // The text around the place stands in the left piece as it was.
        return Gap::None;
    }
    match is_adjacent(left, right) {
        Some(true) => Gap::None,
        Some(false) => Gap::Unknown,
        None if keeps.white => Gap::None,
        None => Gap::Unknown,
    }
}

/// What a splitter kept at its cuts.
#[derive(Clone, Copy)]
struct Keeps {
    white: bool,
    lines: bool,
    /// The numbers of the pieces count them one by one.
    count: bool,
}

/// True when some piece begins or ends with a line end.
fn keeps_lines(pieces: &[Piece]) -> bool {
    pieces.iter().any(|piece| {
        let own = &piece.text[piece.shown_start()..piece.body_end().max(piece.shown_start())];
        own[own.trim_end().len()..].contains('\n') || own[..own.len() - own.trim_start().len()].contains('\n')
    })
}

/// True for white space at the start that is more than the indentation of a line, which stays where line ends are dropped.
fn begins_white(text: &str) -> bool {
    let white = &text[..text.len() - text.trim_start().len()];
    white.contains('\n') || white.chars().count() == 1 && white != "\t"
}

/// True when the splitter kept the white space at its cuts: where two pieces meet without any, nothing stood between them.
pub fn keeps_white(pieces: &[Piece]) -> bool {
    let edges = Edges::of(pieces);
    edges.kept >= 2 && edges.kept * 4 >= edges.all
}

/// The text of a piece up to the border behind it, without what was put in there.
fn before(piece: &Piece) -> &str {
    piece.text.get(..piece.body_end()).unwrap_or(&piece.text)
}

/// The text of a piece from the border before it on, without what was put in there.
fn after(piece: &Piece) -> &str {
    let start = piece.note().map_or_else(|| piece.shown_start(), |(_, len)| len);
    piece.text.get(start..).unwrap_or(&piece.text)
}

/// What stands at the borders of pieces.
#[derive(Clone, Copy, Debug, Default)]
pub struct Edges {
    /// Borders with white space on one of their sides.
    kept: usize,
    /// Borders with half a character on one of their sides.
    torn: usize,
    /// Borders at which the right side repeats the left, and of these those at which only a splitter does so.
    repeated: usize,
    torn_out: usize,
    /// All borders.
    all: usize,
}

impl Edges {
    /// Counts the borders of pieces of one source.
    pub fn of(pieces: &[Piece]) -> Self {
        let mut edges = Self::default();
        edges.add(pieces);
        edges
    }

    /// True when borders of many sources tell that the splitter kept the white space at its cuts: a good part has some, or
    /// some do and others cut characters, as only splitters by tokens do.
    pub fn keep_white(&self) -> bool {
        self.kept >= 8 && self.kept * 4 >= self.all || self.torn >= 2 && self.kept >= 2
    }

    /// True when borders of many sources tell that the splitter repeats text: where it does not, as good as none looks so. Whole
    /// lines and sentences tell it only where most borders repeat some, as the text may say them twice.
    pub fn overlap(&self) -> bool {
        let some = self.torn_out >= 2 && self.repeated * 50 >= self.all;
        some || self.repeated >= 2 && self.repeated * 2 >= self.all
    }

    /// Counts what the pieces of one source repeat of each other.
    pub fn add_overlap(&mut self, pieces: &[Piece]) {
        let pairs = pieces.windows(2).filter_map(|pair| Some((pair.first()?, pair.last()?)));
        let found = pairs.filter_map(|(left, right)| gristmill_text::similar::overlap(before(left), after(right)));
        for found in found {
            self.repeated += 1;
            self.torn_out += usize::from(!found.whole);
        }
    }

    /// Counts the borders of pieces of one more source.
    pub fn add(&mut self, pieces: &[Piece]) {
        for pair in pieces.windows(2) {
            let [left, right] = pair else { continue };
            if right.overlap_len() > 0 || left.text.is_empty() || right.text.is_empty() {
                continue;
            }
            let (before, after) = (before(left), after(right));
            let at = |is: fn(char) -> bool| usize::from(before.ends_with(is) || after.starts_with(is));
            self.all += 1;
            self.kept += usize::from(before.ends_with(char::is_whitespace) || begins_white(after));
            self.torn += at(|c| c == char::REPLACEMENT_CHARACTER);
        }
    }
}
