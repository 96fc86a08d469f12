//! Which styles of the document are its text and which are its headings.

use std::collections::{BTreeMap, HashMap};

use super::block::Block;

/// Size in half points and whether bold.
pub(super) type Style = (i32, bool);

/// The style of a size in points.
pub(super) fn style(size: f32, bold: bool) -> Style {
    ((size * 2.0).round() as i32, bold)
}

/// Bookmarks of a document by their letters: pages and levels from 0.
pub(super) struct Outline {
    entries: HashMap<String, Vec<(Option<u32>, u8)>>,
}

impl Outline {
    pub(super) fn new(items: &[(String, Option<u32>, u8)]) -> Self {
        let mut entries: HashMap<String, Vec<(Option<u32>, u8)>> = HashMap::new();
        for (title, page, level) in items {
            let key = key(title);
            if key.chars().any(char::is_alphabetic) {
                entries.entry(key).or_default().push((*page, *level));
            }
        }
        Self { entries }
    }

    /// The level of the bookmark with these words on this page. A number in front may be on the page only.
    fn level(&self, text: &str, page: u32) -> Option<u8> {
        let whole = key(text);
        let bare = whole.trim_start_matches(|c: char| c.is_ascii_digit());
        let found = self.entries.get(&whole).or_else(|| self.entries.get(bare))?;
        found.iter().find(|(at, _)| at.is_none_or(|at| at == page)).map(|(_, level)| *level)
    }
}

/// Letters and digits only, in lower case: what a title and its bookmark share.
fn key(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Marks the blocks that are headings, with levels from 1.
pub(super) fn mark_headings(blocks: &mut [Block], outline: &Outline) {
    let body = body(blocks);
    let mut declared: BTreeMap<Style, u8> = BTreeMap::new();
    let mut found: Vec<(usize, Option<u8>)> = Vec::new();
    for (index, block) in blocks.iter().enumerate().filter(|(_, block)| block.may_be_heading()) {
        let level = outline.level(&block.text, block.page).filter(|_| block.style().0 + 1 >= body.0);
        if let Some(level) = level {
            declared.entry(block.style()).and_modify(|known| *known = (*known).min(level)).or_insert(level);
        }
        if level.is_some() || stands_out(block, body) && !is_one_of_many(blocks, index) {
            found.push((index, level));
        }
    }
    let levels = levels(blocks, &found, &declared);
    let above = declared.iter().next_back().and_then(|(style, own)| levels.get(style)?.checked_sub(*own)).unwrap_or(1);
    for (index, own) in found {
        let style = blocks[index].style();
        let level = own.map(|own| own.saturating_add(above)).or_else(|| levels.get(&style).copied()).unwrap_or(6);
        blocks[index].make_heading(level.clamp(1, 6));
    }
}

/// The most used style of the text: by letters.
fn body(blocks: &[Block]) -> Style {
    let mut letters: BTreeMap<Style, usize> = BTreeMap::new();
    for block in blocks.iter().filter(|block| block.is_text()) {
        *letters.entry(block.style()).or_default() += block.text.len();
    }
    letters.into_iter().max_by_key(|(_, count)| *count).map_or((20, false), |(style, _)| style)
}

/// Levels by style: the largest first, bold before light; those of the bookmarks hold.
fn levels(blocks: &[Block], found: &[(usize, Option<u8>)], declared: &BTreeMap<Style, u8>) -> BTreeMap<Style, u8> {
    let mut styles: Vec<Style> = found.iter().map(|(index, _)| blocks[*index].style()).collect();
    styles.sort_unstable_by(|a, b| b.cmp(a));
    styles.dedup();
    let mut out = BTreeMap::new();
    let mut level = 0u8;
    for style in styles {
        level = match declared.get(&style) {
            Some(own) => level.max(own.saturating_add(1)),
            None => level.saturating_add(1),
        };
        out.insert(style, level.min(6));
    }
    out
}

/// True when the block is set apart from running text: larger, or bold where the text is not.
fn stands_out(block: &Block, body: Style) -> bool {
    let (size, bold) = block.style();
    let larger = size > body.0 && size as f32 >= body.0 as f32 * 1.08;
    let bolder = bold && !body.1 && size + 1 >= body.0;
    let letters = block.text.chars().filter(|c| c.is_alphabetic()).count();
    let ends = block.text.trim_end().ends_with(['.', ',', ';', ':', '，', '、', '；']);
    let short = block.text.chars().count() <= if larger { 200 } else { 120 };
    letters >= 2 && short && (larger || bolder && !ends) && !has_leader(&block.text)
}

/// True for lines of a table of contents.
fn has_leader(text: &str) -> bool {
    text.contains(". . .") || text.contains("....") || text.contains("·····")
}

/// True when the block stands among others of its style: text of several paragraphs, not headings.
fn is_one_of_many(blocks: &[Block], index: usize) -> bool {
    let own = &blocks[index];
    let same = |other: &Block| other.is_text() && other.style() == own.style() && other.page == own.page;
    let from = index.saturating_sub(2);
    let around = blocks.get(from..(index + 3).min(blocks.len())).unwrap_or_default();
    around.iter().filter(|other| same(other)).count() >= 4
}
