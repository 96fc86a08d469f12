//! The text of one paragraph, heading or cell.

use super::code::span;
use super::escape::{Around, escape, opener, reference};

/// What a run of text is marked as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// `*…*`
    Emphasis,
    /// `**…**`
    Strong,
    /// `~~…~~`
    Strike,
}

impl Mark {
    fn marks(self) -> &'static str {
        match self {
            Self::Emphasis => "*",
            Self::Strong => "**",
            Self::Strike => "~~",
        }
    }
}

/// Text with marks. White space is folded as it comes; marks are moved to where they count, and left out where Markdown
/// has no way to write them.
#[derive(Clone, Debug, Default)]
pub struct Inline {
    out: String,
    /// Where the present line of `out` begins.
    line: usize,
    /// White space that has come and is written before the next visible thing.
    blank: bool,
    /// The line ends before the next visible thing.
    broken: bool,
    open: Vec<Open>,
    /// Marks closed at the end of `out`, inner ones first, and where they opened.
    closed: Vec<(usize, Mark)>,
    /// Characters written that could open something.
    openers: u8,
    /// Stands where no block can begin.
    flat: bool,
}

#[derive(Clone, Debug)]
struct Open {
    what: What,
    /// Where its mark stands in `out`, once it is written.
    at: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    Mark(Mark),
    Link(String),
    /// Cannot be written, or is within the same.
    Nothing,
}

impl What {
    /// The character it begins with, unless it makes one run with the marks before it.
    fn first(&self) -> Option<char> {
        match self {
            Self::Link(_) => Some('['),
            Self::Mark(Mark::Strike) => Some('~'),
            Self::Mark(_) | Self::Nothing => None,
        }
    }
}

impl Inline {
    /// Text alone.
    pub fn of(text: &str) -> Self {
        let mut inline = Self::default();
        inline.text(text);
        inline
    }

    /// Says that this is a heading or a cell, in which no block can begin, so that no sign of one is escaped.
    pub fn set_flat(&mut self) {
        self.flat = true;
    }

    /// Adds text.
    pub fn text(&mut self, text: &str) {
        let mut rest = text;
        loop {
            let word = rest.trim_start_matches(is_blank);
            self.blank |= word.len() < rest.len();
            if word.is_empty() {
                return;
            }
            let end = word.find(is_blank).unwrap_or(word.len());
            self.word(&word[..end], word);
            rest = &word[end..];
        }
    }

    /// Adds code in the line.
    pub fn code(&mut self, code: &str) {
        self.blank |= self.ends_in_code();
        self.raw(&span(code));
    }

    /// Adds a formula in TeX.
    pub fn math(&mut self, tex: &str) {
        let tex = tex.split_whitespace().collect::<Vec<_>>().join(" ");
        if !tex.is_empty() {
            self.raw(&format!("${tex}$"));
        }
    }

    /// Adds a reference to the footnote of this label.
    pub fn note(&mut self, label: &str) {
        self.raw(&format!("[^{label}]"));
    }

    /// Adds an image. Without an address, or with one that holds the picture itself, only its text is left.
    pub fn image(&mut self, alt: &str, address: &str) {
        let Some(address) = destination(address) else { return self.text(alt) };
        let mut inner = Self { open: vec![Open { what: What::Link(String::new()), at: Some(0) }], ..Self::default() };
        inner.text(alt);
        self.raw(&format!("![{}]({address})", inner.out));
    }

    /// Opens a mark.
    pub fn open(&mut self, mark: Mark) {
        // Strong text and emphasis within each other make runs of asterisks that are read in more than one way: the outer
        // one stays.
        let stars = |mark: Mark| mark.marks().starts_with('*');
        let covers = |open: &Open| match open.what {
            What::Mark(outer) => outer == mark || stars(outer) && stars(mark),
            _ => false,
        };
        let within = self.open.iter().any(covers);
        self.open.push(Open { what: if within { What::Nothing } else { What::Mark(mark) }, at: None });
    }

    /// Opens a link. One within another, or without an address that can be followed, is only its text.
    pub fn open_link(&mut self, address: &str) {
        let address = if self.in_link() { None } else { destination(address) };
        self.open.push(Open { what: address.map_or(What::Nothing, What::Link), at: None });
    }

    /// Closes the mark or link that was opened last.
    pub fn close(&mut self) {
        let Some(Open { what, at: Some(at) }) = self.open.pop() else { return };
        match what {
            What::Mark(mark) => {
                self.out.push_str(mark.marks());
                self.closed.push((at, mark));
            }
            What::Link(address) => {
                self.out.push_str("](");
                self.out.push_str(&address);
                self.out.push(')');
                self.closed.clear();
            }
            What::Nothing => {}
        }
    }

