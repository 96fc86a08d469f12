//! A document beside its chunks: which characters of the text each holds, what they repeat, what was put in, what is wrong.

use serde_json::Value;

use super::Html;
use crate::RunReport;

/// A place where something was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The line, from 1; 0 where there is none.
    pub line: u64,
    /// The rule, or what the reader calls it.
    pub rule: String,
    /// What is wrong.
    pub message: String,
    /// `info`, `low`, `medium` or `high`.
    pub severity: String,
}

/// What was found in the documents of a run.
pub fn found(report: &RunReport) -> Vec<Found> {
    found_where(report, |_| true)
}

/// What was found in one of them.
pub fn found_in(report: &RunReport, source: &str) -> Vec<Found> {
    found_where(report, |other| other == source)
}

fn found_where(report: &RunReport, wanted: impl Fn(&str) -> bool) -> Vec<Found> {
    let found = report.findings.iter().filter(|finding| wanted(&finding.source)).map(|finding| Found {
        line: finding.line.unwrap_or_default(),
        rule: finding.rule.to_string(),
        message: finding.message.clone(),
        severity: finding.severity.to_string(),
    });
    // What a reader notes about a document is a finding for whoever looks at it.
    let documents = report.documents.iter().filter(|document| wanted(&document.source));
    let noted = documents.flat_map(|document| &document.warnings).map(|warning| Found {
        line: warning.line.unwrap_or_default(),
        rule: warning.code.to_string(),
        message: warning.message.clone(),
        severity: warning.severity.to_string(),
    });
    found.chain(noted).collect()
}

/// A stretch of the text that is all alike.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stretch {
    start: usize,
    end: usize,
    /// The chunk whose own text it is.
    chunk: Option<usize>,
    /// True when a later chunk repeats it.
    repeated: bool,
    /// The finding on its line.
    found: Option<usize>,
}

/// Range of code points.
type Range = (usize, usize);

/// Tints of chunks that stand side by side.
const TINTS: usize = 4;

/// What the marks mean.
pub fn legend() -> Html {
    let mut html = Html::new();
    html.push(
        "<p class=\"legend\"><span class=\"overlap\">repeated</span> <ins>put in</ins> \
         <mark class=\"finding\">finding</mark></p>",
    );
    html
}

/// The text on the left, its chunks on the right, each with what was found on its lines. `records` are those of the document,
/// whose parts point into `text`. `prefix` begins the address of each chunk, where a page shows several documents.
pub fn overlay(prefix: &str, text: &str, records: &[Value], found: &[Found]) -> Html {
    let mut html = Html::new();
    html.push("<div class=\"overlay\"><section aria-label=\"Text\" tabindex=\"0\">");
    html.html(&marked(text, records, found));
    html.push("</section><section aria-label=\"Chunks\" tabindex=\"0\" class=\"chunks\">");
    for (index, record) in records.iter().enumerate() {
        let line = |name: &str| record["metadata"][name].as_u64().unwrap_or_default();
        let (first, last) = (line("line_start"), line("line_end"));
        let own: Vec<&Found> = found.iter().filter(|found| (first..=last).contains(&found.line)).collect();
        html.html(&chunk(prefix, index, record, &own));
    }
    html.push("</section></div>");
    html
}

/// The text with its chunks marked.
fn marked(text: &str, records: &[Value], found: &[Found]) -> Html {
    let chars: Vec<char> = text.chars().collect();
    let mut html = Html::new();
    html.push("<pre class=\"source\">");
    for stretch in stretches(&chars, records, found) {
        let said: String = chars[stretch.start..stretch.end].iter().collect();
        if let Some(chunk) = stretch.chunk {
            html.push("<span").attribute("data-chunk", chunk).attribute("class", class(chunk, stretch.repeated));
        } else {
            html.push("<span class=\"gap\"");
        }
        html.push(">");
        match stretch.found.and_then(|index| found.get(index)) {
            Some(found) => {
                let title = format!("{}: {}", found.rule, found.message);
                html.push("<mark").attribute("class", format!("finding {}", found.severity)).attribute("title", title);
                html.push(">").text(&said).push("</mark>");
            }
            None => {
                html.text(&said);
            }
        }
        html.push("</span>");
    }
    html.push("</pre>");
    html
}

