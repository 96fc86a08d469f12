mod hostile;
mod languages;

use gristmill_core::{Block, BlockKind, Document, DocumentId, Input, Outcome, Reader};

use super::Code;

fn read(source: &str, text: &str) -> Outcome<Document> {
    let input =
        Input { id: DocumentId::new("default", "", source), source, bytes: text.as_bytes(), open: &[], first: true };
    Code.read(&input).expect("text can be read")
}

/// A line a block, indented by depth: definitions with their path and signature, leaves with their path and text.
fn shape(document: &Document) -> String {
    let line = |block: &Block| {
        let path = document.heading_path(block.section).join("/");
        let text = &document.text[block.span.range()];
        let indent = "  ".repeat(block.depth.into());
        match block.kind {
            BlockKind::Unit { signature } => format!("{indent}{path} {:?}\n", &document.text[signature.range()]),
            _ => format!("{indent}- {path} {text:?}\n"),
        }
    };
    document.blocks.iter().map(line).collect()
}

/// The paths of all definitions.
fn definitions(document: &Document) -> Vec<String> {
    let defined = |block: &&Block| matches!(block.kind, BlockKind::Unit { signature } if !signature.is_empty());
    let path = |block: &Block| document.heading_path(block.section).join("/");
    document.blocks.iter().filter(defined).map(path).collect()
}

#[test]
fn what_belongs_to_a_definition_is_in_its_unit() {
    let text = "\
import os
from x import (
    y,
)

# Price
# of all
@cached
@retry(times=3)
def price(x):
    \"\"\"Doc.\"\"\"
    if x:
        return 1  # one
    return 2


class A(B):
    z = 1

    def f(self):
        pass
    w = 2
price(1)
";
    let expected = r##"b.py ""
  - b.py "import os"
  b.py ""
    - b.py "from x import ("
    - b.py "y,"
    - b.py ")"
b.py/price "def price(x):"
  - b.py/price "# Price\n# of all\n@cached\n@retry(times=3)\ndef price(x):"
  - b.py/price "\"\"\"Doc.\"\"\""
  b.py/price ""
    - b.py/price "if x:"
    - b.py/price "return 1  # one"
  - b.py/price "return 2"
b.py/A "class A(B):"
  - b.py/A "class A(B):"
  - b.py/A "z = 1"
  b.py/A/f "def f(self):"
    - b.py/A/f "def f(self):"
    - b.py/A/f "pass"
  - b.py/A "w = 2"
- b.py "price(1)"
"##;
    let read = read("a/b.py", text);
    assert_eq!(shape(&read.value), expected);
    assert!(read.diagnostics.is_empty());
    assert_eq!(read.value.attrs["programming_language"], "python");
}

#[test]
fn a_comment_apart_stands_alone() {
    let document = read("a.go", "package a\n\n// Apart.\n\n// F does.\nfunc F() {\n}\n").value;
    assert!(shape(&document).contains("- a.go \"// Apart.\"\na.go/F \"func F() {\"\n"), "{}", shape(&document));
}

#[test]
fn signatures_over_several_lines_are_not_taken_apart() {
    let document =
        read("a.ts", "export async function f(\n  a: number,\n  b: string,\n): Promise<void> {\n  g();\n}\n").value;
    let expected = r#"a.ts/f "export async function f(\n  a: number,\n  b: string,\n): Promise<void> {"
  - a.ts/f "export async function f(\n  a: number,\n  b: string,\n): Promise<void> {"
  - a.ts/f "g();"
  - a.ts/f "}"
"#;
    assert_eq!(shape(&document), expected);
}

#[test]
fn errors_are_told_and_the_rest_is_read() {
    let read = read("a.py", "def f():\n    return 1\n\n\nclass (:\n    ]\n\n\ndef g():\n    return 2\n");
    let found = definitions(&read.value);
    assert!(found.contains(&"a.py/f".to_owned()) && found.contains(&"a.py/g".to_owned()), "{found:?}");
    let remark = &read.diagnostics[0];
    assert_eq!((remark.code, remark.place.line), ("syntax-errors", Some(5)));
}

#[test]
fn languages_without_a_grammar_are_cut_by_blank_lines() {
    let read = read("a.zig", "const a = 1;\nconst b = 2;\n\n\nfn f() void {}\n");
    assert_eq!(shape(&read.value), "- a.zig \"const a = 1;\\nconst b = 2;\"\n- a.zig \"fn f() void {}\"\n");
    assert_eq!(read.diagnostics[0].code, "no-grammar");
    assert!(read.diagnostics[0].message.contains("`zig`"));
}

#[test]
fn headers_are_c_or_cpp() {
    assert!(read("a.h", "int f(void);\nstruct s { int a; };\n").diagnostics.is_empty());
    let read =
        read("a.h", "namespace n {\ntemplate <class T>\nclass A : public B<T> {\n public:\n  int f() const;\n};\n}\n");
    assert!(read.diagnostics.is_empty(), "{:?}", read.diagnostics);
    assert_eq!(definitions(&read.value), ["a.h/n", "a.h/n/A"]);
}

#[test]
fn positions_are_bytes_of_characters() {
    let document = read("a.py", "# 计算 🧾\ndef total(rows):\n    # 逐行\n    return '合计'\n").value;
    assert_eq!(definitions(&document), ["a.py/total"]);
    let last = document.blocks.last().expect("there are blocks");
    assert_eq!(&document.text[last.span.range()], "# 逐行\n    return '合计'");
}

#[test]
fn sections_are_six_levels_deep_at_most() {
    let nested: String = (0..9).map(|n| format!("{}def f{n}():\n", "    ".repeat(n))).collect();
    let document = read("a.py", &format!("{nested}{}pass\n", "    ".repeat(9))).value;
    assert_eq!(definitions(&document).last().map(String::as_str), Some("a.py/f0/f1/f2/f3/f4"));
}

#[test]
fn nothing_gives_nothing() {
    assert!(read("a.rs", "").value.blocks.is_empty());
    assert!(read("a.rs", "\n \n").value.blocks.is_empty());
}
