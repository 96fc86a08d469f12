//! Forms of Markdown and of its dialects, each by the blocks that it must give.

use super::invariants::faults;
use super::read;
use crate::fixture::shape;

fn blocks(source: &str, text: &str) -> String {
    let document = read(source, text).value;
    assert_eq!(faults(&document), Vec::<String>::new(), "{}", shape(&document));
    shape(&document)
}

#[test]
fn fences_in_lists_and_quotes() {
    let text = "- a\n\n  ```js\n  # b\n  ```\n\n> ~~~~\n> c\n> ~~~\n> ~~~~\n";
    let expected = concat!(
        "list\n  item\n    paragraph \"a\"\n",
        "    code \"  # b\\n\" in \"```js\\n  # b\\n  ```\"\n",
        "quote\n  code \"> c\\n> ~~~\\n\" in \"~~~~\\n> c\\n> ~~~\\n> ~~~~\"\n",
    );
    assert_eq!(blocks("a.md", text), expected);
}
