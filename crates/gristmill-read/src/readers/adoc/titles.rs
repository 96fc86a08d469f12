//! Section titles.

use crate::lines::Lines;

/// A title found.
pub(super) struct Title<'t> {
    pub(super) level: u8,
    pub(super) text: &'t str,
    /// Lines it takes.
    pub(super) lines: usize,
}

/// The section title at line `at`.
pub(super) fn title_at<'t>(lines: &Lines<'t>, at: usize) -> Option<Title<'t>> {
    one_line(lines.get(at).trim_end()).or_else(|| two_lines(lines, at))
}

/// `== Title`, perhaps closed by the same signs.
fn one_line(line: &str) -> Option<Title<'_>> {
    let level = line.bytes().take_while(|byte| *byte == b'=').count();
    if !(1..=6).contains(&level) || !line[level..].starts_with([' ', '\t']) {
        return None;
    }
    let text = line[level..].trim();
    let signs = &line[..level];
    let text = text.strip_suffix(signs).filter(|title| title.ends_with(' ')).unwrap_or(text).trim_end();
    (!text.is_empty()).then_some(Title { level: u8::try_from(level).unwrap_or(6), text, lines: 1 })
}

/// A line with a rule under it that is as long, give or take one.
fn two_lines<'t>(lines: &Lines<'t>, at: usize) -> Option<Title<'t>> {
    let (text, rule) = (lines.get(at).trim_end(), lines.get(at + 1).trim_end());
    let level = match rule.bytes().next()? {
        b'=' => 1,
        b'-' => 2,
        b'~' => 3,
        b'^' => 4,
        b'+' => 5,
        _ => return None,
    };
    let uniform = rule.len() >= 3 && rule.bytes().all(|byte| byte == rule.as_bytes()[0]);
    let fits = uniform && text.len() <= rule.len() * 4 + 8 && text.chars().count().abs_diff(rule.len()) <= 1;
    let is_text =
        lines.indent(at) == 0 && text.chars().any(char::is_alphanumeric) && !text.starts_with(['[', '.', '|', ':']);
    (fits && is_text).then_some(Title { level, text, lines: 2 })
}
