//! What documentation sites add to Markdown.

use super::{check, paths, read};

#[test]
fn colon_containers() {
    check(
        "a.md",
        "a\n::: tip Title\nb\n- c\n:::\nd\n\n:::: outer\n:::note[In]\n## E\n:::\n::::\n\n::: open\nf\n",
        "
paragraph a
admonition
  html ::: tip Title
  paragraph b
  list
    item
      paragraph c
  html :::
paragraph d
admonition
  html :::: outer
  admonition
    html :::note[In]
    h2 ## E
    html :::
  html ::::
html ::: open
paragraph f
",
    );
}

#[test]
fn slash_containers() {
    check(
        "a.md",
        "/// note | Title\n    open: True\n\na\n\n//// tab | B\n\n```\nb\n```\n\n////\n\n///\nc\n\n/// not / this\n",
        "
admonition
  html /// note | Title⏎    open: True
  paragraph a
  admonition
    html //// tab | B
    code ```⏎«b⏎»```
    html ////
  html ///
paragraph c
paragraph /// not / this
",
    );
}

#[test]
fn indented_containers() {
    check(
        "a.md",
        "!!! note \"Title\"\n\n    a\n    b\n\n    ??? tip\n        ```py\n        # c\n        ```\n\n    - d\n- e\n\n=== \"One\"\n    f\ng\n\n!!! bare\n\nh !!! i\n",
        "
admonition
  html !!! note \"Title\"
  paragraph a⏎    b
  admonition
    html ??? tip
    code ```py⏎«        # c⏎»        ```
  list
    item
      paragraph d
list
  item
    paragraph e
admonition
  html === \"One\"
  paragraph f
paragraph g
html !!! bare
paragraph h !!! i
",
    );
}

