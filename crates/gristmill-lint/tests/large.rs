//! Large sources: work grows with the text, not with its square. Each of these takes hours when it does not.

use gristmill_lint::{Group, LintCx, Piece, RULES, Safety, repair};

/// Repairs chunks of one source; gives how many are left.
fn repaired(texts: impl Iterator<Item = String>) -> usize {
    let pieces = texts.enumerate().map(|(at, text)| Piece::new(at, None, text)).collect();
    let group = Group { source: Some("a.md".to_owned()), pieces };
    let repaired = repair(group, RULES, &LintCx::default(), Safety::Lossless);
    let shown: Vec<String> = group_text(&repaired.pieces);
    assert!(repaired.faults.is_empty(), "{:?} {shown:?}", &repaired.faults[..repaired.faults.len().min(3)]);
    repaired.pieces.len()
}

/// The start of the first pieces, for messages.
fn group_text(pieces: &[Piece]) -> Vec<String> {
    pieces.iter().take(3).map(|piece| piece.text.chars().take(60).collect()).collect()
}

const MANY: usize = 10_000;

#[test]
fn a_chain_of_cut_sentences() {
    let left = repaired((0..MANY).map(|at| format!("and the value {at} goes on with")));
    assert!(left < MANY / 50, "{left}");
}

#[test]
fn words_cut_everywhere() {
    let left =
        repaired((0..MANY).map(|at| if at.is_multiple_of(2) { format!("{at} wor") } else { "d of the".to_owned() }));
    assert!(left < MANY, "{left}");
}

#[test]
fn tiny_chunks() {
    assert!(repaired((0..MANY).map(|at| format!("No {at}."))) <= MANY);
}

#[test]
fn one_code_block() {
    let line = |at: usize| match at {
        0 => "```sh\nmake".to_owned(),
        at if at == MANY - 1 => "exit\n```".to_owned(),
        at => format!("run --step {at} --of the-many \\"),
    };
    assert!(repaired((0..MANY).map(line)) <= MANY);
}

#[test]
fn a_code_block_that_nobody_closes() {
    let line = |at: usize| if at == 0 { "```\nmake".to_owned() } else { format!("let x{at} = f({at});") };
    assert!(repaired((0..MANY).map(line)) <= MANY);
}

#[test]
fn opened_and_opened_again() {
    assert!(repaired((0..MANY).map(|at| format!("```sh\nmake {at}"))) <= MANY);
}

#[test]
fn ends_of_code_blocks_only() {
    assert!(repaired((0..MANY).map(|at| format!("make {at} &&\n```\n\nThat was the end of step {at}."))) <= MANY);
}

#[test]
fn rows_without_their_header() {
    assert!(repaired((0..MANY).map(|at| format!("| {at} | value number {at} of this table |"))) <= MANY);
}

#[test]
fn one_table() {
    let row = |at: usize| match at {
        0 => "| number | what it is |\n|---|---|".to_owned(),
        at => format!("| {at} | value number {at} of this table |"),
    };
    assert!(repaired((0..MANY).map(row)) <= MANY);
}

#[test]
fn nothing_but_white_space() {
    assert_eq!(repaired((0..MANY).map(|at| "\n \t".repeat(at % 4))), 0);
}

#[test]
fn headings_without_text() {
    assert!(repaired((0..MANY).map(|at| format!("{} Part {at}", "#".repeat(at % 6 + 1)))) <= MANY);
}

#[test]
fn pieces_that_repeat_the_one_before() {
    let words = |at: usize| format!("station{at} number{at} reports{at} that{at} nothing{at} happened{at}");
    assert!(repaired((0..MANY).map(|at| format!("{} {}", words(at), words(at + 1)))) <= MANY);
}

#[test]
fn the_same_piece_again_and_again() {
    assert!(repaired((0..MANY).map(|_| "The same words stand here again, and then".to_owned())) <= MANY);
}

#[test]
fn noise_of_pages() {
    assert!(
        repaired((0..MANY).map(|at| format!("The infor-\nmation   on page\n\nPage {at}\n\nis for every-"))) <= MANY
    );
}

#[test]
fn list_entries_cut_in_the_middle() {
    let entry = |at: usize| {
        if at.is_multiple_of(2) { format!("- entry {at} of the") } else { "  list, which goes on".to_owned() }
    };
    assert!(repaired((0..MANY).map(entry)) <= MANY);
}

/// One chunk of about a megabyte, between two others.
fn one(text: String) -> usize {
    repaired(["It begins here and".to_owned(), text, "goes on there.".to_owned()].into_iter())
}

#[test]
fn a_line_of_a_megabyte() {
    assert!(one("goes on ".repeat(130_000)) > 0);
    assert!(one("继续".repeat(180_000)) > 0);
    assert!(one("x".repeat(1 << 20)) > 0);
    for mark in [
        "[", "](", "`", "``` ", "|", "| a ", "> ", "- ", "*", "<a ", "e\u{301}", "\u{200b}", " ", "(", "\\", "#", "=",
        "~",
    ] {
        assert!(one(mark.repeat((1 << 20) / mark.len())) > 0, "{mark}");
    }
}

#[test]
fn many_lines() {
    let lines =
        ["", "    x", "- a", "# a", "| a | b |", "```", "~~~ a", "a", "> a", "---", "a |", "-|-", "<b>", "1. a,", "a-"];
    for line in lines {
        assert!(one(format!("{line}\n").repeat(100_000)) > 0, "{line}");
        assert!(one(format!("{line}\n\n").repeat(50_000)) > 0, "{line}");
    }
    assert!(one("    x\ny\n".repeat(100_000)) > 0);
    assert!(one("- a\n    b\n\n".repeat(100_000)) > 0);
}
