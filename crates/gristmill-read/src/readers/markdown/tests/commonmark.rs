//! CommonMark and GFM.

use super::{check, paths, read};

#[test]
fn fences_of_every_length_in_lists_and_quotes() {
    check(
        "a.md",
        "- a\n\n  ```js\n  # b\n  ```\n\n> ~~~~ py\n> c\n> ~~~\n> ~~~~\n\n````\n```\nd\n```\n````\n",
        "
list
  item
    paragraph a
    code ```js⏎«  # b⏎»  ```
quote
  code ~~~~ py⏎«> c⏎> ~~~⏎»> ~~~~
code ````⏎«```⏎d⏎```⏎»````
",
    );
}

#[test]
fn fences_that_are_never_closed_end_with_their_container() {
    check(
        "a.md",
        "- ```\n  a\n\nb\n\n> ```\n> c\n\n~~~\n# d\n\n",
        "
list
  item
    unclosed ```⏎«  a»
paragraph b
quote
  unclosed ```⏎«> c»
unclosed ~~~⏎«# d»
",
    );
    check("a.md", "```", "unclosed ```«»");
    check("a.md", "```\n```", "code ```⏎«»```");
}

#[test]
fn indented_code_is_whole_lines() {
    check(
        "a.md",
        "a\n\n    b\n      c\n\n    d\n\n1. e\n\n       f\n       g\n",
        "
paragraph a
code «    b⏎      c⏎⏎    d»
ordered
  item
    paragraph e
    code «       f⏎       g»
",
    );
}

#[test]
fn headings_of_both_kinds_and_what_is_none() {
    let text = "# A #\n\nB\nb\n===\n\nC\n-\n\n#no\n\n#!/bin/sh\n\n\\# no\n\n####### no\n\n###### F {#f .g}\n\n#\n";
    check(
        "a.md",
        text,
        "
h1 # A #
h1 B⏎b⏎===
h2 C⏎-
paragraph #no
paragraph #!/bin/sh
paragraph \\# no
paragraph ####### no
h6 ###### F {#f .g}
h1 #
",
    );
    assert_eq!(paths(&read("a.md", text).value), ["A", "B b", "B b > C", "B b > C > F", ""]);
}

#[test]
fn titles_are_plain_text() {
    let title = |line: &str| read("a.md", &format!("{line}\n")).value.sections[1].title.clone();
    assert_eq!(title("# **Bold** _and_ `code_x` ~~gone~~"), "Bold and code_x gone");
    assert_eq!(title("## [Link **x**](/u \"t\") and ![Alt *y*](z.png)"), "Link x and Alt y");
    assert_eq!(title("# 9/5 Desk > TCP/IP"), "9/5 Desk > TCP/IP");
    assert_eq!(title("# A &amp; B &lt;c> \\*"), "A & B <c> *");
    assert_eq!(title("# Rocket 🚀 `a<b>` <br> <sup class=\"x\">1</sup>"), "Rocket 🚀 a<b> 1");
    assert_eq!(title("# Costs $x_1$ and C#"), "Costs $x_1$ and C#");
    assert_eq!(title("# 제목 {/*the-title*/}"), "제목");
    assert_eq!(title("# Title {: #id .x }"), "Title");
    assert_eq!(title("# Title { #id }"), "Title");
    assert_eq!(title("# Title {#id .x y=z} ##"), "Title");
    assert_eq!(title("*Title* {#id}\n==="), "Title");
    assert_eq!(title("# GET /users/{id}"), "GET /users/{id}");
    assert_eq!(title("# Set {} and `{#x}`"), "Set {} and {#x}");
    assert_eq!(title("# Use \\{#x}"), "Use {#x}");
    assert_eq!(title("# Title [^1]\n\n[^1]: note"), "Title");
    assert_eq!(title("# A  \t b ##"), "A b");
}

#[test]
fn headings_in_lists_and_quotes_open_no_section() {
    let text = "# A\n\n- # b\n\n  c\n\n> ## d\n\n[^1]: # e\n\n## F\n";
    check(
        "a.md",
        text,
        "
h1 # A
list
  item
    paragraph # b
    paragraph c
quote
  paragraph ## d
footnote
  paragraph # e
h2 ## F
",
    );
    assert_eq!(paths(&read("a.md", text).value), ["A", "A > F"]);
}

#[test]
fn tables_have_a_header_and_rows() {
    check(
        "a.md",
        "a\n\n| x | y |\n|---|:-:|\n| 1 \\| 2 | `p\\|q` |\n| 3 | |\nshort\n\n> x | y\n> - | -\n> 1 | 2\n\n| no | table |\n",
        "
paragraph a
table «| x | y |⏎|---|:-:|»
  row | 1 \\| 2 | `p\\|q` |
  row | 3 | |
  row short
quote
  table «x | y⏎> - | -»
    row 1 | 2
paragraph | no | table |
",
    );
    check("a.md", "| a |\n|---|\n", "table «| a |⏎|---|»");
}

#[test]
fn lists_nest_and_tasks_keep_their_box() {
    check(
        "a.md",
        "- a\n  more\n  1. b\n  2. c\n- [x] d *e*\n\n  f\n- \\*g\n-\n* h\n",
        "
list
  item
    paragraph a⏎  more
    ordered
      item
        paragraph b
      item
        paragraph c
  item
    paragraph [x] d *e*
    paragraph f
  item
    paragraph \\*g
  item
list
  item
    paragraph h
",
    );
}

#[test]
fn link_definitions_are_blocks() {
    check(
        "a.md",
        "[a]: /a\n[b]: /b\n  'two\n  lines'\nText [a].\n\n> [c]: /c\n\n- d\n\n  [e]: /e\n\n[f]: /f",
        "
definition [a]: /a⏎[b]: /b⏎  'two⏎  lines'
paragraph Text [a].
quote
  definition [c]: /c
list
  item
    paragraph d
    definition [e]: /e
definition [f]: /f
",
    );
}

#[test]
fn footnotes_hold_blocks() {
    check(
        "a.md",
        "Text[^n].\n\n[^n]: One\n    two\n\n    ```\n    x\n    ```\n\nAfter.\n",
        "
paragraph Text[^n].
footnote
  paragraph One⏎    two
  code ```⏎«    x⏎»    ```
paragraph After.
",
    );
}

#[test]
fn html_blocks_rules_and_comments() {
    check(
        "a.md",
        "<div>\n*a*\n</div>\n\n*b*\n\n<!-- c\n\nd -->\ne\n\n<script>\n\n# f\n</script>\n\n***\n<b>g</b> h\n",
        "
html <div>⏎*a*⏎</div>
paragraph *b*
html <!-- c⏎⏎d -->
paragraph e
html <script>⏎⏎# f⏎</script>
rule ***
paragraph <b>g</b> h
",
    );
}

#[test]
fn a_fence_in_raw_html_is_code() {
    check(
        "a.md",
        "<div>\n<p>a</p>\n```js\n<b>\n\n# c\n```\n</div>\n\n<pre>\n```\nraw\n```\n</pre>\n",
        "
html <div>⏎<p>a</p>
code ```js⏎«<b>⏎⏎# c⏎»```
html </div>
html <pre>⏎```⏎raw⏎```⏎</pre>
",
    );
}