fn class(chunk: usize, repeated: bool) -> String {
    format!("seg t{}{}", chunk % TINTS, if repeated { " overlap" } else { "" })
}

fn number(value: &Value) -> usize {
    value.as_u64().and_then(|number| usize::try_from(number).ok()).unwrap_or_default()
}

/// Origins of the parts of a kind.
fn origins<'r>(record: &'r Value, kind: &'static str) -> impl Iterator<Item = Range> + 'r {
    let parts = record["metadata"]["parts"].as_array().into_iter().flatten();
    let of_kind = parts.filter(move |part| part["kind"] == kind && part["origin"].is_array());
    of_kind.map(|part| (number(&part["origin"][0]), number(&part["origin"][1])))
}

/// The text in stretches, in order and without gaps.
fn stretches(chars: &[char], records: &[Value], found: &[Found]) -> Vec<Stretch> {
    let mut own: Vec<(Range, usize)> = Vec::new();
    let mut repeated: Vec<Range> = Vec::new();
    for (index, record) in records.iter().enumerate() {
        own.extend(origins(record, "body").map(|range| (range, index)));
        repeated.extend(origins(record, "overlap"));
    }
    own.sort_unstable();
    repeated.sort_unstable();
    let lines = lines(chars, found);
    let mut borders: Vec<usize> = vec![0, chars.len()];
    let ranges = own.iter().map(|(range, _)| range).chain(&repeated).chain(lines.iter().map(|(range, _)| range));
    borders.extend(ranges.flat_map(|(start, end)| [*start, *end]).filter(|at| *at <= chars.len()));
    borders.sort_unstable();
    borders.dedup();
    let (mut in_own, mut in_repeated, mut in_lines) = (0, 0, 0);
    let mut all = Vec::with_capacity(borders.len());
    for pair in borders.windows(2) {
        let (start, end) = (pair[0], pair[1]);
        advance(&mut in_own, own.len(), start, |at| own[at].0);
        advance(&mut in_repeated, repeated.len(), start, |at| repeated[at]);
        advance(&mut in_lines, lines.len(), start, |at| lines[at].0);
        let holds = |range: &Range| range.0 <= start && end <= range.1;
        all.push(Stretch {
            start,
            end,
            chunk: own.get(in_own).filter(|(range, _)| holds(range)).map(|(_, chunk)| *chunk),
            repeated: repeated.get(in_repeated).is_some_and(holds),
            found: lines.get(in_lines).filter(|(range, _)| holds(range)).map(|(_, index)| *index),
        });
    }
    all
}

/// Moves on to the first range that ends behind a place.
fn advance(at: &mut usize, count: usize, place: usize, range: impl Fn(usize) -> Range) {
    while *at < count && range(*at).1 <= place {
        *at += 1;
    }
}

/// The lines on which something was found, with the first finding of each.
fn lines(chars: &[char], found: &[Found]) -> Vec<(Range, usize)> {
    let mut wanted: Vec<(u64, usize)> = found.iter().enumerate().map(|(index, found)| (found.line, index)).collect();
    // What has no line is told beside its chunk alone.
    wanted.retain(|(line, _)| *line > 0);
    wanted.sort_unstable();
    wanted.dedup_by_key(|(line, _)| *line);
    let mut wanted = wanted.into_iter().peekable();
    let mut lines = Vec::new();
    let (mut start, mut line) = (0, 1);
    for at in 0..=chars.len() {
        if at < chars.len() && chars[at] != '\n' {
            continue;
        }
        while let Some((_, index)) = wanted.next_if(|(number, _)| *number <= line) {
            if start < at {
                lines.push(((start, at), index));
            }
        }
        (start, line) = (at + 1, line + 1);
    }
    lines
}

