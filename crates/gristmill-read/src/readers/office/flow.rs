//! What office documents consist of, before it is written as Markdown.

use std::rc::Rc;

use crate::scripts::superscript;

/// How a run of text looks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Look {
    pub(super) bold: bool,
    pub(super) italic: bool,
    pub(super) strike: bool,
    /// Where a click on it leads.
    pub(super) link: Option<Rc<str>>,
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String, Look),
    /// Description and file name.
    Image(String, String),
    /// Number of the note it refers to.
    Note(String),
    /// LaTeX.
    Math(String),
    /// The same in a line of its own.
    Display(String),
    Break,
}

/// The text of a paragraph, heading or cell.
pub(super) type Line = Vec<Piece>;

/// What stands before an item of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Label {
    Bullet,
    Number(u64),
    /// Any other numbering, as it is shown.
    Other(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Block {
    /// From level 1 on.
    Heading(u8, Line),
    Paragraph(Line),
    /// An item of a list, `depth` levels below the outermost.
    Item {
        depth: usize,
        label: Label,
        line: Line,
    },
    /// A line of code. Neighbours make one block.
    Code(String),
    /// The first row is the header.
    Table(Vec<Vec<Line>>),
    /// The paragraphs of a quote.
    Quote(Vec<Line>),
    /// A note and the number it is referred to by.
    Note(String, Line),
    /// A page begins here.
    Page(u32),
    /// Nothing that follows belongs to a list before it.
    End,
}

/// Plain text as a line.
pub(super) fn plain(text: impl Into<String>) -> Line {
    vec![Piece::Text(text.into(), Look::default())]
}

/// Adds text to a line, to the piece before it where that looks the same.
pub(super) fn push(line: &mut Line, text: &str, look: Look) {
    match line.last_mut() {
        Some(Piece::Text(before, old)) if *old == look => before.push_str(text),
        _ => line.push(Piece::Text(text.to_owned(), look)),
    }
}

/// Text that is set above the line: figures as Unicode has them, so that 10⁶ does not become 106.
pub(super) fn raised(text: &str) -> String {
    // Letters and brackets stay with their word: 2nd.
    let figure = |c: char| if matches!(c, 'n' | '(' | ')') { c } else { superscript(c).unwrap_or(c) };
    if text.chars().any(|c| c.is_ascii_digit()) { text.chars().map(figure).collect() } else { text.to_owned() }
}

/// The line with its links but without marks: headings are bold as they are.
pub(super) fn unmarked(line: Line) -> impl Iterator<Item = Piece> {
    line.into_iter().map(|piece| match piece {
        Piece::Text(text, look) => Piece::Text(text, Look { link: look.link, ..Look::default() }),
        other => other,
    })
}

/// True when nothing of it can be seen.
pub(super) fn is_blank(line: &[Piece]) -> bool {
    line.iter().all(|piece| match piece {
        Piece::Text(text, _) => text.trim().is_empty(),
        Piece::Break => true,
        _ => false,
    })
}

/// The words of a line, `between` at its breaks.
pub(super) fn words(line: &[Piece], between: &str) -> String {
    let words = line.iter().map(|piece| match piece {
        Piece::Text(text, _) | Piece::Math(text) | Piece::Display(text) | Piece::Image(text, _) => text.as_str(),
        Piece::Break => between,
        Piece::Note(_) => "",
    });
    words.collect()
}

/// Lines as one, with breaks between those that show something.
pub(super) fn joined(lines: impl IntoIterator<Item = Line>) -> Line {
    let mut out = Line::new();
    for line in lines.into_iter().filter(|line| !is_blank(line)) {
        if !out.is_empty() {
            out.push(Piece::Break);
        }
        out.extend(line);
    }
    out
}

/// All text of blocks as one line, for cells and notes.
pub(super) fn folded(blocks: Vec<Block>) -> Line {
    joined(blocks.into_iter().flat_map(|block| match block {
        Block::Heading(_, line) | Block::Paragraph(line) | Block::Note(_, line) => vec![line],
        Block::Item { label, mut line, .. } => {
            line.insert(0, Piece::Text(marker(&label), Look::default()));
            vec![line]
        }
        Block::Code(text) => vec![plain(text)],
        Block::Table(rows) => rows.into_iter().flatten().collect(),
        Block::Quote(lines) => lines,
        Block::Page(_) | Block::End => Vec::new(),
    }))
}

/// What is written before an item or heading with this label.
pub(super) fn marker(label: &Label) -> String {
    match label {
        Label::Bullet => "- ".to_owned(),
        Label::Number(number) => format!("{number}. "),
        Label::Other(label) => format!("{label} "),
    }
}

/// Cells that stretch over several places are repeated in each when their text is at most so long, in characters.
pub(super) const REPEATED_MAX: usize = 60;

/// The line to repeat at the further places of a merged cell.
pub(super) fn repeated(line: &Line) -> Line {
    let short = words(line, " ").chars().take(REPEATED_MAX + 1).count() <= REPEATED_MAX;
    let only_text = line.iter().all(|piece| matches!(piece, Piece::Text(..) | Piece::Break));
    if short && only_text { line.clone() } else { Line::new() }
}
