//! The changes that make text of one kind: LF line ends, no byte order mark, no control characters. Those that divide
//! text (form feed, vertical tab, information separators) become white space, the others go.

use gristmill_core::{Diagnostic, Edit, EditKind, Severity, Span};

use super::line_at;

/// What is to be changed in a decoded source.
pub(super) struct Cleaning {
    /// Sorted by place.
    pub(super) edits: Vec<Edit>,
    /// The control characters among them.
    pub(super) controls: Option<Controls>,
}

/// Control characters found that are no white space; an escape sequence counts as one.
pub(super) struct Controls {
    count: u64,
    first: usize,
}

impl Controls {
    pub(super) fn diagnostic(&self, source: &str, text: &str) -> Diagnostic {
        let message = format!("control characters removed: {}", self.count);
        Diagnostic::new("control-characters", Severity::Low, source, message).at_line(line_at(text, self.first))
    }
}

/// Looks at every byte once; `first` says that a byte order mark may stand at the start.
pub(super) fn edits(source: &str, first: bool) -> Cleaning {
    let mut cleaning = Cleaning { edits: Vec::new(), controls: None };
    let bytes = source.as_bytes();
    let mut at = 0;
    while let Some(next) = next_suspect(&bytes[at..]) {
        at += next;
        at = match bytes[at] {
            b'\r' => cleaning.line_end(at, bytes.get(at + 1) == Some(&b'\n')),
            _ => cleaning.character(source, at, first),
        };
    }
    cleaning
}

/// Where something to look at closer begins. Blocks are looked at as a whole, which compilers do many bytes at once.
fn next_suspect(bytes: &[u8]) -> Option<usize> {
    let (blocks, rest) = bytes.as_chunks::<64>();
    let clean =
        blocks.iter().take_while(|block| !block.iter().fold(false, |any, &byte| any | is_suspect(byte))).count();
    let looked_at = clean * 64;
    let within = if clean < blocks.len() { &blocks[clean] } else { rest };
    within.iter().position(|&byte| is_suspect(byte)).map(|at| looked_at + at)
}

/// 0xC2 begins C1 controls, 0xEF the marks U+FEFF and U+FFFE and more, 0xF0 to 0xF4 end in U+xFFFE.
fn is_suspect(byte: u8) -> bool {
    (byte < 0x20) & (byte != b'\t') & (byte != b'\n') | (byte == 0x7f) | (byte == 0xc2) | (byte >= 0xef)
}

impl Cleaning {
    fn line_end(&mut self, at: usize, with_lf: bool) -> usize {
        let with = if with_lf { String::new() } else { "\n".to_owned() };
        self.edits.push(Edit { kind: EditKind::LineEnd, at: Span::new(at, at + 1), with });
        at + 1
    }

    fn character(&mut self, source: &str, at: usize, first: bool) -> usize {
        let Some(character) = source[at..].chars().next() else { return source.len() };
        let end = at + character.len_utf8();
        if at == 0 && first && character == '\u{feff}' {
            self.edits.push(Edit { kind: EditKind::ByteOrderMark, at: Span::new(at, end), with: String::new() });
            return end;
        }
        if !is_control(character) {
            return end;
        }
        let run = Run::at(source, at);
        if run.odd > 0 {
            self.controls.get_or_insert(Controls { count: 0, first: at }).count += run.odd;
        }
        let with = run.with(source, at).to_owned();
        self.edits.push(Edit { kind: EditKind::Control, at: Span::new(at, run.end), with });
        run.end
    }
}

/// Control characters side by side: one change.
struct Run {
    end: usize,
    /// Those that are no white space; an escape sequence counts as one.
    odd: u64,
    /// A form feed or vertical tab is among them.
    breaks: bool,
    /// An information separator (U+001C to U+001F) is among them.
    separates: bool,
}

impl Run {
    fn at(source: &str, at: usize) -> Self {
        let mut run = Self { end: at, odd: 0, breaks: false, separates: false };
        while let Some(character) = source[run.end..].chars().next().filter(|&c| is_control(c)) {
            run.breaks |= matches!(character, '\u{b}' | '\u{c}');
            run.separates |= matches!(character, '\u{1c}'..='\u{1f}');
            run.odd += u64::from(!matches!(character, '\u{b}' | '\u{c}'));
            run.end += match character {
                '\u{1b}' => escape_len(&source.as_bytes()[run.end..]),
                _ => character.len_utf8(),
            };
        }
        run
    }

    /// What stands for the run, so that it joins no words. A page or line break is a line end, beside one line end it
    /// makes a blank line, between two there is one already. A separator is a blank.
    fn with(&self, source: &str, at: usize) -> &'static str {
        let before = source[..at].chars().next_back().filter(|&c| c != '\u{feff}');
        let (Some(before), Some(after)) = (before, source[self.end..].chars().next()) else { return "" };
        let ends_line = |c: char| matches!(c, '\n' | '\r');
        match () {
            () if self.breaks && !(ends_line(before) && ends_line(after)) => "\n",
            () if self.separates && !before.is_whitespace() && !after.is_whitespace() => " ",
            () => "",
        }
    }
}

/// Control characters other than tab, line ends and U+0085, byte order marks inside the text, and noncharacters.
fn is_control(character: char) -> bool {
    match character {
        '\t' | '\n' | '\r' | '\u{85}' => false,
        '\u{feff}' | '\u{fdd0}'..='\u{fdef}' => true,
        _ => character.is_control() || u32::from(character) & 0xfffe == 0xfffe,
    }
}

/// The length of the escape sequence at the start (ECMA-48 control sequence), or of the lone escape character.
fn escape_len(bytes: &[u8]) -> usize {
    if bytes.get(1) != Some(&b'[') {
        return 1;
    }
    let inner = bytes[2..].iter().take_while(|byte| (0x30..=0x3f).contains(*byte)).count();
    match bytes.get(2 + inner) {
        Some(0x40..=0x7e) => inner + 3,
        _ => 1,
    }
}
