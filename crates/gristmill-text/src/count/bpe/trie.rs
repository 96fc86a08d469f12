//! The tokens as a tree of bytes, to find the longest at the start of some bytes.
//!
//! A hash of the first bytes leads into the tree; deeper nodes lie next to their siblings and not far from their
//! parents, so that most steps stay within a few cache lines.

use super::layout::{CHILDREN, LAST, TOKEN, depth_of_heads, head};
use super::table::{Table, Words};

/// A node, see [`LAST`].
#[derive(Clone, Copy)]
struct Node(u64);

impl Node {
    fn byte(self) -> u8 {
        (self.0 & 0xff) as u8
    }

    fn is_last(self) -> bool {
        self.0 & LAST != 0
    }

    fn children(self) -> usize {
        (self.0 >> CHILDREN & 0x7f_ffff) as usize
    }

    fn found(self, length: usize) -> Option<Found> {
        let token = ((self.0 >> TOKEN) as u32).checked_sub(1)?;
        Some(Found { token, length: length as u32 })
    }
}

/// The tree.
pub(super) struct Trie {
    pub(super) nodes: Words,
    pub(super) roots: Words,
    pub(super) heads: Table,
    pub(super) shorter: Words,
}

/// A token at the start of some bytes, and its length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) token: u32,
    pub(super) length: u32,
}

impl Trie {
    /// The longest token at the start of `bytes`, if there are any.
    pub(super) fn longest(&self, bytes: &[u8]) -> Option<Found> {
        let first = *bytes.first()?;
        let deepest = depth_of_heads(first);
        for depth in (2..=deepest.min(bytes.len())).rev() {
            let Some(at) = head(bytes, depth).and_then(|(a, b)| self.heads.get(a, b)) else { continue };
            let Some(node) = self.node(at as usize) else { continue };
            let below = if node.is_last() { None } else { self.descend(bytes, depth, at as usize + 1) };
            if let Some(found) = below.or(node.found(depth)) {
                return Some(found);
            }
        }
        Some(Found { token: self.roots.get(usize::from(first))? as u32, length: 1 })
    }

    /// The longest token at the start of a token, but for itself.
    pub(super) fn shorter(&self, token: u32) -> Option<Found> {
        let word = self.shorter.get(token as usize)?;
        Some(Found { token: word as u32, length: (word >> 32) as u32 }).filter(|found| found.length > 0)
    }

    fn node(&self, at: usize) -> Option<Node> {
        self.nodes.get(at).map(Node)
    }

    /// The longest token through the siblings that begin at `at`.
    fn descend(&self, bytes: &[u8], depth: usize, mut at: usize) -> Option<Found> {
        let mut longest = None;
        for (length, byte) in (depth + 1..).zip(bytes.get(depth..)?) {
            let node = loop {
                let node = self.node(at)?;
                if node.byte() == *byte {
                    break node;
                }
                if node.is_last() {
                    return longest;
                }
                at += 1;
            };
            longest = node.found(length).or(longest);
            at = node.children();
            if at == 0 {
                break;
            }
        }
        longest
    }
}
