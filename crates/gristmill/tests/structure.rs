//! What the structure of a document does to its chunks. Sizes are in characters, so that each can be checked by eye.

use gristmill_chunk::strategy;
use gristmill_core::{Chunk, ChunkCx, ContextMode, DocumentId, Input, Limits, Outcome, PartKind, Unit};
use gristmill_read::reader_by_name;
use gristmill_text::count::sizer;

/// A way to cut; the defaults of the tests.
struct Cut {
    strategy: &'static str,
    limits: Limits,
    unit: Unit,
    context: ContextMode,
    sentences: Option<usize>,
}

fn max(max: usize) -> Cut {
    let limits = Limits { target: max * 2 / 3, max, min: max * 2 / 15, overlap: 0 };
    Cut { strategy: "markdown", limits, unit: Unit::Chars, context: ContextMode::None, sentences: None }
}

impl Cut {
    fn outcome(&self, text: &str) -> Outcome<Vec<Chunk>> {
        let input = Input {
            id: DocumentId::new("p", "", "a.md"),
            source: "a.md",
            bytes: text.as_bytes(),
            open: &[],
            first: true,
        };
        let document = reader_by_name("markdown").unwrap().read(&input).unwrap().value;
        let counter = sizer(self.unit, "cl100k_base").unwrap();
        let cx = ChunkCx {
            context: self.context,
            sentences_per_chunk: self.sentences,
            ..ChunkCx::new(self.limits, counter.as_ref())
        };
        strategy(self.strategy).unwrap().chunk(&document, &cx).unwrap()
    }

    fn contents(&self, text: &str) -> Vec<String> {
        self.outcome(text).value.into_iter().map(|chunk| chunk.content).collect()
    }
}

#[test]
fn sections_are_cut_at_their_headings() {
    let text = "# A\n\nOne sentence of the first section.\n\n# B\n\nOne sentence of the second section.\n";
    assert_eq!(
        max(60).contents(text),
        ["# A\n\nOne sentence of the first section.", "# B\n\nOne sentence of the second section."]
    );
}

#[test]
fn small_sections_share_a_chunk() {
    let text = "# A\n\nShort.\n\n## B\n\nAlso short.\n\n## C\n\nShort, too.\n";
    assert_eq!(max(90).contents(text), [text.trim_end()]);
}

#[test]
fn a_heading_never_ends_a_chunk() {
    let text = "# A\n\nThe first sentence is here. The second sentence is here.\n\n## B\n\n### C\n\nThe third sentence is here.\n";
    for size in 30..120 {
        for content in max(size).contents(text) {
            let last = content.lines().last().unwrap();
            assert!(!last.starts_with('#'), "at {size}: {content:?}");
        }
    }
}

#[test]
fn every_piece_of_a_table_has_its_header() {
    let text = "| Part | Price |\n|------|------:|\n| bolt | 10 |\n| nut | 20 |\n| washer | 30 |\n| spring | 40 |\n";
    // The header takes 33 characters with its line ends, a row about 15.
    let contents = max(70).contents(text);
    assert!(contents.len() > 1);
    for content in &contents {
        assert!(content.starts_with("| Part | Price |\n|------|------:|\n| "), "{content}");
        assert_eq!(content.matches("Part").count(), 1);
    }
    let rows: Vec<&str> = contents.iter().flat_map(|c| c.lines().skip(2)).collect();
    assert_eq!(rows, ["| bolt | 10 |", "| nut | 20 |", "| washer | 30 |", "| spring | 40 |"]);
}

#[test]
fn a_fence_that_fits_is_whole() {
    let code = "```sh\n# make\nmake install\n```";
    let text = format!("Some words before it. More words before it.\n\n{code}\n\nSome words after it. More of them.\n");
    for size in 40..120 {
        assert!(max(size).contents(&text).iter().any(|c| c.contains(code)), "at {size}");
    }
}

#[test]
fn every_piece_of_a_fence_is_a_fence() {
    let text = "- Run:\n\n  ~~~~py\n  a = 1\n  b = 2\n  c = 3\n  d = 4\n  ~~~~\n";
    // In the list the fence stands two columns in; the pieces keep that.
    let contents = max(40).contents(text);
    assert!(contents.len() > 1);
    for content in &contents {
        assert_eq!(content.matches("  ~~~~py\n").count(), 1, "{content}");
        assert!(content.ends_with("\n  ~~~~"), "{content}");
    }
    let code: Vec<&str> = contents.iter().flat_map(|c| c.lines().filter(|l| l.contains(" = "))).collect();
    assert_eq!(code, ["  a = 1", "  b = 2", "  c = 3", "  d = 4"]);
}

