//! Lines that begin an entry of a list, a log, a glossary or a law: none of them goes on with what stands before it.

/// Marks of lists that need no space after them.
const BULLETS: [char; 14] = ['・', '･', '●', '○', '■', '□', '◆', '◇', '★', '☆', '※', '▶', '►', '◎'];

/// Words before the number of an article: "Art. 5", "Section 2.1".
const ARTICLES: [&str; 10] =
    ["Art.", "Article", "Artikel", "Artículo", "Artigo", "Section", "Sec.", "Clause", "Chapter", "Kapitel"];

/// Whether `text` begins an entry: "・", "①", "第1条", "§ 3", "Art. 5", "(a)", "[2]", "[^1]:", ": a definition", "12:03 <nick>",
/// "2024-05-01 12:00:01", "[Sun Dec 04 …]", "@decorator", "#[attribute]".
pub fn begins_entry(text: &str) -> bool {
    let line = memchr::memchr(b'\n', text.as_bytes()).map_or(text, |end| &text[..end]).trim_start();
    let Some(first) = line.chars().next() else { return false };
    let rest = line.get(first.len_utf8()..).unwrap_or("");
    match first {
        _ if BULLETS.contains(&first) => true,
        '①'..='⑳' | '⓪' | '㈠'..='㈩' | '㊀'..='㊉' => true,
        '§' => rest.trim_start_matches(['§', ' ', '\u{a0}']).starts_with(|c: char| c.is_ascii_digit()),
        '[' => is_bracketed(rest),
        '<' => is_speaker(rest),
        '(' | '（' => is_counted(rest, &[')', '）']) && !rest.starts_with(|c: char| c.is_ascii_uppercase()),
        ':' => rest.starts_with([' ', '\t']) && rest.trim().chars().count() > 2,
        '#' => rest.starts_with('[') || rest.starts_with("!["),
        '@' => is_decorator(rest),
        '-' | '*' | '+' | '•' | '·' | '▪' => rest.starts_with([' ', '\t']) && !rest.trim().is_empty(),
        '第' | '제' => is_article(rest),
        '0'..='9' => is_stamp(line) || is_counted(line, &[')']),
        'A' | 'C' | 'K' | 'S' => ARTICLES.iter().any(|word| is_numbered(line, word)),
        _ => false,
    }
}

/// A date and time, or a time and a name: "2024-05-01 12:00:01", "12:03 <nick>".
fn is_stamp(line: &str) -> bool {
    let (first, rest) = line.split_once([' ', 'T', '\t']).unwrap_or((line, ""));
    if is_time(first) {
        return rest.trim_start().starts_with(['<', '[', '*']);
    }
    let parts: Vec<&str> = first.split(['-', '/', '.']).collect();
    let date = parts.len() == 3 && parts.iter().all(|part| is_number(part, 4));
    let second = rest.split([' ', '\t', 'Z', ',', '.']).next().unwrap_or("");
    date && is_time(second)
}

/// "12:03" or "12:03:59".
fn is_time(word: &str) -> bool {
    let parts: Vec<&str> = word.split(':').collect();
    matches!(parts.len(), 2 | 3) && parts.iter().all(|part| is_number(part, 2))
}

fn is_number(word: &str, most: usize) -> bool {
    (1..=most).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_digit())
}

/// After "[": the number of a work or note, a time, or the date of a log.
fn is_bracketed(rest: &str) -> bool {
    let Some((inner, after)) = rest.split_once(']') else { return false };
    if after.starts_with('(') {
        return false;
    }
    let stamp = inner.len() <= 40
        && inner.split([' ', 'T']).any(|word| is_time(word.split(['.', '+', 'Z']).next().unwrap_or("")));
    let note = inner.starts_with('^') && after.starts_with(':');
    let work = is_number(inner, 3) && after.trim_start().starts_with(char::is_uppercase);
    stamp || note || work
}

