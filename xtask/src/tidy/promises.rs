//! The tests that ARCHITECTURE.md names are there.

use super::tree::Tree;

const PAGE: &str = "ARCHITECTURE.md";

pub fn check(tree: &Tree, found: &mut Vec<String>) {
    let page = tree.files.iter().find(|file| file.path == PAGE).map_or("", |file| file.text.as_str());
    for (test, path) in named(page) {
        let declared = format!("fn {test}(");
        if !tree.files.iter().any(|file| file.path == path && file.text.contains(&declared)) {
            found.push(format!("{PAGE}: there is no test `{test}` in `{path}`"));
        }
    }
}

/// Every "`name` in `path`" of a source file.
fn named(page: &str) -> impl Iterator<Item = (&str, &str)> {
    page.match_indices("` in `").filter_map(|(at, between)| {
        let test = page[..at].rsplit('`').next()?;
        let path = page[at + between.len()..].split('`').next()?;
        path.ends_with(".rs").then_some((test, path))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::File;

    #[test]
    fn a_test_that_has_gone_is_missed() {
        let page = File::new(PAGE, "| so | `here` in `a.rs`, `gone` in `a.rs` |\nNo test: `x` in `docs`.\n");
        let files = vec![page, File::new("a.rs", "fn here() {}\n")];
        let mut found = Vec::new();
        check(&Tree { files }, &mut found);
        assert_eq!(found, [format!("{PAGE}: there is no test `gone` in `a.rs`")]);
    }
}
