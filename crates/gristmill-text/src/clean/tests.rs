//! Cleaning whole documents.

use super::*;
use crate::sample::Sample;
use gristmill_core::ROOT;
use proptest::prelude::*;

const LONG: &str = "The valve is opened by hand before the pump is started again.";

fn cleaned(sample: Sample, options: &CleanOptions) -> Document {
    let (document, raw) = sample.build_from_file(7);
    let before = document.clone();
    let once = clean(document, options).expect("valid settings").value;
    check(&before, &once, &raw);
    let twice = clean(once.clone(), options).expect("valid settings").value;
    assert_eq!(twice.text, once.text, "a second cleaning");
    assert_eq!(twice.edits, once.edits, "a second cleaning");
    once
}

/// What holds after any cleaning.
fn check(before: &Document, after: &Document, raw: &str) {
    let (rebuilt, map) = OffsetMap::apply(raw, &after.edits);
    assert_eq!(rebuilt, after.text, "the declared edits make the text from the source");
    for pair in after.edits.windows(2) {
        assert!(pair[0].at.end <= pair[1].at.start, "sorted and apart");
    }
    // What the edits keep goes back to where it came from.
    let (mut text, mut source) = (0, 0);
    for edit in after.edits.iter().map(Some).chain([None]) {
        let end = edit.map_or(raw.len(), |edit| edit.at.start as usize);
        for (n, _) in raw[source..end].char_indices() {
            let at = u32::try_from(text + n).expect("small");
            assert_eq!(after.map.start(at) as usize, source + n);
            assert_eq!(map.start(at) as usize, source + n);
        }
        text += end - source + edit.map_or(0, |edit| edit.with.len());
        source = edit.map_or(raw.len(), |edit| edit.at.end as usize);
    }
    check_blocks(after);
    let titles = |d: &Document| d.sections.iter().map(|s| s.title.clone()).collect::<Vec<_>>();
    assert_eq!(titles(after), titles(before));
    for section in &after.sections[1..] {
        assert!(after.text[section.heading.range()].ends_with(&section.title));
    }
    for block in &after.blocks {
        assert_eq!(block.section, after.section_at(block.span.start), "section of {block:?}");
    }
    assert_eq!(verbatim(after, false), verbatim(before, false));
}

/// The texts that no cleaning changes.
fn verbatim(document: &Document, with_code: bool) -> Vec<&str> {
    let is_kept = |kind: BlockKind| match kind {
        BlockKind::Heading { .. } | BlockKind::Math => true,
        BlockKind::Code { .. } => with_code,
        _ => false,
    };
    document.blocks.iter().filter(|b| is_kept(b.kind)).map(|b| &document.text[b.span.range()]).collect()
}

fn check_blocks(document: &Document) {
    let mut open: Vec<Block> = Vec::new();
    for block in &document.blocks {
        open.truncate(usize::from(block.depth));
        assert_eq!(open.len(), usize::from(block.depth), "depth is the number of containers");
        if let Some(around) = open.last() {
            assert!(around.span.covers(block.span), "{block:?} in {around:?} of {:?}", document.text);
        }
        assert!(!block.span.is_empty());
        let text = &document.text[block.span.range()];
        match block.kind {
            BlockKind::Paragraph => {
                assert_eq!(text.trim(), text);
                assert!(text.lines().all(|line| !line.trim_matches(['>', ' ', '\t']).is_empty()), "{text:?}");
            }
            BlockKind::Code { body, .. } => {
                assert!(block.span.covers(body));
                assert!(text.starts_with("```text\n") && text.ends_with("```"));
                assert_eq!(body.len() + 11, block.span.len());
            }
            BlockKind::Table { header } => assert_eq!(&document.text[header.range()], "| h  h |\n|------|\n"),
            _ => {}
        }
        open.push(*block);
    }
    for pair in document.blocks.windows(2) {
        assert!(pair[0].span.start <= pair[1].span.start);
        let both = pair[0].kind == BlockKind::Paragraph && pair[1].kind == BlockKind::Paragraph;
        if both && pair[0].depth == 0 && pair[1].depth == 0 {
            let gap = &document.text[pair[0].span.end as usize..pair[1].span.start as usize];
            assert!(gap.matches('\n').count() >= 2, "paragraphs stay apart: {:?}", document.text);
        }
    }
}

