//! Borders along the blocks of a document.

use gristmill_core::{Block, BlockKind, Document, Measured, PartKind, Sizer, Span};
use gristmill_text::segment::sentence_starts;

use crate::border::{Border, Borders, Frame, Level, Zone};
use crate::lines::{closes, fence_marks, introduces, line_start, line_starts, opens, prefix_of};
use crate::units::is_definition;

/// How finely to look into blocks.
#[derive(Clone, Copy, Debug)]
pub struct Grain {
    /// Prose of at least this size may be cut between its sentences.
    pub sentences_from: usize,
    /// Code, HTML and other blocks that should stay whole are opened when they are larger than this.
    pub max: usize,
}

/// Finds the borders of `document`. `measured` knows the sizes of its text.
pub fn borders(document: &Document, sizer: &dyn Sizer, measured: &dyn Measured, grain: Grain) -> Borders {
    let mut walk = Walk {
        text: &document.text,
        sizer,
        measured,
        grain,
        out: Borders::default(),
        open: Vec::new(),
        headings_from: None,
        last: None,
        starts: Vec::new(),
        whole: 0,
    };
    walk.start();
    for block in &document.blocks {
        walk.visit(*block);
    }
    walk.out
}

/// A container that is open where the walk stands.
#[derive(Clone, Copy)]
pub(crate) struct Open {
    pub(crate) kind: BlockKind,
    pub(crate) span: Span,
    pub(crate) frame: Option<u32>,
    /// Size of the frame of a definition in source code.
    pub(crate) frame_size: usize,
    /// For lists: what introduces them. For items: their own first line.
    lead_in: Span,
}

/// Goes over the blocks of a document and says where it may be cut.
pub(crate) struct Walk<'a> {
    pub(crate) text: &'a str,
    pub(crate) sizer: &'a dyn Sizer,
    pub(crate) measured: &'a dyn Measured,
    pub(crate) grain: Grain,
    out: Borders,
    pub(crate) open: Vec<Open>,
    /// Start of the headings that wait for the text they govern.
    headings_from: Option<u32>,
    /// The last leaf block.
    pub(crate) last: Option<Block>,
    starts: Vec<usize>,
    /// Where the unit of source code ends that is not opened.
    whole: u32,
}

