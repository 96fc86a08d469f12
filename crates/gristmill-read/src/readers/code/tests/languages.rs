//! A definition or two of every language with a grammar.

use super::{definitions, read};

/// File name, text, and the paths below the file's name.
const BASE: &[(&str, &str, &[&str])] = &[
    ("a.sh", "# Greets.\ngreet() {\n  echo hi\n}\n", &["greet"]),
    (
        "a.c",
        "#include <x.h>\n\nstruct point {\n  int x;\n};\n\ntypedef enum {\n  A,\n} kind;\n\nstatic char *name(int a)\n{\n  return 0;\n}\n",
        &["point", "kind", "name"],
    ),
    (
        "a.cpp",
        "namespace n {\n\nclass A {\n public:\n  A();\n  int get() const { return 1; }\n};\n\n}\n\ntemplate <class T>\nT &A::at(T t) {\n  return t;\n}\n",
        &["n", "n/A", "n/A/get", "A::at"],
    ),
    (
        "a.go",
        "package a\n\ntype T struct {\n\tx int\n}\n\n// Get gives.\nfunc (t *T) Get() int {\n\treturn t.x\n}\n\nfunc F() {}\n",
        &["T", "T.Get", "F"],
    ),
    (
        "a.java",
        "package a;\n\npublic class A {\n  /** Doc. */\n  @Override\n  public int f() {\n    return 1;\n  }\n\n  A() {}\n}\n",
        &["A", "A/f", "A/A"],
    ),
    (
        "a.js",
        "class A {\n  f() {\n    return 1;\n  }\n}\n\nexport const g = (x) => {\n  return x;\n};\n\nB.prototype.h = function () {\n};\n",
        &["A", "A/f", "g", "B.prototype.h"],
    ),
    (
        "a.lua",
        "local function f(x)\n  return x\nend\n\nM.g = function()\nend\n\nfunction M:h()\nend\n",
        &["f", "M.g", "M:h"],
    ),
    (
        "a.php",
        "<?php\nnamespace N;\n\nuse X;\n\nclass A\n{\n    #[Pure]\n    public function f(): int\n    {\n        return 1;\n    }\n}\n",
        &["N", "A", "A/f"],
    ),
    ("a.py", "class A:\n    @property\n    async def f(self):\n        pass\n", &["A", "A/f"]),
    (
        "a.rb",
        "module M\n  class A < B\n    def f(x)\n      x\n    end\n\n    def self.g\n    end\n  end\nend\n",
        &["M", "M/A", "M/A/f", "M/A/g"],
    ),
    (
        "a.rs",
        "use x::y;\n\n/// Doc.\n#[derive(Debug)]\npub struct A {\n    x: u8,\n}\n\nimpl fmt::Display for A<'_> {\n    fn fmt(&self) {}\n}\n\nmod tests {\n    fn g() {}\n}\n",
        &["A", "fmt::Display for A<'_>", "fmt::Display for A<'_>/fmt", "tests", "tests/g"],
    ),
    (
        "a.ts",
        "interface I {\n  x: number;\n}\n\nnamespace N {\n  export function f(): void {}\n}\n\nenum E {\n  A,\n}\n",
        &["I", "N", "N/f", "E"],
    ),
    ("a.tsx", "export default function View() {\n  return (\n    <p>\n      hi\n    </p>\n  );\n}\n", &["View"]),
];

#[cfg(feature = "code-large")]
const LARGE: &[(&str, &str, &[&str])] = &[
    (
        "a.cs",
        "namespace N\n{\n    public class A\n    {\n        [X]\n        public int F() { return 1; }\n    }\n}\n",
        &["N", "N/A", "N/A/F"],
    ),
    (
        "a.kt",
        "package a\n\nimport b.c\n\nclass A {\n    fun f(): Int {\n        return 1\n    }\n}\n\nfun g() = 1\n",
        &["A", "A/f", "g"],
    ),
    ("a.scala", "object A {\n  def f(x: Int): Int = {\n    x\n  }\n}\n\ntrait T {\n}\n", &["A", "A/f", "T"]),
    ("a.sql", "-- Users.\nCREATE TABLE users (\n  id INT\n);\n\nSELECT 1;\n", &["CREATE TABLE users"]),
    (
        "a.swift",
        "struct A {\n    func f() -> Int {\n        return 1\n    }\n\n    init() {\n    }\n}\n\nprotocol P {\n}\n",
        &["A", "A/f", "A/init", "P"],
    ),
];

/// All of them, with a grammar in this build.
pub(super) fn all() -> Vec<&'static (&'static str, &'static str, &'static [&'static str])> {
    #[cfg(feature = "code-large")]
    return BASE.iter().chain(LARGE).collect();
    #[cfg(not(feature = "code-large"))]
    BASE.iter().collect()
}

fn check((file, text, paths): &(&str, &str, &[&str])) {
    let read = read(file, text);
    let expected: Vec<String> = paths.iter().map(|path| format!("{file}/{path}")).collect();
    assert_eq!(definitions(&read.value), expected, "{file}");
    assert!(read.diagnostics.is_empty(), "{:?}", read.diagnostics);
}

#[test]
fn definitions_are_found_in_every_language() {
    BASE.iter().for_each(check);
}

#[cfg(feature = "code-large")]
#[test]
fn definitions_are_found_in_the_languages_with_large_grammars() {
    LARGE.iter().for_each(check);
}

#[test]
fn a_later_window_of_a_page_is_code() {
    use gristmill_core::{DocumentId, Input, Reader};
    let bytes = b"function f() {\n}\n";
    let id = DocumentId::new("default", "", "a.php");
    let input = Input { id, source: "a.php", bytes, open: &[], first: false };
    let read = super::Code.read(&input).expect("text can be read");
    assert_eq!(definitions(&read.value), ["a.php/f"]);
}
