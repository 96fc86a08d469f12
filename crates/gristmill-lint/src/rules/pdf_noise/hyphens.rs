//! Words that were broken at the end of a line.
//!
//! Whether the hyphen belongs to the word cannot be known from the break alone. The rest of the source tells: it has the word
//! in one piece, or with its hyphen, or has both halves as words of their own. Where it does not, the usual first and second
//! halves of compounds keep their hyphen, and all others are words that a typesetter broke.

use gristmill_core::Span;
use rustc_hash::FxHashMap;

use super::{Kind, Noise, shown};
use crate::{LineKind, View};

/// A hyphen at the end of a line, and the word goes on in the next one.
pub struct Break {
    /// From the hyphen to the rest of the word.
    span: Span,
    /// As it is written.
    hyphen: char,
    left: String,
    right: String,
    /// Another hyphen stands at the far end of one of the halves: `state-of-` `the-art`.
    chained: bool,
    /// The first half goes on where the second begins with a capital: `Jean-` `Paul`.
    named: bool,
}

impl Break {
    /// Where the next line begins.
    pub fn end(&self) -> usize {
        self.span.end as usize
    }

    /// How it is written in one line.
    pub fn mend(&self, known: &Known) -> Noise {
        let text = match self.hyphen {
            '\u{ad}' | '¬' => String::new(),
            hyphen if !self.chained && CONJUNCTIONS.contains(&self.right.as_str()) => format!("{hyphen} "),
            hyphen if self.keeps_hyphen(known) => hyphen.to_string(),
            _ => String::new(),
        };
        Noise { span: self.span, text, kind: Kind::Hyphen }
    }

    fn keeps_hyphen(&self, known: &Known) -> bool {
        let count = |word: &str| known.0.get(word).copied().unwrap_or(0);
        let (left, right) = (self.left.as_str(), self.right.as_str());
        let joined = count(&format!("{left}{right}"));
        let hyphened = count(&format!("{left}-{right}"));
        if self.chained || hyphened > joined {
            return true;
        }
        if joined > 0 || ENDINGS.contains(&right) || CLOSED.contains(&(left, right)) {
            return false;
        }
        self.named || FIRST.contains(&left) || SECOND.contains(&right) || count(left) > 0 && count(right) > 0
    }
}

/// How often words stand elsewhere in the source that tell how a broken word is written.
pub struct Known(FxHashMap<String, u32>);

impl Known {
    pub fn of(view: &View<'_>, breaks: &[Vec<Break>]) -> Self {
        let mut wanted: FxHashMap<String, u32> = FxHashMap::default();
        for one in breaks.iter().flatten() {
            let (left, right) = (&one.left, &one.right);
            for word in [left.clone(), right.clone(), format!("{left}{right}"), format!("{left}-{right}")] {
                wanted.insert(word, 0);
            }
        }
        if wanted.is_empty() {
            return Self(wanted);
        }
        for (at, breaks) in breaks.iter().enumerate() {
            let text = &view.pieces[at].text[shown(view, at)];
            let offset = shown(view, at).start;
            for word in text.split(|c: char| !c.is_alphabetic() && c != '-') {
                let start = offset + (word.as_ptr() as usize - text.as_ptr() as usize);
                let end = start + word.len();
                // A half is no word of its own.
                let next = breaks.partition_point(|one| one.end() < start);
                let half = breaks
                    .get(next)
                    .is_some_and(|one| one.end() == start || (start..end).contains(&(one.span.start as usize)));
                if !half && let Some(count) = wanted.get_mut(&word.to_lowercase()) {
                    *count += 1;
                }
            }
        }
        Self(wanted)
    }
}

/// The breaks in the running text of each piece.
pub fn breaks(view: &View<'_>) -> Vec<Vec<Break>> {
    (0..view.pieces.len()).map(|at| breaks_of(view, at)).collect()
}

fn breaks_of(view: &View<'_>, at: usize) -> Vec<Break> {
    let (text, lines) = (&view.pieces[at].text, &view.shapes[at].lines);
    let inside = shown(view, at);
    let mut found = Vec::new();
    let mut before: Option<Span> = None;
    for line in lines.iter().filter(|line| line.kind != LineKind::Blank) {
        let last = before.take();
        if line.kind != LineKind::Prose
            || (line.span.start as usize) < inside.start
            || line.span.end as usize > inside.end
        {
            continue;
        }
        before = Some(line.span);
        if let Some(last) = last {
            found.extend(between(text, last, line.span));
        }
    }
    found
}

