//! A trie in two arrays: the child of node `n` by byte `b` is node `base(n) + b` if that one's `check` is `n`.
//! After J. Aoe, "An efficient digital search algorithm by using a double-array structure", 1989.

/// No node, or no value.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Node {
    base: u32,
    check: u32,
    value: u32,
}

const FREE: Node = Node { base: 0, check: NONE, value: NONE };

/// Maps byte strings to numbers and finds all keys that begin at a place.
pub(super) struct DoubleArray {
    nodes: Vec<Node>,
}

impl DoubleArray {
    /// `keys` are sorted by their bytes, distinct and not empty.
    pub(super) fn new(keys: &[&[u8]], values: &[u32]) -> Self {
        let mut builder = Builder { nodes: vec![FREE; 512], free: 1 };
        // The root is in use, and nobody's child.
        builder.nodes[0].check = 0;
        let mut open = vec![(0u32, 0usize, keys.len(), 0usize)];
        let mut children = Vec::with_capacity(256);
        while let Some((node, mut from, to, depth)) = open.pop() {
            if from < to && keys[from].len() == depth {
                builder.nodes[node as usize].value = values[from];
                from += 1;
            }
            children.clear();
            while from < to {
                let byte = keys[from][depth];
                let len = keys[from..to].partition_point(|key| key[depth] == byte);
                children.push((byte, from, from + len));
                from += len;
            }
            if children.is_empty() {
                continue;
            }
            let base = builder.place(node, children.iter().map(|child| child.0));
            open.extend(children.iter().map(|&(byte, from, to)| (base + u32::from(byte), from, to, depth + 1)));
        }
        Self { nodes: builder.nodes }
    }

    /// Calls `found(length, value)` for every key that `text` begins with, shortest first.
    #[inline]
    pub(super) fn prefixes(&self, text: &[u8], mut found: impl FnMut(usize, u32)) {
        let (mut at, mut base) = (0, self.nodes[0].base);
        for (index, &byte) in text.iter().enumerate() {
            let next = base + u32::from(byte);
            let Some(node) = self.nodes.get(next as usize).filter(|node| node.check == at) else { return };
            if node.value != NONE {
                found(index + 1, node.value);
            }
            (at, base) = (next, node.base);
        }
    }
}

struct Builder {
    nodes: Vec<Node>,
    /// No node before this one is free.
    free: usize,
}

impl Builder {
    /// Finds room for the children of `node`, sorted by byte, and takes it. Gives the base.
    fn place(&mut self, node: u32, bytes: impl Iterator<Item = u8> + Clone) -> u32 {
        let first = bytes.clone().next().map_or(0, usize::from);
        while self.nodes.get(self.free).is_some_and(|n| n.check != NONE) {
            self.free += 1;
        }
        let mut at = self.free.max(first + 1);
        let (mut tried, from) = (0usize, at);
        let base = loop {
            let base = at - first;
            // Room for any byte, so that no index leaves the array.
            if self.nodes.len() < base + 256 {
                self.nodes.resize((base + 256).max(self.nodes.len() * 2), FREE);
            }
            if bytes.clone().all(|byte| self.nodes[base + usize::from(byte)].check == NONE) {
                break base;
            }
            at += 1;
            tried += 1;
        };
        // A stretch that is nearly full is not searched again.
        if tried > 64 && self.full_share(from, at) {
            self.free = at;
        }
        for byte in bytes {
            self.nodes[base + usize::from(byte)].check = node;
        }
        self.nodes[node as usize].base = base as u32;
        base as u32
    }

    fn full_share(&self, from: usize, to: usize) -> bool {
        let used = self.nodes[from..to].iter().filter(|node| node.check != NONE).count();
        used * 16 >= (to - from) * 15
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prefixes(trie: &DoubleArray, text: &str) -> Vec<(usize, u32)> {
        let mut out = Vec::new();
        trie.prefixes(text.as_bytes(), |len, value| out.push((len, value)));
        out
    }

    #[test]
    fn finds_every_prefix_and_nothing_else() {
        let keys: Vec<&[u8]> = vec![b"a", b"ab", b"abcd", b"b", "\u{ac00}".as_bytes()];
        let trie = DoubleArray::new(&keys, &[10, 11, 12, 13, 14]);
        assert_eq!(prefixes(&trie, "abcde"), [(1, 10), (2, 11), (4, 12)]);
        assert_eq!(prefixes(&trie, "abc"), [(1, 10), (2, 11)]);
        assert_eq!(prefixes(&trie, "b"), [(1, 13)]);
        assert_eq!(prefixes(&trie, "\u{ac00}\u{ac01}"), [(3, 14)]);
        assert_eq!(prefixes(&trie, "\u{ac01}"), []);
        assert_eq!(prefixes(&trie, "\0\u{0}"), []);
        assert_eq!(prefixes(&trie, ""), []);
    }

    #[test]
    fn without_keys_nothing_is_found() {
        let trie = DoubleArray::new(&[], &[]);
        assert_eq!(prefixes(&trie, "a"), []);
    }
}
