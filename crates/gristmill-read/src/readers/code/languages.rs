//! The languages: how their files are named, and their grammars.

use std::sync::LazyLock;

use tree_sitter::Language as Grammar;

/// A programming language.
pub(super) struct Language {
    /// Its name, in lower case.
    pub name: &'static str,
    /// Extensions of its files, in lower case.
    extensions: &'static [&'static str],
    /// Programs in the first line of a script (`#!/usr/bin/env python3`), without version numbers.
    programs: &'static [&'static str],
}

const fn language(
    name: &'static str,
    extensions: &'static [&'static str],
    programs: &'static [&'static str],
) -> Language {
    Language { name, extensions, programs }
}

/// Languages with a grammar in the full build, then those that are known by name only.
static LANGUAGES: &[Language] = &[
    language("bash", &["sh", "bash", "bats", "ksh", "zsh"], &["sh", "bash", "dash", "ksh", "zsh"]),
    language("c", &["c", "h"], &[]),
    language("cpp", &["cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "ipp", "inl", "cu", "cuh"], &[]),
    language("csharp", &["cs", "csx"], &[]),
    language("go", &["go"], &[]),
    language("java", &["java"], &[]),
    language("javascript", &["js", "mjs", "cjs", "jsx"], &["node", "nodejs", "bun"]),
    language("kotlin", &["kt", "kts"], &["kotlin"]),
    language("lua", &["lua"], &["lua", "luajit"]),
    language("php", &["php", "phtml"], &["php"]),
    language("python", &["py", "pyi", "pyw"], &["python", "pypy"]),
    language("ruby", &["rb", "rake", "gemspec"], &["ruby", "jruby"]),
    language("rust", &["rs"], &["rust-script"]),
    language("scala", &["scala", "sc", "sbt"], &["scala"]),
    language("sql", &["sql"], &[]),
    language("swift", &["swift"], &["swift"]),
    language("tsx", &["tsx"], &[]),
    language("typescript", &["ts", "mts", "cts"], &["ts-node", "deno", "tsx"]),
    language("ada", &["adb", "ads"], &[]),
    language("assembly", &["asm", "s"], &[]),
    language("clojure", &["clj", "cljs", "cljc"], &["bb"]),
    language("cobol", &["cob", "cbl"], &[]),
    language("coffeescript", &["coffee"], &["coffee"]),
    language("crystal", &["cr"], &["crystal"]),
    language("d", &["d"], &[]),
    language("dart", &["dart"], &["dart"]),
    language("elixir", &["ex", "exs"], &["elixir"]),
    language("elm", &["elm"], &[]),
    language("erlang", &["erl", "hrl"], &["escript"]),
    language("fish", &["fish"], &["fish"]),
    language("fortran", &["f", "for", "f77", "f90", "f95", "f03", "f08"], &[]),
    language("fsharp", &["fs", "fsi", "fsx"], &[]),
    language("groovy", &["groovy", "gradle"], &["groovy"]),
    language("haskell", &["hs", "lhs"], &["runghc", "runhaskell", "stack"]),
    language("julia", &["jl"], &["julia"]),
    language("lisp", &["lisp", "lsp", "el", "scm", "rkt"], &["sbcl", "guile", "racket"]),
    language("nim", &["nim"], &["nim"]),
    language("objective-c", &["m", "mm"], &[]),
    language("ocaml", &["ml", "mli"], &["ocaml"]),
    language("pascal", &["pas", "pp", "dpr"], &[]),
    language("perl", &["pl", "pm"], &["perl"]),
    language("powershell", &["ps1", "psm1", "psd1"], &["pwsh"]),
    language("protobuf", &["proto"], &[]),
    language("r", &["r"], &["Rscript"]),
    language("shader", &["glsl", "vert", "frag", "wgsl", "hlsl"], &[]),
    language("solidity", &["sol"], &[]),
    language("tcl", &["tcl"], &["tclsh", "wish", "expect"]),
    language("terraform", &["tf", "hcl"], &[]),
    language("verilog", &["v", "vh", "sv", "svh"], &[]),
    language("vhdl", &["vhd", "vhdl"], &[]),
    language("visual-basic", &["vb", "vbs", "bas"], &[]),
    language("zig", &["zig"], &[]),
];

/// What the C grammar cannot read in a header may be C++.
static CPP_HEADER: Language = language("cpp", &[], &[]);

impl Language {
    /// The language of a file, by its extension, else by its first line.
    pub(super) fn of(path: &str, text: &[u8]) -> Option<&'static Self> {
        let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
        let extension = name.rsplit_once('.').map(|(_, last)| last.to_lowercase());
        let is_own = |language: &&Self| extension.as_deref().is_some_and(|own| language.extensions.contains(&own));
        LANGUAGES.iter().find(is_own).or_else(|| Self::of_script(text))
    }

    /// The language that the first line of a script names.
    pub(super) fn of_script(text: &[u8]) -> Option<&'static Self> {
        const LONGEST: usize = 256;
        let line = text.get(..text.len().min(LONGEST))?.strip_prefix(b"#!")?;
        let line = std::str::from_utf8(line.split(|byte| *byte == b'\n').next()?).ok()?;
        let mut words = line.split_whitespace();
        let first = words.next()?.rsplit('/').next()?;
        let is_program = |word: &&str| !word.starts_with('-') && !word.contains('=');
        let program = if first == "env" { words.find(is_program)? } else { first };
        let program = program.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'));
        LANGUAGES.iter().find(|language| language.programs.contains(&program))
    }

    /// The language to try where this one's grammar finds errors.
    pub(super) fn second(&self, path: &str) -> Option<&'static Self> {
        (self.name == "c" && path.to_lowercase().ends_with(".h")).then_some(&CPP_HEADER)
    }

    /// True when its grammar keeps a reading alive for every `<` that is not closed, in case it opens a list of types.
    pub(super) fn nests_angles(&self) -> bool {
        matches!(self.name, "csharp" | "java" | "scala" | "tsx" | "typescript")
    }

    /// Its grammar, where this build has one. `first` is false for text from the middle of a file.
    pub(super) fn grammar(&self, first: bool) -> Option<Grammar> {
        let grammar = match self.name {
            "bash" => tree_sitter_bash::LANGUAGE,
            "c" => tree_sitter_c::LANGUAGE,
            "cpp" => tree_sitter_cpp::LANGUAGE,
            "go" => tree_sitter_go::LANGUAGE,
            "java" => tree_sitter_java::LANGUAGE,
            "javascript" => tree_sitter_javascript::LANGUAGE,
            "lua" => tree_sitter_lua::LANGUAGE,
            "php" if first => tree_sitter_php::LANGUAGE_PHP,
            "php" => tree_sitter_php::LANGUAGE_PHP_ONLY,
            "python" => tree_sitter_python::LANGUAGE,
            "ruby" => tree_sitter_ruby::LANGUAGE,
            "rust" => tree_sitter_rust::LANGUAGE,
            "tsx" => tree_sitter_typescript::LANGUAGE_TSX,
            "typescript" => tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
            other => return large(other),
        };
        Some(grammar.into())
    }
}

