//! Where a page says what it has to say: which part of the tree is the article, and what in it belongs to the frame.

use gristmill_core::Attrs;
use html5ever::local_name;
use serde_json::Value;

use super::facts::{Facts, Page, says_nothing};
use super::meta::text_of;
use super::names::is_hidden;
use super::roles::{Claim, is_lead};
use super::tree::{Id, ROOT, Tree};
use crate::markup::Inline;

/// What is to be written of a page.
pub(super) struct Content {
    /// The node that holds it.
    top: Id,
    /// The lines above it that sum it up.
    lead: Option<Id>,
    left_out: Vec<bool>,
}

impl Content {
    /// All that the page shows.
    pub(super) fn whole(tree: &Tree) -> Self {
        let mut left_out = vec![false; tree.nodes.len()];
        for id in tree.within(ROOT) {
            left_out[id as usize] = says_nothing(tree, id) || is_hidden(tree, id);
        }
        Self { top: ROOT, lead: None, left_out }
    }

    /// The article of the page, or all of it where no part stands out.
    pub(super) fn main(tree: &Tree) -> Self {
        let page = Page::read(tree);
        page.content()
    }

    /// The nodes to write, in order.
    pub(super) fn tops(&self) -> impl Iterator<Item = Id> {
        self.lead.into_iter().chain([self.top])
    }

    /// The heading that names the page, where it stands above the article.
    pub(super) fn title_before(&self, tree: &Tree, attrs: &Attrs) -> Option<Inline> {
        if self.top == ROOT
            || tree.within(self.top).any(|id| tree.tag(id) == local_name!("h1") && !self.is_out(tree, id))
        {
            return None;
        }
        let title = attrs.get("title").and_then(Value::as_str)?.to_lowercase();
        let headings =
            tree.within(ROOT).take_while(|id| *id != self.top).filter(|id| tree.tag(*id) == local_name!("h1"));
        let mut texts = headings.map(|id| text_of(tree, id));
        let named = texts.find(|text| {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
            text.chars().count() > 3 && (title.contains(&text) || text.contains(&title))
        });
        named.map(|text| Inline::of(&text))
    }

    /// True for nodes that are left out or within such.
    fn is_out(&self, tree: &Tree, id: Id) -> bool {
        std::iter::successors(Some(id), |id| tree.parent(*id)).any(|id| self.leaves_out(id))
    }

    /// True for nodes that are not written, with all they hold.
    pub(super) fn leaves_out(&self, id: Id) -> bool {
        self.left_out.get(id as usize).copied().unwrap_or(false)
    }
}