    /// Ends the line, when something visible follows. Marks that are closed in between stand before the end.
    pub fn line_break(&mut self) {
        self.blank = false;
        self.broken |= self.out.len() > self.line;
    }

    /// True when nothing visible has come.
    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// Bytes written so far.
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// The Markdown, in which a line break is two blanks and a line end.
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.out.truncate(self.out.trim_end().len());
        self.out
    }

    /// The Markdown in one line.
    pub(super) fn line(self) -> String {
        self.finish().replace("  \n", " ")
    }

    /// The Markdown as a cell of a table.
    pub(super) fn cell(self) -> String {
        let mut line = self.line();
        // What opens a block at the start of a line opens nothing in a cell.
        if line.starts_with('\\') && line[1..].starts_with(['#', '-', '+', '=', '>', ':', '{']) {
            line.remove(0);
        }
        if line.contains('|') { line.replace("\\|", "|").replace('|', "\\|") } else { line }
    }

    /// True when a span of code written now would touch another, and be one with it. The marks between the two may be taken
    /// out yet.
    fn ends_in_code(&self) -> bool {
        self.out.trim_end_matches(['*', '~']).ends_with('`')
    }

    fn in_link(&self) -> bool {
        self.open.iter().any(|open| matches!(open.what, What::Link(_)))
    }

    /// Writes a word; `rest` begins with it.
    fn word(&mut self, word: &str, rest: &str) {
        self.start(word.chars().next());
        let in_link = self.in_link();
        let in_mark = self.open.iter().any(|open| matches!(open.what, What::Mark(_)));
        let continued = self.line > 0;
        let mut plain = 0;
        for (at, c) in word.char_indices().filter(|(_, c)| c.is_ascii_punctuation()) {
            if at < plain {
                continue;
            }
            self.out.push_str(&word[plain..at]);
            if let Some(len) = references(&word[at..]).filter(|_| !self.ends_in_code()) {
                // A page that shows the name of a character shows code.
                self.out.push_str(&span(&word[at..at + len]));
                plain = at + len;
                continue;
            }
            plain = at + c.len_utf8();
            let line = &self.out[self.line..];
            let rest = &rest[at..];
            let flat = self.flat;
            let around = Around { line, rest, flat, continued, in_link, in_mark, opened: self.openers };
            match escape(c, around) {
                Some(escaped) => self.out.push_str(escaped),
                None => {
                    self.openers |= opener(c);
                    self.out.push(c);
                }
            }
        }
        self.out.push_str(&word[plain..]);
    }

    fn raw(&mut self, markdown: &str) {
        if !markdown.is_empty() {
            self.start(markdown.chars().next());
            self.out.push_str(markdown);
        }
    }

    /// Writes the white space and the marks that wait for something visible, of which `next` is the first character.
    fn start(&mut self, next: Option<char>) {
        let blank = std::mem::take(&mut self.blank) && self.out.len() > self.line;
        if std::mem::take(&mut self.broken) {
            self.out.push_str("  \n");
            self.line = self.out.len();
            self.closed.clear();
        } else if blank {
            self.out.push(' ');
            self.closed.clear();
        } else if !self.closed.is_empty() {
            self.settle_closed(next);
        }
        for index in 0..self.open.len() {
            if self.open[index].at.is_none() {
                self.write_opening(index, next);
            }
        }
    }

    /// Right after a closing mark: takes the marks out when they would not close before `next`.
    fn settle_closed(&mut self, next: Option<char>) {
        let marks: usize = self.closed.iter().map(|(_, mark)| mark.marks().len()).sum();
        let before = self.out[..self.out.len() - marks].chars().next_back();
        let closed = std::mem::take(&mut self.closed);
        // Between two signs a mark may open as well as close, and is taken for what is wrong where others are open.
        let around = self.open.iter().any(|open| matches!(open.what, What::Mark(_)));
        if !(may_be_mark(before) && (may_be_word(next) || around && may_be_mark(next))) {
            return;
        }
        self.out.truncate(self.out.len() - marks);
        // The inner ones, which stand further on, were closed first.
        for (at, mark) in &closed {
            let len = mark.marks().len();
            self.out.replace_range(*at..at + len, "");
            let mut added = no_image(&mut self.out, *at);
            if !self.flat {
                added += no_block(&mut self.out, *at);
            }
            // The mark may have been opened on an earlier line.
            if *at < self.line {
                self.line = self.line + added - len;
            }
        }
    }

    fn write_opening(&mut self, index: usize, next: Option<char>) {
        let before = self.out.chars().next_back();
        let length = self.out.len();
        let inner = self.open[..index].iter().any(|open| match &open.what {
            What::Mark(mark) => open.at.is_some_and(|at| at + mark.marks().len() == length),
            _ => false,
        });
        let next = self.open[index + 1..].iter().find_map(|open| open.what.first()).or(next);
        let around = !inner && self.open[..index].iter().any(|open| matches!(open.what, What::Mark(_)));
        let Some(open) = self.open.get_mut(index) else { return };
        match &open.what {
            What::Nothing => {}
            What::Link(_) => {
                self.out.push('[');
                no_image(&mut self.out, length);
            }
            What::Mark(mark) => {
                let marks = mark.marks();
                let closes =
                    before.is_some_and(|c| !c.is_whitespace()) && marks.starts_with(|c| self.openers & opener(c) != 0);
                let touches = !inner && matches!(before, Some('*' | '~'));
                if closes || touches || (may_be_mark(next) && (may_be_word(before) || around && may_be_mark(before))) {
                    open.what = What::Nothing;
                } else {
                    self.out.push_str(marks);
                }
            }
        }
        open.at = Some(length);
    }
}