#[cfg(feature = "code-large")]
fn large(name: &str) -> Option<Grammar> {
    let grammar = match name {
        "csharp" => tree_sitter_c_sharp::LANGUAGE,
        "kotlin" => tree_sitter_kotlin_ng::LANGUAGE,
        "scala" => tree_sitter_scala::LANGUAGE,
        "sql" => tree_sitter_sequel::LANGUAGE,
        "swift" => tree_sitter_swift::LANGUAGE,
        _ => return None,
    };
    Some(grammar.into())
}

#[cfg(not(feature = "code-large"))]
fn large(_: &str) -> Option<Grammar> {
    None
}

/// The extensions of all languages.
pub(super) fn extensions() -> &'static [&'static str] {
    static ALL: LazyLock<Vec<&'static str>> =
        LazyLock::new(|| LANGUAGES.iter().flat_map(|language| language.extensions).copied().collect());
    &ALL
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(path: &str, text: &str) -> Option<&'static str> {
        Language::of(path, text.as_bytes()).map(|language| language.name)
    }

    #[test]
    fn names_decide_before_first_lines() {
        assert_eq!(name("a/b.PY", "#!/bin/sh\n"), Some("python"));
        assert_eq!(name("run", "#!/usr/bin/env -S python3.12 -u\n"), Some("python"));
        assert_eq!(name("run", "#! /bin/bash\n"), Some("bash"));
        assert_eq!(name("run", "#!/usr/bin/env LANG=C node\n"), Some("javascript"));
        assert_eq!(name("run", "#!/opt/unknown\n"), None);
        assert_eq!(name("a.h", ""), Some("c"));
        assert_eq!(name("README", "#!"), None);
    }

    #[test]
    fn no_extension_stands_for_two_languages() {
        let mut all = extensions().to_vec();
        all.sort_unstable();
        let count = all.len();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
