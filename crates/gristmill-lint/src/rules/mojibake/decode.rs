//! Finds characters that are the bytes of UTF-8, each shown as a character of Windows-1252 or Latin-1.
//!
//! Valid bytes alone prove little: the French `é…”` is a Chinese character, the Portuguese `Ã»` a `û`. What a sequence gives
//! and what stands around it decide whether it is sure. Where one is sure, the doubtful ones of the same text are taken, too.

use gristmill_core::Span;

/// True when a text can hold such a sequence: cheap, and nearly always false.
pub fn may_hold(text: &str) -> bool {
    // The characters U+00C2 to U+00F4 are this byte and another one.
    memchr::memchr_iter(0xc3, text.as_bytes()).any(|at| {
        let mut chars = text[at..].chars().map(byte);
        let lead = chars.next().flatten().is_some_and(|byte| (0xc2..=0xf4).contains(&byte));
        lead && chars.next().flatten().is_some_and(|next| next < 0xc0)
    })
}

/// The places of wrongly decoded text and what they should say; empty when none is sure. Neighbours are one place.
pub fn wrong(text: &str) -> Vec<(Span, String)> {
    let found = sequences(text);
    let mut any = false;
    for (at, sequence) in found.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| found.get(before)).is_some_and(|b| b.end == sequence.start);
        let after = found.get(at + 1).is_some_and(|a| a.start == sequence.end);
        any |= sequence.is_sure(text, before || after);
    }
    let mut places: Vec<(Span, String)> = Vec::new();
    for sequence in found.iter().filter(|_| any) {
        match places.last_mut().filter(|(span, _)| span.end as usize == sequence.start) {
            Some((span, right)) => {
                *span = Span::new(span.start as usize, sequence.end);
                right.push(sequence.right);
            }
            None => places.push((Span::new(sequence.start, sequence.end), sequence.right.to_string())),
        }
    }
    places
}

struct Sequence {
    start: usize,
    end: usize,
    /// The characters as they stand there.
    lead: u8,
    second: char,
    /// The character that their bytes are.
    right: char,
}

fn sequences(text: &str) -> Vec<Sequence> {
    let mut found = Vec::new();
    let mut chars = text.char_indices();
    while let Some((start, c)) = chars.next() {
        let Some(lead) = byte(c).filter(|byte| (0xc2..=0xf4).contains(byte)) else { continue };
        let count = match lead {
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            _ => 4,
        };
        let mut bytes = vec![lead];
        let mut ahead = chars.clone();
        let mut second = None;
        while bytes.len() < count {
            let Some((_, c)) = ahead.next() else { break };
            let Some(byte) = byte(c).filter(|byte| *byte < 0xc0) else { break };
            second = second.or(Some(c));
            bytes.push(byte);
        }
        let right = std::str::from_utf8(&bytes).ok().and_then(|right| right.chars().next());
        if let (Some(second), Some(right)) = (second, right.filter(|c| is_plausible(*c))) {
            let end = ahead.offset();
            found.push(Sequence { start, end, lead, second, right });
            chars = ahead;
        }
    }
    found
}

impl Sequence {
    /// True when no writer put these characters next to each other. `joined`: another sequence stands beside it.
    fn is_sure(&self, text: &str, joined: bool) -> bool {
        let before = text[..self.start].chars().next_back().unwrap_or(' ');
        let after = text[self.end..].chars().next().unwrap_or(' ');
        let second = self.second;
        match self.lead {
            0xc2 => match second {
                '£' | '¥' | '¢' => before.is_ascii_digit() || after.is_ascii_digit(),
                '«' | '»' | '\u{a0}' | '·' | '´' | '¨' => before.is_lowercase(),
                _ => !before.is_uppercase(),
            },
            0xc3 if before.is_lowercase() => true,
            0xc3 if can_follow(second) => joined || !before.is_alphabetic() && after.is_alphabetic(),
            0xc3 => !before.is_uppercase() || after.is_lowercase() || joined,
            0xc4 | 0xc5 => !can_follow(second) && (before.is_ascii_lowercase() || after.is_ascii_lowercase()),
            0xce..=0xd1 | 0xd7..=0xdb => joined,
            0xe1 => matches!(self.right, '\u{1e00}'..='\u{1eff}') || joined,
            0xe2 => true,
            0xef => matches!(self.right, '\u{feff}' | '\u{fffd}') || joined,
            0xf0.. => true,
            _ => joined,
        }
    }
}

