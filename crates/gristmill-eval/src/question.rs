//! Questions with the evidence that answers them.

use gristmill_core::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::ranges::{Range, Ranges};

/// A chunk as retrieval sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passage {
    /// Index of its document.
    pub document: usize,
    /// Where its text stands in the source: code points.
    pub ranges: Ranges,
    /// Tokens of the text that is embedded.
    pub tokens: u64,
    /// Characters of the text that is embedded.
    pub characters: u64,
}

/// A question with located evidence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Question {
    /// Its name.
    pub id: String,
    /// What is asked.
    pub text: String,
    /// Index of the document with the evidence.
    pub document: usize,
    /// The evidence: code points of the source, one range a quote.
    pub spans: Vec<Range>,
    /// The rule that made it; `None` for one that somebody asked.
    pub rule: Option<String>,
}

/// A line of a file of questions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// Its name; the number of its line where it has none.
    #[serde(default)]
    pub id: String,
    /// What is asked.
    pub question: String,
    /// The document with the evidence: its path, or the end of its path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc: Option<String>,
    /// The evidence: first and one past the last code point of the decoded source.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spans: Vec<Range>,
    /// The evidence as text, to be looked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quotes: Vec<String>,
    /// The rule that made it, for one that nobody asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub synthetic: Option<String>,
}

/// Reads a file of questions: one JSON object a line. `name` is how the file is called in errors.
///
/// # Errors
/// Input: a line is no question, or there is none.
pub fn read_questions(text: &str, name: &str) -> Result<Vec<Asked>> {
    let mut out = Vec::new();
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        out.push(read_line(line, index + 1).map_err(|why| {
            Error::input(format!("{name}:{}: {why}", index + 1)).hint(
                "a line is a JSON object such as {\"id\":\"q1\",\"question\":\"…\",\"doc\":\"a.md\",\"spans\":[[120,180]]} \
                 or with \"quotes\":[\"…\"] instead of spans",
            )
        })?);
    }
    if out.is_empty() {
        return Err(Error::input(format!("there are no questions in {name}")));
    }
    Ok(out)
}

fn read_line(line: &str, number: usize) -> Result<Asked, String> {
    let mut asked: Asked = serde_json::from_str(line).map_err(|error| format!("not a question: {error}"))?;
    if asked.question.trim().is_empty() {
        return Err("the question is empty".to_owned());
    }
    if asked.id.is_empty() {
        asked.id = format!("line-{number}");
    }
    if let Some((start, end)) = asked.spans.iter().find(|(start, end)| start >= end) {
        return Err(format!("a span holds nothing: [{start}, {end}]"));
    }
    let blank = asked.quotes.iter().any(|quote| quote.trim().is_empty());
    if blank || (asked.spans.is_empty() && asked.quotes.is_empty()) {
        return Err("there is no evidence".to_owned());
    }
    if !asked.spans.is_empty() && asked.doc.is_none() {
        return Err("spans need a `doc`".to_owned());
    }
    Ok(asked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_and_named() {
        let text = "\u{feff}{\"question\":\"why?\",\"doc\":\"a.md\",\"spans\":[[1,2]],\"language\":\"en\"}\n\n\
                    {\"id\":\"b\",\"question\":\"who?\",\"quotes\":[\"she\"]}\n";
        let asked = read_questions(text, "q").unwrap();
        assert_eq!((asked[0].id.as_str(), asked[0].spans.as_slice()), ("line-1", [(1, 2)].as_slice()));
        assert_eq!((asked[1].id.as_str(), asked[1].doc.as_deref()), ("b", None));
    }

    #[test]
    fn a_file_without_questions_is_an_error() {
        assert_eq!(read_questions("\n \n", "q.jsonl").unwrap_err().to_string(), "there are no questions in q.jsonl");
    }

    #[test]
    fn what_is_no_question_is_told_with_its_line() {
        for (line, why) in [
            ("{}", "missing field"),
            ("{\"question\":\" \",\"doc\":\"a\",\"spans\":[[1,2]]}", "empty"),
            ("{\"question\":\"q\",\"doc\":\"a\",\"spans\":[[2,2]]}", "[2, 2]"),
            ("{\"question\":\"q\",\"spans\":[[1,2]]}", "`doc`"),
            ("{\"question\":\"q\",\"doc\":\"a\"}", "no evidence"),
            ("{\"question\":\"q\",\"quotes\":[\" \"]}", "no evidence"),
        ] {
            let error = read_questions(&format!("\n{line}"), "q.jsonl").unwrap_err();
            assert!(error.to_string().starts_with("q.jsonl:2: ") && error.to_string().contains(why), "{error}");
        }
    }
}
