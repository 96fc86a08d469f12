//! The lines of a chunk that answer best.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

use serde_json::Value;

use crate::paint::{FOUND, paint, visible};
use crate::words::wrap;

/// The chunk's own text on one line: what is injected, headings and fence lines are left out.
pub fn body(content: &str, metadata: &Value) -> String {
    let parts = metadata["parts"].as_array().map(Vec::as_slice).unwrap_or_default();
    let own = parts.iter().find(|part| part["kind"] == "body").and_then(|part| {
        let at = |key: &str| {
            let code_point = usize::try_from(part[key].as_u64()?).ok()?;
            content.char_indices().map(|(byte, _)| byte).chain([content.len()]).nth(code_point)
        };
        content.get(at("start")?..at("end")?)
    });
    let text = own.unwrap_or(content);
    let lines = text.lines().filter(|line| !is_mark(line));
    let shown = lines.map(row).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    let whole = || text.split_whitespace().collect::<Vec<_>>().join(" ");
    visible(if shown.is_empty() { whole() } else { shown }.trim_start_matches("· "))
}

/// A line with single blanks; of a table row what stands between its outer bars, of a link its text.
fn row(line: &str) -> String {
    let line = without_targets(&line.split_whitespace().collect::<Vec<_>>().join(" "));
    match line.strip_prefix("| ").and_then(|line| line.strip_suffix(" |")) {
        Some(cells) => format!("· {cells}"),
        None => line,
    }
}

/// A line in which `[text](target)` is `[text]`.
fn without_targets(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find("](") {
        let target = &rest[at + 2..];
        let Some(end) = target.find([')', ' ']).filter(|end| target[*end..].starts_with(')')) else { break };
        out.push_str(&rest[..=at]);
        rest = &target[end + 1..];
    }
    out + rest
}

/// True for lines that structure the text and say nothing of their own.
fn is_mark(line: &str) -> bool {
    let line = line.trim();
    let heading = line.trim_start_matches('#');
    (line.starts_with('#') && (heading.is_empty() || heading.starts_with(' ')))
        || line.starts_with("```")
        || line.starts_with("~~~")
        || (!line.is_empty() && line.chars().all(|c| "|-:=+ ".contains(c)))
}

/// The `lines` lines of `text` in which most different words of the question stand, with these words marked.
pub fn excerpt(text: &str, question: &str, columns: usize, lines: usize) -> Vec<String> {
    // Room for the marks of what is left out.
    let rows = wrap(text, columns.saturating_sub(4));
    let marks = matches(text, &terms(question));
    let terms_in = |window: Range<usize>| {
        let from = marks.partition_point(|mark| mark.at.start < window.start);
        let inside = marks[from..].iter().take_while(|mark| mark.at.start < window.end);
        inside.filter(|mark| mark.at.end <= window.end).map(|mark| mark.term).collect::<BTreeSet<_>>().len()
    };
    // Of equal windows the one with most in its first lines, so that what follows a word is seen.
    let value = |first: usize| {
        let last = (first + lines).min(rows.len());
        let all = terms_in(rows[first].start..rows[last - 1].end);
        (all, terms_in(rows[first].start..rows[last - 1].start), Reverse(first))
    };
    let best = (0..rows.len()).max_by_key(|first| value(*first)).unwrap_or_default();
    let best = best.min(rows.len().saturating_sub(lines));
    let shown = rows.iter().enumerate().skip(best).take(lines);
    shown
        .map(|(index, row)| {
            let before = if index == best && best > 0 { "… " } else { "" };
            let after = if index + 1 == best + lines && index + 1 < rows.len() { " …" } else { "" };
            format!("{before}{}{after}", marked(text, row.clone(), &marks).trim_end())
        })
        .collect()
}

/// A place where a term stands.
struct Mark {
    term: usize,
    at: Range<usize>,
}

/// What is looked for: words, and of scripts without blanks every two neighbouring characters.
fn terms(question: &str) -> Vec<String> {
    let question = question.to_lowercase();
    let mut terms: Vec<String> = Vec::new();
    for word in question.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let characters: Vec<char> = word.chars().collect();
        if characters.len() > 2 && characters.iter().any(|c| is_unspaced(*c)) {
            terms.extend(characters.windows(2).map(|pair| pair.iter().collect::<String>()));
        } else {
            terms.push(word.to_owned());
        }
    }
    terms.sort_unstable();
    terms.dedup();
    terms
}