/// A chunk as it is embedded: what was put in and what is repeated stand out.
fn chunk(prefix: &str, index: usize, record: &Value, found: &[&Found]) -> Html {
    let metadata = &record["metadata"];
    let mut html = Html::new();
    html.push("<article tabindex=\"0\"").attribute("id", format!("{prefix}c{index}")).attribute("data-chunk", index);
    html.attribute("class", format!("chunk t{}", index % TINTS))
        .attribute("aria-label", format!("Chunk {}", index + 1));
    html.push("><h3><a")
        .attribute("href", format!("#{prefix}c{index}"))
        .push(">")
        .value(index + 1)
        .push("</a> <small>");
    let tokens = number(&record["token_count"]);
    html.value(tokens).push(" tokens · lines ").value(number(&metadata["line_start"]));
    html.push("–").value(number(&metadata["line_end"])).push("</small></h3>");
    let path: Vec<&str> = metadata["heading_path"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if !path.is_empty() {
        html.push("<p class=\"path\">").text(&path.join(" › ")).push("</p>");
    }
    html.push("<pre>");
    let content: Vec<char> = record["content"].as_str().unwrap_or_default().chars().collect();
    for part in metadata["parts"].as_array().into_iter().flatten() {
        let end = number(&part["end"]).min(content.len());
        let start = number(&part["start"]).min(end);
        let said: String = content[start..end].iter().collect();
        match part["kind"].as_str() {
            Some("body") | None => html.text(&said),
            Some("overlap") => html
                .push("<span class=\"overlap\" title=\"repeated from the chunk before\">")
                .text(&said)
                .push("</span>"),
            Some(kind) => {
                html.push("<ins").attribute("title", format!("put in: {}", kind.replace('_', " ")));
                html.push(">").text(&said).push("</ins>")
            }
        };
    }
    html.push("</pre>");
    for found in found {
        html.push("<p")
            .attribute("class", format!("note {}", found.severity))
            .push("><b>")
            .text(&found.rule)
            .push("</b> ");
        html.text(&found.message).push("</p>");
    }
    html.push("</article>");
    html
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn record(body: Range, overlap: Option<Range>) -> Value {
        let mut parts = vec![json!({ "kind": "body", "start": 0, "end": body.1 - body.0, "origin": [body.0, body.1] })];
        parts.extend(
            overlap.map(|(start, end)| json!({ "kind": "overlap", "start": 0, "end": 1, "origin": [start, end] })),
        );
        json!({ "content": "", "metadata": { "parts": parts } })
    }

    fn found(line: u64) -> Found {
        Found { line, rule: "r".into(), message: "m".into(), severity: "low".into() }
    }

    #[test]
    fn stretches_tile_the_text() {
        // Two chunks, `abc` and `ef` with `c` repeated, a gap `\nd\n` between them, and a finding on the second line.
        let chars: Vec<char> = "abc\nd\nef".chars().collect();
        let all = stretches(&chars, &[record((0, 3), None), record((6, 8), Some((2, 3)))], &[found(2)]);
        let shown: Vec<_> = all.iter().map(|s| (s.start, s.end, s.chunk, s.repeated, s.found.is_some())).collect();
        let expected = [
            (0, 2, Some(0), false, false),
            (2, 3, Some(0), true, false),
            (3, 4, None, false, false),
            (4, 5, None, false, true),
            (5, 6, None, false, false),
            (6, 8, Some(1), false, false),
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn odd_records_do_no_harm() {
        let records = [
            json!(null),
            record((5, 900), Some((7, 2000))),
            json!({ "metadata": { "parts": [{ "kind": "body", "origin": [9, 2] }] } }),
        ];
        let html = marked("short text", &records, &[found(0), found(99)]).into_string();
        let mut shown = String::new();
        html.split('<').skip(1).filter_map(|piece| piece.split_once('>')).for_each(|(_, text)| shown.push_str(text));
        assert_eq!(shown.trim(), "short text");
        assert!(overlay("", "", &[], &[]).into_string().contains("<pre"));
    }
}
