//! Which styles of the document are its text and which are its headings.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::block::{Block, Kind};
use super::leader::has_leader;

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
pub(super) fn mark_headings(blocks: &mut Vec<Block>, outline: &Outline) {
    let body = body(blocks);
    join_titles(blocks, body);
    let contents = contents(blocks);
    let mut declared: BTreeMap<Style, u8> = BTreeMap::new();
    let mut found: Vec<(usize, Option<u8>)> = Vec::new();
    for (index, block) in blocks.iter().enumerate().filter(|(_, block)| block.may_be_heading()) {
        let level = outline.level(&block.text, block.page).filter(|_| block.style().0 + 1 >= body.0);
        if let Some(level) = level {
            declared.entry(block.style()).and_modify(|known| *known = (*known).min(level)).or_insert(level);
        }
        let entry = contents.contains(&block.page) && block.text.ends_with(|c: char| c.is_ascii_digit());
        if level.is_some() || stands_out(block, body) && !entry && !is_one_of_many(blocks, index) {
            found.push((index, level));
        }
    }
    let levels = levels(blocks, &found, &declared);
    let above = declared.iter().next_back().and_then(|(style, own)| levels.get(style)?.checked_sub(*own)).unwrap_or(1);
    // Numbers tell levels apart that look the same.
    let mut least: BTreeMap<Style, u8> = BTreeMap::new();
    for (index, _) in &found {
        if let Some(depth) = depth(&blocks[*index].title()) {
            least.entry(blocks[*index].style()).and_modify(|known| *known = (*known).min(depth)).or_insert(depth);
        }
    }
    for (index, own) in found {
        let block = &mut blocks[index];
        let style = block.style();
        let deeper = depth(&block.title()).zip(least.get(&style)).map_or(0, |(depth, least)| depth - least);
        let by_style = || levels.get(&style).map(|level| level + deeper);
        let level = own.map(|own| own.saturating_add(above)).or_else(by_style).unwrap_or(6);
        block.make_heading(level.clamp(1, 6));
    }
}

/// Pages with a table of contents.
fn contents(blocks: &[Block]) -> BTreeSet<u32> {
    let mut leaders: BTreeMap<u32, usize> = BTreeMap::new();
    for block in blocks.iter().filter(|block| has_leader(&block.text)) {
        *leaders.entry(block.page).or_default() += 1;
    }
    leaders.into_iter().filter(|(_, count)| *count >= 3).map(|(page, _)| page).collect()
}

/// Puts the lines of a title together that stand too far apart to be one paragraph.
fn join_titles(blocks: &mut Vec<Block>, body: Style) {
    let mut out: Vec<Block> = Vec::with_capacity(blocks.len());
    for block in blocks.drain(..) {
        match out.last_mut() {
            Some(last) if is_title_of(last, &block, body) => {
                last.text.push(' ');
                last.text.push_str(&block.text);
                last.lines += block.lines;
                last.last = block.last;
            }
            _ => out.push(block),
        }
    }
    *blocks = out;
}

fn is_title_of(last: &Block, block: &Block, body: Style) -> bool {
    let gap = last.last - block.first;
    let size = last.size.max(block.size);
    let alike = last.style().1 == block.style().1 && last.size.min(block.size) > size * 0.94;
    let goes_on =
        block.lines == 1 && block.text.starts_with(char::is_lowercase) && last.size.min(block.size) > size * 0.7;
    last.page == block.page
        && last.may_be_heading()
        && matches!(block.kind, Kind::Paragraph)
        && block.lines <= 3
        && last.size.min(block.size) * 2.0 > body.0 as f32 * 1.15
        && (alike || goes_on)
        && gap > 0.0
        && gap <= size * 1.7
        && depth(&block.text).is_none()
        && !last.text.ends_with(['.', ':', '!', '?'])
        && !has_leader(&last.text)
}

/// The most used style of the text: by letters.
fn body(blocks: &[Block]) -> Style {
    let mut letters: BTreeMap<Style, usize> = BTreeMap::new();
    for block in blocks.iter().filter(|block| block.is_text()) {
        *letters.entry(block.style()).or_default() += block.text.len();
    }
    letters.into_iter().max_by_key(|(_, count)| *count).map_or((20, false), |(style, _)| style)
}

/// Levels by style: the largest first, bold before light; those of the bookmarks hold. A style that is used once makes no level
/// of its own below the first, nor does one that is hardly smaller.
fn levels(blocks: &[Block], found: &[(usize, Option<u8>)], declared: &BTreeMap<Style, u8>) -> BTreeMap<Style, u8> {
    let mut uses: BTreeMap<Style, usize> = BTreeMap::new();
    for (index, _) in found {
        *uses.entry(blocks[*index].style()).or_default() += 1;
    }
    let mut out = BTreeMap::new();
    let mut level = 0u8;
    let mut above: Option<(Style, usize)> = None;
    for (style, count) in uses.into_iter().rev() {
        let apart = above.is_none_or(|((size, bold), uses)| {
            let smaller = (style.0 as f32) < size as f32 * 0.95 || bold != style.1;
            smaller && (level == 1 || uses > 1 || count > 1)
        });
        if let Some(own) = declared.get(&style) {
            level = level.max(own.saturating_add(1));
            above = Some((style, count));
        } else if apart {
            level = level.saturating_add(1);
            above = Some((style, count));
        }
        out.insert(style, level.clamp(1, 6));
    }
    out
}

/// How many numbers lead a title: 2 for `1.3 Scope`.
fn depth(text: &str) -> Option<u8> {
    let number = text.split(' ').next()?.trim_end_matches('.');
    let parts: Vec<&str> = number.split('.').collect();
    let counts = parts.iter().all(|part| (1..=3).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit()));
    counts.then_some(parts.len() as u8)
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

/// True when the block stands among others of its style: text of several paragraphs, not headings.
fn is_one_of_many(blocks: &[Block], index: usize) -> bool {
    let own = &blocks[index];
    let same = |other: &Block| other.is_text() && other.style() == own.style() && other.page == own.page;
    let from = index.saturating_sub(2);
    let around = blocks.get(from..(index + 3).min(blocks.len())).unwrap_or_default();
    around.iter().filter(|other| same(other)).count() >= 4
}
