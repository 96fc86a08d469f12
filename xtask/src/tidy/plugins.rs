//! One plug-in is one folder with everything that belongs to it.

use std::collections::{BTreeMap, BTreeSet};

use super::tree::Tree;

/// A kind of plug-in: the folder that holds one folder for each, and the files each must have.
struct Kind {
    folder: &'static str,
    files: &'static [&'static str],
    /// Whether a test must stand in the folder, or in the crate's `tests` under the plug-in's name.
    tested: bool,
}

const KINDS: &[Kind] = &[
    Kind { folder: "crates/gristmill-read/src/readers/", files: &["mod.rs"], tested: true },
    Kind { folder: "crates/gristmill-chunk/src/strategies/", files: &["mod.rs"], tested: false },
    Kind { folder: "crates/gristmill-lint/src/rules/", files: &["mod.rs", "docs.md", "cases.md"], tested: false },
    Kind { folder: "crates/gristmill-source/src/sources/", files: &["mod.rs"], tested: true },
    Kind { folder: "crates/gristmill-embed/src/embedders/", files: &["mod.rs"], tested: true },
    Kind { folder: "crates/gristmill-store/src/stores/", files: &["mod.rs"], tested: true },
];

pub fn check(tree: &Tree, found: &mut Vec<String>) {
    for kind in KINDS {
        for (name, files) in plugins(tree, kind.folder) {
            let folder = format!("{}{name}", kind.folder);
            let missing = kind.files.iter().filter(|file| !files.contains(**file));
            found.extend(missing.map(|file| format!("{folder}: no `{file}`")));
            if kind.tested && !is_tested(tree, &folder) {
                found.push(format!("{folder}: no test"));
            }
            if !is_registered(tree, kind.folder, name) {
                found.push(format!("{folder}: not registered in `{}mod.rs`", kind.folder));
            }
        }
    }
}

/// The folders directly below `folder`, each with the files directly in it.
fn plugins<'t>(tree: &'t Tree, folder: &str) -> BTreeMap<&'t str, BTreeSet<&'t str>> {
    let mut plugins: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for file in &tree.files {
        if let Some((name, rest)) = file.path.strip_prefix(folder).and_then(|path| path.split_once('/')) {
            plugins.entry(name).or_default().insert(rest);
        }
    }
    plugins
}

fn is_tested(tree: &Tree, folder: &str) -> bool {
    let folder = format!("{folder}/");
    tree.files.iter().any(|file| file.path.starts_with(&folder) && file.text.contains("#[test]"))
}

/// True when the registry beside the folders takes it in and uses it in another line.
fn is_registered(tree: &Tree, folder: &str, name: &str) -> bool {
    let registry = format!("{folder}mod.rs");
    let lines = tree.files.iter().filter(|file| file.path == registry).flat_map(|file| file.text.lines());
    lines.filter(|line| line.contains(&format!("mod {name};"))).count() == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::File;

    #[test]
    fn an_incomplete_rule_is_found() {
        let files = ["mod.rs", "tiny_chunk/mod.rs", "tiny_chunk/docs.md"];
        let files = files.map(|path| File::new(&format!("crates/gristmill-lint/src/rules/{path}"), ""));
        let mut found = Vec::new();
        check(&Tree { files: files.into() }, &mut found);
        let rule = "crates/gristmill-lint/src/rules/tiny_chunk";
        let registry = "crates/gristmill-lint/src/rules/mod.rs";
        assert_eq!(found, [format!("{rule}: no `cases.md`"), format!("{rule}: not registered in `{registry}`")]);
    }
}
