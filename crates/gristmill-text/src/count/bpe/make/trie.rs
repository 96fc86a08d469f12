//! The tokens as a tree of bytes.

use super::hashed::Table;
use super::layout::{CHILDREN, LAST, TOKEN, depth_of_heads, head};
use super::tokens::{Sorted, Tokens};

/// The tree: its sections, see `layout`.
pub(super) struct Trie {
    pub(super) nodes: Vec<u64>,
    pub(super) roots: Vec<u64>,
    pub(super) heads: Table,
    pub(super) shorter: Vec<u64>,
}

fn node(byte: u8, token: Option<u32>) -> u64 {
    u64::from(byte) | token.map_or(0, |token| u64::from(token) + 1) << TOKEN
}

impl Trie {
    /// The tree of all tokens.
    pub(super) fn new(tokens: &Tokens) -> Self {
        let sorted = tokens.sorted();
        let mut trie = Self {
            nodes: vec![node(0, None)],
            roots: vec![0; 256],
            heads: Table::for_entries(sorted.len() / 2),
            shorter: shorter(tokens, &sorted),
        };
        for group in sorted.chunk_by(|a, b| a.byte(tokens, 0) == b.byte(tokens, 0)) {
            trie.plant(tokens, group, 1);
        }
        trie
    }

    /// Adds the tokens of `group`, which begin with the same `depth` bytes.
    fn plant(&mut self, tokens: &Tokens, group: &[Sorted], depth: usize) {
        let (token, longer) = split_off(group, depth);
        let Some(first) = group.first() else { return };
        let bytes = tokens.get(first.token());
        let is_deepest = depth == depth_of_heads(first.byte(tokens, 0));
        if depth == 1 {
            self.roots[usize::from(first.byte(tokens, 0))] = token.unwrap_or_default().into();
        } else if let Some((a, b)) = head(bytes, depth) {
            self.heads.insert(a, b, self.nodes.len() as u32);
            self.nodes.push(node(0, token));
        }
        if is_deepest && !longer.is_empty() {
            self.children(tokens, longer, depth);
            return;
        }
        if depth > 1
            && let Some(node) = self.nodes.last_mut()
        {
            *node |= LAST;
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
            self.nodes.push(node(group.first().map_or(0, |first| first.byte(tokens, depth)), token));
        }
        if let Some(last) = self.nodes.last_mut() {
            *last |= LAST;
        }
        for (at, group) in (first..).zip(groups()) {
            let (_, longer) = split_off(group, depth + 1);
            if !longer.is_empty() {
                let below = self.nodes.len() as u64;
                if let Some(node) = self.nodes.get_mut(at) {
                    *node |= below << CHILDREN;
                }
                self.children(tokens, longer, depth + 1);
            }
        }
    }
}

/// For each token the longest other one at its start, of length 0 if there is none. Before a token come all those that
/// it begins with, each at the start of the next; what they begin with is dropped when it ends.
fn shorter(tokens: &Tokens, sorted: &[Sorted]) -> Vec<u64> {
    let mut shorter = vec![0; sorted.len()];
    let mut open: Vec<Sorted> = Vec::new();
    for token in sorted {
        while open.pop_if(|last| !token.begins_with(*last, tokens)).is_some() {}
        if let (Some(last), Some(slot)) = (open.last(), shorter.get_mut(token.token() as usize)) {
            *slot = u64::from(last.token()) | (last.length() as u64) << 32;
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