impl Walk<'_> {
    fn start(&mut self) {
        let at = self.text.len() - self.text.trim_start().len();
        if at < self.text.len() {
            self.out.push(Border::new(at, Level::Heading(1)));
        }
    }

    fn visit(&mut self, block: Block) {
        while self.open.last().is_some_and(|o| o.span.end <= block.span.start) {
            self.open.pop();
        }
        if block.span.start < self.whole {
            self.last = Some(block);
            return;
        }
        self.border_before(&block);
        if matches!(block.kind, BlockKind::Unit { .. }) && self.fits(&block) {
            self.whole = block.span.end;
        } else if block.kind.is_container() {
            self.enter(&block);
        } else {
            self.inside(&block);
            self.last = Some(block);
        }
    }

    /// The border in front of a block, unless a heading above it keeps hold of it.
    fn border_before(&mut self, block: &Block) {
        let heading = matches!(block.kind, BlockKind::Heading { .. });
        let held = self.headings_from.is_some();
        if heading {
            self.headings_from.get_or_insert(block.span.start);
        }
        let line = self.text[..block.span.start as usize].rfind('\n').map_or(0, |i| i + 1);
        // A list marker and the text of its item are one line, and so one border.
        if held || self.out.list.last().is_some_and(|last| last.at as usize >= line) {
            return;
        }
        let level = self.level(block);
        let at = if heading { block.span.start } else { self.line_start(block.span.start) };
        let frame = if is_definition(block.kind) { None } else { self.open_frame() };
        let lead_in = self.lead_in(block);
        self.out.push(Border { at, level, frame, lead_in, hold: at });
    }

    fn level(&self, block: &Block) -> Level {
        let lists = self.open.iter().filter(|o| matches!(o.kind, BlockKind::List { .. })).count();
        match block.kind {
            BlockKind::Heading { level } => Level::Heading(level),
            BlockKind::Item => Level::Item(u8::try_from(lists).unwrap_or(u8::MAX)),
            BlockKind::Row if self.is_first() => Level::Attached,
            BlockKind::Row => Level::Row,
            BlockKind::Line => Level::Turn,
            BlockKind::Turn => Level::Turn,
            BlockKind::Unit { .. } | BlockKind::Statement => self.code_level(block),
            _ if self.follows_closely(block) => Level::Attached,
            _ if self.open.iter().any(|o| !matches!(o.kind, BlockKind::Admonition)) => Level::Inner,
            _ => Level::Block,
        }
    }

    /// True for the first leaf of the innermost container.
    fn is_first(&self) -> bool {
        self.open.last().is_some_and(|open| self.last.is_none_or(|last| last.span.start < open.span.start))
    }

    /// True when the text just before introduces this block, or when the block only closes something.
    fn follows_closely(&self, block: &Block) -> bool {
        let own = &self.text[block.span.range()];
        if block.kind == BlockKind::Html && closes(own) {
            return true;
        }
        if let Some(open) = self.open.last()
            && matches!(open.kind, BlockKind::Admonition | BlockKind::Item | BlockKind::Footnote | BlockKind::Pair)
            && (matches!(block.kind, BlockKind::List { .. }) || open.kind == BlockKind::Pair || self.is_first())
        {
            return true;
        }
        let Some(last) = self.last else { return false };
        let before = &self.text[last.span.range()];
        match last.kind {
            BlockKind::Html => opens(before),
            BlockKind::Paragraph => block.kind != BlockKind::Paragraph && introduces(before),
            _ => false,
        }
    }

    fn lead_in(&self, block: &Block) -> Span {
        if block.kind != BlockKind::Item {
            return Span::default();
        }
        let list = self.open.iter().rposition(|o| matches!(o.kind, BlockKind::List { .. }));
        list.map_or(Span::default(), |i| self.open[i].lead_in)
    }

    fn enter(&mut self, block: &Block) {
        let mut open =
            Open { kind: block.kind, span: block.span, frame: None, frame_size: 0, lead_in: Span::default() };
        match block.kind {
            BlockKind::Table { header } if !header.is_empty() => {
                let start = self.line_start(header.start) as usize;
                let lines = self.text[start..header.end as usize].trim_end();
                open.frame = self.frame(PartKind::TableHeader, format!("{lines}\n"), String::new());
                if let Some(frame) = open.frame {
                    let span = Span { start: header.end, end: block.span.end };
                    self.out.zones.push(Zone { span, frame });
                }
            }
            BlockKind::List { .. } => open.lead_in = self.list_lead_in(block),
            BlockKind::Unit { signature } => (open.frame, open.frame_size) = self.signature_frame(signature),
            _ => {}
        }
        self.open.push(open);
    }

    /// A list is introduced by the item it is nested in, or by a paragraph that ends with a colon.
    fn list_lead_in(&self, list: &Block) -> Span {
        let Some(last) = self.last.filter(|last| last.kind == BlockKind::Paragraph) else { return Span::default() };
        let nested = self.open.last().filter(|o| o.kind == BlockKind::Item && o.span.covers(last.span));
        let text = &self.text[last.span.range()];
        if let Some(parent) = nested {
            let start = self.line_start(parent.span.start);
            let line = self.text[start as usize..].lines().next().unwrap_or_default();
            return Span { start, ..Span::new(start as usize, start as usize + line.len()) };
        }
        if last.span.end > list.span.start || !introduces(text) {
            return Span::default();
        }
        let line = text.rfind('\n').map_or(0, |i| i + 1);
        Span::new(last.span.start as usize + line, last.span.end as usize)
    }

    pub(crate) fn frame(&mut self, kind: PartKind, open: String, close: String) -> Option<u32> {
        // An injected header that leaves no room for rows would cost more than it tells.
        let size = self.sizer.size(&open) + self.sizer.size(&close);
        if size > self.grain.max / 3 * 2 {
            return None;
        }
        self.out.frames.push(Frame { kind, open, close });
        u32::try_from(self.out.frames.len() - 1).ok()
    }

    /// Borders within a leaf block.
    fn inside(&mut self, block: &Block) {
        if matches!(block.kind, BlockKind::Heading { .. }) {
            return;
        }
        let held = self.headings_from.take();
        let from = held.unwrap_or(block.span.start);
        if held.is_some() {
            self.out.hold(block.span.start);
        }
        match block.kind {
            BlockKind::Row if held.is_some() => self.row_below_headings(block, from),
            BlockKind::Paragraph | BlockKind::Turn => self.sentences(block.span, from),
            BlockKind::Code { body, .. } => self.code_lines(block, body, from, |walk| walk.code_frame(block, body)),
            BlockKind::Statement => {
                self.code_lines(block, block.span, self.line_start(from), |walk| walk.open_frame());
            }
            BlockKind::Html | BlockKind::Definition | BlockKind::Math | BlockKind::Line => self.lines(block.span, from),
            _ => {}
        }
    }

    /// The first row may wait for the next chunk when it does not fit below the headings and the table's own header.
    fn row_below_headings(&mut self, row: &Block, from: u32) {
        if self.measured.size(from as usize..row.span.end as usize) > self.grain.max {
            let frame = self.open_frame();
            let at = self.line_start(row.span.start) as usize;
            self.out.push(Border { frame, ..Border::new(at, Level::Attached) });
        }
    }

    fn sentences(&mut self, span: Span, from: u32) {
        let size = self.measured.size(from as usize..span.end as usize);
        if size < self.grain.sentences_from {
            return;
        }
        let mut starts = std::mem::take(&mut self.starts);
        starts.clear();
        sentence_starts(&self.text[span.range()], &mut starts);
        for start in starts.iter().skip(1) {
            self.out.push(Border::new(span.start as usize + start, Level::Sentence));
        }
        self.starts = starts;
    }

    fn lines(&mut self, span: Span, from: u32) {
        if self.measured.size(from as usize..span.end as usize) <= self.grain.max {
            return;
        }
        let frame = self.open_frame();
        for at in line_starts(self.text, span).skip(1) {
            self.out.push(Border { frame, ..Border::new(at, Level::Line) });
        }
    }

    fn code_lines(&mut self, block: &Block, body: Span, from: u32, frame: impl Fn(&mut Self) -> Option<u32>) {
        if self.measured.size(from as usize..block.span.end as usize) + self.frame_size() <= self.grain.max {
            return;
        }
        let frame = frame(self);
        if let Some(frame) = frame {
            self.out.zones.push(Zone { span: body, frame });
            self.out.hold(body.start);
        }
        let mut blank_before = false;
        for (n, at) in line_starts(self.text, body).enumerate() {
            let line = self.text[at..body.end as usize].lines().next().unwrap_or_default();
            let blank = line.trim().is_empty();
            if n > 0 && !blank {
                let level = if blank_before { Level::CodeGap } else { Level::CodeLine };
                self.out.push(Border { frame, ..Border::new(at, level) });
            }
            blank_before = blank;
        }
    }

    /// The fence lines of a fenced block, each with what stands before it on its line (indentation, `>`).
    fn code_frame(&mut self, block: &Block, body: Span) -> Option<u32> {
        let start = self.line_start(block.span.start) as usize;
        let open = &self.text[start..body.start as usize];
        let fence_at = open.len() - open.trim_start_matches([' ', '\t', '>']).len();
        let marks = fence_marks(&open[fence_at..]);
        if marks.is_empty() {
            return None;
        }
        let open_line = open.lines().next().unwrap_or_default();
        let indent = prefix_of(open_line, fence_at);
        self.frame(
            PartKind::Opener,
            format!("{}\n", indent.clone() + &open_line[fence_at..]),
            format!("\n{indent}{marks}"),
        )
    }

    pub(crate) fn line_start(&self, at: u32) -> u32 {
        line_start(self.text, at)
    }
}
