//! All paths of a commit, and where links among them lead.

use std::collections::HashMap;
use std::ops::Range;

use crate::names::text_of_bytes;

/// As many links as one path may lead over.
const HOPS_MAX: usize = 40;

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Link,
    /// A commit of another repository.
    Module,
}

/// A path of the commit that is no folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    /// From the top of the repository, as text.
    pub(super) path: String,
    pub(super) kind: Kind,
    /// The hexadecimal name of its content.
    pub(super) object: String,
}

/// The paths of a commit.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// Sorted by path, each once.
    pub(super) nodes: Vec<Node>,
    /// Paths that no file can have.
    pub(super) malformed: Vec<String>,
}

/// Where a path leads.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// Index of the node.
    File(usize),
    /// Its path, without links.
    Folder(String),
    /// Out of the repository.
    Outside,
    /// Nowhere, and why.
    Nowhere(&'static str),
}

impl Tree {
    /// Reads what `git ls-tree -r -z` prints.
    pub(super) fn parse(listed: &[u8]) -> Self {
        let mut tree = Self::default();
        for line in listed.split(|byte| *byte == 0) {
            let Some(node) = node(line) else { continue };
            if node.path.split('/').any(|name| matches!(name, "" | "." | "..")) {
                tree.malformed.push(node.path);
            } else {
                tree.nodes.push(node);
            }
        }
        tree.nodes.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        tree.nodes.dedup_by(|b, a| a.path == b.path);
        tree
    }

    /// Index of the node with this path.
    pub(super) fn find(&self, path: &str) -> Option<usize> {
        self.nodes.binary_search_by(|node| node.path.as_str().cmp(path)).ok()
    }

    /// Indices of the nodes below a folder; the top is the empty text.
    pub(super) fn below(&self, folder: &str) -> Range<usize> {
        if folder.is_empty() {
            return 0..self.nodes.len();
        }
        let inside = |node: &Node| node.path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        // `0` is the character after `/`.
        let start = self.nodes.partition_point(|node| node.path.as_str() < format!("{folder}/").as_str());
        let end = start + self.nodes[start..].partition_point(inside);
        start..end
    }

    /// Follows links, the last one too. `targets` has what each link says, by the name of its object.
    pub(super) fn resolve(&self, path: &str, targets: &HashMap<String, Vec<u8>>) -> Target {
        let mut here = String::new();
        let mut ahead: Vec<String> = split(path);
        let mut hops = 0;
        while let Some(name) = ahead.pop() {
            match name.as_str() {
                "" | "." => continue,
                ".." if here.is_empty() => return Target::Outside,
                ".." => {
                    here.truncate(here.rfind('/').unwrap_or(0));
                    continue;
                }
                name => push(&mut here, name),
            }
            let Some(index) = self.find(&here) else { continue };
            match self.nodes[index].kind {
                Kind::File if ahead.iter().all(String::is_empty) => return Target::File(index),
                Kind::File => return Target::Nowhere("a file stands where a folder is named"),
                Kind::Module => return Target::Nowhere("it leads into a submodule"),
                Kind::Link => {
                    hops += 1;
                    let Some(target) = targets.get(&self.nodes[index].object).filter(|_| hops <= HOPS_MAX) else {
                        return Target::Nowhere("it leads in a circle, or too far");
                    };
                    if target.starts_with(b"/") {
                        return Target::Outside;
                    }
                    here.truncate(here.rfind('/').unwrap_or(0));
                    ahead.extend(split(&text_of_bytes(target).0));
                }
            }
        }
        if self.below(&here).is_empty() { Target::Nowhere("no such file or folder") } else { Target::Folder(here) }
    }
}

/// Names, the first one last.
fn split(path: &str) -> Vec<String> {
    path.rsplit('/').map(str::to_owned).collect()
}

fn push(path: &mut String, name: &str) {
    if !path.is_empty() {
        path.push('/');
    }
    path.push_str(name);
}

/// `<mode> <type> <object>TAB<path>`.
fn node(line: &[u8]) -> Option<Node> {
    let tab = line.iter().position(|byte| *byte == b'\t')?;
    let mut words = std::str::from_utf8(&line[..tab]).ok()?.split(' ');
    let kind = match words.next()? {
        "120000" => Kind::Link,
        "160000" => Kind::Module,
        _ => Kind::File,
    };
    let object = words.nth(1)?.to_owned();
    Some(Node { path: text_of_bytes(&line[tab + 1..]).0, kind, object })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(lines: &[&str]) -> Tree {
        Tree::parse(lines.join("\0").as_bytes())
    }

    #[test]
    fn lines_are_read_as_git_documents_them() {
        let tree = tree(&[
            "100644 blob b1\tz.md",
            "120000 blob b2\ta-b",
            "160000 commit c1\ta/lib",
            "100755 blob b3\ta/tab\tand\nline",
            "100644 blob b4\t../up",
        ]);
        let found: Vec<_> = tree.nodes.iter().map(|n| (n.path.as_str(), n.kind, n.object.as_str())).collect();
        assert_eq!(
            found,
            [
                ("a-b", Kind::Link, "b2"),
                ("a/lib", Kind::Module, "c1"),
                ("a/tab\tand\nline", Kind::File, "b3"),
                ("z.md", Kind::File, "b1")
            ]
        );
        assert_eq!(tree.malformed, ["../up"]);
        assert_eq!(tree.below("a"), 1..3);
        assert_eq!(tree.below(""), 0..4);
        assert_eq!(tree.below("z.md"), 4..4);
    }

    #[test]
    fn links_lead_where_they_lead_in_a_file_system() {
        let link = |name: &str| format!("120000 blob {name}\t{name}");
        let links = ["abs", "chain", "circle", "docs/up", "gone", "out", "self", "sub", "whole"].map(link);
        let mut lines: Vec<&str> = links.iter().map(String::as_str).collect();
        lines.extend(["100644 blob a\tdocs/a.md", "100644 blob b\tb.md", "160000 commit c\tlib"]);
        let tree = tree(&lines);
        let says = [
            ("abs", "/etc/passwd"),
            ("chain", "whole/up/docs/a.md"),
            ("circle", "self"),
            ("docs/up", ".."),
            ("gone", "docs/none"),
            ("out", "docs/../../x"),
            ("self", "circle"),
            ("sub", "lib/x"),
            ("whole", "./docs/"),
        ];
        let targets = says.map(|(name, target)| (name.to_owned(), target.as_bytes().to_owned())).into();
        let to = |path: &str| tree.resolve(path, &targets);
        assert_eq!(to("chain"), Target::File(tree.find("docs/a.md").unwrap()));
        assert_eq!(to("whole"), Target::Folder("docs".to_owned()));
        assert_eq!(to("docs/up"), Target::Folder(String::new()));
        assert_eq!((to("abs"), to("out")), (Target::Outside, Target::Outside));
        assert_eq!(to("gone"), Target::Nowhere("no such file or folder"));
        assert_eq!(to("circle"), Target::Nowhere("it leads in a circle, or too far"));
        assert_eq!(to("sub"), Target::Nowhere("it leads into a submodule"));
        assert_eq!(to("b.md/x"), Target::Nowhere("a file stands where a folder is named"));
    }
}
