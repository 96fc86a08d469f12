//! Input made to be slow or deep. A quadratic step would run for minutes here, a recursive one would overflow.

use super::invariants::faults;
use super::read;

fn survives(text: &str) {
    for source in ["a.md", "a.mdx"] {
        let document = read(source, text).value;
        let faults = faults(&document);
        let start: String = text.chars().take(40).collect();
        assert!(faults.is_empty(), "{} faults in {start:?}, first: {:?}", faults.len(), faults.first());
    }
}

#[test]
fn one_piece_twenty_thousand_times() {
    for piece in [
        "[", "*", ">", "`", "|", "$", "<", "![", "[x](", "<b>", "<Aa>", "<!--", "&", "a_*", "- ", "1. ", "> - ",
        "[^a]: ", "{", "$$ ", "\\[", "::: ",
    ] {
        survives(&piece.repeat(20_000));
    }
}

#[test]
fn one_line_twenty_thousand_times() {
    for line in [
        "|\n",
        "::: a\n",
        ":::\n",
        "/// a\n",
        "<Aa>\n",
        "<Aa {\n",
        "</Aa>\n",
        "$$ a\n",
        "\\[\n",
        "!!! a\n\n",
        "!!! a\n    b\n",
        "<details>\n\n",
        "<div>\n",
        "<div>\n```\n```\n",
        "{/*\n",
        "import {\n\n",
        "[a]: x\n",
        "[^a]: x\n",
        "``` a\n",
        "# a\n",
        "<!-- a\n",
        "\t- a\n",
    ] {
        survives(&line.repeat(20_000));
    }
}

#[test]
fn pairs_that_do_not_match() {
    survives(&("<Aa>\n".repeat(10_000) + &"</Bb>\n".repeat(10_000)));
    survives(&("<Aa>\n<Bb>\n".repeat(8_000) + &"</Aa>\n".repeat(8_000)));
    survives(&("::: a\n<Aa>\n".repeat(8_000) + &":::\n</Aa>\n".repeat(8_000)));
    survives(&(":::: a\n".repeat(10_000) + &":::\n".repeat(10_000)));
}

#[test]
fn deep_nesting() {
    survives(&(0..2_000).map(|depth| format!("{}a\n", ">".repeat(depth))).collect::<String>());
    survives(&(0..1_500).map(|depth| format!("{}- a\n", "  ".repeat(depth))).collect::<String>());
    survives(&(0..800).map(|depth| format!("{}!!! a\n", "    ".repeat(depth))).collect::<String>());
    survives(&format!("{}```\nx\n", "> - ".repeat(10_000)));
    let document = read("a.md", &format!("{}x", "- ".repeat(10_000))).value;
    // Deeper ones are part of the deepest that counts.
    assert_eq!(document.blocks.iter().map(|block| block.depth).max(), Some(200));
}