#[test]
fn list_pieces_say_what_the_list_is() {
    let text = "Before each release:\n\n- check the version numbers\n- write the list of changes\n- tell the people who use it\n";
    let contents = max(60).contents(text);
    assert_eq!(contents[0], "Before each release:\n\n- check the version numbers");
    assert_eq!(contents[1], "[Before each release:]\n\n- write the list of changes");
}

#[test]
fn nested_items_say_which_item_they_belong_to() {
    let text = "- Fruit for the week\n  - a bag of red apples\n  - a bag of green pears\n  - a box of blue plums\n";
    let contents = max(56).contents(text);
    assert_eq!(contents[0], "- Fruit for the week\n  - a bag of red apples");
    assert!(contents[1..].iter().all(|c| c.starts_with("[- Fruit for the week]\n\n  - a b")), "{contents:?}");
}

#[test]
fn context_counts_toward_the_limit() {
    let text =
        "# Guide\n\n## Install\n\nRun the first command now. Run the second command now. Run the third one, too.\n";
    let cut = Cut { context: ContextMode::Headings, ..max(64) };
    let chunks = cut.outcome(text).value;
    assert!(chunks.len() > 1);
    for chunk in &chunks[1..] {
        assert!(chunk.content.starts_with("[Guide > Install]\n\nRun"), "{}", chunk.content);
        assert!(chunk.content.chars().count() <= 64);
        assert_eq!(chunk.parts[0].kind, PartKind::Heading);
    }
}

#[test]
fn a_long_path_loses_its_outer_titles_first() {
    let text = "# A very long title of the whole document\n\n## Part\n\nFirst sentence here. Second sentence here. Third one here.\n";
    let cut = Cut { context: ContextMode::Headings, ..max(60) };
    let contents = cut.contents(text);
    assert!(contents[1..].iter().all(|c| c.starts_with("[Part]\n\n")), "{contents:?}");
}

#[test]
fn overlap_is_whole_sentences_of_the_same_section() {
    let text = "# A\n\nOne one one. Two two two. Three three three. Four four four. Five five five.\n\n# B\n\nSix six six six six six six six six. Seven.\n";
    let mut cut = max(60);
    cut.limits.overlap = 30;
    let document_chunks = cut.outcome(text).value;
    let overlaps: Vec<Option<&str>> = document_chunks
        .iter()
        .map(|c| c.parts.iter().find(|p| p.kind == PartKind::Overlap).map(|p| c.content[p.range.range()].trim()))
        .collect();
    assert_eq!(overlaps[0], None, "nothing stands before the first chunk");
    let repeated = overlaps[1].unwrap();
    assert!(
        repeated.ends_with('.') && repeated.chars().count() <= 30 && repeated.matches('.').count() <= 2,
        "{repeated}"
    );
    let section = document_chunks.iter().position(|c| c.content.starts_with("# B")).unwrap();
    assert_eq!(overlaps[section], None, "another section");
}

#[test]
fn a_sentence_above_the_limit_is_cut_and_said_to_be() {
    let text = format!("{}.\n", ["word"; 40].join(" "));
    let outcome = max(50).outcome(&text);
    assert!(outcome.value.iter().all(|c| c.fallback_split && c.size <= 50));
    assert!(
        outcome.value.iter().all(|c| c.content.split(' ').all(|w| w.trim_end_matches('.') == "word")),
        "no word is cut"
    );
    assert_eq!(
        outcome.diagnostics.iter().filter(|d| d.code == "broken_sentence_fallback").count(),
        outcome.value.len()
    );
}

#[test]
fn the_rest_of_a_cut_link_stays_a_link() {
    let text = format!("See [the shop](https://example.test/{}) for more.\n", "x".repeat(150));
    let contents = max(100).contents(&text);
    assert!(contents.len() > 1);
    assert!(contents[1..].iter().all(|c| c.starts_with("[the shop](x")), "{contents:?}");
}

#[test]
fn so_many_sentences_a_chunk() {
    let text = "One. Two. Three.\n\nFour. Five.\n";
    let cut = Cut { strategy: "sentence", sentences: Some(2), ..max(100) };
    assert_eq!(cut.contents(text), ["One. Two.", "Three.\n\nFour.", "Five."]);
    let cut = Cut { strategy: "sentence", sentences: Some(1), ..max(100) };
    assert_eq!(cut.contents(text), ["One.", "Two.", "Three.", "Four.", "Five."]);
}

#[test]
fn paragraphs_fill_chunks_to_the_brim() {
    let text = "aaaa aaaa.\n\nbbbb bbbb.\n\ncccc cccc.\n\ndddd dddd.\n";
    let cut = Cut { strategy: "paragraph", ..max(34) };
    assert_eq!(cut.contents(text), ["aaaa aaaa.\n\nbbbb bbbb.\n\ncccc cccc.", "dddd dddd."]);
}