fn between(text: &str, above: Span, below: Span) -> Option<Break> {
    let first = text[above.range()].trim_end();
    let hyphen = first.chars().next_back().filter(|c| matches!(c, '-' | '\u{2010}' | '\u{ad}' | '¬'))?;
    let first = &first[..first.len() - hyphen.len_utf8()];
    let half = trailing_letters(first);
    let outer = first[..first.len() - half.len()].chars().next_back().unwrap_or(' ');
    let second = text[below.range()].trim_start();
    let rest = &second[..second.find(|c: char| !c.is_alphabetic()).unwrap_or(second.len())];
    let token = first.rsplit(char::is_whitespace).next().unwrap_or_default();
    let is_address = token.contains("//") || token.starts_with("www.") || token.contains('@');
    let soft = matches!(hyphen, '\u{ad}' | '¬');
    let least = if soft { 1 } else { 2 };
    let halves = half.chars().count() >= 1 && rest.chars().count() >= least;
    if !halves || is_address || matches!(outer, '/' | '_' | '\\' | '.' | '$' | '=' | '`') || outer.is_numeric() {
        return None;
    }
    let capital = |word: &str| word.starts_with(char::is_uppercase);
    let shouted = |word: &str| word.chars().count() > 1 && !word.chars().any(char::is_lowercase);
    let gap = text[above.end as usize..below.start as usize].matches('\n').count() > 1;
    if gap && !rest.starts_with(char::is_lowercase) {
        return None;
    }
    let named = capital(rest) && !(shouted(half) && shouted(rest)) || half.chars().count() == 1;
    let start = above.start as usize + first.len();
    let chained = is_hyphen(outer) || second[rest.len()..].starts_with(is_hyphen);
    let right = rest.to_lowercase();
    let end = below.start as usize + text[below.range()].len() - text[below.range()].trim_start().len();
    Some(Break {
        span: Span::new(start, end),
        hyphen,
        left: half.to_lowercase(),
        right,
        chained,
        named: named && !soft,
    })
}

fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}')
}

fn trailing_letters(text: &str) -> &str {
    let end = text.char_indices().rev().find(|(_, c)| !c.is_alphabetic()).map_or(0, |(at, c)| at + c.len_utf8());
    &text[end..]
}

/// After a hyphen that stands for the rest of a word: `pre- and post-war`, `Haus- und Gartenarbeit`.
const CONJUNCTIONS: [&str; 19] = [
    "and",
    "or",
    "to",
    "versus",
    "but",
    "und",
    "oder",
    "bis",
    "sowie",
    "bzw",
    "beziehungsweise",
    "et",
    "ou",
    "y",
    "e",
    "o",
    "en",
    "of",
    "och",
];

/// Halves that are no words, only ends of them.
const ENDINGS: [&str; 62] = [
    "ment", "ments", "tion", "tions", "sion", "sions", "ation", "ations", "cation", "zation", "ization", "ing", "ings",
    "ed", "er", "ers", "ly", "ally", "ity", "ities", "bility", "ness", "ful", "ous", "ious", "ive", "tive", "tives",
    "able", "ible", "ance", "ence", "ences", "ency", "ancy", "tic", "tical", "cal", "cally", "ture", "tures", "ized",
    "izing", "ises", "ure", "ular", "ular", "ist", "ists", "ism", "lich", "liche", "lichen", "keit", "heit", "ung",
    "ungen", "schaft", "ción", "ciones", "tés", "ciência",
];

/// Words that are written in one piece although both halves are words.
const CLOSED: [(&str, &str); 24] = [
    ("with", "out"),
    ("with", "in"),
    ("through", "out"),
    ("in", "to"),
    ("on", "to"),
    ("can", "not"),
    ("how", "ever"),
    ("there", "fore"),
    ("where", "as"),
    ("some", "times"),
    ("some", "thing"),
    ("some", "what"),
    ("any", "thing"),
    ("every", "thing"),
    ("how", "ever"),
    ("more", "over"),
    ("further", "more"),
    ("other", "wise"),
    ("never", "theless"),
    ("under", "stand"),
    ("under", "standing"),
    ("over", "view"),
    ("out", "put"),
    ("in", "put"),
];

/// Words that are first halves of compounds with a hyphen more often than beginnings of a broken word.
const FIRST: [&str; 51] = [
    "well", "self", "high", "low", "long", "short", "half", "cross", "part", "full", "time", "real", "open", "user",
    "data", "state", "year", "large", "small", "single", "double", "two", "three", "four", "five", "six", "ten",
    "first", "second", "third", "best", "better", "hard", "soft", "light", "deep", "wide", "end", "point", "step",
    "word", "non", "ex", "post", "pre", "anti", "multi", "semi", "quasi", "all", "mixed",
];

/// Words that are second halves of such compounds more often than ends of a broken word.
const SECOND: [&str; 40] = [
    "based",
    "driven",
    "free",
    "friendly",
    "like",
    "made",
    "making",
    "oriented",
    "related",
    "specific",
    "style",
    "term",
    "time",
    "level",
    "wide",
    "year",
    "old",
    "known",
    "called",
    "effective",
    "quality",
    "scale",
    "source",
    "consuming",
    "up",
    "off",
    "down",
    "party",
    "person",
    "class",
    "order",
    "size",
    "sized",
    "in",
    "out",
    "by",
    "end",
    "of",
    "the",
    "aware",
];
