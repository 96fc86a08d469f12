//! From pieces to the blocks and sections of a document.

use gristmill_core::{Block, BlockKind, ROOT, Section, Span};

use super::find::Piece;
use super::roles::Role;

/// Blocks and sections of `text`, the file `name`, with `pieces` in it. Every visible character is in a leaf.
pub(super) fn layout(text: &str, name: &str, mut pieces: Vec<Piece>) -> (Vec<Block>, Vec<Section>) {
    gather_head(&mut pieces);
    let mut layout = Layout::new(text, name);
    for (index, piece) in pieces.iter().enumerate() {
        layout.close(usize::from(piece.depth));
        layout.leaf(piece.start);
        let holds = pieces.get(index + 1).is_some_and(|next| next.depth > piece.depth);
        layout.piece(piece, holds);
    }
    layout.close(0);
    layout.leaf(text.len());
    (layout.blocks, layout.sections)
}

/// Puts what stands at the head of the file, up to its last import, into one piece.
fn gather_head(pieces: &mut Vec<Piece>) {
    let defined = pieces.iter().position(|piece| piece.definition.is_some()).unwrap_or(pieces.len());
    let is_import = |piece: &Piece| piece.depth == 0 && piece.role == Role::Import;
    let Some(last) = pieces[..defined].iter().rposition(is_import) else { return };
    let after = (last + 1..pieces.len()).find(|&at| pieces[at].depth == 0).unwrap_or(pieces.len());
    let (start, end) = (pieces[0].start, pieces[last].end);
    if after < 2 {
        return;
    }
    for piece in &mut pieces[..after] {
        piece.depth += 1;
    }
    pieces.insert(0, Piece { start, end, depth: 0, role: Role::Other, definition: None });
}

/// The file, or a definition that is open.
struct Owner {
    /// Index of its section, or of the last one under its title.
    section: u32,
    /// Number of containers that are open in it at least.
    containers: usize,
}

struct Layout<'t> {
    text: &'t str,
    /// Everything before is in a block.
    done: usize,
    blocks: Vec<Block>,
    sections: Vec<Section>,
    owners: Vec<Owner>,
    /// Ends of the open containers.
    open: Vec<usize>,
}

/// The deepest level of sections.
const LEVELS: u8 = 6;

impl<'t> Layout<'t> {
    fn new(text: &'t str, name: &str) -> Self {
        let section =
            |level, title: &str| Section { level, title: title.to_owned(), parent: ROOT, heading: Span::default() };
        Self {
            text,
            done: 0,
            blocks: Vec::new(),
            sections: vec![section(0, ""), section(1, name)],
            owners: vec![Owner { section: 1, containers: 0 }],
            open: Vec::new(),
        }
    }

    /// Ends the containers that are open at `depth` and deeper.
    fn close(&mut self, depth: usize) {
        while self.open.len() > depth {
            let end = self.open.last().copied().unwrap_or_default();
            self.leaf(end);
            self.open.pop();
            if self.owners.last().is_some_and(|owner| owner.containers > self.open.len()) {
                self.owners.pop();
            }
        }
    }

    /// A leaf of everything up to `end` that is in none, if there is anything to see.
    fn leaf(&mut self, end: usize) {
        let span = Span::new(self.done.min(end), end).trimmed(self.text);
        self.done = self.done.max(end);
        if !span.is_empty() {
            self.go_on(span.start as usize);
            self.block(BlockKind::Statement, span);
        }
    }

    fn piece(&mut self, piece: &Piece, holds: bool) {
        let end = self.line_end(piece.end);
        if let Some(definition) = &piece.definition {
            self.open_section(&definition.name, piece.start);
        } else {
            self.go_on(piece.start);
        }
        if holds || piece.definition.is_some() {
            let signature = piece.definition.as_ref().map_or(Span::default(), |found| found.signature.clone().into());
            self.block(BlockKind::Unit { signature }, Span::new(piece.start, end));
            self.open.push(end);
        }
        if !holds {
            self.leaf(end);
        }
    }

    fn block(&mut self, kind: BlockKind, span: Span) {
        let depth = u8::try_from(self.open.len()).unwrap_or(u8::MAX);
        let section = self.last_section();
        self.blocks.push(Block { kind, span: span.trimmed(self.text), section, depth });
    }

    /// The end of what stands behind a piece on its last line: a comment, a comma, a bracket of what is around it.
    fn line_end(&self, end: usize) -> usize {
        let rest = self.text.as_bytes().get(end..).unwrap_or_default();
        let line = end + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        line.min(self.open.last().copied().unwrap_or(line)).max(end)
    }

    fn open_section(&mut self, title: &str, at: usize) {
        let parent = self.owners.last().map_or(ROOT, |owner| owner.section);
        let level = self.sections.get(parent as usize).map_or(0, |section| section.level) + 1;
        if level > LEVELS {
            return self.go_on(at);
        }
        self.sections.push(Section { level, title: title.to_owned(), parent, heading: self.place(at) });
        let section = self.last_section();
        self.owners.push(Owner { section, containers: self.open.len() + 1 });
    }

    /// Lets what begins at `at` belong to the innermost open definition.
    fn go_on(&mut self, at: usize) {
        let (last, heading) = (self.last_section(), self.place(at));
        let Some(owner) = self.owners.last_mut().filter(|owner| owner.section != last) else { return };
        let Some(section) = self.sections.get(owner.section as usize).cloned() else { return };
        owner.section = last + 1;
        self.sections.push(Section { heading, ..section });
    }

    fn last_section(&self) -> u32 {
        u32::try_from(self.sections.len() - 1).unwrap_or(ROOT)
    }

    /// Where a section begins with what stands at `at`: with its line, when it is the first on it.
    fn place(&self, at: usize) -> Span {
        let before = self.text.get(..at).unwrap_or_default();
        let start = before.trim_end_matches([' ', '\t']).len();
        Span::new(start, start)
    }
}
