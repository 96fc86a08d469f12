//! Questions and answers by pair.

mod marker;

use gristmill_core::{Attrs, BlockKind, Document, Input, Outcome, Reader, Result};

use self::marker::{Side, side};
use crate::document::read_lines;
use crate::lines::Lines;
use crate::outline::Outline;
use crate::readers::text::Walk;

pub(crate) use marker::is_label;

/// Reads lists of questions and answers.
pub struct Faq;

impl Reader for Faq {
    fn name(&self) -> &'static str {
        "faq"
    }

    fn summary(&self) -> &'static str {
        "questions with their answers, by pair"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &[]
    }

    fn read(&self, input: &Input<'_>) -> Result<Outcome<Document>> {
        read_lines(input, self.name(), |lines, outline| {
            pairs(lines, outline);
            Attrs::new()
        })
    }
}

/// Groups of lines that a pair has at most on the average of a text that is made of pairs.
const GROUPS: usize = 12;

/// True when most of `text` is questions that have an answer.
pub(crate) fn fits(text: &str) -> bool {
    let lines = Lines::of(text);
    let (mut questions, mut answered, mut groups, mut first) = (0usize, 0usize, 0usize, None);
    let mut open = false;
    for at in (0..lines.len()).filter(|&at| !lines.is_blank(at)) {
        groups += usize::from(at == 0 || lines.is_blank(at - 1));
        match side(lines.get(at)) {
            Some(Side::Question) => {
                questions += 1;
                open = true;
                first.get_or_insert(lines.start(at));
            }
            Some(Side::Answer) => answered += usize::from(std::mem::take(&mut open)),
            None => {}
        }
    }
    let early = first.is_some_and(|start| start * 10 <= text.len() * 3);
    answered >= 2 && answered * 10 >= questions * 7 && groups <= answered * GROUPS && early
}

fn pairs(lines: &Lines<'_>, outline: &mut Outline) {
    let walk = Walk::new(lines);
    let question = |from: usize| {
        (from..lines.len()).find(|&at| side(lines.get(at)) == Some(Side::Question)).unwrap_or(lines.len())
    };
    let mut at = question(0);
    walk.range(0, at, outline);
    while at < lines.len() {
        let next = question(at + 1);
        let answer = (at + 1..next).find(|&line| side(lines.get(line)) == Some(Side::Answer)).unwrap_or(next);
        outline.enter(BlockKind::Pair, lines.content(at));
        groups(&walk, lines, at, answer, outline);
        let end = groups(&walk, lines, answer, next, outline);
        outline.leave(0);
        walk.range(end, next, outline);
        at = next;
    }
}

/// Tells the blocks of the lines up to a heading; gives the heading's line, else `to`.
fn groups(walk: &Walk<'_, '_>, lines: &Lines<'_>, from: usize, to: usize, outline: &mut Outline) -> usize {
    let mut at = lines.next_filled(from, to);
    while at < to && (at == from || !walk.is_heading(at, to)) {
        at = walk.group(at, to, outline);
        at = lines.next_filled(at, to);
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{paths, read, shape};

    #[test]
    fn questions_stay_with_their_answers() {
        let text = "About us\n\nQ: Who?\nA: We.\n\nAnd you.\n\nQ: How\nmuch?\n\nA: Either\n- one\n- two\n";
        assert!(fits(text));
        let expected = "paragraph \"About us\"\npair\n  paragraph \"Q: Who?\"\n  paragraph \"A: We.\"\n  paragraph \"And you.\"\n\
                        pair\n  paragraph \"Q: How\\nmuch?\"\n  paragraph \"A: Either\"\n  list\n    item\n      paragraph \"one\"\n\
                        \x20   item\n      paragraph \"two\"\n";
        assert_eq!(shape(&read(&Faq, text)), expected);
    }

    #[test]
    fn headings_part_the_pairs() {
        let text = "Prices\n======\n\nQ: a?\nA: b.\n\nDelivery\n========\n\nQ: c?\nA: d.\n";
        let document = read(&Faq, text);
        assert_eq!(paths(&document), ["Prices", "Delivery"]);
        let pairs: Vec<_> = document.blocks.iter().filter(|b| b.kind == BlockKind::Pair).collect();
        assert_eq!(pairs.iter().map(|b| b.section).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(&document.text[pairs[0].span.range()], "Q: a?\nA: b.");
    }

    #[test]
    fn only_texts_of_pairs_fit() {
        assert!(fits("문: 무엇인가요?\n답: 이것입니다.\n\n문: 왜요?\n답: 그래서요.\n"));
        assert!(fits("问：什么？\n答：这个。\n问：为什么？\n答：因为。\n"));
        assert!(fits("F: Was?\nA: Das.\n\nF: Wie?\nA: So.\n"));
        assert!(!fits("Q: Why?\nA: So.\n"));
        assert!(!fits("Q: Why?\nQ: How?\nQ: When?\nA: So.\nQ: Where?\nA: There.\n"));
        let book = format!("{}Q: Why?\nA: So.\nQ: How?\nA: Thus.\n", "A paragraph of prose.\n\n".repeat(40));
        assert!(!fits(&book));
    }
}
