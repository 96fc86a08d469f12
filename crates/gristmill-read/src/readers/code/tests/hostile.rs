//! Texts made to break a reader.

use super::read;

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
