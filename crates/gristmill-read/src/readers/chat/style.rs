//! The ways in which conversations are written down.

use std::collections::BTreeMap;

use super::{name, stamp};
use crate::lines::Lines;

/// How the turns of a text begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// `<nick> text`, perhaps after a time.
    Angle,
    /// `[Name] [10:15] text`.
    Bracket,
    /// `12:34 - Name: text`, and `12:34<tab>Name<tab>text`.
    Stamped,
    /// `**Name:** text`.
    Bold,
    /// `Name  10:15 AM` on a line of its own before the text.
    Header,
    /// `Name: text`.
    Named,
}

/// All of them, the most special first.
pub(super) const STYLES: &[Style] =
    &[Style::Angle, Style::Bracket, Style::Stamped, Style::Bold, Style::Header, Style::Named];

/// What begins at a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begin<'t> {
    /// A turn of this speaker.
    Turn(&'t str),
    /// Something that happened: somebody came, went or did something.
    Event,
}

impl Style {
    /// What begins at line `at`; `None` for lines that go on.
    pub(super) fn begin<'t>(self, lines: &Lines<'t>, at: usize) -> Option<Begin<'t>> {
        let line = lines.get(at);
        if lines.is_blank(at) || (lines.indent(at) > 0 && self != Self::Named) {
            return None;
        }
        match self {
            Self::Angle => angle(line),
            Self::Bracket => bracket(line),
            Self::Stamped => stamped(line),
            Self::Bold => bold(line),
            Self::Header => header(line),
            Self::Named if lines.indent(at) > 3 => None,
            Self::Named => named(line),
        }
    }
}

fn angle(line: &str) -> Option<Begin<'_>> {
    let rest = stamp::after(line);
    let said = rest.unwrap_or(line);
    if let Some(inner) = said.strip_prefix('<') {
        let nick = &inner[..inner.find('>').filter(|end| (1..=64).contains(end))?];
        return (!nick.contains(['<', '/', '='])).then_some(Begin::Turn(nick.trim_start_matches(['@', '+', ' '])));
    }
    let marked = ["===", "***", "-!-", "* ", "-->", "<--", "--"].iter().any(|mark| said.starts_with(mark));
    // A time without a nick is an event, too.
    (marked || rest.is_some_and(|rest| !rest.is_empty())).then_some(Begin::Event)
}

fn bracket(line: &str) -> Option<Begin<'_>> {
    let (name, rest) = line.strip_prefix('[')?.split_once("] [")?;
    let (time, _) = rest.split_once(']')?;
    (name::is_name(name) && stamp::is_stamp(time)).then_some(Begin::Turn(name))
}

fn stamped(line: &str) -> Option<Begin<'_>> {
    let rest = stamp::after(line)?;
    let tabbed = || rest.split_once('\t').map(|(name, _)| name).filter(|name| name::is_name(name));
    let speaker = name::before_colon(rest).or_else(tabbed);
    speaker.map(Begin::Turn).or((!rest.is_empty()).then_some(Begin::Event))
}

fn bold(line: &str) -> Option<Begin<'_>> {
    let (inner, rest) = line.strip_prefix("**")?.split_once("**")?;
    let name = match inner.strip_suffix([':', '：']) {
        Some(name) => name,
        None => rest.starts_with([':', '：']).then_some(inner)?,
    };
    name::is_name(name.trim_end()).then_some(Begin::Turn(name.trim_end()))
}

fn header(line: &str) -> Option<Begin<'_>> {
    let line = line.trim_end();
    // The time begins after the last letter of the name: try each place where a word begins.
    let starts = line
        .char_indices()
        .filter(|&(at, c)| at > 0 && !c.is_whitespace() && line[..at].ends_with(char::is_whitespace));
    for (at, _) in starts.take(6) {
        let time = line[at..].trim_start_matches(['—', '–', '-', ' ']);
        let bare = time.strip_prefix(['[', '(']).and_then(|t| t.strip_suffix([']', ')'])).unwrap_or(time);
        let name = line[..at].trim_end().trim_end_matches(['—', '–', '-']).trim_end();
        let name = name.strip_suffix("APP").map_or(name, str::trim_end);
        if stamp::is_stamp(bare) && name::is_name(name) && !name.starts_with(|c: char| c.is_ascii_digit()) {
            return Some(Begin::Turn(name));
        }
    }
    None
}

fn named(line: &str) -> Option<Begin<'_>> {
    let line = line.trim_start();
    let name = name::before_colon(line)?;
    (name::is_capital(name) && !crate::readers::faq::is_label(name)).then_some(Begin::Turn(name))
}

/// What speaks for a text being a conversation in one style.
#[derive(Debug, Default)]
pub(super) struct Evidence<'t> {
    header: bool,
    named: bool,
    /// Lines that are not blank, and those of them that begin something.
    lines: usize,
    begun: usize,
    /// Groups of lines between blank lines, and those whose first line begins something.
    groups: usize,
    groups_begun: usize,
    speakers: Vec<&'t str>,
    /// Turns that end like a sentence.
    sentences: usize,
}

impl<'t> Evidence<'t> {
    pub(super) fn of(lines: &Lines<'t>, style: Style) -> Self {
        let mut found = Self { header: style == Style::Header, named: style == Style::Named, ..Self::default() };
        let mut last = None;
        for at in (0..lines.len()).filter(|&at| !lines.is_blank(at)) {
            let opens_group = at == 0 || lines.is_blank(at - 1);
            let begin = style.begin(lines, at);
            found.lines += 1;
            found.groups += usize::from(opens_group);
            if let Some(begin) = begin {
                found.begun += 1;
                found.groups_begun += usize::from(opens_group);
                found.sentences += usize::from(last.is_some_and(|line| is_sentence_end(lines.get(line))));
                if let Begin::Turn(name) = begin {
                    found.speakers.push(name);
                }
            }
            last = Some(at);
        }
        found.sentences += usize::from(last.is_some_and(|line| is_sentence_end(lines.get(line))));
        found
    }

    pub(super) fn is_conversation(&self) -> bool {
        let mut turns: BTreeMap<&str, usize> = BTreeMap::new();
        for speaker in &self.speakers {
            *turns.entry(speaker).or_default() += 1;
        }
        let repeated = turns.values().filter(|turns| **turns > 1).count();
        let most = if self.header {
            self.begun * 6 >= self.lines
        } else {
            self.begun * 10 >= self.lines * 6 || self.groups_begun * 10 >= self.groups * 6
        };
        // Records of `Key: value` lines look alike, but do not speak in sentences.
        let spoken = !self.named || (self.sentences * 2 >= self.begun && turns.len() * 2 <= self.speakers.len());
        self.speakers.len() >= 4 && repeated >= 2 && most && spoken
    }
}

fn is_sentence_end(line: &str) -> bool {
    let line = line.trim_end().trim_end_matches(['"', '”', '’', ')', ']', '」', '*']);
    line.ends_with(['.', '?', '!', '…', '。', '？', '！', '।', '؟'])
}
