//! Whether a border lies inside a word, a number or a character made of several.

use super::Gap;
use super::end;
use super::joint::runs_on;
use super::words;
use crate::segment::chars::{is_cjk, is_hangul, is_thai, leads, trails};

/// So long a run of letters and digits is no word.
const DATA: usize = 80;

/// Whether the two sides are parts of one word.
pub(super) fn is_torn(before: &str, after: &str, gap: Gap) -> bool {
    let (Some(last), Some(first)) = (before.chars().next_back(), after.chars().next()) else { return false };
    let blank = !matches!(gap, Gap::None | Gap::Unknown);
    if !blank
        && first.is_ascii_graphic()
        && (end::opens_destination(before) || is_data(before) && !begins_with_word(after))
    {
        return true;
    }
    match gap {
        Gap::None => is_inside_character(last, first) || is_adjacent(before, after, last, first),
        Gap::Unknown => is_inside_character(last, first) || runs_on(before, after) || is_stripped_part(before, after),
        Gap::Space | Gap::Line | Gap::Paragraph => false,
    }
}

/// Whether the text ends inside a long run of letters and digits, such as data in an address.
fn is_data(text: &str) -> bool {
    let inside = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=' | '-' | '_' | '%');
    let run = text.chars().rev().take(DATA).take_while(inside).collect::<String>();
    run.len() == DATA && run.contains(|c: char| c.is_ascii_digit()) && run.contains(|c: char| c.is_ascii_uppercase())
}

fn begins_with_word(text: &str) -> bool {
    text.split(char::is_whitespace).next().is_some_and(|word| word.chars().all(char::is_alphabetic))
}

/// Marks that stand on the character before them, and what is left of a character that was cut.
fn is_inside_character(last: char, first: char) -> bool {
    last == '\u{fffd}'
        || first == '\u{fffd}'
        || last == '\u{200d}'
        || joins_left(first)
        || trails(first) && (is_cjk(last) || is_thai(last))
        || leads(last)
}

/// Accents, vowel signs, variation selectors, joiners.
fn joins_left(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{900}'..='\u{903}' | '\u{93a}'..='\u{93c}'
        | '\u{93e}'..='\u{94f}' | '\u{955}'..='\u{957}' | '\u{962}' | '\u{963}' | '\u{981}'..='\u{983}' | '\u{9bc}' | '\u{9be}'..='\u{9cd}'
        | '\u{bbe}'..='\u{bcd}' | '\u{c3e}'..='\u{c4d}' | '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}' | '\u{200d}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{20e3}')
}

/// Two sides with nothing between them.
fn is_adjacent(before: &str, after: &str, last: char, first: char) -> bool {
    if is_letter(last) && is_letter(first) {
        return is_hangul(last) == is_hangul(first) || last.is_numeric() || first.is_numeric();
    }
    let outer = |text: &str, c: char| text.strip_suffix(c).is_some_and(|text| text.ends_with(is_letter));
    let inner = |text: &str, c: char| text.strip_prefix(c).is_some_and(|text| text.starts_with(is_letter));
    is_link(last) && is_letter(first) && outer(before, last) && (last != '.' || !first.is_uppercase())
        || is_letter(last) && is_link(first) && inner(after, first)
}

/// Signs inside words, numbers and addresses.
fn is_link(c: char) -> bool {
    matches!(c, '.' | ',' | '\'' | '’' | '-' | '_' | '/' | '@' | '·')
}

/// Letters and digits of scripts that set spaces between words.
fn is_letter(c: char) -> bool {
    c.is_alphanumeric()
        && !is_cjk(c)
        && !is_thai(c)
        && !matches!(c, '\u{0e80}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

/// White space may have been stripped: the text after begins with an ending that is no word.
fn is_stripped_part(before: &str, after: &str) -> bool {
    let end = after.find(|c: char| !c.is_alphabetic()).unwrap_or(after.len());
    let part = after.get(..end).unwrap_or("");
    let whole = after.get(end..).unwrap_or("").starts_with([' ', ',', '.', ';', '\n', ')', '-', '\'', '’']);
    let stem = before.get(before.rfind(|c: char| !c.is_alphabetic()).map_or(0, |i| i + 1)..).unwrap_or("");
    whole && stem.is_ascii() && stem.len() > 1 && words::is_ending(part)
}
