//! What is known of each node of a page: how much text it holds, how much of it in links, and how much of it the article
//! may be.

use html5ever::local_name;

use super::math;
use super::names::{is_hidden, is_inline, is_silent};
use super::roles::{Chrome, Claim, Classes, roles};
use super::tree::{Id, ROOT, Tree};

/// What is known of a node and what it holds.
#[derive(Clone, Copy, Default)]
pub(super) struct Facts {
    /// Not shown, or within what is not shown.
    pub(super) hidden: bool,
    pub(super) chrome: Chrome,
    pub(super) claim: Claim,
    pub(super) inline: bool,
    /// Characters that are no white space, and those of them in links.
    pub(super) text: u32,
    pub(super) linked: u32,
    /// The same of the lines of text that belong to this node and no block in it.
    pub(super) own_text: u32,
    pub(super) own_linked: u32,
    /// Weight of running text.
    pub(super) prose: f32,
    /// The part of it that is left when the page's frame is taken out.
    pub(super) kept: f32,
}

pub(super) struct Page<'t> {
    pub(super) tree: &'t Tree,
    pub(super) facts: Vec<Facts>,
    /// All nodes that are shown, in order.
    pub(super) order: Vec<Id>,
}

impl<'t> Page<'t> {
    pub(super) fn read(tree: &'t Tree) -> Self {
        let mut page = Self { tree, facts: vec![Facts::default(); tree.nodes.len()], order: Vec::new() };
        page.gather();
        page.sum_up();
        page.take_out_frame();
        page
    }

    /// Goes over the page in order, and gives each line of text to the block it stands in.
    fn gather(&mut self) {
        let mut classes = Classes::default();
        let mut next = Some(ROOT);
        while let Some(id) = next {
            let tag = self.tree.tag(id);
            if is_silent(&tag) || is_hidden(self.tree, id) {
                self.facts[id as usize].hidden = says_nothing(self.tree, id) || is_hidden(self.tree, id);
                next = self.tree.next_beside(id, ROOT);
                continue;
            }
            self.order.push(id);
            self.facts[id as usize].inline = is_inline(&tag);
            if let Some(text) = self.tree.text(id) {
                self.give(id, u32::try_from(signs(text)).unwrap_or(u32::MAX));
            } else if tag != local_name!("") {
                let (chrome, claim) = roles(self.tree, id, &mut classes);
                self.facts[id as usize].chrome = chrome;
                self.facts[id as usize].claim = claim;
            }
            next = self.tree.first(id).or_else(|| self.tree.next_beside(id, ROOT));
        }
    }

    fn give(&mut self, id: Id, len: u32) {
        if len == 0 {
            return;
        }
        let mut linked = false;
        let mut at = Some(id);
        while let Some(node) = at {
            linked |= leads_elsewhere(self.tree, node);
            if !self.facts[node as usize].inline {
                break;
            }
            at = self.tree.parent(node);
        }
        let block = &mut self.facts[at.unwrap_or(ROOT) as usize];
        block.own_text += len;
        block.own_linked += if linked { len } else { 0 };
    }

    fn sum_up(&mut self) {
        for index in (0..self.order.len()).rev() {
            let id = self.order[index];
            let mut facts = self.facts[id as usize];
            facts.text += facts.own_text;
            facts.linked += facts.own_linked;
            let prose = self.prose(id, facts.own_text, facts.own_linked);
            facts.prose += prose;
            self.facts[id as usize] = facts;
            if let Some(parent) = self.tree.parent(id) {
                let around = &mut self.facts[parent as usize];
                around.text += facts.text;
                around.linked += facts.linked;
                around.prose += facts.prose;
            }
        }
    }

    /// The weight of a block's own lines: long ones count whole, short ones and those of links hardly.
    fn prose(&self, id: Id, text: u32, linked: u32) -> f32 {
        let plain = (text as f32 - 1.5 * linked as f32).max(0.0);
        match self.tree.tag(id) {
            local_name!("h1") | local_name!("h2") | local_name!("h3") | local_name!("button") => 0.0,
            local_name!("p") | local_name!("pre") | local_name!("blockquote") if plain >= 20.0 => plain,
            _ if plain >= 80.0 => plain,
            _ if plain >= 25.0 => plain * 0.5,
            _ => plain * 0.1,
        }
    }

    /// Marks what is not part of the article by its names, unless it holds too much of the page's text for that.
    fn take_out_frame(&mut self) {
        let total = self.facts[ROOT as usize].prose;
        for index in 0..self.order.len() {
            let id = self.order[index];
            let facts = &self.facts[id as usize];
            let most = match facts.chrome {
                Chrome::No => continue,
                Chrome::Likely => 0.35,
                Chrome::Sure => 0.75,
            };
            self.facts[id as usize].hidden = facts.prose <= total * most;
        }
        for index in (0..self.order.len()).rev() {
            let id = self.order[index];
            let facts = self.facts[id as usize];
            if facts.hidden {
                continue;
            }
            let own = self.prose(id, facts.own_text, facts.own_linked);
            self.facts[id as usize].kept += own;
            let mut kept = self.facts[id as usize].kept;
            if facts.chrome != Chrome::No && kept < total * 0.9 {
                // Too much text to be only the page's frame, but hardly the article.
                kept *= 0.3;
            }
            if let Some(parent) = self.tree.parent(id) {
                self.facts[parent as usize].kept += kept;
            }
        }
    }
}

/// Characters that are no white space.
fn signs(text: &str) -> usize {
    if text.is_ascii() {
        return text.bytes().filter(|byte| !matches!(byte, b'\t'..=b'\r' | b' ')).count();
    }
    text.chars().filter(|c| !c.is_whitespace()).count()
}

/// True for what is never part of the text; scripts may hold formulas.
pub(super) fn says_nothing(tree: &Tree, id: Id) -> bool {
    is_silent(&tree.tag(id)) && math::script(tree, id).is_none()
}

/// True for links to other pages.
fn leads_elsewhere(tree: &Tree, id: Id) -> bool {
    let link = tree.tag(id) == local_name!("a");
    link && tree.attribute(id, &local_name!("href")).is_some_and(|address| !address.trim_start().starts_with('#'))
}