/// Han, kana and Thai, which have no blanks between words; Hangul, whose words end in particles.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0e7f}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{20000}'..='\u{3ffff}')
}

/// Letters that a word may differ in at its end: `replaced` is found by `replace`.
const ENDING: usize = 3;

/// Every place of a term in the text, in order.
fn matches(text: &str, terms: &[String]) -> Vec<Mark> {
    let mut marks = Vec::new();
    for (start, word) in words(text) {
        let lower = word.to_lowercase();
        if word.chars().any(is_unspaced) {
            for (term, wanted) in terms.iter().enumerate() {
                // Scripts without case keep their lengths, so that positions hold.
                let found = word.match_indices(wanted.as_str());
                marks.extend(found.map(|(at, found)| Mark { term, at: start + at..start + at + found.len() }));
            }
        } else if let Some(term) = terms.iter().position(|term| alike(term, &lower)) {
            marks.push(Mark { term, at: start..start + word.len() });
        }
    }
    marks.sort_by_key(|mark| mark.at.start);
    marks
}

fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

/// True for equal words, and for long ones that differ in their endings only.
fn alike(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let shared = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let longest = a.chars().count().max(b.chars().count());
    shared >= 4 && longest - shared <= ENDING
}

/// A line with its marks painted.
fn marked(text: &str, row: Range<usize>, marks: &[Mark]) -> String {
    let mut out = String::new();
    let mut at = row.start;
    for mark in marks.iter().filter(|mark| row.start <= mark.at.start && mark.at.end <= row.end) {
        // Neighbouring pairs of characters overlap.
        if mark.at.end <= at {
            continue;
        }
        let start = mark.at.start.max(at);
        out.push_str(&text[at..start]);
        out.push_str(&paint(FOUND, &text[start..mark.at.end]));
        at = mark.at.end;
    }
    out + &text[at..row.end]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn plain(text: &str, question: &str, columns: usize) -> Vec<String> {
        let lines = excerpt(text, question, columns, 2);
        lines.iter().map(|line| anstream::adapter::strip_str(line).to_string()).collect()
    }

    #[test]
    fn the_lines_with_most_words_of_the_question_are_shown() {
        let text = "The pump is old. The valve is new. Replace the battery every year. Paint is blue.";
        assert_eq!(plain(text, "battery replaced?", 24), ["… Replace the battery", "every year. Paint is …"]);
        assert_eq!(plain(text, "nothing", 24), ["The pump is old. The", "valve is new. …"]);
        assert_eq!(plain("short", "short", 24), ["short"]);
        assert!(plain("", "x", 24).is_empty());
    }

    #[test]
    fn words_are_marked_in_any_script() {
        let painted = |text: &str, question: &str| excerpt(text, question, 60, 1).concat();
        let on = |text: &str| paint(FOUND, text);
        assert_eq!(painted("The Pumps run", "pump runs"), format!("The {} run", on("Pumps")));
        assert_eq!(painted("电池电压低于", "电池电压"), format!("{}{}{}低于", on("电池"), on("电"), on("压")));
        assert_eq!(painted("배터리를 바꾼다", "배터리"), format!("{}{}를 바꾼다", on("배터"), on("리")));
    }

    #[test]
    fn injected_text_and_marks_are_left_out() {
        let content = "[Manual > Pump]\n\n## Pump\n\nIt runs.\n\n| a | b |\n| - | - |\n| 1 | 2 |";
        let metadata = json!({ "parts": [{ "kind": "heading", "start": 0, "end": 17 },
                                         { "kind": "body", "start": 17, "end": content.chars().count() }] });
        assert_eq!(body(content, &metadata), "It runs. · a | b · 1 | 2");
        assert_eq!(body("# Only a title", &Value::Null), "# Only a title");
        assert_eq!(body("a [link](http://x.y/z), ![](p.png) and f](x", &Value::Null), "a [link], ![] and f](x");
        assert_eq!(body("a\u{1b}[2Jb", &Value::Null), "a\\u{1b}[2Jb");
    }

    #[test]
    fn every_length_of_line_holds() {
        let text = "电池组的更换 battery 배터리 👩‍👩‍👧 ".repeat(40);
        for columns in 0..50 {
            let lines = plain(&text, "battery 배터리 更换", columns);
            assert_eq!(lines.len(), 2);
        }
    }
}
