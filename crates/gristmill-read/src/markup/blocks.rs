//! Blocks, and what holds them.

use super::code::{info, longest_run};
use super::{Inline, Table};

/// Writes a document block by block. Containers are opened and closed; one in which nothing was written leaves no trace.
#[derive(Clone, Debug, Default)]
pub struct Markdown {
    out: String,
    frames: Vec<Frame>,
    /// What was written last in the document itself.
    last: Last,
    /// Containers opened beyond the depth that is written.
    beyond: usize,
}

/// Containers deeper than this are written as what they hold: nobody can read them, and readers of Markdown take more
/// than linear time for them.
const DEPTH: usize = 32;

/// The largest number that is sure to be read as that of an item.
const LAST_NUMBER: u64 = 999_999_999;

#[derive(Clone, Debug)]
struct Frame {
    kind: Kind,
    /// Something has been written in it.
    written: bool,
    last: Last,
}

#[derive(Clone, Debug)]
enum Kind {
    Quote,
    List { next: Option<u64>, mark: char, tight: bool },
    Item { marker: String, loose: bool },
}

/// What stands before the next block of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Last {
    #[default]
    Nothing,
    Paragraph,
    /// A list, with its mark: `-`, `*`, `.` or `)`.
    List(char),
    Other,
}

impl Markdown {
    /// A heading of level 1 to 6.
    pub fn heading(&mut self, level: u8, text: Inline) {
        let mut text = text.line();
        if text.is_empty() {
            return;
        }
        if text.ends_with('#') {
            let run = text.trim_end_matches('#').len();
            if !text[..run].ends_with('\\') {
                text.insert(run, '\\');
            }
        }
        let marks = "#".repeat(usize::from(level.clamp(1, 6)));
        self.block(&format!("{marks} {text}"), Last::Other);
    }

    /// A paragraph.
    pub fn paragraph(&mut self, text: Inline) {
        self.block(&text.finish(), Last::Paragraph);
    }

    /// A block of code. Line ends at its start and white space at its end are left out.
    pub fn code(&mut self, language: &str, code: &str) {
        let code = code.trim_start_matches(['\n', '\r']).trim_end();
        if code.is_empty() {
            return;
        }
        let fence = "`".repeat(3.max(longest_run(code, b'`') + 1));
        self.block(&format!("{fence}{}\n{code}\n{fence}", info(language)), Last::Other);
    }

    /// A formula in TeX, on lines of its own.
    pub fn math(&mut self, tex: &str) {
        let lines: Vec<&str> = tex.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        if !lines.is_empty() {
            self.block(&format!("$$\n{}\n$$", lines.join("\n")), Last::Other);
        }
    }

    /// A table.
    pub fn table(&mut self, table: &Table) {
        self.block(&table.lines(), Last::Other);
    }

    /// The footnote of a label: letters and digits.
    pub fn note(&mut self, label: &str, text: Inline) {
        let text = text.line();
        if !text.is_empty() {
            self.block(&format!("[^{label}]: {text}"), Last::Other);
        }
    }

    /// A thematic break.
    pub fn rule(&mut self) {
        self.block("***", Last::Other);
    }

    /// Opens a block quote.
    pub fn open_quote(&mut self) {
        self.open(Kind::Quote);
    }

    /// Opens a list: numbered from `start`, or with bullets.
    pub fn open_list(&mut self, start: Option<u64>) {
        let marks = if start.is_some() { ['.', ')'] } else { ['-', '*'] };
        // Next to a list of the same kind another mark keeps the two apart.
        let mark = if self.last() == Last::List(marks[0]) { marks[1] } else { marks[0] };
        let next = start.map(|start| if start > LAST_NUMBER { 1 } else { start });
        self.open(Kind::List { next, mark, tight: true });
    }

    /// Opens an item of the list that was opened last.
    pub fn open_item(&mut self) {
        let marker = match self.frames.last() {
            Some(Frame { kind: Kind::List { next: Some(number), mark, .. }, .. }) => format!("{number}{mark} "),
            Some(Frame { kind: Kind::List { mark, .. }, .. }) => format!("{mark} "),
            _ => String::new(),
        };
        self.open(Kind::Item { marker, loose: false });
    }

