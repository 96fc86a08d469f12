//! What goes between two texts that are joined again.

use super::end;
use super::window;
use super::words;
use crate::segment::chars::{
    is_cjk, is_clause_mark, is_closer, is_closing_bracket, is_hangul, is_opener, is_terminator, is_thai,
    is_wide_terminator,
};

/// What to put between `before` and `after` when they are joined: one space, or nothing. Between Latin words stands a
/// space, between CJK characters none, nor between Thai ones; none after a hyphen, an opening bracket or before a mark
/// that closes. White space that is still there is left as it is.
pub fn joint(before: &str, after: &str) -> &'static str {
    let (Some(last), Some(first)) = (before.chars().next_back(), after.chars().next()) else { return "" };
    if last.is_whitespace() || first.is_whitespace() {
        return "";
    }
    let (before, after) = (window::near_end(before), window::near_start(after));
    if is_tight(before, after, last, first) { "" } else { " " }
}

fn is_tight(before: &str, after: &str, last: char, first: char) -> bool {
    if is_opener(last)
        || is_closing(after, first)
        || is_unspaced(last) && is_unspaced(first)
        || ends_sentence(before) && is_unspaced(first)
    {
        return true;
    }
    if runs_on(before, after) || last == '.' && end::in_code(before) || end::opens_destination(before) {
        return true;
    }
    if words::is_elided(before) && first.is_alphabetic() || is_emphasis_end(after) {
        return true;
    }
    match last {
        '\u{ad}' | '/' | '@' | '#' | '“' | '‘' => return true,
        '$' | '€' | '£' | '¥' => return first.is_ascii_digit(),
        '-' => return inner_hyphen(before, after),
        '—' => return before.trim_end_matches('—').ends_with(|c: char| !c.is_whitespace()),
        '.' | ',' | ':' if first.is_ascii_digit() => return splits_number(before, after, last),
        _ => {}
    }
    if first == '—' {
        return after.trim_start_matches('—').starts_with(|c: char| !c.is_whitespace());
    }
    if is_hangul(last) && is_opener(first) && !matches!(first, '(' | '（') {
        return false;
    }
    if is_hangul(first) {
        return words::is_attached(after, last) || last.is_ascii_digit() && words::is_counter(after);
    }
    if is_wide(last) != is_wide(first) {
        return is_mark(last) || is_mark(first) || !spaces_latin(before, after, last, first);
    }
    false
}

/// Whether a full-width end mark stands before the quotes and emphasis at the end.
fn ends_sentence(before: &str) -> bool {
    before.trim_end_matches(is_closer).ends_with(is_wide_terminator)
}

/// Whether strong emphasis ends at the start of the text: a space before it would undo it.
fn is_emphasis_end(after: &str) -> bool {
    let rest = ["**", "__"].iter().find_map(|mark| after.strip_prefix(mark));
    rest.is_some_and(|rest| rest.chars().next().is_none_or(char::is_whitespace))
}

/// Scripts and marks beside which no space stands.
fn is_unspaced(c: char) -> bool {
    is_wide(c) || is_thai(c) || matches!(c, '\u{0e80}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

fn is_wide(c: char) -> bool {
    is_cjk(c) || is_mark(c)
}

/// Full-width and CJK punctuation.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{301f}' | '\u{ff01}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}' | '\u{ff5e}')
}

/// Marks that stand against what is before them.
fn is_closing(after: &str, first: char) -> bool {
    let next = after.chars().nth(1);
    let glued = next.is_some_and(char::is_alphanumeric);
    match first {
        '.' | ':' | '%' | '"' | '!' => !glued,
        '\'' | '’' => after.split(|c: char| !c.is_alphabetic()).nth(1).is_none_or(|ending| ending.len() <= 2),
        '·' | '«' => false,
        '»' | '”' | '›' | '％' | '°' | '℃' => true,
        _ => is_clause_mark(first) && first != '—' || is_closing_bracket(first) || is_terminator(first),
    }
}

/// Inside a hyphenated word, but not in "pre- and post-war" nor after a dash.
fn inner_hyphen(before: &str, after: &str) -> bool {
    let word = before.strip_suffix('-').is_some_and(|text| text.ends_with(char::is_alphanumeric));
    word && !words::is_conjunction(after.split(|c: char| !c.is_alphabetic()).next().unwrap_or(""))
}

/// Whether digits at both sides are one number: beside CJK characters no space would have parted two.
pub(super) fn runs_on(before: &str, after: &str) -> bool {
    let outer = before.trim_end_matches(|c: char| c.is_ascii_digit());
    let inner = after.trim_start_matches(|c: char| c.is_ascii_digit());
    let beside = outer.ends_with(is_cjk) || inner.starts_with(is_cjk);
    let (left, right) = (before.len() - outer.len(), after.len() - inner.len());
    // Two years, or the number of a house and what follows it, are two numbers.
    let two = left == 4 && right == 4 || outer.ends_with('-');
    left > 0 && right > 0 && beside && !two
}

/// Inside a number: "3." and "14", "1," and "000".
fn splits_number(before: &str, after: &str, sign: char) -> bool {
    let digits = after.bytes().take_while(u8::is_ascii_digit).count();
    let number = before.strip_suffix(sign).is_some_and(|text| text.ends_with(|c: char| c.is_ascii_digit()));
    number && (sign != ',' || digits == 3)
}

/// Whether the texts set a space between CJK characters and Latin ones. Where they do not say, there is none beside a
/// digit and one beside a word.
fn spaces_latin(before: &str, after: &str, last: char, first: char) -> bool {
    let digit = [last, first].iter().any(|c| c.is_numeric() || matches!(c, '%' | '°'));
    let balance = habit(before, digit) + habit(after, digit);
    if balance == 0 { !digit } else { balance > 0 }
}

/// How many more borders between the scripts have a space than have none, counting digits or words.
fn habit(text: &str, digit: bool) -> i32 {
    let narrow = |c: char| if digit { c.is_ascii_digit() } else { c.is_alphabetic() && !is_cjk(c) };
    let pair = |a: char, b: char| is_cjk(a) && narrow(b) || narrow(a) && is_cjk(b);
    let (mut balance, mut one, mut two) = (0, '\n', '\n');
    for c in text.chars() {
        if pair(two, c) {
            balance -= 1;
        } else if two == ' ' && pair(one, c) {
            balance += 1;
        }
        (one, two) = (two, c);
    }
    balance
}
