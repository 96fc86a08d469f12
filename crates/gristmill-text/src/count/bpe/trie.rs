//! The tokens as a tree of bytes, to find the longest at the start of some bytes.
//!
//! A hash of the first bytes leads into the tree; deeper nodes lie next to their siblings and not far from their
//! parents, so that most steps stay within a few cache lines.

use super::table::Table;
use super::tokens::{Sorted, Tokens};

/// A node: the byte that leads to it, whether it is the last of its siblings, where its children begin (0 for none) and
/// one more than the token that ends there (0 for none). The nodes that the hash leads to come directly before their
/// children; for them, last means that there are none.
#[derive(Clone, Copy)]
struct Node(u64);

const LAST: u64 = 1 << 8;
const CHILDREN: u32 = 9;
const TOKEN: u32 = 32;

impl Node {
    fn new(byte: u8, token: Option<u32>) -> Self {
        Self(u64::from(byte) | token.map_or(0, |token| u64::from(token) + 1) << TOKEN)
    }

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
    nodes: Vec<Node>,
    /// The tokens that are one byte.
    roots: [u32; 256],
    /// The first 2, 3 and 4 bytes to nodes.
    heads: Table,
    /// For each token the longest other one at its start.
    shorter: Vec<Found>,
}

/// A token at the start of some bytes, and its length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) token: u32,
    pub(super) length: u32,
}

/// With how many bytes the tree below a hash begins: those of a character, or four.
fn depth_of_heads(first: u8) -> usize {
    if first < 0xe0 { 4 } else { 3 }
}

/// The first `length` bytes, as a key of `heads`.
fn head(bytes: &[u8], length: usize) -> Option<(u32, u32)> {
    let byte = |at: usize| bytes.get(at).map(|byte| u32::from(*byte));
    let pair = byte(0)? << 8 | byte(1)?;
    Some(match length {
        2 => (pair, 0),
        3 => (pair | 1 << 16, byte(2)?),
        _ => (pair | 1 << 17, byte(2)? << 8 | byte(3)?),
    })
}

impl Trie {
    /// The tree of all tokens.
    pub(super) fn new(tokens: &Tokens) -> Self {
        let sorted = tokens.sorted();
        let mut trie = Self {
            nodes: vec![Node::new(0, None)],
            roots: [0; 256],
            heads: Table::for_entries(sorted.len() / 2),
            shorter: shorter(tokens, &sorted),
        };
        for group in sorted.chunk_by(|a, b| a.byte(tokens, 0) == b.byte(tokens, 0)) {
            trie.plant(tokens, group, 1);
        }
        trie
    }

    /// The longest token at the start of `bytes`, if there are any.
    pub(super) fn longest(&self, bytes: &[u8]) -> Option<Found> {
        let first = *bytes.first()?;
        let deepest = depth_of_heads(first);
        for depth in (2..=deepest.min(bytes.len())).rev() {
            let Some(at) = head(bytes, depth).and_then(|(a, b)| self.heads.get(a, b)) else { continue };
            let Some(node) = self.nodes.get(at as usize) else { continue };
            let below = if node.is_last() { None } else { self.descend(bytes, depth, at as usize + 1) };
            if let Some(found) = below.or(node.found(depth)) {
                return Some(found);
            }
        }
        Some(Found { token: *self.roots.get(usize::from(first))?, length: 1 })
    }

    /// The longest token at the start of a token, but for itself.
    pub(super) fn shorter(&self, token: u32) -> Option<Found> {
        self.shorter.get(token as usize).copied().filter(|found| found.length > 0)
    }

    /// The longest token through the siblings that begin at `at`.
    fn descend(&self, bytes: &[u8], depth: usize, mut at: usize) -> Option<Found> {
        let mut longest = None;
        for (length, byte) in (depth + 1..).zip(bytes.get(depth..)?) {
            let node = loop {
                let node = *self.nodes.get(at)?;
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

    /// Adds the tokens of `group`, which begin with the same `depth` bytes.
    fn plant(&mut self, tokens: &Tokens, group: &[Sorted], depth: usize) {
        let (token, longer) = split_off(group, depth);
        let Some(first) = group.first() else { return };
        let bytes = tokens.get(first.token());
        let is_deepest = depth == depth_of_heads(first.byte(tokens, 0));
        if depth == 1 {
            self.roots[usize::from(first.byte(tokens, 0))] = token.unwrap_or_default();
        } else if let Some((a, b)) = head(bytes, depth) {
            self.heads.get_or_insert(a, b, self.nodes.len() as u32);
            self.nodes.push(Node::new(0, token));
        }
        if is_deepest && !longer.is_empty() {
            self.children(tokens, longer, depth);
            return;
        }
        if depth > 1
            && let Some(node) = self.nodes.last_mut()
        {
            node.0 |= LAST;
        }
        for group in longer.chunk_by(|a, b| a.byte(tokens, depth) == b.byte(tokens, depth)) {
            self.plant(tokens, group, depth + 1);
        }
    }

    /// Adds siblings for the bytes at `depth` of `group`, then what is below each.
    fn children(&mut self, tokens: &Tokens, group: &[Sorted], depth: usize) {
        let first = self.nodes.len();
        let groups = || group.chunk_by(|a, b| a.byte(tokens, depth) == b.byte(tokens, depth));
        for group in groups() {
            let (token, _) = split_off(group, depth + 1);
            self.nodes.push(Node::new(group.first().map_or(0, |first| first.byte(tokens, depth)), token));
        }
        if let Some(last) = self.nodes.last_mut() {
            last.0 |= LAST;
        }
        for (at, group) in (first..).zip(groups()) {
            let (_, longer) = split_off(group, depth + 1);
            if !longer.is_empty() {
                let below = self.nodes.len() as u64;
                if let Some(node) = self.nodes.get_mut(at) {
                    node.0 |= below << CHILDREN;
                }
                self.children(tokens, longer, depth + 1);
            }
        }
    }
}

/// For each token the longest other one at its start, of length 0 if there is none. Before a token come all those that
/// it begins with, each at the start of the next; what they begin with is dropped when it ends.
fn shorter(tokens: &Tokens, sorted: &[Sorted]) -> Vec<Found> {
    let mut shorter = vec![Found::default(); sorted.len()];
    let mut open: Vec<Sorted> = Vec::new();
    for token in sorted {
        while open.pop_if(|last| !token.begins_with(*last, tokens)).is_some() {}
        if let (Some(last), Some(slot)) = (open.last(), shorter.get_mut(token.token() as usize)) {
            *slot = Found { token: last.token(), length: last.length() as u32 };
        }
        open.push(*token);
    }
    shorter
}

/// The token of exactly `length` bytes, which sorts first, and the others.
fn split_off(group: &[Sorted], length: usize) -> (Option<u32>, &[Sorted]) {
    match group.split_first() {
        Some((first, longer)) if first.length() == length => (Some(first.token()), longer),
        _ => (None, group),
    }
}
