use gristmill_core::BlockKind;
use serde_json::json;

use super::{Rst, fits};
use crate::fixture::{paths, read, read_window, shape};

fn shown(text: &str) -> String {
    shape(&read(&Rst, text))
}

#[test]
fn titles_rank_by_first_use() {
    let text =
        "=====\nTitle\n=====\n\nPart\n====\n\nSection ``x``\n-------------\n\ntext\n\nPart 2\n======\n\nDeep\n----\n";
    let document = read(&Rst, text);
    assert_eq!(paths(&document), ["Title", "Title/Part", "Title/Part/Section x", "Title/Part 2", "Title/Part 2/Deep"]);
    assert_eq!(&document.text[document.sections[1].heading.range()], "=====\nTitle\n=====");
    let levels: Vec<u8> = document.sections.iter().map(|s| s.level).collect();
    assert_eq!(levels, [0, 1, 2, 3, 2, 3]);
}

#[test]
fn a_later_window_goes_on_at_the_level_it_is_in() {
    let document = read_window(&Rst, "text\n\nNext\n~~~~\n", &[(1, "A".into()), (2, "B".into())]);
    assert_eq!(paths(&document), ["A", "A/B", "A/Next"]);
}

#[test]
fn lists_hold_bodies() {
    let text = "- one\n  more\n\n  para\n- two\n\n  * in\n\n1. a\n2. b\n\n(a) x\n#. y\n";
    let expected = "list\n  item\n    paragraph \"one\\n  more\"\n    paragraph \"para\"\n  item\n    paragraph \"two\"\n    list\n      item\n        paragraph \"in\"\n\
                    ordered\n  item\n    paragraph \"a\"\n  item\n    paragraph \"b\"\n\
                    ordered\n  item\n    paragraph \"x\"\nordered\n  item\n    paragraph \"y\"\n";
    assert_eq!(shown(text), expected);
}

#[test]
fn wrapped_prose_is_no_numbered_list() {
    assert_eq!(shown("A. Einstein was a\nphysicist.\n"), "paragraph \"A. Einstein was a\\nphysicist.\"\n");
}

#[test]
fn definitions_and_fields() {
    let text =
        "text\n\nterm\n    meaning\n\n    more\nother : kind\n    meaning\n\n:name: value\n    goes on\n:empty:\n";
    let expected = "paragraph \"text\"\nlist\n  item\n    paragraph \"term\"\n    paragraph \"meaning\"\n    paragraph \"more\"\n\
                    \x20 item\n    paragraph \"other : kind\"\n    paragraph \"meaning\"\n\
                    list\n  item\n    paragraph \":name: value\\n    goes on\"\n  item\n    paragraph \":empty:\"\n";
    assert_eq!(shown(text), expected);
}

#[test]
fn literal_blocks_are_code() {
    let text = "Run::\n\n    ls -l\n\n      x\n\nthen::\n\n> quoted\n> too\n\n::\n\n  alone\n\nend\n\n>>> 1 + 1\n2\n";
    let expected = "paragraph \"Run::\"\ncode \"    ls -l\\n\\n      x\" in \"    ls -l\\n\\n      x\"\n\
                    paragraph \"then::\"\ncode \"> quoted\\n> too\" in \"> quoted\\n> too\"\n\
                    code \"  alone\" in \"::\\n\\n  alone\"\nparagraph \"end\"\ncode \">>> 1 + 1\\n2\" in \">>> 1 + 1\\n2\"\n";
    assert_eq!(shown(text), expected);
}

#[test]
fn code_directives() {
    let text = ".. code-block:: python\n   :linenos:\n\n   def f():\n       pass\n\n.. code-block:: sh\n\nend\n";
    let expected = "code \"   def f():\\n       pass\" in \".. code-block:: python\\n   :linenos:\\n\\n   def f():\\n       pass\"\n\
                    html \".. code-block:: sh\"\nparagraph \"end\"\n";
    assert_eq!(shown(text), expected);
}

#[test]
fn directives_hold_prose_or_stand_alone() {
    let text = ".. note:: Mind\n    the gap.\n\n    - really\n\n.. warning::\n\n   Hot.\n\n.. method:: run(x)\n   :async:\n\n   Runs.\n\n\
                .. image:: a.png\n   :alt: A\n\n.. math::\n\n   a = b\n\n.. note::\n\n.. a comment\n   of two lines\n\n..\n\nend\n";
    let expected = "admonition\n  paragraph \"Mind\\n    the gap.\"\n  list\n    item\n      paragraph \"really\"\n\
                    admonition\n  paragraph \"Hot.\"\nadmonition\n  paragraph \"run(x)\\n   :async:\"\n  paragraph \"Runs.\"\n\
                    html \".. image:: a.png\\n   :alt: A\"\nmath \".. math::\\n\\n   a = b\"\nadmonition\n\
                    html \".. a comment\\n   of two lines\"\nhtml \"..\"\nparagraph \"end\"\n";
    assert_eq!(shown(text), expected);
    let document = read(&Rst, ".. note::\n");
    assert_eq!(document.blocks[0].span.len(), 9);
}

