use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::*;

fn paragraph(text: &str) -> String {
    Inline::of(text).finish()
}

/// What a reader of the Markdown sees: text and code, line breaks as blanks.
fn seen(markdown: &str) -> String {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
        | Options::ENABLE_GFM;
    let mut out = String::new();
    for event in Parser::new_ext(markdown, options) {
        match event {
            Event::Text(text) | Event::Code(text) => out.push_str(&text),
            Event::SoftBreak | Event::HardBreak => out.push(' '),
            Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::TableCell) => out.push('\n'),
            Event::Start(_) | Event::End(_) => {}
            other => out.push_str(&format!("<<{other:?}>>")),
        }
    }
    out.trim_end_matches('\n').to_owned()
}

#[test]
fn only_what_would_be_structure_is_escaped() {
    for plain in [
        "2 * 3 * 4 = 24",
        "snake_case_name and _init.",
        "a - b, a + b, C#, #1 and #hash",
        "[a] and [b], AT&T & more, x < y > z",
        "costs $5 or ~6",
        "1.5 times",
        "wait!",
        "a | b",
    ] {
        assert_eq!(seen(&paragraph(plain)), plain);
        assert_eq!(paragraph(plain), plain);
    }
}

#[test]
fn structure_is_escaped() {
    for (plain, written) in [
        ("# a", "\\# a"),
        ("- a", "\\- a"),
        ("1. a", "1\\. a"),
        ("12) a", "12\\) a"),
        ("> a", "\\> a"),
        ("--- a", "\\--- a"),
        ("*a*", "*a\\*"),
        ("_a_ b", "_a\\_ b"),
        ("`a`", "\\`a\\`"),
        ("[a](b)", "[a\\](b)"),
        ("[a]: b", "\\[a]: b"),
        ("[ ] a", "\\[ ] a"),
        ("a <b> c", "a \\<b> c"),
        ("a&lt;b&gt;c & &x &;", "a`&lt;b&gt;`c & &x &;"),
        ("a\\*", "a\\\\*"),
        ("$$a$$", "\\$\\$a\\$\\$"),
        ("~~a~~", "~\\~a\\~\\~"),
        ("::: note", "\\::: note"),
    ] {
        assert_eq!(paragraph(plain), written);
        assert_eq!(seen(written), plain);
    }
}

#[test]
fn white_space_is_folded_and_marks_hug_words() {
    let mut inline = Inline::default();
    inline.text(" a ");
    inline.open(Mark::Strong);
    inline.text("\n b\u{a0}");
    inline.open(Mark::Emphasis);
    inline.text(" c ");
    inline.close();
    inline.close();
    inline.text("d");
    inline.open(Mark::Strong);
    inline.text(" ");
    inline.close();
    inline.open_link("x y(1)");
    inline.text(" e ");
    inline.close();
    inline.line_break();
    inline.text(" - f");
    assert_eq!(inline.finish(), "a **b c** d [e](x%20y%281%29)  \n\\- f");
}

#[test]
fn marks_that_could_not_be_read_are_left_out() {
    let mut inline = Inline::default();
    inline.open(Mark::Strong);
    inline.text("a:");
    inline.close();
    inline.text("b c");
    inline.open(Mark::Emphasis);
    inline.text("(d)");
    inline.close();
    inline.text(" ");
    inline.open(Mark::Emphasis);
    inline.text("e");
    inline.close();
    inline.text("f");
    assert_eq!(inline.finish(), "a:b c(d) *e*f");
}

#[test]
fn code_spans_hold_backticks() {
    let mut inline = Inline::default();
    inline.code("a `` b");
    inline.text(" ");
    inline.code("`");
    inline.code(" ");
    assert_eq!(inline.finish(), "`a `` b` `` ` ``");
}

#[test]
fn no_reference_comes_of_pieces() {
    let mut inline = Inline::of("&lt");
    inline.text("; ");
    inline.code("x");
    inline.text("&amp;");
    assert_eq!(seen(&inline.clone().finish()), "&lt; x&amp;");
    assert_eq!(inline.finish(), "&lt\\; `x`&amp;amp;");
}

