//! Chunks that are too large, split.

use gristmill_core::{Part, PartKind, Unit};
use gristmill_lint::{Group, LintCx, Piece, RULES, Rule, Safety, TokenLimit, check, repair};
use gristmill_text::segment::floor_grapheme;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn rules(names: &[&str]) -> Vec<&'static Rule> {
    RULES.iter().filter(|rule| names.is_empty() || names.contains(&rule.name)).copied().collect()
}

/// What rules find must not be more than before where a text is split well.
const BORDERS: [&str; 8] = [
    "unclosed-fence",
    "orphan-table",
    "mid-sentence-start",
    "mid-sentence-end",
    "missing-heading",
    "split-code",
    "tiny-chunk",
    "trailing-heading",
];

fn split(text: &str, max_chars: usize) -> Vec<Piece> {
    let cx = LintCx { max_chars, ..LintCx::default() };
    split_with(Piece::new(0, Some("a".to_owned()), text.to_owned()), &cx)
}

fn split_with(piece: Piece, cx: &LintCx<'_>) -> Vec<Piece> {
    let group = Group { source: Some("a.md".to_owned()), pieces: vec![piece] };
    let done = repair(group.clone(), RULES, cx, Safety::Unsafe);
    assert_eq!(done.faults, Vec::<String>::new());
    let again = repair(Group { pieces: done.pieces.clone(), ..group }, RULES, cx, Safety::Unsafe);
    assert_eq!(again.applied, Vec::new(), "a second repair goes on: {:#?}", done.pieces);
    done.pieces
}

fn found(pieces: &[Piece], cx: &LintCx<'_>) -> Vec<String> {
    let bare = pieces.iter().enumerate().map(|(at, piece)| Piece::new(at, None, piece.text.clone()));
    let mut group = Group { source: Some("a.md".to_owned()), pieces: bare.collect() };
    let found = check(&mut group, &rules(&BORDERS), cx);
    let remarks = |finding: &&gristmill_lint::Finding| finding.severity != gristmill_core::Severity::Info;
    found.iter().filter(remarks).map(|f| format!("{} {} {}", f.piece, f.rule, f.message)).collect()
}

fn texts(pieces: &[Piece]) -> Vec<&str> {
    pieces.iter().map(|piece| piece.text.as_str()).collect()
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| !gristmill_lint::is_invisible(*c)).collect()
}

fn bodies(pieces: &[Piece]) -> String {
    pieces.iter().flat_map(Piece::bodies).map(letters).collect()
}

/// A manual with prose, lists, code and tables, of about `size` sections.
fn manual(size: usize) -> String {
    let mut text = "# The mill\n\nThis manual tells how the mill works and what it needs.\n\n".to_owned();
    for n in 0..size {
        text.push_str(&format!(
            "## Part {n}\n\nPart {n} is made of oak. It turns {n} times an hour, and it has to be oiled often. Ask Dr. \
             Smith at 3.14 if it squeaks.\n\n- Oil it on Monday {n}.\n- Look at it on Friday {n}, and listen.\n- Write \
             down what you hear.\n\n```python\ndef part_{n}(turns):\n    oil = turns * {n}\n    return oil\n\n\ndef \
             stop_{n}():\n    return {n}\n```\n\n| day | oil |\n|---|---|\n| Monday {n} | 1 l |\n| Friday {n} | 2 l \
             |\n| Sunday {n} | 3 l |\n\n"
        ));
    }
    text
}

#[test]
fn a_manual_is_split_where_nothing_is_torn() {
    for max_chars in [300, 450, 800, 1_500, 4_000] {
        let text = manual(12);
        let cx = LintCx { max_chars, ..LintCx::default() };
        let pieces = split(&text, max_chars);
        let largest = pieces.iter().map(|piece| piece.text.chars().count()).max();
        assert!(largest <= Some(max_chars), "{largest:?} of {max_chars}");
        assert!(pieces.len() <= 1 + text.len() * 2 / max_chars, "{} pieces of {max_chars}", pieces.len());
        assert_eq!(bodies(&pieces), letters(&text));
        assert_eq!(found(&pieces, &cx), Vec::<String>::new(), "{max_chars}: {:#?}", texts(&pieces));
    }
}

