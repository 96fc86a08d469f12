//! Whether a line was broken to fit a page.

use super::window::{near_end, near_start};

/// Lines that were broken to fit a page have about so many characters.
const WIDTH: std::ops::RangeInclusive<usize> = 60..=140;

/// Whether the line end at the border was put in because the next word did not fit: with it, the last line would be the
/// longest of its paragraph.
pub(super) fn is_wrapped(before: &str, after: &str) -> bool {
    let (text, next) = (before.trim_end(), after.trim_start());
    let (near, ahead) = (near_end(text), near_start(next));
    let mut above: Vec<&str> = near.lines().rev().take_while(|line| !is_blank(line)).collect();
    if near.len() < text.len() && above.len() == near.lines().count() {
        // Of the first line only the end is there.
        above.pop();
    }
    let Some((last, above)) = above.split_first() else { return false };
    let whole = if ahead.len() < next.len() { ahead.rfind('\n').unwrap_or(0) } else { ahead.len() };
    let below = ahead.get(..whole).unwrap_or("").lines().take_while(|line| !is_blank(line));
    let widest = above.iter().copied().chain(below).map(width).max().unwrap_or(0);
    let word = ahead.trim_start_matches(['>', ' ']).split_whitespace().next().unwrap_or("");
    let hard = before.trim_end_matches(['\r', '\n']).ends_with("  ") || text.ends_with('\\');
    !hard && WIDTH.contains(&widest) && WIDTH.contains(&width(last)) && width(last) + 1 + width(word) > widest
}

fn width(line: &str) -> usize {
    line.trim_end().chars().count()
}

fn is_blank(line: &str) -> bool {
    line.trim_matches(['>', ' ', '\t', '\r']).is_empty()
}
