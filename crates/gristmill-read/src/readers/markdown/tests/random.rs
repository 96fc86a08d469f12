//! Texts put together by chance from the pieces that Markdown and its dialects are made of.

use gristmill_core::OffsetMap;
use proptest::prelude::*;

use super::invariants::faults;
use super::read;
use crate::fixture::shape;

const PIECES: &[&str] = &[
    "\n",
    "\n",
    "\n\n",
    " ",
    "  ",
    "    ",
    "\t",
    "\t",
    "a",
    "b c",
    "é",
    "\u{3000}",
    "# ",
    "## ",
    "#",
    "===",
    "---",
    "- ",
    "* ",
    "1. ",
    "2) ",
    "> ",
    ">",
    "```",
    "```js\n",
    "~~~",
    "~~~~",
    "`",
    "$$",
    "$",
    "|",
    "| a | b |",
    "|---|---|",
    "[^1]: ",
    "[x]: /u",
    "[x]",
    "[ ] ",
    "\"t\"",
    ":::",
    "::: tip",
    "::::",
    "///",
    "/// note",
    "!!! note",
    "=== \"T\"",
    "???+ x",
    "<div>",
    "</div>",
    "<details>",
    "</details>",
    "<summary>",
    "<Foo>",
    "</Foo>",
    "<Foo a={1}",
    "/>",
    "<Bar/>",
    "<!--",
    "-->",
    "<script>",
    "</script>",
    "<?",
    "?>",
    "{/* x */}",
    "{",
    "}",
    "{{x}}",
    "{% x %}",
    "{#id}",
    "\\[",
    "\\]",
    "import x from 'y'",
    "export ",
    "> [!NOTE]",
    "**",
    "\\",
    "&amp;",
    "--8<-- ",
    "![a](b)",
    "<b>",
];

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]

    #[test]
    fn any_text_holds_the_invariants(text in text(), mdx in any::<bool>()) {
        let document = read(if mdx { "a.mdx" } else { "a.md" }, &text).value;
        let faults = faults(&document);
        prop_assert!(faults.is_empty(), "{faults:#?}\n{text:?}\n{}", shape(&document));
    }

    #[test]
    fn line_ends_change_nothing(text in text()) {
        let with_crlf = text.replace('\n', "\r\n");
        let (lf, crlf) = (read("a.md", &text).value, read("a.md", &with_crlf).value);
        prop_assert_eq!(&lf.text, &crlf.text);
        prop_assert_eq!(&lf.blocks, &crlf.blocks);
        prop_assert_eq!(&lf.attrs, &crlf.attrs);
    }

    #[test]
    fn the_declared_edits_give_the_text(text in text(), title in "[a-z]{0,8}") {
        let source = format!("\u{feff}---\r\ntitle: x{title}\r\n---\r\n{text}\r\n\0end");
        let document = read("a.md", &source).value;
        let (rebuilt, map) = OffsetMap::apply(&source, &document.edits);
        prop_assert_eq!(&rebuilt, &document.text);
        for (at, _) in rebuilt.char_indices() {
            let at = u32::try_from(at).expect("short");
            prop_assert_eq!(map.start(at), document.map.start(at));
        }
    }
}
