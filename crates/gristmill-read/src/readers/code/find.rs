//! Finds the pieces of a program that begin a line: definitions, statements, comments, one inside the other.
//!
//! That a piece begins a line is what statements of all languages have in common, so that grammars need no description
//! here. Text between the pieces (keywords, brackets) belongs to the piece around them.

use tree_sitter::{Node, Tree};

use super::definition::Definition;
use super::roles::{Role, Roles};

/// A piece.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// First byte; that of the comments and attributes that belong to it.
    pub start: usize,
    /// One past its last visible byte.
    pub end: usize,
    /// Pieces around it.
    pub depth: u8,
    /// What it is.
    pub role: Role,
    /// What it defines.
    pub definition: Option<Definition>,
}

/// Deepest nesting that is told apart.
const DEPTH: u8 = 24;

/// All pieces, containers before what is in them.
pub(super) fn pieces(tree: &Tree, text: &str, roles: &Roles) -> Vec<Piece> {
    let mut finder = Finder { text, roles, pieces: Vec::new(), open: Vec::new(), looked_at: (usize::MAX, false) };
    let mut cursor = tree.walk();
    let mut level = 0;
    loop {
        if finder.enter(cursor.node(), level) && cursor.goto_first_child() {
            level += 1;
            continue;
        }
        loop {
            finder.leave(level);
            if cursor.goto_next_sibling() {
                break;
            }
            if !cursor.goto_parent() {
                return finder.pieces;
            }
            level -= 1;
        }
    }
}

/// A piece that is open where the finder stands.
struct Open {
    /// Level of its node.
    level: usize,
    /// Where the pieces in it may begin.
    after: usize,
    end: usize,
}

struct Finder<'a> {
    text: &'a str,
    roles: &'a Roles,
    pieces: Vec<Piece>,
    open: Vec<Open>,
    /// The last position that was looked at, and whether it begins a line: nodes one in the other may begin there.
    looked_at: (usize, bool),
}

impl Finder<'_> {
    /// Takes the node when it is a piece. True when there is something to find in it.
    fn enter(&mut self, node: Node<'_>, level: usize) -> bool {
        if level == 0 {
            return true;
        }
        if !node.is_named() {
            return false;
        }
        let role = self.roles.get(&node);
        let lines = node.start_position().row < node.end_position().row;
        let holds = match role {
            Role::Opaque | Role::Lead => false,
            Role::Body => lines || self.begins_line(node.start_byte()),
            _ => lines,
        };
        if role != Role::Body && self.is_piece(&node) {
            let after = self.push(node, role);
            if holds {
                self.open.push(Open { level, after, end: node.end_byte() });
            }
        }
        holds
    }

    fn leave(&mut self, level: usize) {
        if self.open.last().is_some_and(|open| open.level == level) {
            self.open.pop();
        }
    }

    fn is_piece(&mut self, node: &Node<'_>) -> bool {
        let (start, end) = (node.start_byte(), node.end_byte());
        let fits = self.open.last().is_none_or(|open| start >= open.after && end <= open.end);
        let next = self.pieces.last().is_none_or(|last| start > last.start);
        start < end && fits && next && self.open.len() < usize::from(DEPTH) && self.begins_line(start)
    }

    fn begins_line(&mut self, at: usize) -> bool {
        if self.looked_at.0 != at {
            let before = self.text.as_bytes().get(..at).unwrap_or_default();
            let last = before.iter().rfind(|byte| !matches!(byte, b' ' | b'\t'));
            self.looked_at = (at, last.is_none_or(|last| *last == b'\n') && self.text.is_char_boundary(at));
        }
        self.looked_at.1
    }

    /// Adds a piece; gives the place from which on others may be in it: a signature is not taken apart.
    fn push(&mut self, node: Node<'_>, role: Role) -> usize {
        let own = self.text.get(node.byte_range()).unwrap_or_default();
        let mut start = node.start_byte();
        let end = start + own.trim_end().len();
        let depth = u8::try_from(self.open.len()).unwrap_or(DEPTH);
        while let Some(lead) = self.pieces.last().filter(|last| last.role == Role::Lead && last.depth == depth)
            && self.is_next_line(lead.end, start)
        {
            start = lead.start;
            self.pieces.pop();
        }
        let definition = if role == Role::Definition { Definition::of(node, self.text) } else { None };
        let after = definition.as_ref().map_or(node.start_byte() + 1, |found| found.signature.end);
        self.pieces.push(Piece { start, end, depth, role, definition });
        after
    }

    /// True when nothing but one line end and blanks is between.
    fn is_next_line(&self, end: usize, start: usize) -> bool {
        let between = self.text.get(end..start).unwrap_or("-").as_bytes();
        between.iter().all(u8::is_ascii_whitespace) && memchr::memchr_iter(b'\n', between).count() < 2
    }
}
