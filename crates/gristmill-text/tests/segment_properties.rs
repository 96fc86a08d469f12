//! What holds for any text at all.

use gristmill_text::segment::{best_break, floor_grapheme, sentence_starts};
use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

/// Texts of the signs that matter, mixed with letters of many scripts.
fn text() -> impl Strategy<Value = String> {
    let signs = [
        ".",
        "!",
        "?",
        "…",
        "...",
        ". . .",
        "。",
        "！",
        "।",
        "؟",
        "\"",
        "'",
        "“",
        "”",
        "’",
        "«",
        "»",
        "„",
        "(",
        ")",
        "[",
        "]",
        "「",
        "」",
        "（",
        "）",
        "`",
        "``",
        "$",
        "<",
        ">",
        "</b>",
        "<i>",
        "[^1]",
        "](",
        "*",
        "_",
        " ",
        "  ",
        "\n",
        "\n\n",
        "\r\n",
        "\t",
        "\u{a0}",
        "1",
        "2.",
        "10",
        "a",
        "b)",
        "A.",
        "I",
        "Dr.",
        "etc.",
        "U.S.",
        "p.m.",
        "am",
        "The",
        "the",
        "Word",
        "said",
        "mai",
        "g.",
        "é",
        "e\u{301}",
        "字",
        "か",
        "한다",
        "ก",
        "ครับ",
        "ไ",
        "क्ष",
        "👨‍👩‍👧",
        "🇩",
        "🇪",
        "\u{200d}",
        "\u{202a}",
        "•",
        "⁃",
        "–",
        "-",
        ",",
        ";",
        ":",
        "·",
        "ռ",
        "α",
        "²",
        "\u{0}",
        "\\",
    ];
    prop::collection::vec(prop::sample::select(signs.to_vec()), 0..60).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sentences_begin_in_order_on_visible_characters(text in text()) {
        let mut starts = Vec::new();
        sentence_starts(&text, &mut starts);
        prop_assert_eq!(starts.first().copied(), if text.is_empty() { None } else { Some(0) });
        for pair in starts.windows(2) {
            prop_assert!(pair[0] < pair[1]);
            prop_assert!(!text[pair[0]..pair[1]].trim().is_empty());
        }
        for &start in starts.iter().skip(1) {
            prop_assert!(text[start..].starts_with(|c: char| !c.is_whitespace()));
        }
    }

    #[test]
    fn cuts_progress_and_keep_graphemes(text in text(), limit in 1usize..200) {
        let mut at = 0;
        while at < text.len() {
            let end = best_break(&text, at, at + limit);
            prop_assert!(at < end && end <= text.len() && text.is_char_boundary(end));
            let first = text[at..].graphemes(true).next().unwrap_or("").len();
            let one_character = text[at..].chars().next().map_or(0, char::len_utf8);
            prop_assert!(end <= at + limit.max(one_character));
            if first > limit {
                break;
            }
            let rest = text[at..].grapheme_indices(true).map(|(i, _)| at + i).chain([text.len()]).collect::<Vec<_>>();
            prop_assert!(rest.contains(&end), "{:?} cut from {at} at {end}", text);
            at = end;
        }
    }

    #[test]
    fn floor_is_the_last_border(text in text(), at in 0usize..400) {
        let borders = text.grapheme_indices(true).map(|(i, _)| i).chain([text.len()]);
        let expected = borders.take_while(|&border| border <= at).last().unwrap_or(0);
        prop_assert_eq!(floor_grapheme(&text, at), expected);
    }
}