#[test]
fn indented_containers_in_lists_end_what_is_left_open() {
    check(
        "a.md",
        "1.  a\n\n    !!! note\n\n        b\n\n        ```\n        c\n\n    d\n\n2.  e\n\n!!! x\n    <div>\n    f\ng\n",
        "
ordered
  item
    paragraph a
    admonition
      html !!! note
      paragraph b
      unclosed ```⏎«        c»
    paragraph d
  item
    paragraph e
admonition
  html !!! x
  html <div>⏎    f
paragraph g
",
    );
}

#[test]
fn alerts() {
    check(
        "a.md",
        "> [!WARNING]\n> a\n>\n> - b\n\n> [!other]\n> c\n",
        "
admonition
  html [!WARNING]
  paragraph a
  list
    item
      paragraph b
quote
  paragraph [!other]⏎> c
",
    );
}

#[test]
fn details_hold_markdown() {
    let text = "<details>\n<summary>More</summary>\n\n## A\n\nb\n\n</details>\n\nc\n\n<details><summary>x</summary>y</details>\n\nd\n";
    check(
        "a.md",
        text,
        "
admonition
  html <details>⏎<summary>More</summary>
  h2 ## A
  paragraph b
  html </details>
paragraph c
html <details><summary>x</summary>y</details>
paragraph d
",
    );
    check(
        "a.md",
        "<details>\n<summary>a</summary>\n```\nb\n```\n</details>\n\nc\n",
        "
admonition
  html <details>⏎<summary>a</summary>
  code ```⏎«b⏎»```
  html </details>
paragraph c
",
    );
}

#[test]
fn components_hold_markdown() {
    let text = "<Intro>\na *b*\n</Intro>\n\n<Sandpack>\n```js src/App.js\n# c\n```\n</Sandpack>\n\n<DeepDive>\n\n#### D\n\n<Note a={`\n\n>`}>\ne\n</Note>\n\n</DeepDive>\n\n<Image src=\"x\" />\nf\n\n<Lone>\ng\n\n    code\n";
    check(
        "a.md",
        text,
        "
admonition
  html <Intro>
  paragraph a *b*
  html </Intro>
admonition
  html <Sandpack>
  code ```js src/App.js⏎«# c⏎»```
  html </Sandpack>
admonition
  html <DeepDive>
  h4 #### D
  admonition
    html <Note a={`⏎⏎>`}>
    paragraph e
    html </Note>
  html </DeepDive>
html <Image src=\"x\" />
paragraph f
html <Lone>
paragraph g
code «    code»
",
    );
    assert_eq!(paths(&read("a.md", text).value), ["D"]);
}

#[test]
fn in_mdx_indentation_is_no_code() {
    check(
        "a.mdx",
        "import {\n  A,\n} from 'a'\nexport const b = {\n\n  c: 1,\n}\n\n<Aa>\n    <Bb>\n        Text in B.\n\n        ```sh\n        d\n        ```\n    </Bb>\n</Aa>\n\n    # E\n\n{/* f\n\ng */}\n\n{items.map(i => (\n  i\n))}\n\n<Steps>\n  1. h\n\n     ```\n     i\n     ```\n  2. j\n</Steps>\n",
        "
html import {⏎  A,⏎} from 'a'⏎export const b = {⏎⏎  c: 1,⏎}
admonition
  html <Aa>
  admonition
    html <Bb>
    paragraph Text in B.
    code ```sh⏎«        d⏎»        ```
    html </Bb>
  html </Aa>
h1 # E
html {/* f⏎⏎g */}
html {items.map(i => (⏎  i⏎))}
admonition
  html <Steps>
  ordered
    item
      paragraph h
      code ```⏎«     i⏎»     ```
    item
      paragraph j
  html </Steps>
",
    );
}

#[test]
fn a_tag_that_nothing_closes_is_a_word_of_its_paragraph() {
    check(
        "a.md",
        "Run it with\n<NAME>\nor </Other>\n</Other>\nas words.\n\n<TOKEN>\nafter\n",
        "
paragraph Run it with⏎<NAME>⏎or </Other>⏎</Other>⏎as words.
html <TOKEN>
paragraph after
",
    );
}

#[test]
fn components_in_lists() {
    check(
        "a.mdx",
        "1. a\n\n   <Tabs>\n   <Tab label=\"x\">\n\n   ```sh\n   b\n   ```\n\n   </Tab>\n   </Tabs>\n2. c\n",
        "
ordered
  item
    paragraph a
    admonition
      html <Tabs>
      admonition
        html <Tab label=\"x\">
        code ```sh⏎«   b⏎»   ```
        html </Tab>
      html </Tabs>
  item
    paragraph c
",
    );
}

#[test]
fn a_container_that_is_closed_elsewhere_ends_with_what_holds_it() {
    check(
        "a.md",
        "- a\n  ::: tip\n  b\n\nc\n:::\nd\n\n<Aa>\n\n> </Aa>\n\ne\n",
        "
list
  item
    paragraph a
    admonition
      html ::: tip
      paragraph b
paragraph c
html :::
paragraph d
admonition
  html <Aa>
  quote
    html </Aa>
  paragraph e
",
    );
}

#[test]
fn directives_alone_on_their_lines() {
    check(
        "a.md",
        "a\n{{#include x.md}}\nb\n\n{% raw %}\n{{< ref \"x\" >}}\n\nc {{ d }}\n{ .annotate }\n\n--8<-- \"e\"\n\n{* ../f.py hl[1] *}\n\nimport g from 'g';\n\nimport duties are\n",
        "
paragraph a
html {{#include x.md}}
paragraph b
html {% raw %}
html {{< ref \"x\" >}}
paragraph c {{ d }}
html { .annotate }
html --8<-- \"e\"
html {* ../f.py hl[1] *}
html import g from 'g';
paragraph import duties are
",
    );
}

#[test]
fn mathematics_stands_whole() {
    let text = "a:\n$$\nE\n=\n# b\n\\end\n$$\nc $x$ $$y$$ d\n\n$$ z $$\n\n- e\n  $$\n  - f\n  $$\n\n> $$\n> g\n> $$\n\n\\[\nh\n---\n\\]\n\n$$ i\n\n# J\n";
    check(
        "a.md",
        text,
        "
paragraph a:
math $$⏎E⏎=⏎# b⏎\\end⏎$$
paragraph c $x$ $$y$$ d
math $$ z $$
list
  item
    paragraph e
    math $$⏎  - f⏎  $$
quote
  math $$⏎> g⏎> $$
math \\[⏎h⏎---⏎\\]
paragraph $$ i
h1 # J
",
    );
    assert_eq!(paths(&read("a.md", text).value), ["J"]);
}

#[test]
fn the_dialect_in_code_is_code() {
    check(
        "a.md",
        "```\n::: tip\n<Aa>\n!!! note\n    x\n```\n\n    ::: tip\n    </Aa>\n\n`:::`\n",
        "
code ```⏎«::: tip⏎<Aa>⏎!!! note⏎    x⏎»```
code «    ::: tip⏎    </Aa>»
paragraph `:::`
",
    );
}