#[test]
fn footnotes_targets_and_substitutions() {
    let text = ".. [1] A note\n   of two lines.\n\n.. _target: https://example.org\n\n.. |x| image:: x.png\n\n__ https://example.org\n";
    let expected = "footnote\n  paragraph \"A note\\n   of two lines.\"\ndefinition \".. _target: https://example.org\"\n\
                    definition \".. |x| image:: x.png\"\ndefinition \"__ https://example.org\"\n";
    assert_eq!(shown(text), expected);
}

#[test]
fn grid_tables() {
    let text = "+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |\n|   | 3 |\n+---+---+\n| 4 | 5 |\n+---+---+\n\nend\n";
    let expected = "table \"+---+---+\\n| a | b |\\n+===+===+\"\n  row \"| 1 | 2 |\\n|   | 3 |\\n+---+---+\"\n\
                    \x20 row \"| 4 | 5 |\\n+---+---+\"\nparagraph \"end\"\n";
    assert_eq!(shown(text), expected);
    let bare = "+---+\n| a |\n+---+\n| b |\n+---+\n";
    assert_eq!(shown(bare), "table \"\"\n  row \"+---+\\n| a |\\n+---+\"\n  row \"| b |\\n+---+\"\n");
}

#[test]
fn simple_tables() {
    let text =
        "  quoted\n\n=====  =====\na      b\n=====  =====\n1      2\n\n3      4\n       5\n=====  =====\n\nend\n";
    let expected = "quote\n  paragraph \"quoted\"\ntable \"=====  =====\\na      b\\n=====  =====\"\n  row \"1      2\"\n\
                    \x20 row \"3      4\\n       5\\n=====  =====\"\nparagraph \"end\"\n";
    assert_eq!(shown(text), expected);
    let bare = "==  ==\n1   2\n3   4\n==  ==\n";
    assert_eq!(shown(bare), "table \"\"\n  row \"==  ==\\n1   2\"\n  row \"3   4\\n==  ==\"\n");
}

#[test]
fn tables_written_as_lists() {
    let text =
        ".. list-table::\n   :header-rows: 1\n\n   * - a\n     - b\n   * - 1\n     - 2\n   * - 3\n     - 4\n\nend\n";
    let expected = "table \".. list-table::\\n   :header-rows: 1\\n\\n   * - a\\n     - b\"\n  row \"* - 1\\n     - 2\"\n\
                    \x20 row \"* - 3\\n     - 4\"\nparagraph \"end\"\n";
    assert_eq!(shown(text), expected);
}

#[test]
fn fields_at_the_start_are_declared() {
    let text = "Title\n=====\n\n:Author: A. B.\n:Version: 2\n   beta\n:orphan:\n\n.. meta::\n   :keywords: x, y\n\nText.\n\n:not: this\n";
    let document = read(&Rst, text);
    let expected = json!({"author": "A. B.", "version": "2 beta", "orphan": true, "keywords": "x, y"});
    assert_eq!(serde_json::to_value(&document.attrs).unwrap(), expected);
}

#[test]
fn quotes_rules_and_line_blocks() {
    let text = "a\n\n    quoted\n\n      deeper\n\n----\n\n| verse\n| two\n";
    let expected = "paragraph \"a\"\nquote\n  paragraph \"quoted\"\n  quote\n    paragraph \"deeper\"\nrule \"----\"\n\
                    paragraph \"| verse\\n| two\"\n";
    assert_eq!(shown(text), expected);
}

#[test]
fn deep_nesting_ends() {
    let bullets = "- ".repeat(100_000) + "x\n";
    assert!(read(&Rst, &bullets).blocks.len() < 100);
    let stairs: String = (0..300).map(|n| " ".repeat(n) + "x\n\n").collect();
    assert!(read(&Rst, &stairs).blocks.iter().all(|b| b.depth < 64));
}

#[test]
fn a_list_item_may_hold_anything() {
    let document = read(&Rst, "* Run::\n\n      ls\n\n  .. note:: x\n* \n* two\n");
    let kinds: Vec<_> = document.blocks.iter().map(|b| (b.depth, b.kind.is_container())).collect();
    assert_eq!(
        kinds,
        [(0, true), (1, true), (2, false), (2, false), (2, true), (3, false), (1, true), (1, true), (2, false)]
    );
    assert!(matches!(document.blocks[3].kind, BlockKind::Code { .. }));
}

#[test]
fn other_texts_are_told_apart() {
    assert!(fits("Ti\n==\n\n.. note:: x\n\n.. image:: y\n"));
    assert!(!fits("Ti\n==\n\n.. note:: x\n\nSee ..\n"));
    assert!(!fits(".. note:: x\n\n.. image:: y\n"));
}
