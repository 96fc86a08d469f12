//! Texts made to break a reader.

use std::path::Path;

use gristmill_core::{DocumentId, Input, Reader};
use proptest::prelude::*;

use super::{languages, read};

const FILES: &[&str] = &[
    "a.sh", "a.c", "a.cpp", "a.h", "a.cs", "a.go", "a.java", "a.js", "a.kt", "a.lua", "a.php", "a.py", "a.rb", "a.rs",
    "a.scala", "a.sql", "a.swift", "a.ts", "a.tsx", "a.zig",
];

fn every_character_is_in_a_leaf(file: &str, text: &str) {
    let document = read(file, text).value;
    let mut covered = 0;
    for leaf in document.blocks.iter().filter(|block| !block.kind.is_container()) {
        let start = leaf.span.start as usize;
        assert!(start >= covered && document.text[covered..start].trim().is_empty(), "{file}");
        assert_eq!(leaf.section, document.section_at(leaf.span.start), "{file}");
        covered = leaf.span.end as usize;
    }
    assert!(document.text[covered..].trim().is_empty(), "{file}");
}

#[test]
fn brackets_and_nesting() {
    let nested: String = (0..400).map(|n| format!("{}if (x) {{\n", " ".repeat(n))).collect();
    let indented: String = (0..400).map(|n| format!("{}if x:\n", " ".repeat(n))).collect();
    for file in FILES {
        for text in ["[".repeat(50_000), "[\n".repeat(20_000), "{(".repeat(20_000), "a+\n".repeat(20_000)] {
            every_character_is_in_a_leaf(file, &text);
        }
        every_character_is_in_a_leaf(file, &nested);
        every_character_is_in_a_leaf(file, &indented);
    }
}

#[test]
fn open_strings_comments_and_documents() {
    for file in FILES {
        for start in
            ["\"", "'", "`", "/*", "\"\"\"", "<<EOF\n", "<<~A\n<<B\n", "R\"x(", "#[", "[==[", "<?php ?>", "f\"{"]
        {
            every_character_is_in_a_leaf(file, &format!("{start}{}", "x y\n \u{e9}\u{4e16}\n".repeat(200)));
            every_character_is_in_a_leaf(file, &start.repeat(3000));
        }
    }
}

#[test]
fn other_languages_than_the_name_says() {
    let texts =
        [include_str!("../find.rs"), include_str!("../../../../Cargo.toml"), "# Title\n\n- a\n  - b\n\n<p>x</p>\n"];
    for file in FILES {
        texts.iter().for_each(|text| every_character_is_in_a_leaf(file, text));
    }
}

#[test]
fn programs_that_break_off_or_lose_a_line() {
    for (file, text, _) in languages::all() {
        for (at, _) in text.char_indices() {
            every_character_is_in_a_leaf(file, &text[..at]);
            every_character_is_in_a_leaf(file, &text[at..]);
        }
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        for gone in 0..lines.len() {
            every_character_is_in_a_leaf(file, &[&lines[..gone], &lines[gone + 1..]].concat().concat());
        }
    }
}

#[test]
fn lines_without_end() {
    for file in FILES {
        for unit in ["x=1;", "f(a,b).", "'\u{e9}' + ", "a<b,", "\u{4e16} ", "{}", "/* */", "\t"] {
            every_character_is_in_a_leaf(file, &unit.repeat(60_000 / unit.len()));
        }
    }
}

#[test]
fn programs_with_many_comparisons_are_no_riddles() {
    let lines: String = (0..5000).map(|n| format!("if a < {n}:\n    b = a << {n}\n")).collect();
    let read = read("a.py", &lines);
    assert!(read.diagnostics.is_empty(), "{:?}", read.diagnostics);
}

/// Files that once made a reader or its test fail, or are likely to: each as every language.
#[test]
fn broken_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/readers/code/tests/broken");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).expect("the folder is there").flatten() {
        let bytes = std::fs::read(entry.path()).expect("it can be read");
        FILES.iter().for_each(|file| any_bytes(file, &bytes));
        seen += 1;
    }
    assert!(seen >= 10, "{seen} files");
}

/// Bytes that may be no text at all: they are read whole or refused.
fn any_bytes(file: &str, bytes: &[u8]) {
    let id = DocumentId::new("default", "", file);
    for first in [true, false] {
        let input = Input { id, source: file, bytes, open: &[], first };
        if let Ok(read) = super::Code.read(&input) {
            let leaves = read.value.blocks.iter().filter(|block| !block.kind.is_container());
            let seen: usize = leaves.map(|leaf| letters(&read.value.text[leaf.span.range()])).sum();
            assert_eq!(seen, letters(&read.value.text), "{file}");
        }
    }
}

fn letters(text: &str) -> usize {
    text.chars().filter(|c| !c.is_whitespace()).count()
}

const WORDS: &[&str] = &[
    "def f(x):",
    "fn f() {",
    "class A",
    "func",
    "function",
    "end",
    "if",
    "do",
    "then",
    "fi",
    "=>",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    ";",
    ":",
    ",",
    "\n",
    "\n\n",
    "\n    ",
    "\n\t",
    "\"",
    "'",
    "`",
    "/*",
    "*/",
    "//",
    "#",
    "--",
    "@x",
    "#[a]",
    "<<E\n",
    "<?php",
    "?>",
    "\\",
    "$",
    "${",
    "é",
    "世",
    "🧾",
    "\0",
    "x",
    "1",
    "import a",
    "namespace",
    "=",
    "&",
    "begin",
    "BEGIN",
    "SELECT",
    "CREATE",
    "object",
    "impl",
    "'a",
    "r#\"",
    "=begin\n",
    "__END__\n",
    "#if\n",
    "#endif\n",
    "#define x \\\n",
    "async",
    "<a>",
    "</a>",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn words_of_programs_in_any_order(
        file in prop::sample::select(FILES),
        words in prop::collection::vec((prop::sample::select(WORDS), any::<bool>()), 0..120),
    ) {
        let text: String = words.iter().map(|(word, apart)| format!("{word}{}", if *apart { " " } else { "" })).collect();
        any_bytes(file, text.as_bytes());
    }

    #[test]
    fn bytes_in_any_order(file in prop::sample::select(FILES), bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        any_bytes(file, &bytes);
    }
}
