//! Sizes of files and what must not stand in them.

use std::path::Path;

use super::tree::File;

/// Longer source files have more than one subject.
const MAX_LINES: usize = 800;

/// Marks of unfinished work in comments, written apart so that they are not found here.
const MARKS: &[&str] = &[concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];

/// Lints are silenced with a reason and only while they speak up: by `expect`.
const SILENCERS: &[&str] = &[concat!("#[", "allow("), concat!("#![", "allow(")];

/// Kinds of file in which white space at line ends is never meant.
const TRIMMED: &[&str] = &["rs", "toml", "py", "sh", "yml", "yaml", "json"];

pub fn check(file: &File, root: &Path, found: &mut Vec<String>) {
    if file.is_fixture() || file.path == "Cargo.lock" {
        return;
    }
    let path = &file.path;
    let lines = file.text.lines().count();
    if file.is_rust() && lines > MAX_LINES {
        found.push(format!("{path}: {lines} lines, more than {MAX_LINES}"));
    }
    let here = root.to_string_lossy();
    for (number, line) in file.text.lines().enumerate() {
        for breach in breaches(file, line, &here) {
            found.push(format!("{path}:{}: {breach}", number + 1));
        }
    }
    if TRIMMED.contains(&file.extension()) && !file.text.is_empty() && !file.text.ends_with('\n') {
        found.push(format!("{path}: no line end at the end of the file"));
    }
}

fn breaches(file: &File, line: &str, here: &str) -> Vec<String> {
    let mut found = Vec::new();
    let remark = remark(file, line);
    found.extend(MARKS.iter().filter(|mark| remark.contains(**mark)).map(|mark| format!("unfinished: `{mark}`")));
    if file.is_rust() && line.contains(concat!("dbg", "!(")) {
        found.push("output for debugging".to_owned());
    }
    if file.is_rust() && SILENCERS.iter().any(|silencer| line.contains(silencer)) {
        found.push("a lint is silenced without `expect` and a reason".to_owned());
    }
    if here.len() > 1 && line.contains(here) {
        found.push(format!("a place of one machine: `{here}`"));
    }
    if TRIMMED.contains(&file.extension()) && line.ends_with([' ', '\t', '\r']) {
        found.push("white space at the end of the line".to_owned());
    }
    found
}

/// The comment at the end of a line of code.
fn remark<'t>(file: &File, line: &'t str) -> &'t str {
    let sign = match file.extension() {
        "rs" => "//",
        "toml" | "py" | "sh" | "yml" | "yaml" => "#",
        _ => return "",
    };
    // After an odd number of quotation marks the sign stands inside a string.
    let is_outside = |(before, _): &(&str, &str)| before.matches('"').count() % 2 == 0;
    line.split_once(sign).filter(is_outside).map_or("", |(_, remark)| remark)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<String> {
        let mut found = Vec::new();
        check(&File::new(path, text), Path::new("/somewhere/else"), &mut found);
        found
    }

    #[test]
    fn each_rule_speaks_up() {
        assert_eq!(found("a.rs", &"//\n".repeat(801)), ["a.rs: 801 lines, more than 800"]);
        assert_eq!(found("a.rs", concat!("\n// TO", "DO\n")), [concat!("a.rs:2: unfinished: `TO", "DO`")]);
        assert_eq!(found("a.rs", concat!("let x = \"// TO", "DO\";\n")), [""; 0]);
        assert_eq!(found("a.py", "x \n"), ["a.py:1: white space at the end of the line"]);
        assert_eq!(found("a.json", "{}"), ["a.json: no line end at the end of the file"]);
        assert_eq!(found("a.md", "see /somewhere/else/b  \n"), ["a.md:1: a place of one machine: `/somewhere/else`"]);
        assert_eq!(found("a.rs", concat!("#[al", "low(dead_code)]\n")).len(), 1);
        assert_eq!(found("tests/fixtures/a.json", "{} "), [""; 0]);
    }
}