#[test]
fn fixed_windows_repeat_exactly_so_much() {
    let text = "a b c d e f g h i j\n";
    let mut cut = Cut { strategy: "fixed", unit: Unit::Words, ..max(4) };
    cut.limits.overlap = 1;
    assert_eq!(cut.contents(text), ["a b c d", "d e f g", "g h i j"]);
}

#[test]
fn recursive_looks_at_separators_only() {
    let text = "# Not a section\nfirst line. More of it\n\nSecond paragraph here. It goes on.\n";
    let cut = Cut { strategy: "recursive", ..max(45) };
    let contents = cut.contents(text);
    assert_eq!(contents, ["# Not a section\nfirst line. More of it", "Second paragraph here. It goes on."]);
}

#[test]
fn a_table_piece_keeps_the_title_above_it_even_when_rows_must_wait() {
    let rows: String = (10..40).map(|n| format!("| bolt {n} | {n} cent |\n")).collect();
    let text = format!("# A long title of the whole price list\n\n## Bolts\n\n| Part | Price |\n|---|---|\n{rows}");
    let cut = Cut { context: ContextMode::Headings, ..max(100) };
    let contents = cut.contents(&text);
    assert!(contents.len() > 5);
    for content in &contents[1..] {
        assert!(content.contains("Bolts]\n\n| Part | Price |\n|---|---|\n| bolt "), "{content}");
        assert!(content.chars().count() <= 100);
    }
}

#[test]
fn a_long_line_in_a_fence_leaves_whole_fences() {
    let word = "alpha ".repeat(53);
    for (before, indent) in [("1. Step.\n\n", "   "), ("", ""), ("> Said:\n>\n", "> ")] {
        let lines = ["```sh", word.trim(), "b c", "}", "```"].map(|line| format!("{indent}{line}\n"));
        let contents = max(90).contents(&format!("{before}{}", lines.concat()));
        assert!(contents.len() > 3);
        for content in contents.iter().filter(|c| c.contains("alpha") || c.contains("b c")) {
            assert_eq!(content.matches("```").count(), 2, "{content}");
            assert!(content.contains("```sh\n"), "{content}");
        }
        assert!(contents.iter().all(|c| c.contains(char::is_alphanumeric)), "{contents:?}");
    }
}

#[test]
fn a_row_waits_for_the_next_chunk_rather_than_break() {
    let table = "| Key one | Value two | Note three |\n|---|---|---|\n| first | some longer value text | x alpha alpha |\n\
                 | second | other value | y |\n";
    let text = format!("## A heading of some words that takes quite a few characters here\n\n{table}");
    let contents = max(140).contents(&text);
    assert!(contents.iter().any(|c| c.contains("| first | some longer value text | x alpha alpha |")), "{contents:?}");
    for content in contents.iter().filter(|c| c.contains("| first") || c.contains("| second")) {
        assert!(content.contains("| Key one | Value two | Note three |\n|---|---|---|\n|"), "{content}");
    }
}

#[test]
fn a_heading_is_not_left_alone_by_a_forced_cut() {
    let text = format!("# A heading of thirty letters\n\n{}.\n", ["word"; 60].join(" "));
    for size in 45..90 {
        for content in max(size).contents(&text) {
            assert!(!content.lines().last().unwrap().starts_with('#'), "at {size}: {content:?}");
        }
    }
}

#[test]
fn questions_stay_with_their_answers() {
    let pair = |n: usize| format!("Q: What is the number {n} for?\nA: It is for the {n}th thing. It is needed.\n\n");
    let text: String = (0..12).map(pair).collect();
    let input = Input {
        id: DocumentId::new("p", "", "a.txt"),
        source: "a.txt",
        bytes: text.as_bytes(),
        open: &[],
        first: true,
    };
    let document = reader_by_name("faq").unwrap().read(&input).unwrap().value;
    let counter = sizer(Unit::Chars, "").unwrap();
    let limits = Limits { target: 130, max: 200, min: 20, overlap: 0 };
    let cx = ChunkCx::new(limits, counter.as_ref());
    let chunks = strategy("markdown").unwrap().chunk(&document, &cx).unwrap().value;
    assert!(chunks.len() > 3);
    for chunk in chunks {
        assert!(chunk.content.starts_with("Q: "), "{}", chunk.content);
        assert_eq!(chunk.content.matches("Q: ").count(), chunk.content.matches("A: ").count(), "{}", chunk.content);
    }
}

#[test]
fn endless_stretches_take_no_more_than_their_length() {
    // Twice the text makes twice the pieces: where work per piece grew with the text, this would take minutes.
    for unit in ["字", "สวัสดี", "👍🏽", "`", "[", "a1+/"] {
        let text = unit.repeat(400_000 / unit.len());
        let cut = Cut { unit: Unit::Tokens, ..max(100) };
        let chunks = cut.outcome(&text).value;
        assert!(chunks.iter().map(|c| c.body.len()).sum::<usize>() >= text.trim().len() - chunks.len());
    }
}
