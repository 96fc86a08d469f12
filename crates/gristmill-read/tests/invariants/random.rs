//! Arbitrary bytes.

use gristmill_core::{DocumentId, EditKind, Input};
use gristmill_read::decode::decode_as;
use gristmill_read::outline::Outline;
use gristmill_read::{READERS, choose, window_end};
use proptest::prelude::*;

use crate::check::check;
use crate::read_if_any;

/// Text made of the pieces that readers look for.
fn marked_up() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        " ",
        "  ",
        "    ",
        "\t",
        "- ",
        "* ",
        "** ",
        "+ ",
        "+\n",
        "1. ",
        "2) ",
        "(a) ",
        "#. ",
        "word",
        "Two words.",
        "世界。",
        "é",
        "\u{3000}",
        "\u{feff}",
        "\0",
        "\u{1b}[0m",
        "====",
        "----",
        "~~~~",
        "....",
        "____",
        "****",
        "++++",
        "////",
        "--\n",
        "|===",
        "| a | b",
        "+---+---+",
        "+===+===+",
        "|",
        "==  ==",
        "::",
        "::\n\n",
        ".. note:: ",
        ".. code-block:: py",
        ".. list-table::\n",
        ".. [1] ",
        ".. _x: y",
        ".. |x| image:: y",
        "..",
        "__ ",
        ":field: ",
        ":a: b\n",
        ">>> ",
        "| ",
        "== ",
        "= ",
        "=== ",
        "[NOTE]\n",
        "[source,py]\n",
        "[%header,cols=2*]\n",
        ".Title\n",
        "NOTE: ",
        "term:: ",
        "<1> ",
        "'''",
        "image::x[]",
        "// ",
        "Q: ",
        "A: ",
        "Ann: ",
        "Bo: ",
        "<ann> ",
        "[10:00] ",
        "10:00 - ",
        "**Ann:** ",
        "2024-05-01 10:00:00 ",
        "INFO ",
        "Chapter 1",
        "第3章",
        "CAPITALS",
        "# ",
        "```",
        "---\n",
        "> ",
        "<div>",
        "$$",
        "`",
        "``x``",
        ":class:`~a.B`",
    ];
    prop::collection::vec(prop::sample::select(PIECES), 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        choose("a", &bytes);
        for reader in READERS {
            read_if_any(*reader, reader.name(), &bytes).iter().for_each(|read| check(&read.value));
        }
    }

    #[test]
    fn blocks_of_any_markup_are_in_order(text in marked_up()) {
        choose("a", text.as_bytes());
        for reader in READERS {
            read_if_any(*reader, reader.name(), text.as_bytes()).iter().for_each(|read| check(&read.value));
        }
    }

    #[test]
    fn every_character_goes_home(text in marked_up()) {
        let input = Input {
            id: DocumentId::new("default", "", "a"),
            source: "a",
            bytes: text.as_bytes(),
            open: &[],
            first: true,
        };
        let decoded = decode_as(&input, "utf-8").unwrap();
        for (at, c) in decoded.text.char_indices() {
            let home = decoded.map.start(at as u32) as usize;
            let there = text[home..].chars().next();
            prop_assert!(there == Some(c) || (c == '\n' && there == Some('\r')), "{:?} at {}", c, at);
        }
        let removed: usize = decoded.edits.iter().map(|edit| edit.at.len() - edit.with.len()).sum();
        prop_assert_eq!(decoded.text.len() + removed, text.len());
        prop_assert!(decoded.edits.iter().all(|edit| edit.kind != EditKind::FrontMatter));
    }

    #[test]
    fn windows_end_on_characters(text in marked_up(), at in 0usize..400) {
        let end = window_end(text.as_bytes(), at);
        prop_assert!(text.is_char_boundary(end));
        prop_assert!(end > 0 || at == 0 || text.is_empty());
    }

    #[test]
    fn sections_nest_whatever_the_levels(levels in prop::collection::vec(0u8..9, 0..30)) {
        let mut outline = Outline::new(&[(2, "open".to_owned())]);
        for (at, level) in levels.iter().enumerate() {
            outline.heading(*level, "t", gristmill_core::Span::new(at * 2 + 1, at * 2 + 2));
        }
        let (blocks, sections) = outline.finish();
        prop_assert_eq!(blocks.len(), levels.len());
        for section in &sections[1..] {
            prop_assert!(sections[section.parent as usize].level < section.level);
        }
    }
}
