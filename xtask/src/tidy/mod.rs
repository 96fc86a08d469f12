//! `cargo xtask tidy`: rules of the repository that the compiler does not know. Also a test.

mod ambient;
mod dependencies;
mod licences;
mod names;
mod plugins;
mod promises;
mod text;
mod tree;

use crate::summary::Tally;
use crate::{repo, say};
use tree::Tree;

/// Tells every breach.
pub fn run() -> Result<Tally, String> {
    let breaches = breaches()?;
    for breach in &breaches {
        say::error(breach);
    }
    Ok(Tally { failed: breaches.len() as u64, ..Tally::default() })
}

fn breaches() -> Result<Vec<String>, String> {
    let root = repo::root();
    let tree = Tree::read(&root)?;
    let mut found = Vec::new();
    for file in &tree.files {
        text::check(file, &root, &mut found);
        names::check(file, &mut found);
        ambient::check(file, &mut found);
    }
    plugins::check(&tree, &mut found);
    promises::check(&tree, &mut found);
    dependencies::check(&repo::metadata()?, &mut found);
    licences::check(&tree, &repo::metadata_of_this_machine()?, &mut found);
    Ok(found)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_repository_is_tidy() {
        let breaches = super::breaches().expect("the repository can be read");
        assert!(breaches.is_empty(), "\n{}\n", breaches.join("\n"));
    }
}
