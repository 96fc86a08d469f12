//! Licences of the dependencies that are built on this machine, against the list in deny.toml.

use serde_json::Value;

use super::tree::Tree;

/// `metadata` is what `cargo metadata` prints with all dependencies.
pub fn check(tree: &Tree, metadata: &Value, found: &mut Vec<String>) {
    let settings = tree.files.iter().find(|file| file.path == "deny.toml").map_or("", |file| file.text.as_str());
    let allowed = allowed(settings);
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let (name, licence) = (package["name"].as_str().unwrap_or_default(), package["license"].as_str());
        let excepted = format!("crate = \"{name}\"");
        if !licence.is_some_and(|licence| may(licence, &allowed)) && !settings.contains(&excepted) {
            found.push(format!("the licence of `{name}` is not in deny.toml: {}", licence.unwrap_or("none")));
        }
    }
}

/// The quoted names of the list `allow`.
fn allowed(settings: &str) -> Vec<&str> {
    let list = settings.split_once("allow = [").and_then(|(_, list)| list.split_once(']')).map_or("", |(list, _)| list);
    list.split('"').skip(1).step_by(2).collect()
}

/// True when an SPDX expression can be met with the allowed licences. `/` is an older way to write `OR`.
fn may(expression: &str, allowed: &[&str]) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    either(&mut words, allowed)
}

type Words<'t> = std::iter::Peekable<std::str::SplitWhitespace<'t>>;

fn either(words: &mut Words, allowed: &[&str]) -> bool {
    let mut good = all(words, allowed);
    while words.next_if_eq(&"OR").is_some() {
        good |= all(words, allowed);
    }
    good
}

fn all(words: &mut Words, allowed: &[&str]) -> bool {
    let mut good = one(words, allowed);
    while words.next_if_eq(&"AND").is_some() {
        good &= one(words, allowed);
    }
    good
}

fn one(words: &mut Words, allowed: &[&str]) -> bool {
    let Some(word) = words.next() else { return false };
    if word == "(" {
        let good = either(words, allowed);
        return words.next() == Some(")") && good;
    }
    match words.next_if_eq(&"WITH").and_then(|_| words.next()) {
        Some(exception) => allowed.contains(&format!("{word} WITH {exception}").as_str()),
        None => allowed.contains(&word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_met_by_what_is_allowed() {
        let allowed =
            allowed("x\nallow = [\n  \"MIT\",\n  \"BSD-3-Clause\", \"Apache-2.0 WITH LLVM-exception\",\n]\n\"GPL\"");
        assert_eq!(allowed, ["MIT", "BSD-3-Clause", "Apache-2.0 WITH LLVM-exception"]);
        for good in [
            "MIT",
            "MIT/Apache-2.0",
            "Unlicense OR MIT",
            "(Apache-2.0 OR MIT) AND BSD-3-Clause",
            "Apache-2.0 WITH LLVM-exception OR GPL-3.0",
        ] {
            assert!(may(good, &allowed), "{good}");
        }
        for bad in ["", "GPL-3.0", "Apache-2.0", "MIT AND GPL-3.0", "(MIT OR Apache-2.0) AND Unicode-3.0", "(MIT"] {
            assert!(!may(bad, &allowed), "{bad}");
        }
    }
}
