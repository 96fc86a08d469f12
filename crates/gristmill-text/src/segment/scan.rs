//! One pass over a paragraph: from one sign that may matter to the next.

use super::chars::{char_at, char_before, skip_white};
use super::lang;
use super::marker::{Marker, is_bullet};
use super::next::{Kind, Next};
use super::opaque;
use super::quote::Span;
use super::stop::Stop;
use super::tail::Tail;
use super::thai;

/// What a byte can begin.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lead {
    /// Nothing that matters.
    Plain,
    /// An ASCII sign that matters.
    Sign,
    /// A longer character that may matter.
    Long,
}

static LEADS: [Lead; 256] = leads();

const fn leads() -> [Lead; 256] {
    let mut leads = [Lead::Plain; 256];
    let signs = b".!?\n\"'([)]`<$:;";
    let mut i = 0;
    while i < signs.len() {
        leads[signs[i] as usize] = Lead::Sign;
        i += 1;
    }
    let long = [0xc2, 0xd6, 0xd8, 0xdb, 0xe0, 0xe1, 0xe2, 0xe3, 0xef];
    i = 0;
    while i < long.len() {
        leads[long[i]] = Lead::Long;
        i += 1;
    }
    leads
}

/// Whether a character that begins with these bytes may matter: the bytes after the first rule out most letters.
fn may_matter(first: u8, rest: &[u8]) -> bool {
    let (second, third) = (rest.first().copied().unwrap_or(0), rest.get(1).copied().unwrap_or(0));
    match first {
        0xc2 => matches!(second, 0xab | 0xbb),
        0xd6 => second == 0x89,
        0xd8 => second == 0x9f,
        0xdb => second == 0x94,
        0xe0 => second == 0xa5 && matches!(third, 0xa4 | 0xa5) || matches!(second, 0xb8 | 0xb9),
        0xe1 => matches!(second, 0x81 | 0x8d | 0x9f),
        0xe2 => matches!(second, 0x80 | 0x81 | 0x97),
        0xe3 => second == 0x80 && third >= 0x82,
        0xef => matches!(second, 0xbc | 0xbd),
        _ => false,
    }
}