/// Quotes, dashes and signs that may follow the last letter of a word.
fn can_follow(c: char) -> bool {
    matches!(
        c,
        '\u{a0}'
            | '«'
            | '»'
            | '‹'
            | '›'
            | '‘'
            | '’'
            | '“'
            | '”'
            | '„'
            | '‚'
            | '–'
            | '—'
            | '…'
            | '•'
            | '™'
            | '·'
    )
}

/// Characters of the scripts and signs that texts are made of.
fn is_plausible(c: char) -> bool {
    matches!(c, '\u{a0}'..='\u{17f}' | '\u{370}'..='\u{4ff}' | '\u{590}'..='\u{6ff}' | '\u{900}'..='\u{dff}' | '\u{e00}'..='\u{e7f}'
        | '\u{10a0}'..='\u{10ff}' | '\u{1e00}'..='\u{1fff}' | '\u{2010}'..='\u{27bf}' | '\u{2900}'..='\u{2bff}' | '\u{3000}'..='\u{30ff}'
        | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{fe0f}' | '\u{feff}' | '\u{ff00}'..='\u{ffef}' | '\u{fffd}' | '\u{1f000}'..='\u{1faff}')
}

/// The byte from 0x80 on that Windows-1252 shows as `c`; Latin-1 where it shows nothing.
fn byte(c: char) -> Option<u8> {
    /// What Windows-1252 has from 0x80 to 0x9f; a zero where it has nothing.
    const HIGH: [char; 32] = [
        '€', '\0', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\0', 'Ž', '\0', '\0', '‘', '’', '“', '”',
        '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\0', 'ž', 'Ÿ',
    ];
    match u32::from(c) {
        ..0x80 => None,
        code @ ..0x100 => u8::try_from(code).ok(),
        _ => HIGH.iter().position(|high| *high == c).and_then(|at| u8::try_from(at + 0x80).ok()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a program does that reads UTF-8 as Windows-1252.
    fn spoil(text: &str) -> String {
        let shown = |wanted: u8| {
            (0x80..0x2123).filter_map(char::from_u32).find(|c| byte(*c) == Some(wanted) && u32::from(*c) >= 0xa0)
        };
        text.bytes().map(|b| if b < 0x80 { b as char } else { shown(b).unwrap_or(b as char) }).collect()
    }

    fn repaired(text: &str) -> String {
        let mut text = text.to_owned();
        for (span, right) in wrong(&text).iter().rev() {
            text.replace_range(span.range(), right);
        }
        text
    }

    #[test]
    fn spoilt_text_comes_back() {
        for text in [
            "café",
            "São Paulo",
            "Österreich",
            "it’s “quoted” – yes…",
            "при",
            "Ελλάδα",
            "中文文本",
            "日本語のテキスト",
            "한국어",
            "naïve façade",
            "20°C and ½",
            "😀",
            "tiếng Việt",
            "łódź",
            "voilà tout",
            "© 2024",
        ] {
            assert_eq!(repaired(&spoil(text)), text, "{}", spoil(text));
        }
    }

    #[test]
    fn twice_spoilt_text_comes_back_in_two_steps() {
        assert_eq!(repaired(&repaired(&spoil(&spoil("café")))), "café");
    }

    #[test]
    fn real_text_stays() {
        for text in [
            "MAÇû",
            "IRMÔ",
            "São Paulo, João",
            "il a donné…”",
            "« À » et « Â »",
            "Thành phố Hồ Chí Minh",
            "5 Å² and 3 Å",
            "Ελλάδα",
            "при",
            "Â£",
            "3×²",
            "naïve",
            "¿Qué?",
            "ÀÁÂÃÄÅ",
            "„Ä“",
            "ß",
            "Ð and Ñ are letters",
            "PÃO",
            "Ø 12 mm",
            "donnée »",
        ] {
            assert_eq!(wrong(text), [], "{text}");
        }
    }
}