fn kinds(document: &Document) -> Vec<EditKind> {
    let ours = |kind: &EditKind| !matches!(kind, EditKind::LineEnd | EditKind::Control);
    document.edits.iter().map(|edit| edit.kind).filter(ours).collect()
}

#[test]
fn nothing_to_do_is_nothing_done() {
    let document = Sample::new().heading(1, "a").gap("\n\n").paragraph("One two.").gap("\n").build();
    let text = document.text.as_ptr();
    let after = clean(document, &CleanOptions::default()).expect("valid").value;
    assert_eq!(after.text.as_ptr(), text);
    assert!(after.map.is_identity() && after.edits.is_empty());
}

#[test]
fn long_blank_runs_shrink() {
    let gap = format!("{}{}", " ".repeat(6000), "\n".repeat(300));
    let sample = Sample::new().paragraph("Top of the form.").gap(&gap).paragraph("Sign here.").gap("\n");
    let after = cleaned(sample, &CleanOptions::default());
    assert_eq!(after.text, "Top of the form.\n\nSign here.\n");
    assert_eq!(kinds(&after), [EditKind::Blanks, EditKind::BlankLines]);
}

#[test]
fn programs_stay_as_they_are() {
    let text = "def f():   \n    return  1  ";
    let sample = Sample::new().leaf(BlockKind::Statement, text).gap("\n\n\n\n\n  ").leaf(BlockKind::Statement, "f()");
    let mut document = sample.gap("\n\n\n\n").build();
    document.format = "code";
    let before = document.text.clone();
    let after = clean(document, &CleanOptions::default()).expect("valid").value;
    assert_eq!((after.text, after.edits.len()), (before, 0));
}

#[test]
fn default_cleaning_keeps_code_tables_and_headings() {
    let sample = Sample::new()
        .heading(2, "a   b")
        .gap("  \n\n")
        .paragraph("one   two  \nthree ")
        .gap("\n\n\n\n\n\n")
        .code("x    = 1  \n\n\n\n\ny\n")
        .gap("\n\n")
        .table("a    b")
        .gap("\n\n")
        .leaf(BlockKind::Math, "$$\na   b\n$$")
        .gap("\n");
    let after = cleaned(sample, &CleanOptions::default());
    let expected = "## a   b\n\none two  \nthree\n\n```text\nx    = 1  \n\n\n\n\ny\n```\n\n\
                    | h  h |\n|------|\n| a    b |\n\n$$\na   b\n$$\n";
    assert_eq!(after.text, expected);
}

#[test]
fn boilerplate_and_repeats_go() {
    let quote = |s: Sample| s.gap("> ").paragraph("Back to top");
    let sample = Sample::new()
        .paragraph("Skip to main content")
        .gap("\n\n")
        .heading(1, "Back to top")
        .gap("\n\n")
        .paragraph(LONG)
        .gap("\n\n")
        .within(BlockKind::Quote, quote)
        .gap("\n\n")
        .paragraph(&LONG.replacen(' ', "\n", 2))
        .gap("\n\n")
        .paragraph("End.")
        .gap("\n\n")
        .paragraph("Page 3 of 4")
        .gap("\n");
    let options = CleanOptions { repeated_blocks: RepeatedBlocks::Drop, ..CleanOptions::default() };
    let after = cleaned(sample, &options);
    assert_eq!(after.text, format!("# Back to top\n\n{LONG}\n\nEnd.\n"));
    let expected = [EditKind::Boilerplate, EditKind::Boilerplate, EditKind::RepeatedBlock, EditKind::Boilerplate];
    assert_eq!(kinds(&after), expected);
    assert_eq!(after.blocks.len(), 3);
}

#[test]
fn repeats_are_found_over_windows() {
    let options = CleanOptions { repeated_blocks: RepeatedBlocks::Drop, ..CleanOptions::default() };
    let cleaner = Cleaner::new(&options).expect("valid");
    let mut repeats = Repeats::default();
    let mut window = |text: &str| {
        let document = Sample::new().paragraph(text).gap("\n\n").paragraph("End.").build();
        cleaner.clean_window(document, &mut repeats).text
    };
    assert_eq!(window(LONG), format!("{LONG}\n\nEnd."));
    assert_eq!(window(LONG), "End.");
}