/// After "<": the name of one who speaks, "nick> text". An element of HTML looks so when nothing stands after it.
fn is_speaker(rest: &str) -> bool {
    let Some((name, said)) = rest.split_once('>') else { return false };
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '[' | ']' | '|' | '^' | '`' | '@' | '+');
    let closes = said.contains("</");
    (2..=24).contains(&name.len()) && name.chars().all(plain) && said.starts_with(' ') && !closes
}

/// A letter, a short number or a Roman number with a bracket after it: "a) ", "12) ".
fn is_counted(text: &str, closing: &[char]) -> bool {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || is_numeral(c))).unwrap_or(text.len());
    let inner = text.get(..end).unwrap_or("");
    let after = text.get(end..).unwrap_or("");
    let roman = inner.len() <= 4 && inner.bytes().all(|b| matches!(b.to_ascii_lowercase(), b'i' | b'v' | b'x'));
    let short = inner.len() == 1 || is_number(inner, 2) || roman || inner.chars().all(is_numeral);
    !inner.is_empty()
        && short
        && closing.iter().any(|c| after.strip_prefix(*c).is_some_and(|said| said.starts_with(' ') || *c == '）'))
}

fn is_numeral(c: char) -> bool {
    "〇一二三四五六七八九十百零".contains(c)
}

/// After 第: a number and the word for an article, chapter or section.
fn is_article(rest: &str) -> bool {
    let after = rest.trim_start_matches(|c: char| c.is_ascii_digit() || is_numeral(c) || c == ' ');
    after.len() < rest.len()
        && after.starts_with(['条', '條', '章', '節', '节', '款', '項', '조', '장', '절', '항'])
        && after.chars().nth(1).is_none_or(|c| matches!(c, ' ' | '\u{3000}' | '(' | '（' | ':' | '：'))
}

fn is_numbered(line: &str, word: &str) -> bool {
    let rest = line.strip_prefix(word).and_then(|rest| rest.strip_prefix([' ', '\u{a0}']));
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// "@name" or "@name(…)" and nothing else on the line.
fn is_decorator(rest: &str) -> bool {
    let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | ':'))).unwrap_or(rest.len());
    let after = rest.get(end..).unwrap_or("").trim();
    end > 0 && (after.is_empty() || after.starts_with('(') && after.ends_with([')', '(', ',']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries() {
        for line in [
            "・待つ",
            "●待つ",
            "■待つ",
            "※待つ",
            "①待つ",
            "⑳待つ",
            "（1）待つ",
            "（一）待つ",
            "第1条 目的",
            "第三条 目的",
            "제3조 목적",
            "[Sun Dec 04 04:47:44 2005] [notice] up",
            "2024-05-01 12:00:01 INFO up",
            "2024-05-01T12:00:01Z up",
            "12:03 <ann> hi",
            "<ann> hi",
            "[12:03] ann: hi",
            "- ann: hi",
            "[2] Müller, On mills",
            "[^1]: a note",
            "1) a note",
            ": a mill",
            "#[derive(Debug)]",
            "@dataclass",
            "@app.get(\"/\")",
            "§ 3 The owner",
            "§3 The owner",
            "(a) the owner",
            "(iv) the owner",
            "Art. 5 The owner",
            "Section 2.1 Scope",
        ] {
            assert!(begins_entry(line), "{line}");
        }
    }

    #[test]
    fn no_entries() {
        for line in [
            "",
            "and so on",
            "12:03 the bell rang",
            "2024-05-01 the bell rang",
            "[the guide](a.md) says",
            "[2] and [3] show",
            "<b>bold</b> text",
            "(a mill) ran",
            "(see below) it",
            "@ann said so",
            "# Title",
            "第一次",
            "第1条の規定により",
            "Article on mills",
            ": ",
            "40% more",
            "- ",
            "**bold**",
        ] {
            assert!(!begins_entry(line), "{line}");
        }
    }
}
