use super::Text;
use crate::fixture::{paths, read, read_window, shape};

fn shown(text: &str) -> String {
    shape(&read(&Text, text))
}

#[test]
fn blank_lines_part_paragraphs() {
    let text = "One line\nand its wrapped rest.\n\n \t\n    Indented verse\n      keeps together\n\nEnd";
    let expected = "paragraph \"One line\\nand its wrapped rest.\"\nparagraph \"Indented verse\\n      keeps together\"\n\
                    paragraph \"End\"\n";
    assert_eq!(shown(text), expected);
}

#[test]
fn unwrapped_lines_are_paragraphs_of_their_own() {
    let long = "word ".repeat(40);
    let text = format!("{long}\nshort\n{long}\n");
    assert_eq!(read(&Text, &text).blocks.len(), 3);
    let chinese = "　　他走了。\n　　她留下来。\n雨停了。\n";
    assert_eq!(shown(chinese), "paragraph \"他走了。\"\nparagraph \"她留下来。\\n雨停了。\"\n");
    let url = format!("See\nhttps://example.org/{}\nfor more.\n", "x".repeat(200));
    assert_eq!(read(&Text, &url).blocks.len(), 1);
}

#[test]
fn underlines_make_headings() {
    let text =
        "Guide\n=====\n\nText.\n\n-----\nUsage\n-----\n\nMore.\n\nName  Age\n---- ----\nBo 3\n\nsum\n----------\n12\n";
    let document = read(&Text, text);
    assert_eq!(paths(&document), ["Guide", "Guide/Usage"]);
    assert_eq!(&document.text[document.sections[2].heading.range()], "-----\nUsage\n-----");
}

#[test]
fn numbered_headings_alone_on_a_line() {
    for heading in [
        "Chapter IV",
        "CHAPTER 1. The Start",
        "CHAPTER I. In which he leaves.",
        "Section 3",
        "Article 5",
        "Part I",
        "Chapter Two",
        "Appendix B",
        "Kapitel 3: Anfang",
        "Глава 2",
        "第3章",
        "第十二章 风雪",
        "第一章绪论",
        "제2장",
        "제 3 장 총칙",
        "第一部分",
    ] {
        assert_eq!(paths(&read(&Text, &format!("before it\n\n{heading}\n\nafter it\n"))), [heading]);
    }
    for line in [
        "Part 2 of the report is late.",
        "Part of the work",
        "Chapter 3 shows the rest, as said.",
        "第三者",
        "第一条 为了保护公民，制定本法。",
        "第3章は難しい",
        "Section 3\nwith a second line",
        "section 4",
    ] {
        assert!(paths(&read(&Text, &format!("before it\n\n{line}\n\nafter it\n"))).is_empty(), "{line}");
    }
}

#[test]
fn parts_hold_chapters() {
    let text = "PART I\n\nChapter 1\n\na\n\nCHAPTER 2\n\nb\n\nPart II\n\nChapter 3\n\nc\n";
    let expected = ["PART I", "PART I/Chapter 1", "PART I/CHAPTER 2", "Part II", "Part II/Chapter 3"];
    assert_eq!(paths(&read(&Text, text)), expected);
}

#[test]
fn capitals_are_headings_only_among_small_letters() {
    let text = "THE HOUSE\n\nIt was a quiet house by the river.\n\nXVII.\n\n*** END ***\n\nSTOP!\n\nNASA\n";
    assert_eq!(paths(&read(&Text, text)), ["THE HOUSE", "NASA"]);
    assert!(paths(&read(&Text, "STOP HERE\n\nALL IN CAPITALS, AS TELEGRAMS ARE.\n")).is_empty());
}

#[test]
fn lists_nest_by_indentation() {
    let text = "We need:\n- bread\n  and butter\n- milk\n    * fresh\n\n      not sour\n- tea\n\nDone.\n";
    let expected = "paragraph \"We need:\"\n\
                    list\n  item\n    paragraph \"bread\\n  and butter\"\n\
                    \x20 item\n    paragraph \"milk\"\n    list\n      item\n        paragraph \"fresh\"\n\
                    \x20       paragraph \"not sour\"\n\
                    \x20 item\n    paragraph \"tea\"\nparagraph \"Done.\"\n";
    assert_eq!(shown(text), expected);
}

#[test]
fn numbered_lists_count_on() {
    let text = "1. one\n2. two\n\n3. three\n";
    let item = |text: &str| format!("  item\n    paragraph {text:?}\n");
    assert_eq!(shown(text), format!("ordered\n{}{}{}", item("one"), item("two"), item("three")));
    // A year at the start of a wrapped line, and a numbered title, are none.
    assert_eq!(shown("in the year\n1999. It was\n"), "paragraph \"in the year\\n1999. It was\"\n");
    assert_eq!(shown("1. Aim\n\nText.\n"), "paragraph \"1. Aim\"\nparagraph \"Text.\"\n");
}

#[test]
fn a_lone_dash_in_prose_is_no_list() {
    assert_eq!(shown("he said\n- as ever -\nno\n"), "paragraph \"he said\\n- as ever -\\nno\"\n");
}

#[test]
fn a_line_at_the_margin_ends_a_list_of_short_lines() {
    assert_eq!(
        shown("- one\n- two\nThen this.\n"),
        "list\n  item\n    paragraph \"one\"\n  item\n    paragraph \"two\"\nparagraph \"Then this.\"\n"
    );
    let long = format!("- {}\nrest\n", "word ".repeat(14).trim());
    assert_eq!(read(&Text, &long).blocks.len(), 3);
}

#[test]
fn rules_stand_alone() {
    assert_eq!(shown("a\n\n* * *\n\nb\n"), "paragraph \"a\"\nrule \"* * *\"\nparagraph \"b\"\n");
}

#[test]
fn later_windows_go_on_in_their_sections() {
    let document = read_window(&Text, "text\n\nChapter 2\n\nmore\n", &[(1, "Part I".into()), (2, "Chapter 1".into())]);
    assert_eq!(paths(&document), ["Part I", "Part I/Chapter 1", "Part I/Chapter 2"]);
    assert_eq!(document.blocks[0].section, 2);
}