#[test]
fn repeated_list_items_are_steps_and_stay() {
    let list = |s: Sample| {
        let item = |s: Sample| s.gap("- ").paragraph(LONG);
        s.within(BlockKind::Item, item).gap("\n").within(BlockKind::Item, item)
    };
    let sample = Sample::new().within(BlockKind::List { ordered: false }, list).gap("\n");
    let options = CleanOptions { repeated_blocks: RepeatedBlocks::Drop, ..CleanOptions::default() };
    assert_eq!(kinds(&cleaned(sample, &options)), []);
}

#[test]
fn options_work_together_in_one_cleaning() {
    let sample = Sample::new()
        .paragraph("SECRET [![badge](b.svg)](https://ci.example.org/x)\nsee https://example.org/a/long/path, cafe\u{301}\u{a0} now")
        .gap("\n\n")
        .paragraph("![figure](a.png)")
        .gap("\n\n")
        .code("SECRET  https://example.org/a/long/path\n")
        .gap("\n\n")
        .paragraph("End.");
    let options = CleanOptions {
        unicode: Unicode::Nfkc,
        long_urls: Some(20),
        drop: vec![Dropped::Images],
        patterns: vec!["SECRET".into()],
        ..CleanOptions::default()
    };
    let after = cleaned(sample, &options);
    let code = "```text\nSECRET  https://example.org/a/long/path\n```";
    assert_eq!(after.text, format!("see [URL], café now\n\n{code}\n\nEnd."));
}

#[test]
fn dropped_kinds_go_with_what_they_hold() {
    let quote = |s: Sample| s.gap("> ").paragraph("a").gap("\n>\n> ").code("b\n");
    let sample = Sample::new()
        .paragraph("One.")
        .gap("\n")
        .code("x\n")
        .gap("\n")
        .paragraph("Two.")
        .gap("\n\n")
        .within(BlockKind::Quote, quote)
        .gap("\n");
    let options = CleanOptions { drop: vec![Dropped::Quotes, Dropped::Code], ..CleanOptions::default() };
    assert_eq!(cleaned(sample, &options).text, "One.\n\nTwo.\n");
}

#[test]
fn a_heading_inside_a_dropped_quote_takes_its_section_along() {
    let quote = |s: Sample| s.gap("> ").heading(1, "in").gap("\n>\n> ").paragraph("a");
    let document = Sample::new()
        .heading(1, "out")
        .gap("\n\n")
        .within(BlockKind::Quote, quote)
        .gap("\n\n")
        .paragraph("b")
        .gap("\n\n")
        .heading(2, "sub")
        .build();
    let options = CleanOptions { drop: vec![Dropped::Quotes], ..CleanOptions::default() };
    let after = clean(document, &options).expect("valid").value;
    let facts: Vec<_> = after.sections.iter().map(|s| (s.title.as_str(), s.parent)).collect();
    assert_eq!(facts, [("", ROOT), ("out", ROOT), ("sub", 1)]);
    let sections: Vec<_> = after.blocks.iter().map(|b| b.section).collect();
    assert_eq!(sections, [1, 1, 2]);
}

#[test]
fn an_invalid_pattern_is_a_config_error() {
    let options = CleanOptions { patterns: vec!["(".into()], ..CleanOptions::default() };
    let error = clean(Sample::new().build(), &options).expect_err("invalid");
    assert_eq!(error.kind(), gristmill_core::ErrorKind::Config);
    assert!(error.to_string().ends_with("`(`"), "{error}");
}

#[derive(Clone, Debug)]
enum Piece {
    Paragraph(String),
    Heading(u8),
    Code(String),
    Table,
    Math,
    Quote(Vec<String>),
    List(Vec<Vec<String>>),
}

fn paragraph() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        6 => "[a-z]{1,6}",
        1 => Just("`x  y`".to_owned()),
        1 => Just("https://example.org/some/long/path".to_owned()),
        1 => Just("![i](u)".to_owned()),
        1 => Just("[![i](u)](v)".to_owned()),
        1 => Just("e\u{301}\u{a0}ﬁ".to_owned()),
        1 => Just("[`$<]".to_owned()),
        1 => "[!\\[\\]()`$<>* ]{1,8}\\.",
    ];
    let join = prop_oneof![4 => Just(" "), 1 => Just("  "), 1 => Just("\t"), 1 => Just("  \n"), 1 => Just("\n"), 1 => Just(" \n  ")];
    let words = proptest::collection::vec((word, join), 1..8);
    let prose = words.prop_map(|words| {
        let text: String = words.iter().flat_map(|(word, join)| [word.trim(), join]).collect();
        text.trim().to_owned()
    });
    prop_oneof![8 => prose, 1 => Just("Back to top".to_owned()), 2 => Just(LONG.to_owned()), 1 => Just(LONG.replace(' ', "\n"))]
}

