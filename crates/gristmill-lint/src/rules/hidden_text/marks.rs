//! Characters that show nothing: zero-width characters, marks of direction, tag characters.

use gristmill_core::Span;

use super::Hidden;

/// So many invisible characters in a row can hold a message.
const PAYLOAD: usize = 4;

/// Zero-width characters inside words of scripts that need none, or in long runs. The joiners of emoji and of Indic and
/// Persian words, and break hints between Thai or Chinese words, are none of these.
pub fn zero_width(text: &str) -> Option<Hidden> {
    // All of them begin with one of three bytes.
    let mut leads = memchr::memchr3_iter(0xe1, 0xe2, 0xef, text.as_bytes());
    leads.find(|at| text[*at..].chars().next().is_some_and(is_zero_width))?;
    let (mut first, mut count) = (None, 0);
    let mut before = ' ';
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        if !is_zero_width(c) {
            before = c;
            continue;
        }
        let (mut run, mut end, mut joins) = (1, start + c.len_utf8(), c == '\u{200c}');
        while let Some((at, next)) = chars.next_if(|(_, next)| is_zero_width(*next) || is_selector(*next)) {
            (run, end, joins) = (run + 1, at + next.len_utf8(), false);
        }
        let after = chars.peek().map_or(' ', |(_, c)| *c);
        // A single non-joiner keeps two Latin letters from melting into one; typesetters put it there.
        let inside = is_spaced(before) && is_spaced(after) && !joins;
        if start > 0 && (inside || run >= PAYLOAD) {
            first = first.or(Some(Span::new(start, end)));
            count += run;
        }
    }
    first.map(|span| {
        let noun =
            if count == 1 { "a zero-width character".to_owned() } else { format!("{count} zero-width characters") };
        Hidden { span, what: format!("{noun} inside words; searches do not find these words") }
    })
}

fn is_zero_width(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{180e}')
}

fn is_selector(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Letters of scripts that set blanks between words and need no joiners: Latin, Greek, Cyrillic, Armenian.
fn is_spaced(c: char) -> bool {
    c.is_alphabetic() && matches!(c, ..'\u{58f}' | '\u{1e00}'..='\u{1fff}')
}

/// Overrides that show text from right to left, and marks of direction that a line opens and does not close. The single
/// marks that stand between letters of right-to-left text change nothing else.
pub fn bidi(text: &str, goes_on: bool) -> Option<Hidden> {
    memchr::memchr(0xe2, text.as_bytes())?;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let last = at + line.len() == text.len();
        if let Some(hidden) = bidi_line(line, at, last && goes_on) {
            return Some(hidden);
        }
        at += line.len();
    }
    None
}

fn bidi_line(line: &str, offset: usize, goes_on: bool) -> Option<Hidden> {
    let mut open: Vec<(usize, char)> = Vec::new();
    for (at, c) in line.char_indices() {
        match c {
            '\u{202e}' => {
                let what = "a right-to-left override: readers see the letters in another order".to_owned();
                return Some(Hidden { span: Span::new(offset + at, offset + at + c.len_utf8()), what });
            }
            '\u{202a}' | '\u{202b}' | '\u{202d}' | '\u{2066}'..='\u{2068}' => open.push((at, c)),
            '\u{202c}' => drop(open.pop_if(|(_, opener)| *opener < '\u{2066}')),
            '\u{2069}' => {
                if let Some(isolate) = open.iter().rposition(|(_, opener)| *opener >= '\u{2066}') {
                    open.truncate(isolate);
                }
            }
            _ => {}
        }
    }
    let (at, c) = open.first().filter(|_| !goes_on)?;
    let what = format!("a mark of direction (U+{:04X}) that its line does not close", u32::from(*c));
    Some(Hidden { span: Span::new(offset + at, offset + at + c.len_utf8()), what })
}

/// Characters of the tag block, which spell text that no font shows. The flags of England, Scotland and the like, a black flag
/// with tags after it, are none of these.
pub fn tags(text: &str) -> Option<Hidden> {
    memchr::memmem::find(text.as_bytes(), b"\xf3\xa0")?;
    let mut before = ' ';
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        if !is_tag(c) {
            before = c;
            continue;
        }
        let (mut end, mut last) = (start + c.len_utf8(), c);
        let mut spelt: String = letter(c).into_iter().collect();
        while let Some((at, next)) = chars.next_if(|(_, next)| is_tag(*next)) {
            (end, last) = (at + next.len_utf8(), next);
            if spelt.len() < 40 {
                spelt.extend(letter(next));
            }
        }
        if before != '\u{1f3f4}' || last != '\u{e007f}' || spelt.len() > 6 {
            let what = format!("tag characters, which no font shows, spell `{spelt}`");
            return Some(Hidden { span: Span::new(start, end), what });
        }
    }
    None
}

fn is_tag(c: char) -> bool {
    matches!(c, '\u{e0000}'..='\u{e007f}')
}

/// The letter that a tag character stands for.
fn letter(c: char) -> Option<char> {
    char::from_u32(u32::from(c) - 0xe_0000).filter(|c| matches!(c, ' '..='~'))
}