#[test]
fn images_and_links() {
    let mut inline = Inline::default();
    inline.open_link("/a");
    inline.image("a [b]", "b.png");
    inline.close();
    inline.image(" in words ", "data:image/png;base64,AA==");
    inline.open_link("javascript:void(0)");
    inline.text(" c]");
    inline.close();
    assert_eq!(inline.finish(), "[![a \\[b\\]](b.png)](/a) in words c\\]");
}

#[test]
fn lists_nest_and_stay_apart() {
    let mut out = Markdown::default();
    out.paragraph(Inline::of("Intro"));
    out.open_list(None);
    for text in ["a", "b"] {
        out.open_item();
        out.paragraph(Inline::of(text));
        out.open_list(Some(1));
        out.open_item();
        out.paragraph(Inline::of("one"));
        out.close();
        out.open_item();
        out.paragraph(Inline::of("two"));
        out.code("sh", "ls\n\nls");
        out.close();
        out.close();
        out.close();
    }
    out.open_item();
    out.close();
    out.close();
    out.open_list(None);
    out.open_item();
    out.open_quote();
    out.paragraph(Inline::of("c"));
    out.heading(2, Inline::of("d #"));
    out.close();
    out.close();
    out.close();
    let item = "  1. one\n  2. two\n\n     ```sh\n     ls\n\n     ls\n     ```\n";
    assert_eq!(out.finish(), format!("Intro\n\n- a\n{item}- b\n{item}\n* > c\n  >\n  > ## d \\#\n"));
}

#[test]
fn tables_fill_short_rows() {
    let mut table = Table::default();
    let mut code = Inline::default();
    code.code("a|b");
    table.row([Inline::of("x | y"), code]);
    let mut broken = Inline::of("1");
    broken.line_break();
    broken.text("2");
    table.row([broken]);
    table.align(vec![Align::Right, Align::Center]);
    let mut out = Markdown::default();
    out.table(&table);
    assert_eq!(out.finish(), "| x \\| y | `a\\|b` |\n| --: | :-: |\n| 1 2 | |\n");
}

#[test]
fn fences_are_longer_than_any_inside() {
    let mut out = Markdown::default();
    out.code("markdown `x", "````\na\n````\n");
    assert_eq!(out.finish(), "`````markdown\n````\na\n````\n`````\n");
}

#[test]
fn deep_nesting_is_flattened() {
    let mut out = Markdown::default();
    for _ in 0..100_000 {
        out.open_list(None);
        out.open_item();
    }
    out.paragraph(Inline::of("a"));
    let text = out.finish();
    assert!(text.ends_with("- a\n") && text.len() < 100, "{text}");
}

#[test]
fn blocks_are_read_as_they_were_written() {
    let mut out = Markdown::default();
    out.open_list(Some(7));
    out.open_item();
    out.paragraph(Inline::of("a"));
    out.open_list(Some(3));
    out.open_item();
    out.code("", "x");
    out.close();
    out.close();
    out.close();
    out.close();
    out.rule();
    let text = out.finish();
    assert_eq!(text, "7. a\n\n   3. ```\n      x\n      ```\n\n***\n");
    let lists = Parser::new(&text).filter(|event| matches!(event, Event::Start(Tag::List(_)))).count();
    assert_eq!(lists, 2);
}

/// Found by fuzzing: a damaged file holds characters that no text has.
#[test]
fn what_is_no_text_is_left_out() {
    let mut out = Markdown::default();
    out.paragraph(Inline::of("a\0b \0 c\u{feff}"));
    out.code("", "x\0y\n\u{feff}z");
    assert_eq!(out.finish(), "a b c\n\n```\nxy\nz\n```\n");
}

/// Found by fuzzing: a character that is written as a blank makes a mark of what stands before it.
#[test]
fn what_becomes_a_blank_makes_no_marks() {
    for blank in ["\0", "\u{200b}", "\u{feff}", "\u{3000}"] {
        for mark in ["-", "+", "*", "#", "######"] {
            let inline = Inline::of(&format!("{mark}{blank}a"));
            assert_eq!(inline.finish(), format!("\\{mark} a"), "{blank:?}");
        }
        assert_eq!(Inline::of(&format!("1.{blank}a")).finish(), "1\\. a");
        assert_eq!(Inline::of(&format!("[{blank}{blank}] a")).finish(), "\\[ ] a");
    }
}