fn piece() -> impl Strategy<Value = Piece> {
    let paragraphs = || proptest::collection::vec(paragraph(), 1..3);
    prop_oneof![
        6 => paragraph().prop_map(Piece::Paragraph),
        2 => (1u8..4).prop_map(Piece::Heading),
        2 => "([a-z]{0,3}   \n){0,3}".prop_map(Piece::Code),
        1 => Just(Piece::Table),
        1 => Just(Piece::Math),
        2 => paragraphs().prop_map(Piece::Quote),
        2 => proptest::collection::vec(paragraphs(), 1..4).prop_map(Piece::List),
    ]
}

fn sample(pieces: &[(Piece, String)]) -> Sample {
    let mut sample = Sample::new();
    for (piece, gap) in pieces {
        sample = match piece {
            Piece::Paragraph(text) => sample.paragraph(text),
            Piece::Heading(level) => sample.heading(*level, "title  here"),
            Piece::Code(body) => sample.code(body),
            Piece::Table => sample.table("a  b"),
            Piece::Math => sample.leaf(BlockKind::Math, "$$\nx   y\n$$"),
            Piece::Quote(inner) => sample.within(BlockKind::Quote, |s| flow(s, inner, "> ", "\n>\n")),
            Piece::List(items) => sample.within(BlockKind::List { ordered: false }, |mut s| {
                for (n, item) in items.iter().enumerate() {
                    s = s.gap(if n > 0 { "\n" } else { "" });
                    s = s.within(BlockKind::Item, |s| flow(s.gap("- "), item, "", "\n\n  "));
                }
                s
            }),
        };
        sample = sample.gap("\n\n").gap(gap);
    }
    sample
}

fn flow(mut sample: Sample, paragraphs: &[String], mark: &str, gap: &str) -> Sample {
    for (n, text) in paragraphs.iter().enumerate() {
        sample = sample.gap(if n > 0 { gap } else { "" }).gap(mark).paragraph(&text.replace('\n', "\n> "));
    }
    sample
}

fn options() -> impl Strategy<Value = CleanOptions> {
    let switches = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    let unicode = prop_oneof![Just(Unicode::None), Just(Unicode::Nfc), Just(Unicode::Nfkc)];
    let drop = proptest::sample::subsequence(vec![Dropped::Code, Dropped::Quotes, Dropped::Images], 0..=3);
    (switches, unicode, drop).prop_map(|((blanks, boilerplate, repeats, urls, pattern), unicode, drop)| CleanOptions {
        blanks,
        boilerplate,
        repeated_blocks: if repeats { RepeatedBlocks::Drop } else { RepeatedBlocks::Keep },
        long_urls: urls.then_some(20),
        unicode,
        drop,
        patterns: if pattern { vec!["q+".into()] } else { Vec::new() },
    })
}

proptest! {
    #[test]
    fn cleaning_holds_its_promises(
        pieces in proptest::collection::vec((piece(), "[ \t]{0,2}\n{0,5}"), 0..8),
        options in options(),
    ) {
        cleaned(sample(&pieces), &options);
    }
}

#[test]
fn pages_begin_where_they_did() {
    let sample = Sample::new().paragraph("One.  Two.").gap("\n\n").paragraph("Back to top").gap("\n\n");
    let mut document = sample.paragraph("Three.").build();
    document.pages.starts = vec![(0, 1), (12, 2), (25, 3)];
    assert_eq!(document.pages_of(Span::new(0, 31)), [1, 2, 3]);
    let document = clean(document, &CleanOptions::default()).expect("valid settings").value;
    assert_eq!(document.text, "One. Two.\n\nThree.");
    assert_eq!([0, 8, 11, 16].map(|at| document.page_at(at)), [Some(1), Some(1), Some(3), Some(3)]);
    assert_eq!(document.pages_of(Span::new(0, 17)), [1, 3]);
    assert_eq!(document.pages_of(Span::new(5, 9)), [1]);
    assert_eq!(document.pages_of(Span::new(11, 17)), [3]);
}