#[test]
fn code_and_tables_that_go_on_carry_fence_and_header() {
    let code: String = (0..40).map(|n| format!("value_{n} = measure({n})\n")).collect();
    let pieces = split(&format!("Do it:\n\n```python\n{code}```"), 300);
    assert!(pieces.len() > 3);
    for piece in &pieces {
        assert!(piece.text.ends_with("\n```") && piece.text.contains("```python\nvalue"), "{}", piece.text);
    }
    let rows: String = (0..40).map(|n| format!("| number {n} | {} |\n", n * n)).collect();
    let pieces = split(&format!("| n | square |\n|---|--:|\n{rows}"), 300);
    assert!(pieces.len() > 2);
    for piece in &pieces {
        assert!(piece.text.starts_with("| n | square |\n|---|--:|\n| number "), "{}", piece.text);
        let kinds: Vec<PartKind> = piece.parts.iter().map(|part| part.kind).collect();
        assert!(kinds == [PartKind::Body] || kinds == [PartKind::TableHeader, PartKind::Body], "{kinds:?}");
    }
}

#[test]
fn an_injected_path_is_repeated_up_to_the_next_heading() {
    let sentence = "The stone turns slowly over the grain that falls. ".repeat(6);
    let text = format!("[Guide]\n\n{sentence}\n\n## Oil\n\n{sentence}");
    let mut piece = Piece::new(0, None, text);
    let part = |kind, start, end| Part { kind, range: gristmill_core::Span::new(start, end), origin: None };
    piece.parts = vec![part(PartKind::Heading, 0, 9), part(PartKind::Body, 9, piece.text.len())];
    let pieces = split_with(piece, &LintCx { max_chars: 250, ..LintCx::default() });
    let starts: Vec<&str> = pieces.iter().map(|piece| &piece.text[..8]).collect();
    assert_eq!(starts, ["[Guide]\n", "[Guide]\n", "## Oil\n\n", "[Oil]\n\nT"]);
}

#[test]
fn places_are_told_of_each_part() {
    let text =
        "Über die Mühle. Sie mahlt Korn.\n\nSie steht am Fluß. Dort ist sie sicher.\n\nDas war alles, was es gibt.";
    let mut piece = Piece::new(0, None, text.to_owned());
    let chars: Vec<char> = text.chars().collect();
    piece.place = Some(100..100 + chars.len() as u64);
    piece.line = Some(7);
    let pieces = split_with(piece, &LintCx { max_chars: 45, ..LintCx::default() });
    assert_eq!(pieces.iter().map(|piece| piece.line).collect::<Vec<_>>(), [Some(7), Some(9), Some(11)]);
    for piece in &pieces {
        let place = piece.place.clone().expect("a place");
        let own: String = chars[place.start as usize - 100..place.end as usize - 100].iter().collect();
        assert_eq!(own, piece.text);
    }
}

#[test]
fn tokens_limit_parts_too() {
    let sizer = gristmill_text::count::sizer(Unit::Tokens, "o200k_base").expect("a tokenizer");
    let cx = LintCx { tokens: Some(TokenLimit { sizer: sizer.as_ref(), max: 100 }), ..LintCx::default() };
    let text = manual(4);
    let pieces = split_with(Piece::new(0, None, text.clone()), &cx);
    assert!(pieces.iter().all(|piece| sizer.size(&piece.text) <= 100));
    assert_eq!(bodies(&pieces), letters(&text));
}

#[test]
fn a_character_that_is_too_large_stays_whole() {
    let family = "👨‍👩‍👧‍👦";
    let pieces = split(&family.repeat(3), 5);
    assert_eq!(texts(&pieces), [family; 3]);
    let mark = format!("e{}", "\u{301}".repeat(50));
    let pieces = split(&format!("{mark}{mark}"), 20);
    assert_eq!(texts(&pieces), [mark.as_str(), mark.as_str()]);
}

#[test]
fn large_texts_take_linear_time() {
    let text = manual(3_000);
    let pieces = split(&text, 1_000);
    assert!(pieces.len() > 500);
    assert_eq!(bodies(&pieces), letters(&text));
    for text in
        ["x".repeat(300_000), "字".repeat(100_000), format!("```\n{}", "[".repeat(300_000)), "a\n".repeat(100_000)]
    {
        // What lies between the parts of a block is added to the letters.
        let all: String = texts(&split(&text, 2_000)).concat();
        assert!(letters(&all).len() >= letters(&text).len());
    }
}