/// Found by the property below: the marks between the two spans are taken out when it is known what follows them.
#[test]
fn spans_of_code_stay_apart_when_marks_between_them_go() {
    let mut inline = Inline::default();
    inline.code("x");
    inline.open(Mark::Strong);
    inline.text("&a;");
    inline.close();
    inline.open(Mark::Strong);
    inline.text(":");
    assert_eq!(inline.finish(), "`x`&amp;a;**:**");

    let mut inline = Inline::default();
    inline.open(Mark::Strike);
    inline.text("a");
    inline.open(Mark::Strong);
    inline.code("x");
    inline.close();
    inline.code("y");
    inline.close();
    let text = inline.finish();
    let spans = Parser::new(&text).filter_map(|event| match event {
        Event::Code(code) => Some(code.into_string()),
        _ => None,
    });
    assert_eq!(spans.collect::<Vec<_>>(), ["x", "y"], "{text}");
}

/// Steps of writing inline text.
fn steps() -> impl Strategy<Value = Vec<(u8, String)>> {
    let word = "[a-c1 .,:;!?#*_~`\\[\\]()<>&|\\\\${}+=/\"é。-]{0,6}";
    prop::collection::vec((0u8..9, word), 0..12)
}

/// Takes the steps, and gives the text that they say.
fn write(steps: &[(u8, String)]) -> (Inline, String) {
    let (mut inline, mut plain, mut depth) = (Inline::default(), String::new(), 0);
    for (step, word) in steps {
        match step {
            0..=2 => {
                inline.text(word);
                plain.push_str(word);
                continue;
            }
            3 => inline.open(Mark::Strong),
            4 => inline.open(Mark::Emphasis),
            5 => inline.open_link("u"),
            8 => {
                inline.line_break();
                plain.push(' ');
                continue;
            }
            _ if depth > 0 => {
                inline.close();
                depth -= 1;
                continue;
            }
            _ => {
                inline.text(" ");
                inline.code("x");
                plain.push_str(" x");
                continue;
            }
        }
        depth += 1;
    }
    (inline, plain.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Found by fuzzing and by the property below.
#[test]
fn marks_meet_breaks_and_links() {
    let cases: [(&[(u8, &str)], &str); 5] = [
        // A mark goes that was opened a line before.
        (&[STRONG, text("a"), BREAK, text("éb>"), CLOSE, text("c")], "a  \néb>c"),
        // As `<b>Title<br></b>` on pages: the break stands behind the mark.
        (&[STRONG, text("a"), BREAK, CLOSE, text("b")], "**a**  \nb"),
        // A sign at the start of a line that is not the last makes no quote.
        (&[STRONG, text("> a"), BREAK, text("b!"), CLOSE, text("c")], "\\> a  \nb!c"),
        // Marks go around a link over two lines.
        (&[STRONG, LINK, text("a"), BREAK, text("b"), CLOSE, CLOSE, text("c")], "[a  \nb](u)c"),
        // Marks go that kept an exclamation mark and a link apart: it makes no image.
        (&[text("!"), STRONG, LINK, text("&"), CLOSE, CLOSE, text("é")], "\\![&](u)é"),
    ];
    for (steps, expected) in cases {
        let steps: Vec<(u8, String)> = steps.iter().map(|(step, word)| (*step, (*word).to_owned())).collect();
        assert_eq!(write(&steps).0.finish(), expected, "{steps:?}");
    }
}

const STRONG: (u8, &str) = (3, "");
const LINK: (u8, &str) = (5, "");
const CLOSE: (u8, &str) = (6, "");
const BREAK: (u8, &str) = (8, "");

/// The step that adds text.
fn text(text: &str) -> (u8, &str) {
    (0, text)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4000) })]

    #[test]
    fn text_is_read_as_it_was_written(steps in steps()) {
        let (inline, plain) = write(&steps);
        let mut out = Markdown::default();
        out.paragraph(inline);
        let text = out.finish();
        prop_assert_eq!(seen(&text), plain, "{}", text);
    }
}
