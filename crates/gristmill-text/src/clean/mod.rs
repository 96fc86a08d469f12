//! Cleaning: every removal or replacement is a declared edit of the document's text.
//!
//! The edits are found in one pass over the blocks, applied once, and written down in positions of the decoded source.
//! Headings, code, tables, formulas and raw HTML keep every byte, and no two paragraphs become one.

mod blanks;
pub mod boilerplate;
mod compose;
mod images;
mod inline;
mod leaf;
mod options;
mod removal;
mod repeats;
mod shift;
mod unicode;
mod urls;

#[cfg(test)]
mod tests;

use gristmill_core::{Block, BlockKind, Document, Edit, EditKind, Error, OffsetMap, Outcome, Result, Span};
use regex::Regex;

use blanks::Area;
pub use options::{CleanOptions, Dropped, RepeatedBlocks, Unicode};
pub use repeats::{Repeats, SUBSTANTIVE};
use shift::Shift;
pub use urls::PLACEHOLDER;

/// Kinds of file whose line ends mean nothing: there, two spaces at the end of a line do not break it.
const PLAIN_FORMATS: [&str; 6] = ["text", "rst", "adoc", "asciidoc", "log", "chat"];

/// The kind of file in which every blank is as its author wants it.
const SOURCE_CODE: &str = "code";

/// Cleans one document. For many, build a [`Cleaner`] once.
///
/// # Errors
/// When a pattern is no valid regular expression.
pub fn clean(document: Document, options: &CleanOptions) -> Result<Outcome<Document>> {
    Ok(Outcome::clean(Cleaner::new(options)?.clean(document)))
}

/// Settings made ready.
pub struct Cleaner {
    options: CleanOptions,
    patterns: Vec<Regex>,
}

impl Cleaner {
    /// Makes the settings ready.
    ///
    /// # Errors
    /// When a pattern is no valid regular expression.
    pub fn new(options: &CleanOptions) -> Result<Self> {
        let compile = |pattern: &String| {
            Regex::new(pattern).map_err(|error| {
                Error::config(format!("`clean.patterns` holds an invalid regular expression: `{pattern}`"))
                    .because(error)
                    .hint("look-around and back-references are not supported, so that matching takes linear time")
            })
        };
        let patterns = options.patterns.iter().map(compile).collect::<Result<_>>()?;
        Ok(Self { options: options.clone(), patterns })
    }

    /// The document after cleaning. One in which there is nothing to do comes back as it is.
    pub fn clean(&self, document: Document) -> Document {
        self.clean_window(document, &mut Repeats::default())
    }

    /// The same for one window of a very large document; `repeats` is carried from its first window to its last.
    pub fn clean_window(&self, document: Document, repeats: &mut Repeats) -> Document {
        let Findings { mut gone, inner } = self.survey(&document, repeats);
        removal::spread(&document.blocks, &mut gone);
        let edits = self.edits(&document, &gone, inner);
        if edits.is_empty() { document } else { apply(document, edits, &gone) }
    }

    /// Looks at every block.
    fn survey(&self, document: &Document, repeats: &mut Repeats) -> Findings {
        let area = if PLAIN_FORMATS.contains(&document.format) { Area::Plain } else { Area::Prose };
        let mut findings = Findings { gone: vec![None; document.blocks.len()], inner: Vec::new() };
        let (mut dropped, mut list) = (Within::default(), Within::default());
        for (index, block) in document.blocks.iter().enumerate() {
            let drop = self.options.drop.iter().any(|drop| drop.takes(block.kind));
            if dropped.enter(block, drop) {
                findings.gone[index] = drop.then_some(EditKind::Dropped);
                continue;
            }
            let in_list = list.enter(block, matches!(block.kind, BlockKind::List { .. }));
            if block.kind.is_container() {
                continue;
            }
            let leaf = self.rewrite(block.kind, &document.text[block.span.range()], area);
            findings.gone[index] = if leaf.is_empty() {
                leaf.edits.first().map(|edit| edit.kind)
            } else if block.kind != BlockKind::Paragraph {
                None
            } else if self.options.boilerplate && boilerplate::is_boilerplate(&leaf.text) {
                Some(EditKind::Boilerplate)
            } else {
                let looks = self.options.repeated_blocks == RepeatedBlocks::Drop && !in_list;
                (looks && repeats.is_repeat(&leaf.text)).then_some(EditKind::RepeatedBlock)
            };
            findings.inner.extend(leaf.edits.into_iter().map(|edit| (index, moved(edit, block.span.start))));
        }
        findings
    }

    /// All edits, in order.
    fn edits(&self, document: &Document, gone: &[Option<EditKind>], inner: Vec<(usize, Edit)>) -> Vec<Edit> {
        let stays = |index: usize| gone.get(index).is_some_and(Option::is_none);
        let mut edits: Vec<Edit> = inner.into_iter().filter(|(index, _)| stays(*index)).map(|(_, edit)| edit).collect();
        let removals = removal::edits(&document.text, &document.blocks, gone);
        // Between the statements of a program stands program text, too.
        if self.options.blanks && document.format != SOURCE_CODE {
            gaps(document, gone, &removals, &mut edits);
        }
        edits.extend(removals);
        edits.sort_by_key(|edit| edit.at);
        edits
    }
}

/// What the blocks need.
struct Findings {
    /// Why a block goes as a whole.
    gone: Vec<Option<EditKind>>,
    /// Edits inside blocks, with the block's index.
    inner: Vec<(usize, Edit)>,
}

/// Tells whether a walk over the blocks is inside a block of some kind.
#[derive(Default)]
struct Within {
    depth: Option<u8>,
}

impl Within {
    /// True when `block` is such a block or inside one.
    fn enter(&mut self, block: &Block, is_such: bool) -> bool {
        self.depth = self.depth.filter(|depth| block.depth > *depth);
        if self.depth.is_none() && is_such {
            self.depth = Some(block.depth);
        }
        self.depth.is_some()
    }
}

fn moved(edit: Edit, by: u32) -> Edit {
    Edit { at: Span { start: edit.at.start + by, end: edit.at.end + by }, ..edit }
}

/// Blanks between the blocks that stay: everything outside leaf blocks, tables and removed ranges.
fn gaps(document: &Document, gone: &[Option<EditKind>], removals: &[Edit], out: &mut Vec<Edit>) {
    let is_solid = |block: &Block| !block.kind.is_container() || matches!(block.kind, BlockKind::Table { .. });
    let blocks = document.blocks.iter().zip(gone);
    let mut solid: Vec<Span> =
        blocks.filter(|(block, gone)| gone.is_none() && is_solid(block)).map(|(block, _)| block.span).collect();
    solid.extend(removals.iter().map(|edit| edit.at));
    solid.sort();
    let mut from = 0;
    for span in solid {
        if (span.start as usize) > from {
            blanks::find(&document.text, from..span.start as usize, Area::Gap, out);
        }
        from = from.max(span.end as usize);
    }
    blanks::find(&document.text, from..document.text.len(), Area::Gap, out);
}

fn apply(mut document: Document, edits: Vec<Edit>, gone: &[Option<EditKind>]) -> Document {
    let (text, map) = OffsetMap::apply(&document.text, &edits);
    let shift = Shift::new(&edits);
    let (sections, numbers) = shift.sections(document.sections);
    document.sections = sections;
    shift.blocks(&mut document.blocks, gone, &numbers, &text);
    document.pages.starts.iter_mut().for_each(|(start, _)| *start = shift.position(*start));
    document.edits = compose::compose(document.edits, &document.map, &document.text, edits);
    document.map = map.then(&document.map);
    document.text = text;
    document
}
