//! Names that say nothing.

use super::tree::File;

/// No module, folder or type is called so, alone or as a part of its name.
const EMPTY: &[&str] = &["manager", "helper", "util", "common", "processor"];

/// No module or type is called just so.
const VAGUE: &[&str] = &["data", "item"];

const TYPES: &[&str] = &["struct", "enum", "trait", "union"];

pub fn check(file: &File, found: &mut Vec<String>) {
    if !file.is_rust() || file.is_fixture() {
        return;
    }
    let modules = file.names().filter(|name| is_banned(name));
    found.extend(modules.map(|name| format!("{}: a module named `{name}`", file.path)));
    for (number, line) in file.text.lines().enumerate() {
        if let Some(name) = declared(line).filter(|name| is_banned(name)) {
            found.push(format!("{}:{}: a name that says nothing: `{name}`", file.path, number + 1));
        }
    }
}

fn is_banned(name: &str) -> bool {
    let words = words(name);
    let is_empty = |word: &String| EMPTY.iter().any(|banned| word == banned || *word == format!("{banned}s"));
    words.iter().any(is_empty) || matches!(words.as_slice(), [only] if VAGUE.contains(&only.as_str()))
}

/// `SampleName` and `sample_name` as words in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for c in name.chars() {
        if words.is_empty() || c == '_' || c == '-' || c.is_uppercase() {
            words.push(String::new());
        }
        if let (Some(word), true) = (words.last_mut(), c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
    }
    words
}

/// The name of the type or module that a line declares.
fn declared(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace().skip_while(|word| word.starts_with("pub"));
    let keyword = words.next()?;
    if !TYPES.contains(&keyword) && keyword != "mod" {
        return None;
    }
    words.next()?.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_names_are_found_in_any_form() {
        let banned = ["utils", "string_util", "StoreManager", "CommonOptions", "data", "Item"];
        assert!(banned.iter().all(|name| is_banned(name)));
        let good = ["commons_archive_reader", "metadata", "ListItem", "utility", "DataSet", "items"];
        assert_eq!(good.iter().filter(|name| is_banned(name)).collect::<Vec<_>>(), [&good[0]]);
    }

    #[test]
    fn declarations_are_found() {
        assert_eq!(declared("pub(crate) struct Walk<'a> {"), Some("Walk"));
        assert_eq!(declared("mod text;"), Some("text"));
        assert_eq!(declared("    type Item = u8;"), None);
        assert_eq!(declared("let helper = 1;"), None);
    }
}
