//! Headings of plain text that are beyond doubt.

use super::walk::columns;
use crate::lines::Lines;

/// A heading found.
pub(super) struct Heading {
    pub(super) level: u8,
    pub(super) title: String,
}

/// Lines a heading has at most: overline, title, underline.
pub(super) const MAX_LINES: usize = 3;

/// The heading that the lines `from` up to `to`, with blank lines around them, are.
pub(super) fn of_group(lines: &Lines<'_>, from: usize, to: usize, mixed_case: bool) -> Option<Heading> {
    let at = |n: usize| lines.trimmed(from + n);
    match to - from {
        1 => {
            let title = at(0);
            let level = numbered(title).or_else(|| (mixed_case && is_capitals(title)).then_some(2))?;
            Some(Heading { level, title: title.to_owned() })
        }
        2 => underlined(at(0), at(1)),
        3 if at(0) == at(2) => underlined(at(1), at(2)),
        _ => None,
    }
}

fn underlined(title: &str, line: &str) -> Option<Heading> {
    let level = match line.as_bytes().first()? {
        b'=' => 1,
        b'-' => 2,
        _ => return None,
    };
    let uniform = line.len() >= 3 && line.bytes().all(|byte| byte == line.as_bytes()[0]);
    let worded = title.len() <= 400 && title.chars().any(char::is_alphanumeric) && columns(title, 101) <= 100;
    // An underline much shorter than its line belongs to a table or to a sum.
    let fits = line.len() * 2 >= columns(title, 101);
    (uniform && worded && fits).then(|| Heading { level, title: title.to_owned() })
}

/// Widest line that can be a numbered heading.
const NUMBERED: usize = 80;

/// `Chapter IV`, `CHAPTER 1. Title`, `Part I`, `第3章`, `제2장 …`: the level of such a heading.
fn numbered(line: &str) -> Option<u8> {
    if line.len() > NUMBERED * 4 || columns(line, NUMBERED + 1) > NUMBERED {
        return None;
    }
    by_word(line).or_else(|| by_counter(line))
}

/// Words before a number that open a heading, in lower case, with the level. Large parts are above small ones in
/// whatever mixture a text has them.
const WORDS: &[(&str, u8)] = &[
    ("part", 1),
    ("book", 1),
    ("volume", 1),
    ("teil", 1),
    ("partie", 1),
    ("parte", 1),
    ("часть", 1),
    ("chapter", 2),
    ("appendix", 2),
    ("annex", 2),
    ("schedule", 2),
    ("act", 2),
    ("canto", 2),
    ("letter", 2),
    ("kapitel", 2),
    ("chapitre", 2),
    ("capítulo", 2),
    ("capitulo", 2),
    ("capitolo", 2),
    ("глава", 2),
    ("บทที่", 2),
    ("अध्याय", 2),
    ("section", 3),
    ("scene", 3),
    ("abschnitt", 3),
    ("sección", 3),
    ("sezione", 3),
    ("раздел", 3),
    ("article", 4),
    ("artikel", 4),
    ("artículo", 4),
    ("articolo", 4),
    ("статья", 4),
];

fn by_word(line: &str) -> Option<u8> {
    let (word, rest) = line.split_once([' ', '\t'])?;
    if word.chars().next().is_none_or(char::is_lowercase) {
        return None;
    }
    let lower = word.to_lowercase();
    let (_, level) = WORDS.iter().find(|(name, _)| *name == lower)?;
    let rest = rest.trim_start();
    let (number, title) = rest.split_once([' ', '\t']).unwrap_or((rest, ""));
    let bare = number.trim_end_matches(['.', ':', ')', '-', '—', '–']);
    if !is_number(bare) {
        return None;
    }
    let title = title.trim_start();
    let dashed = title.starts_with(['-', '—', '–', ':']);
    // `Part 2 of the report is late.` is a sentence.
    let title_like = title.chars().next().is_none_or(|c| !c.is_lowercase()) && !line.ends_with(['.', ',', ';', '!']);
    (title.is_empty() || bare.len() < number.len() || dashed || title_like).then_some(*level)
}

/// Digits with dots, Roman numerals, a capital letter, or a number word.
fn is_number(word: &str) -> bool {
    const NAMES: &[&str] = &[
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
    ];
    let dotted = word.chars().all(|c| c.is_numeric() || c == '.') && word.starts_with(char::is_numeric);
    let letter = word.len() == 1 && word.starts_with(|c: char| c.is_ascii_uppercase());
    dotted || letter || is_roman(word) || NAMES.iter().any(|name| name.eq_ignore_ascii_case(word))
}

/// Roman numerals; small letters up to 39 only, for the others make words.
fn is_roman(word: &str) -> bool {
    let all = |letters: &str| word.chars().all(|c| letters.contains(c));
    !word.is_empty() && word.len() <= 10 && (all("IVXLCDM") || all("ivx"))
}

/// `第` or `제`, a number and a counter, alone or with a title that is no sentence.
fn by_counter(line: &str) -> Option<u8> {
    let rest = line.strip_prefix(['第', '제'])?.trim_start();
    let counted = rest.trim_start_matches(|c: char| c.is_numeric() || "一二三四五六七八九十百千零〇两兩".contains(c));
    if counted.len() == rest.len() {
        return None;
    }
    let counted = counted.trim_start();
    let counter = counted.chars().next()?;
    let level = match counter {
        '部' | '卷' | '编' | '編' | '篇' | '부' | '편' => 1,
        '章' | '回' | '话' | '話' | '장' | '과' => 2,
        '节' | '節' | '절' | '관' => 3,
        '条' | '條' | '款' | '조' => 4,
        _ => return None,
    };
    let title = &counted[counter.len_utf8()..];
    let sentence = title.ends_with(['。', '，', '；', '、', '.', ',', '!', '！', '？', '?']);
    let apart = title.chars().next().is_none_or(|c| !c.is_alphabetic() || c == '分') || is_joined(counter, title);
    (!sentence && apart && columns(line, 61) <= 60).then_some(level)
}

/// Chinese titles may follow the counter at once (`第一章绪论`); after a particle it is a sentence.
fn is_joined(counter: char, title: &str) -> bool {
    "章节節编編篇".contains(counter)
        && !title.starts_with(['的', '中', '里', '裡', '是', '为', '為', '和', '与', '與'])
        && !title.chars().any(|c| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{ac00}'..='\u{d7a3}'))
}

/// Widest line in capitals that can be a heading.
const CAPITALS: usize = 60;

/// A short line in capitals that begins with a letter or digit and is no Roman number.
fn is_capitals(line: &str) -> bool {
    let letters = line.chars().filter(|c| c.is_uppercase()).count();
    letters >= 4
        && columns(line, CAPITALS + 1) <= CAPITALS
        && line.starts_with(char::is_alphanumeric)
        && !line.chars().any(char::is_lowercase)
        && !line.ends_with(['.', ',', ';', '!', ':', '"', '”'])
        && !line.contains("  ")
        && !line.contains(['\t', '|', '=', '@'])
        && !is_roman(line)
}

/// Bytes of the text that are enough to know whether it is in capitals.
const SAMPLE: usize = 1 << 20;

/// True when small letters are more than capitals.
pub(super) fn is_mixed_case(text: &str) -> bool {
    let sample = &text[..text.floor_char_boundary(SAMPLE)];
    let (mut small, mut capital) = (0usize, 0usize);
    for c in sample.chars() {
        small += usize::from(c.is_lowercase());
        capital += usize::from(c.is_uppercase());
    }
    small > capital
}
