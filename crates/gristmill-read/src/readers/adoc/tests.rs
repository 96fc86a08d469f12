use serde_json::json;

use super::Adoc;
use crate::fixture::{paths, read, read_window, shape};

fn shown(text: &str) -> String {
    shape(&read(&Adoc, text))
}

#[test]
fn the_header_is_declared() {
    let text = "// comment\n= The `Guide`\nAnn B. Lee <ann@example.org>; Bo Li\nv1.2, 2024-05-01\n:toc:\n:product: Mill\n:!x:\n\nText.\n";
    let document = read(&Adoc, text);
    let expected =
        json!({"author": "Ann B. Lee; Bo Li", "revision": "v1.2, 2024-05-01", "toc": true, "product": "Mill"});
    assert_eq!(serde_json::to_value(&document.attrs).unwrap(), expected);
    assert_eq!(paths(&document), ["The Guide"]);
    let later = read_window(&Adoc, ":product: Mill\n\nText.\n", &[(1, "A".into())]);
    assert!(later.attrs.is_empty());
    let prose = read(&Adoc, "= T\nthis is prose.\n");
    assert!(prose.attrs.is_empty() && prose.blocks.len() == 2);
}

#[test]
fn titles_of_both_forms() {
    let text = "= Book\n\n== One ==\n\ntext\n\n=== Deep\n\nTwo\n---\n\n[#id]\n== Three *bold*\n\n====== Six\n";
    let document = read(&Adoc, text);
    assert_eq!(
        paths(&document),
        ["Book", "Book/One", "Book/One/Deep", "Book/Two", "Book/Three bold", "Book/Three bold/Six"]
    );
}

#[test]
fn listings_keep_their_attributes() {
    let text = "[source,ruby]\n.Example\n----\nputs 1\n\n== no title\n----\n\n....\nlit\n....\n\n```js\nx()\n```\n\n----\nopen\n";
    let expected = "code \"puts 1\\n\\n== no title\\n\" in \"[source,ruby]\\n.Example\\n----\\nputs 1\\n\\n== no title\\n----\"\n\
                    code \"lit\\n\" in \"....\\nlit\\n....\"\ncode \"x()\\n\" in \"```js\\nx()\\n```\"\nunclosed \"open\" in \"----\\nopen\"\n";
    assert_eq!(shown(text), expected);
}

#[test]
fn paragraphs_by_style() {
    let text = "NOTE: Mind\nthe gap.\n\n[WARNING]\nHot.\n\n[quote, Ann]\nSo it is.\n\n[source]\nls\n\n literal\n   lines\n\n[stem]\nx = 1\n\n.Caption\nplain\n";
    let expected = "admonition\n  paragraph \"Mind\\nthe gap.\"\nadmonition\n  paragraph \"Hot.\"\nquote\n  paragraph \"So it is.\"\n\
                    code \"ls\" in \"[source]\\nls\"\ncode \" literal\\n   lines\" in \" literal\\n   lines\"\nmath \"[stem]\\nx = 1\"\n\
                    paragraph \".Caption\"\nparagraph \"plain\"\n";
    assert_eq!(shown(text), expected);
}

#[test]
fn delimited_blocks_nest() {
    let text = "[NOTE]\n.Title\n====\na\n\n* b\n\n____\nquoted\n____\n====\n\n****\nside\n****\n\n--\nopen\n--\n\n////\nhidden\n////\n\n[latexmath]\n++++\nx\n++++\n";
    let expected = "admonition\n  paragraph \".Title\"\n  paragraph \"a\"\n  list\n    item\n      paragraph \"b\"\n  quote\n    paragraph \"quoted\"\n\
                    admonition\n  paragraph \"side\"\nadmonition\n  paragraph \"open\"\nhtml \"////\\nhidden\\n////\"\n\
                    math \"[latexmath]\\n++++\\nx\\n++++\"\n";
    assert_eq!(shown(text), expected);
    let document = read(&Adoc, text);
    assert_eq!(&document.text[document.blocks[0].span.range()], &text[..text.find("====\n\n****").unwrap() + 4]);
}

#[test]
fn lists_nest_by_their_signs() {
    let text = "* one\nmore\n** two\n*** three\n* four\n+\nattached\n+\n----\ncode\n----\n\n. first\n.. second\n. third\n\nend\n";
    let expected = "list\n  item\n    paragraph \"one\\nmore\"\n    list\n      item\n        paragraph \"two\"\n        list\n          item\n            paragraph \"three\"\n\
                    \x20 item\n    paragraph \"four\"\n    paragraph \"attached\"\n    code \"code\\n\" in \"----\\ncode\\n----\"\n\
                    \x20   ordered\n      item\n        paragraph \"first\"\n        ordered\n          item\n            paragraph \"second\"\n\
                    \x20     item\n        paragraph \"third\"\nparagraph \"end\"\n";
    assert_eq!(shown(text), expected);
}

#[test]
fn terms_with_their_text() {
    let text = "CPU:: The brain\nof it.\nDisk::\n\n  Keeps\n\nRAM::\n* fast\n\n<1> called\n";
    let expected = "list\n  item\n    paragraph \"CPU:: The brain\\nof it.\"\n  item\n    paragraph \"Disk::\"\n    paragraph \"Keeps\"\n\
                    \x20 item\n    paragraph \"RAM::\"\n    list\n      item\n        paragraph \"fast\"\n        ordered\n          item\n            paragraph \"called\"\n";
    assert_eq!(shown(text), expected);
}

#[test]
fn tables_with_and_without_headers() {
    let text = "[cols=\"1,1\"]\n|===\n|a |b\n\n|1 |2\n\n|3\n|4\n|===\n\nend\n";
    let expected =
        "table \"[cols=\\\"1,1\\\"]\\n|===\\n|a |b\"\n  row \"|1 |2\"\n  row \"|3\\n|4\\n|===\"\nparagraph \"end\"\n";
    assert_eq!(shown(text), expected);
    assert_eq!(shown("|===\n|1 |2\n|3 |4\n|===\n"), "table \"\"\n  row \"|===\\n|1 |2\"\n  row \"|3 |4\\n|===\"\n");
    let header = "[%header,format=csv]\n,===\na,b\n1,2\n,===\n";
    assert_eq!(shown(header), "table \"[%header,format=csv]\\n,===\\na,b\"\n  row \"1,2\\n,===\"\n");
    assert_eq!(shown("|===\n|===\n"), "html \"|===\\n|===\"\n");
}

#[test]
fn single_lines() {
    let text = "image::a.png[A]\n\n'''\n\n<<<\n\n:name: value\n\nifdef::x[]\ntext\nendif::[]\n";
    let expected = "html \"image::a.png[A]\"\nrule \"'''\"\nrule \"<<<\"\nhtml \":name: value\"\nhtml \"ifdef::x[]\"\n\
                    paragraph \"text\\nendif::[]\"\n";
    assert_eq!(shown(text), expected);
}

#[test]
fn deep_nesting_ends() {
    let stars: String = (0..200).map(|n| format!("{}:: x\n", ":".repeat(n % 3) + "t")).collect();
    assert!(read(&Adoc, &stars).blocks.iter().all(|b| b.depth < 100));
    let blocks: String = (4..200).map(|n| format!("{}\n", "=".repeat(n))).collect();
    assert!(read(&Adoc, &blocks).blocks.iter().all(|b| b.depth < 100));
}