/// Escapes an exclamation mark before a link that begins at `at`: it would make an image of it. Gives the number of bytes
/// that were added.
fn no_image(out: &mut String, at: usize) -> usize {
    let Some(before) = out[..at].strip_suffix('!').filter(|_| out[at..].starts_with('[')) else { return 0 };
    if before.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1 {
        return 0;
    }
    out.insert(at - 1, '\\');
    1
}

/// Escapes what stands at `at`, where marks stood before, if it may open a block there. Gives the number of bytes that were
/// added.
fn no_block(out: &mut String, at: usize) -> usize {
    let line = &out[at..];
    let signs = ['#', '>', '{', '+', '-', '=', '|', ':', '~', '/', '!', '?'];
    let bracket = line.starts_with('[') && !leads_on(line);
    if !(at == 0 || out[..at].ends_with('\n')) || !(bracket || line.starts_with(signs)) {
        return 0;
    }
    out.insert(at, '\\');
    1
}

/// True for a bracket that is closed as that of a link is, and not as that of a task or a definition.
fn leads_on(line: &str) -> bool {
    let mut characters = line.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '\\' => _ = characters.next(),
            ']' => {
                let task = matches!(&line[1..at], " " | "x" | "X");
                return !task && !matches!(line[at + 1..].chars().next(), None | Some(':'));
            }
            _ => {}
        }
    }
    false
}

/// Length of what goes from a reference at the start of `word` to the last one in it.
fn references(word: &str) -> Option<usize> {
    let mut end = reference(word)?;
    while let Some(next) = word[end..].find('&') {
        match reference(&word[end + next..]) {
            Some(len) => end += next + len,
            None => break,
        }
    }
    Some(end)
}

/// What is written as a blank.
pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200b}' | '\u{feff}' | '\0')
}

/// Not surely a letter, digit or white space. The rules for emphasis tell these apart by Unicode's classes, of which some
/// are left open here.
fn may_be_mark(c: Option<char>) -> bool {
    c.is_some_and(|c| !c.is_alphanumeric() && !c.is_whitespace())
}

fn may_be_word(c: Option<char>) -> bool {
    c.is_some_and(|c| !c.is_ascii_punctuation() && !c.is_whitespace())
}

/// An address as the destination of a link. `None` for none, and for scripts and pictures written into the address.
fn destination(address: &str) -> Option<String> {
    let address = address.trim();
    let scheme: String = address.chars().take(11).map(|c| c.to_ascii_lowercase()).collect();
    if address.is_empty() || scheme.starts_with("javascript:") || scheme.starts_with("data:") {
        return None;
    }
    let mut out = String::with_capacity(address.len());
    for c in address.chars() {
        match c {
            '\n' | '\r' | '\t' => {}
            ' ' => out.push_str("%20"),
            '(' => out.push_str("%28"),
            ')' => out.push_str("%29"),
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            '\\' => out.push_str("%5C"),
            '|' => out.push_str("%7C"),
            '`' => out.push_str("%60"),
            c if c.is_control() || c.is_whitespace() => {}
            c => out.push(c),
        }
    }
    Some(out)
}