    /// Closes the container that was opened last.
    pub fn close(&mut self) {
        if self.beyond > 0 {
            self.beyond -= 1;
            return;
        }
        let Some(frame) = self.frames.pop() else { return };
        if !frame.written {
            return;
        }
        match frame.kind {
            Kind::Quote => self.set_last(Last::Other),
            Kind::List { mark, .. } => self.set_last(Last::List(mark)),
            Kind::Item { loose, .. } => self.end_item(loose || frame.last == Last::Other),
        }
    }

    /// The document, with a line end at its end.
    pub fn finish(mut self) -> String {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out
    }

    /// Bytes written so far.
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// True when nothing has been written.
    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    fn end_item(&mut self, loose: bool) {
        if let Some(Frame { kind: Kind::List { next, tight, .. }, .. }) = self.frames.last_mut() {
            *next = next.map(|number| if number >= LAST_NUMBER { 1 } else { number + 1 });
            *tight = !loose;
        }
    }

    /// Writes a block of one or more lines, unless it is empty.
    fn block(&mut self, lines: &str, kind: Last) {
        if lines.is_empty() {
            return;
        }
        self.separate();
        for frame in &self.frames {
            frame.prefix(&mut self.out, true);
        }
        let mut indent = String::new();
        for frame in &mut self.frames {
            frame.written = true;
            frame.prefix(&mut indent, false);
        }
        for (index, line) in lines.split('\n').enumerate() {
            if index > 0 {
                self.out.push('\n');
                self.out.push_str(if line.is_empty() { indent.trim_end() } else { &indent });
            }
            // Files that are damaged hold them in code, too.
            line.split(['\0', '\u{feff}']).for_each(|part| self.out.push_str(part));
        }
        self.set_last(kind);
    }

    /// Ends the line before a block, and leaves a blank one unless the block goes on a tight list.
    fn separate(&mut self) {
        if self.out.is_empty() {
            return;
        }
        self.out.push('\n');
        let written = self.frames.iter().take_while(|frame| frame.written).count();
        if self.is_tight(written) {
            return;
        }
        let mut indent = String::new();
        for frame in &self.frames[..written] {
            frame.prefix(&mut indent, false);
        }
        self.out.push_str(indent.trim_end());
        self.out.push('\n');
        if let Some(Frame { kind: Kind::Item { loose, .. }, .. }) = self.frames[..written].last_mut() {
            *loose = true;
        }
    }

    /// True when what is in the frames from `written` on follows without a blank line.
    fn is_tight(&self, written: usize) -> bool {
        let around = written.checked_sub(1).and_then(|index| self.frames.get(index));
        match (around, self.frames.get(written).map(|frame| &frame.kind)) {
            (Some(Frame { kind: Kind::List { tight, .. }, .. }), Some(Kind::Item { .. })) => *tight,
            // Only a list from 1 can follow a paragraph at once.
            (Some(Frame { kind: Kind::Item { .. }, last, .. }), Some(Kind::List { next, .. })) => {
                *last == Last::Paragraph && next.is_none_or(|number| number == 1)
            }
            _ => false,
        }
    }

    fn open(&mut self, kind: Kind) {
        if self.beyond > 0 || self.frames.len() >= DEPTH {
            self.beyond += 1;
        } else {
            self.frames.push(Frame { kind, written: false, last: Last::Nothing });
        }
    }

    fn last(&self) -> Last {
        self.frames.last().map_or(self.last, |frame| frame.last)
    }

    fn set_last(&mut self, last: Last) {
        match self.frames.last_mut() {
            Some(frame) => frame.last = last,
            None => self.last = last,
        }
    }
}

impl Frame {
    /// What stands before a line in this frame.
    fn prefix(&self, out: &mut String, first: bool) {
        match &self.kind {
            Kind::Quote => out.push_str("> "),
            Kind::Item { marker, .. } if first && !self.written => out.push_str(marker),
            Kind::Item { marker, .. } => out.extend(marker.chars().map(|_| ' ')),
            Kind::List { .. } => {}
        }
    }
}