/// Finds the sentence starts after the first.
pub(super) struct Scanner<'t> {
    text: &'t str,
    pos: usize,
    sentence: usize,
    /// The last list mark at the start of a sentence.
    list: Option<Marker>,
    /// That mark stands in the same line as the one before it.
    inline: bool,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let mut scanner = Self { text, pos: 0, sentence: 0, list: None, inline: false };
        scanner.begin(skip_white(text, 0));
        scanner
    }

    /// The next place that may matter.
    fn candidate(&self) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let mut at = self.pos;
        loop {
            at += bytes.get(at..)?.iter().position(|&b| LEADS[usize::from(b)] != Lead::Plain)?;
            let first = *bytes.get(at)?;
            if first < 0x80 || may_matter(first, bytes.get(at + 1..)?) {
                return Some(at);
            }
            at += if first < 0xe0 { 2 } else { 3 };
        }
    }

    /// Deals with the sign at `at` and moves past it. Gives the start of the next sentence if one ends here.
    fn visit(&mut self, at: usize) -> Option<usize> {
        let c = char_at(self.text, at)?;
        self.pos = at + c.len_utf8();
        match c {
            '\n' => self.line(at),
            '`' => self.skip(opaque::code_end(self.text, at), at, '`'),
            '<' => self.skip(opaque::tag_end(self.text, at), at, c),
            '$' => self.skip(opaque::math_end(self.text, at), at, c),
            ']' => self.skip(opaque::destination_end(self.text, self.pos), self.pos, c),
            ')' => self.list_item(at),
            ':' | ';' => self.foreign_mark(at, c),
            '.' => self.list_item(at).or_else(|| self.stop(at, None)),
            _ if super::chars::is_terminator(c) => self.stop(at, None),
            _ if is_bullet(c) => self.bullet(at),
            _ if super::chars::is_thai(c) => self.thai(at),
            _ => self.span(at, c),
        }
    }

    /// Skips a span in which nothing matters. Unclosed runs of one sign are skipped whole.
    fn skip(&mut self, end: Option<usize>, at: usize, sign: char) -> Option<usize> {
        let run = || self.text.get(at..).unwrap_or("").bytes().take_while(|&b| b == sign as u8).count();
        self.pos = end.unwrap_or_else(|| if sign == '`' { at + run() } else { self.pos });
        None
    }

    /// Marks that may end a sentence. A sign at `close` is known to close.
    fn stop(&mut self, at: usize, close: Option<usize>) -> Option<usize> {
        let tail = Tail::read(self.text, at, close);
        self.pos = self.pos.max(tail.end);
        if tail.end <= at {
            return None;
        }
        let next_at = skip_white(self.text, tail.end);
        let stop = Stop { text: self.text, sentence: self.sentence, at, tail, next_at };
        (next_at < self.text.len() && stop.ends()).then_some(next_at)
    }

    /// A quotation or bracket: only its end matters.
    fn span(&mut self, at: usize, c: char) -> Option<usize> {
        let span = Span::open(self.text, at, c)?;
        self.pos = span.close + span.closer.len_utf8();
        if let Some(marks) = span.final_marks(self.text) {
            let close = Some(span.close);
            let reached = Tail::read(self.text, marks, close).end >= self.pos;
            return if reached { self.stop(marks, close) } else { None };
        }
        if c == '[' {
            self.pos = opaque::destination_end(self.text, self.pos).unwrap_or(self.pos);
        }
        let next_at = skip_white(self.text, self.pos);
        let next = Next::read(self.text, next_at);
        let broken = span.breaks_off(self.text) && next_at > self.pos;
        (broken && next.kind == Kind::Upper && lang::is_starter(next.word)).then_some(next_at)
    }

    /// A line end: a blank line ends the sentence, and so does a list item in the next line.
    fn line(&mut self, at: usize) -> Option<usize> {
        let next = skip_white(self.text, at);
        if next >= self.text.len() {
            self.pos = next;
            return None;
        }
        if opaque::has_blank_line(self.text.get(at..next)?) {
            self.list = None;
            return Some(next);
        }
        let item = self.opens_item(next);
        let after_list = self.inline && Next::read(self.text, next).kind == Kind::Upper;
        if after_list && !item {
            self.list = None;
        }
        (item || after_list).then_some(next)
    }

    /// Whether a list item begins at the start of a line at `at`.
    fn opens_item(&self, at: usize) -> bool {
        let bytes = self.text.as_bytes();
        if matches!((bytes.get(at), bytes.get(at + 1)), (Some(b'-' | b'*' | b'+'), Some(b' '))) {
            return true;
        }
        if char_at(self.text, at).is_some_and(|c| is_bullet(c) || matches!(c, '①'..='⑳')) {
            return true;
        }
        Marker::at(self.text, at)
            .is_some_and(|marker| marker.opens_line() || self.list.is_some_and(|before| marker.follows(&before)))
    }

    /// The next item of a list inside the line.
    fn list_item(&mut self, at: usize) -> Option<usize> {
        let before = self.list?;
        let (start, marker) = Marker::ending_at(self.text, at)?;
        let next = start > self.sentence && marker.follows(&before) && !marker.is_in_phrase(self.text, start);
        next.then_some(start)
    }

    /// A bullet inside the line begins an item if the sentence began with one, or if a label follows.
    fn bullet(&mut self, at: usize) -> Option<usize> {
        let known = char_at(self.text, at) == char_at(self.text, self.sentence) || Marker::at(self.text, at).is_some();
        let spaced = char_before(self.text, at).is_some_and(char::is_whitespace);
        (known && at > self.sentence && spaced).then_some(at)
    }

    /// The Armenian full stop typed as a colon, the Greek question mark typed as a semicolon.
    fn foreign_mark(&mut self, at: usize, c: char) -> Option<usize> {
        let before = char_before(self.text, at)?;
        let script = match c {
            ':' => matches!(before, '\u{531}'..='\u{587}'),
            _ => matches!(before, '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}'),
        };
        let next = skip_white(self.text, at + 1);
        let opens = matches!(Next::read(self.text, next).kind, Kind::Upper | Kind::Digit | Kind::Opening);
        (script && next > at + 1 && opens).then_some(next)
    }

    fn thai(&mut self, at: usize) -> Option<usize> {
        self.pos = thai::run_end(self.text, at).max(self.pos);
        thai::sentence_after(self.text, self.sentence, at, self.pos)
    }

    /// Begins a sentence at `at`.
    fn begin(&mut self, at: usize) {
        let marker = Marker::at(self.text, at);
        if let Some(marker) = marker {
            let line = self.text.get(self.sentence..at).unwrap_or("");
            self.inline = self.list.is_some_and(|before| marker.follows(&before)) && !line.contains('\n');
            self.list = Some(marker);
        } else {
            self.inline = false;
        }
        self.sentence = at;
        self.pos = at;
    }
}

impl Iterator for Scanner<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        loop {
            let at = self.candidate()?;
            if let Some(start) = self.visit(at) {
                self.begin(start);
                return Some(start);
            }
        }
    }
}
