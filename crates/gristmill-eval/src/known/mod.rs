//! Questions made by rule: known items of a document, asked for in words that stand elsewhere in it.
//!
//! They tell settings apart where nobody has asked anything yet. Their words are the document's own, so a search by words
//! finds them too easily: their figures say nothing of how good a search is for people.

mod code;
mod definition;
mod faq;
mod heading;
mod table;

use std::collections::{BTreeMap, HashSet};

use gristmill_core::Span;

use crate::{Asked, Source};

/// A question in the making.
struct Made {
    text: String,
    /// A range of `Document.text`.
    evidence: Span,
}

/// A rule: the questions it makes of a document.
type Rule = fn(&Source) -> Vec<Made>;

/// The rules by name.
const RULES: [(&str, Rule); 5] = [
    ("heading", heading::make),
    ("definition", definition::make),
    ("faq", faq::make),
    ("docstring", code::make),
    ("table-row", table::make),
];

/// Questions of one rule.
const MOST: usize = 200;

/// Makes questions of documents: of each rule no more than 200, spread evenly over the documents.
pub fn known_items(sources: &[Source]) -> Vec<Asked> {
    let mut out = Vec::new();
    for (name, rule) in RULES {
        let mut all: Vec<Asked> = sources.iter().flat_map(|source| asked(source, name, rule)).collect();
        forget_repeats(&mut all);
        let count = all.len();
        let kept =
            all.into_iter().enumerate().filter(|(at, _)| count <= MOST || at * MOST / count != (at + 1) * MOST / count);
        out.extend(
            kept.enumerate().map(|(number, (_, asked))| Asked { id: format!("{name}-{}", number + 1), ..asked }),
        );
    }
    out
}

fn asked(source: &Source, name: &str, rule: Rule) -> Vec<Asked> {
    let one = |made: Made| {
        let span = source.place(made.evidence.trimmed(&source.document.text));
        (span.0 < span.1).then(|| Asked {
            question: made.text.split_whitespace().collect::<Vec<_>>().join(" "),
            doc: Some(source.name.clone()),
            spans: vec![span],
            synthetic: Some(name.to_owned()),
            ..Asked::default()
        })
    };
    rule(source).into_iter().filter_map(one).filter(|asked| !asked.question.is_empty()).collect()
}

/// What can be asked of several places has no one answer.
fn forget_repeats(all: &mut Vec<Asked>) {
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    all.iter().for_each(|asked| *times.entry(asked.question.to_lowercase()).or_insert(0) += 1);
    let repeated: HashSet<String> = times.into_iter().filter(|(_, n)| *n > 1).map(|(text, _)| text).collect();
    all.retain(|asked| !repeated.contains(&asked.question.to_lowercase()));
}

/// True for a text that asks for something: some words, or some characters where words are not spaced.
fn asks(text: &str) -> bool {
    let words = text.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).count();
    let dense = text.chars().filter(|c| ('\u{2e80}'..='\u{d7ff}').contains(c)).count();
    words >= 2 || dense >= 4
}

#[cfg(test)]
mod tests {
    use gristmill_core::{Block, BlockKind, Section};

    use super::*;
    use crate::source::tests::{block, source};

    /// Rule, question and evidence of what is made of a text.
    fn made(text: &str, blocks: Vec<Block>, sections: Vec<Section>) -> Vec<(String, String, String)> {
        let sources = [source(text, blocks, sections)];
        let told = |asked: Asked| {
            let evidence = sources[0].at(asked.spans[0]).to_owned();
            (asked.synthetic.unwrap_or_default(), asked.question, evidence)
        };
        known_items(&sources).into_iter().map(told).collect()
    }

    fn is(rule: &str, question: &str, evidence: &str) -> (String, String, String) {
        (rule.to_owned(), question.to_owned(), evidence.to_owned())
    }

    #[test]
    fn a_heading_asks_for_its_section() {
        let text = "# Pump manual\n\n## Changing the oil\n\nDrain it first.\n\nThen fill.\n\n## Parts\n\nNone here.\n";
        let of = |heading: &str, title: &str, level, parent| {
            let start = text.find(heading).unwrap();
            let heading = Span::new(start, start + heading.len());
            Section { level, title: title.into(), parent, heading }
        };
        let sections = vec![
            of("# Pump manual", "Pump manual", 1, 0),
            of("## Changing the oil", "Changing the oil", 2, 1),
            of("## Parts", "Parts", 2, 1),
        ];
        // A section without a text of its own is no answer; one word is asked for under the title around it.
        assert_eq!(
            made(text, Vec::new(), sections),
            [
                is("heading", "Changing the oil", "Drain it first.\n\nThen fill."),
                is("heading", "Pump manual: Parts", "None here.")
            ]
        );
    }

    #[test]
    fn a_definition_is_asked_for_without_its_subject() {
        for (text, question) in [
            (
                "A datum is a fixed point from which heights are measured. More.",
                "a fixed point from which heights are measured",
            ),
            ("수준점은 높이를 재는 기준이 되는 점이다.", "높이를 재는 기준이 되는 점"),
            ("水准点是测量高程时用作基准的固定点。", "测量高程时用作基准的固定点"),
        ] {
            let sentence = text.trim_end_matches(" More.");
            let made = made(text, vec![block(text, text, BlockKind::Paragraph, 0)], Vec::new());
            assert_eq!(made, [is("definition", question, sentence)], "{text}");
        }
    }

    #[test]
    fn a_row_is_asked_for_by_its_first_cell_and_the_header() {
        let text = "| Part | Price |\n| --- | --- |\n| Pump head | 12 € |\n";
        let header = Span::new(0, text.find("\n| Pump").unwrap());
        let blocks = vec![
            block(text, text.trim_end(), BlockKind::Table { header }, 0),
            block(text, "| Pump head | 12 € |", BlockKind::Row, 1),
        ];
        assert_eq!(made(text, blocks, Vec::new()), [is("table-row", "Pump head Price", "| Pump head | 12 € |")]);
    }

    #[test]
    fn a_question_asks_for_its_answer() {
        let text = "Q: How is the oil changed?\nA: Drain it first.\n";
        let blocks = vec![
            block(text, text.trim_end(), BlockKind::Pair, 0),
            block(text, "Q: How is the oil changed?", BlockKind::Paragraph, 1),
            block(text, "A: Drain it first.", BlockKind::Paragraph, 1),
        ];
        assert_eq!(made(text, blocks, Vec::new()), [is("faq", "How is the oil changed?", "A: Drain it first.")]);
    }

    #[test]
    fn a_comment_asks_for_its_function() {
        let text = "/// Drains the oil and fills it again.\n/// Slow.\nfn change_oil() {\n    drain();\n}\n";
        let start = text.find("fn").unwrap();
        let signature = Span::new(start, start + "fn change_oil() {".len());
        let blocks = vec![block(text, text.trim_end(), BlockKind::Unit { signature }, 0)];
        let body = "fn change_oil() {\n    drain();\n}";
        assert_eq!(made(text, blocks, Vec::new()), [is("docstring", "Drains the oil and fills it again.", body)]);
    }

    #[test]
    fn what_can_be_asked_twice_is_not_asked() {
        let text = "A datum is a fixed point for all heights. A mark is a fixed point for all heights.";
        assert!(made(text, vec![block(text, text, BlockKind::Paragraph, 0)], Vec::new()).is_empty());
    }
}