impl Page<'_> {
    fn content(self) -> Content {
        let top = self.top();
        if top == ROOT && self.keeps_nothing() {
            return Content::whole(self.tree);
        }
        let mut left_out = vec![false; self.tree.nodes.len()];
        for (index, facts) in self.facts.iter().enumerate() {
            left_out[index] = facts.hidden;
        }
        let lead = if top == ROOT { None } else { self.lead(top) };
        let content = Content { top, lead, left_out };
        if top == ROOT { content } else { self.without_lists_of_links(content) }
    }

    /// True when a page of few words would lose all of them with its frame.
    fn keeps_nothing(&self) -> bool {
        const FEW: u32 = 40;
        let mut next = Some(ROOT);
        let mut text = 0;
        while let Some(id) = next {
            let facts = &self.facts[id as usize];
            text += if facts.hidden { 0 } else { facts.own_text };
            let inside = if facts.hidden { None } else { self.tree.first(id) };
            next = inside.or_else(|| self.tree.next_beside(id, ROOT));
        }
        text < FEW
    }

    /// The node that holds the article: one that claims to, and has enough of the page's text for that, else the smallest
    /// with nearly all of it.
    fn top(&self) -> Id {
        const CLEAR: f32 = 200.0;
        let total = self.facts[ROOT as usize].kept;
        let claims = [(Claim::Declared, 0.1), (Claim::Body, 0.3), (Claim::Article, 0.4), (Claim::Main, 0.5)];
        for (claim, least) in claims {
            if let Some(top) = self.claimed(claim, total * least) {
                return if claim >= Claim::Body { top } else { self.narrowed(top) };
            }
        }
        if total < CLEAR { ROOT } else { self.narrowed(ROOT) }
    }

    /// The node of this claim with most text, if it has at least so much; of those within one another the innermost that
    /// has nearly all.
    fn claimed(&self, claim: Claim, least: f32) -> Option<Id> {
        let kept = |id: Id| self.facts[id as usize].kept;
        let claiming =
            self.order.iter().copied().filter(|id| self.facts[*id as usize].claim == claim && !self.is_out(*id));
        let most = claiming.clone().map(kept).fold(0.0, f32::max);
        if most < least.max(60.0) {
            return None;
        }
        claiming.rev().find(|id| kept(*id) >= most * 0.95)
    }

    /// What sums the article up, in the part of the page that the article stands in.
    fn lead(&self, top: Id) -> Option<Id> {
        let facts = |id: Id| &self.facts[id as usize];
        let mut around = std::iter::successors(self.tree.parent(top), |id| self.tree.parent(*id)).take(8);
        let around = around.find(|id| matches!(facts(*id).claim, Claim::Article | Claim::Main))?;
        let mut before = self.tree.within(around).take_while(|id| *id != top);
        let holds_top = |id: Id| std::iter::successors(Some(top), |id| self.tree.parent(*id)).any(|above| above == id);
        before.find(|id| {
            let Facts { text, linked, .. } = *facts(*id);
            (40..1500).contains(&text)
                && linked * 2 < text
                && is_lead(self.tree, *id)
                && !self.is_out(*id)
                && !holds_top(*id)
        })
    }

    fn is_out(&self, id: Id) -> bool {
        std::iter::successors(Some(id), |id| self.tree.parent(*id)).any(|id| self.facts[id as usize].hidden)
    }

    /// The smallest node within `from` that holds nearly all its running text.
    fn narrowed(&self, from: Id) -> Id {
        let kept = |id: Id| self.facts[id as usize].kept;
        let mut at = from;
        loop {
            let children = self.tree.children(at).filter(|id| !self.facts[*id as usize].hidden);
            let Some(best) = children.max_by(|a, b| kept(*a).total_cmp(&kept(*b))) else { return at };
            if kept(best) < kept(at) * 0.75 || self.facts[best as usize].inline || self.is_unit(best) {
                return at;
            }
            at = best;
        }
    }

    /// True for what is not to be taken out of what is around it.
    fn is_unit(&self, id: Id) -> bool {
        matches!(
            self.tree.tag(id),
            local_name!("p")
                | local_name!("ul")
                | local_name!("ol")
                | local_name!("dl")
                | local_name!("table")
                | local_name!("pre")
                | local_name!("blockquote")
                | local_name!("figure")
                | local_name!("details")
        )
    }

    /// Within an article, small blocks of little but links lead elsewhere.
    fn without_lists_of_links(&self, mut content: Content) -> Content {
        let all = self.facts[content.top as usize].text;
        for id in self.tree.within(content.top) {
            let facts = &self.facts[id as usize];
            if id == content.top || facts.inline || facts.text == 0 {
                continue;
            }
            let plain = facts.text - facts.linked;
            let block = matches!(
                self.tree.tag(id),
                local_name!("ul")
                    | local_name!("ol")
                    | local_name!("div")
                    | local_name!("section")
                    | local_name!("aside")
            );
            let little =
                facts.linked as f32 > facts.text as f32 * 0.7 && (plain as f32) < 100.0 && facts.text * 4 < all;
            let tag = self.tree.tag(id);
            let credit = tag == local_name!("figcaption") && facts.text < 60 && is_credit(&text_of(self.tree, id));
            let elsewhere = tag == local_name!("p") && facts.linked * 10 > facts.text * 9 && facts.text > 20;
            if (block && little) || credit || elsewhere {
                content.left_out[id as usize] = true;
            }
        }
        content
    }
}

/// True for a caption that only names the one who made the picture.
fn is_credit(caption: &str) -> bool {
    let words =
        ["foto", "photo", "bild", "image", "picture", "credit", "quelle", "source", "crédit", "fuente", "©", "(c)"];
    let caption = caption.trim_start().to_lowercase();
    words.iter().any(|word| {
        caption.strip_prefix(word).is_some_and(|rest| rest.starts_with([':', ' ', 's', '/']) || *word == "©")
    })
}
