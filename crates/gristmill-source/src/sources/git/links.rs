//! Following links within a commit, with the answers that links of a file system get.

use std::collections::{HashMap, HashSet};

use gristmill_core::Severity;

use super::listing::{Finds, is_in, relative};
use super::tree::{Kind, Target, Tree};
use super::wanted::{Rules, parent};
use crate::Symlinks;

/// Follows the links that `finds` has, after all that is reached without them, so that nothing is listed twice.
pub(super) fn follow(
    tree: &Tree,
    targets: &HashMap<String, Vec<u8>>,
    base: &str,
    mode: Symlinks,
    rules: &mut Rules<'_>,
    finds: &mut Finds,
) {
    let direct: Vec<usize> = finds.files.iter().map(|(_, index)| *index).collect();
    let reached = direct.iter().copied().collect();
    let mut follower = Follower { tree, targets, base, mode, rules, direct, reached, walked: HashSet::new() };
    while !finds.links.is_empty() {
        let mut links = std::mem::take(&mut finds.links);
        links.sort_unstable();
        for (path, index) in links {
            follower.link(&path, index, finds);
        }
    }
}

struct Follower<'a, 'r> {
    tree: &'a Tree,
    targets: &'a HashMap<String, Vec<u8>>,
    base: &'a str,
    mode: Symlinks,
    rules: &'a mut Rules<'r>,
    /// Nodes that were listed without links, in order.
    direct: Vec<usize>,
    /// Nodes that are listed.
    reached: HashSet<usize>,
    /// Folders walked through links.
    walked: HashSet<String>,
}

impl Follower<'_, '_> {
    fn link(&mut self, path: &str, index: usize, finds: &mut Finds) {
        if self.mode == Symlinks::Never {
            return finds.note("link-not-followed", Severity::Info, path, "symbolic link is not followed");
        }
        let target = self.tree.resolve(&self.tree.nodes[index].path, self.targets);
        let (real, is_folder) = match &target {
            Target::File(index) => (self.tree.nodes[*index].path.as_str(), false),
            Target::Folder(folder) => (folder.as_str(), true),
            Target::Outside => return leaves(path, "the repository", finds),
            Target::Nowhere(why) => {
                return finds.note("broken-link", Severity::Low, path, format!("leads nowhere: {why}"));
            }
        };
        if !self.rules.wants(path, is_folder) {
            return;
        }
        if self.mode == Symlinks::Within && !is_in(real, self.base) {
            return leaves(path, "the source's folder", finds);
        }
        match target {
            Target::File(index) if self.reached.insert(index) => finds.files.push((path.to_owned(), index)),
            Target::Folder(folder) if self.is_new(&folder) => self.walk(path, folder, finds),
            Target::Folder(_) => twice(path, "folder", finds),
            _ => twice(path, "file", finds),
        }
    }

    /// True when nothing in the folder is listed by another name.
    fn is_new(&self, folder: &str) -> bool {
        let mut inner = Some(folder);
        while let Some(one) = inner {
            if self.walked.contains(one) {
                return false;
            }
            inner = parent(one);
        }
        let below = self.tree.below(folder);
        let first = self.direct.partition_point(|index| *index < below.start);
        let is_listed = self.direct.get(first).is_some_and(|index| *index < below.end);
        !self.walked.contains("") && folder != self.base && !(is_listed && is_in(folder, self.base))
    }

    fn walk(&mut self, link: &str, folder: String, finds: &mut Finds) {
        for index in self.tree.below(&folder) {
            let node = &self.tree.nodes[index];
            let path = format!("{link}/{}", relative(&node.path, &folder));
            match node.kind {
                Kind::File if self.rules.wants(&path, false) && self.reached.insert(index) => {
                    finds.files.push((path, index));
                }
                Kind::Link if self.rules.enters(&path) => finds.links.push((path, index)),
                Kind::Module if self.rules.wants(&path, true) => finds.module(&path),
                _ => {}
            }
        }
        self.walked.insert(folder);
    }
}

fn leaves(path: &str, what: &str, finds: &mut Finds) {
    let message = format!("symbolic link leaves {what} and is not followed");
    finds.note("link-leaves-root", Severity::Low, path, message);
}

fn twice(path: &str, what: &str, finds: &mut Finds) {
    let message = format!("leads to a {what} that is listed by another name");
    finds.note("listed-once", Severity::Info, path, message);
}
