//! Texts of our own, one of each kind and some that are hostile.

use gristmill_read::{READERS, reader_by_name};

use crate::check::{check, check_blocks_hold_all, check_leaves_hold_all};
use crate::{read, read_if_any};

const TEXTS: &[(&str, &str)] = &[
    (
        "text",
        "Guide\n=====\n\nSome prose\nin two lines.\n\n- one\n- two\n  more\n\n1. a\n2. b\n\nCHAPTER ONE\n\nEnd.\n",
    ),
    ("chat", "[10:00] <ann> hi\n[10:01] <bo> hello\n  there\n=== cy joined\n[10:02] <ann> so\n[10:03] <bo> yes\n"),
    ("faq", "Help\n\nQ: Why?\nA: So.\n\n- a\n- b\n\nQ: How?\nA: Thus.\n"),
    ("log", "2024-05-01 10:00:00 ERROR x\n\tat y\n2024-05-01 10:00:01 INFO z\n"),
    (
        "rst",
        "Title\n=====\n\n:author: A\n\nText::\n\n  code\n\n.. note:: x\n\n   - y\n\n+---+\n| a |\n+===+\n| b |\n+---+\n\n.. [1] n\n",
    ),
    (
        "adoc",
        "= Title\nA. Lee\n:x: y\n\nText.\n\n== Part\n\n* a\n+\n[source,sh]\n----\nls\n----\n\n|===\n|a |b\n\n|1 |2\n|===\n\nNOTE: x\n\n====\ny\n====\n",
    ),
];

#[test]
fn every_text_read_by_every_reader() {
    for (_, text) in TEXTS {
        for reader in READERS {
            read_if_any(*reader, reader.name(), text.as_bytes()).iter().for_each(|read| check(&read.value));
        }
    }
}

#[test]
fn nothing_is_lost() {
    for (name, text) in TEXTS {
        let reader = reader_by_name(name).unwrap();
        let document = read(reader, name, text.as_bytes()).value;
        assert_eq!(document.format, *name);
        match *name {
            "rst" | "adoc" => check_blocks_hold_all(&document),
            _ => check_leaves_hold_all(&document),
        }
    }
}

#[test]
fn line_ends_make_no_difference() {
    for (name, text) in TEXTS {
        let reader = reader_by_name(name).unwrap();
        let unix = read(reader, name, text.as_bytes()).value;
        for ends in ["\r\n", "\r"] {
            let other = read(reader, name, text.replace('\n', ends).as_bytes()).value;
            assert_eq!((&unix.text, &unix.blocks, &unix.sections), (&other.text, &other.blocks, &other.sections));
        }
    }
}

/// 128 KiB each: a reader that is not linear does not come to an end here.
#[test]
fn hostile_texts_come_to_an_end() {
    const SIZE: usize = 1 << 17;
    let repeat = |piece: &str| piece.repeat(SIZE / piece.len());
    let stairs: String = (0..1000).map(|depth| format!("{}- x\n", " ".repeat(depth))).collect();
    let texts = [
        repeat("["),
        repeat("a"),
        repeat(" "),
        repeat("\n"),
        repeat("- "),
        repeat("- a\n"),
        repeat("1. a\n"),
        repeat("* a\n\n"),
        repeat("a\n"),
        repeat("a\n "),
        repeat("=== ===\n\na\n\n"),
        repeat("+---+\n"),
        repeat("+---+\n\n"),
        repeat("::\n\n"),
        repeat(".. x::\n"),
        repeat(".. [1]\n"),
        repeat(":a: "),
        repeat(":a:`"),
        repeat("`"),
        repeat("*"),
        repeat("|===\n"),
        repeat("====\n"),
        repeat("[a]\n"),
        repeat("----\na\n"),
        repeat("a:: "),
        repeat("Q: \n"),
        repeat("Ann: \n"),
        repeat("[10:00] "),
        repeat("<a> "),
        "= ".to_owned() + &repeat("[["),
        "= ".to_owned() + &repeat("<<"),
        repeat("`` ") + "\n====\n",
        repeat("\u{1b}["),
        repeat("\r"),
        stairs.clone() + &repeat("\n"),
        stairs,
    ];
    for text in &texts {
        for reader in READERS.iter().filter(|reader| reader.name() != "markdown") {
            read_if_any(*reader, reader.name(), text.as_bytes()).iter().for_each(|read| check(&read.value));
        }
    }
}