/// The parts of a piece as they are read from a file that marks what was put in.
fn injected(piece: &Piece) -> Vec<Part> {
    let kept = |kind| if kind == PartKind::Overlap { PartKind::Body } else { kind };
    piece.parts.iter().map(|part| Part { kind: kept(part.kind), origin: None, ..*part }).collect()
}

fn words() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "mill",
        "Stein",
        "мельница",
        "Μύλος",
        "طاحونة",
        "מטחנה",
        "चक्की",
        "โรงสี",
        "방앗간",
        "水車",
        "磨坊。",
        "end.",
        "What?",
        "3.14",
        "Dr.",
        "🏭",
        "👩‍🌾",
        "naïve",
        "`code`",
        "a|b",
        "—",
        "|",
        "\n",
        "\n\n",
        "\n\n## Oak\n\n",
        "\n- ",
        "\n1. ",
        "\n```py\n",
        "\n```\n",
        "\n~~~\n",
        "\n| a | b |\n|---|---|\n| 1 | 2 |",
        "\n| x | y |",
        "    ",
        "\t",
        "\r\n",
        "(",
        ")",
        ",",
        ";",
        "e\u{301}",
        "\u{200d}",
    ]);
    prop::collection::vec((word, any::<bool>()), 20..250).prop_map(|words| {
        words.into_iter().map(|(word, space)| if space { format!("{word} ") } else { word.to_owned() }).collect()
    })
}

/// `PROPTEST_CASES` sets how many texts are tried, `PROPTEST_RNG_SEED` which ones.
fn config() -> ProptestConfig {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse().ok());
    ProptestConfig {
        cases: number("PROPTEST_CASES").unwrap_or(200),
        rng_seed: RngSeed::Fixed(number("PROPTEST_RNG_SEED").unwrap_or(1).into()),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_part_is_within_the_limit_and_letters_are_kept(text in words(), max_chars in 40_usize..400) {
        let cx = LintCx { max_chars, ..LintCx::default() };
        let group = Group { source: None, pieces: vec![Piece::new(0, None, text.clone())] };
        let done = repair(group.clone(), &rules(&["oversized-chunk"]), &cx, Safety::Unsafe);
        prop_assert!(done.faults.is_empty(), "{:?}", done.faults);
        for piece in &done.pieces {
            let body: String = piece.bodies().collect();
            let whole = (1..body.len()).all(|at| !body.is_char_boundary(at) || floor_grapheme(&body, at) < at);
            prop_assert!(piece.text.chars().count() <= max_chars || whole || letters(&piece.text).chars().count() <= max_chars, "{:?}", piece.text);
        }
        let mut shown = String::new();
        for piece in &done.pieces {
            shown.extend(piece.parts.iter().filter(|p| matches!(p.kind, PartKind::Body | PartKind::Overlap)).map(|p| letters(&piece.text[p.range.range()])));
        }
        prop_assert_eq!(shown, letters(&text));
        let again = repair(Group { pieces: done.pieces.clone(), ..group }, &rules(&["oversized-chunk"]), &cx, Safety::Unsafe);
        prop_assert_eq!(again.pieces, done.pieces);
    }

    #[test]
    fn all_rules_together_come_to_an_end(text in words(), max_chars in 40_usize..400) {
        let cx = LintCx { max_chars, ..LintCx::default() };
        let fenced = text.contains("```") || text.contains("~~~");
        let done = repair(Group { source: None, pieces: vec![Piece::new(0, None, text)] }, RULES, &cx, Safety::Unsafe);
        prop_assert!(done.faults.is_empty(), "{:?}", done.faults);
        let bare = |at, piece: &Piece| Piece::new(at, None, piece.text.clone());
        let marked = |at, piece: &Piece| Piece { parts: injected(piece), ..bare(at, piece) };
        // Without marks nobody can tell which of many fences a repair put in.
        let read_again: Vec<Piece> = match fenced {
            true => done.pieces.iter().enumerate().map(|(at, piece)| marked(at, piece)).collect(),
            false => done.pieces.iter().enumerate().map(|(at, piece)| bare(at, piece)).collect(),
        };
        let again = repair(Group { source: None, pieces: read_again }, RULES, &cx, Safety::Unsafe);
        prop_assert!(again.applied.is_empty(), "{:?}\n{:#?}\n{:#?}", again.applied, texts(&done.pieces), done.applied);
    }
}
