//! From the tree to Markdown.
//!
//! The tree is walked without recursion: each node is entered and, when what it holds has been walked, left.

use html5ever::{LocalName, local_name, ns};

use super::around::{Link, first_number, follows_term, hangs_on_item, has_list_after, in_list, item_mark, link};
use super::code::{self, code_text};
use super::content::Content;
use super::grid::Grid;
use super::math;
use super::names::{is_inline, is_silent};
use super::script::script;
use super::tree::{Id, Tree};
use crate::markup::{Inline, Mark, Markdown};

/// The Markdown of what `content` keeps, below `before`.
pub(super) fn render(tree: &Tree, content: &Content, before: Option<Inline>) -> String {
    let mut render = Render {
        tree,
        out: Markdown::default(),
        inline: Inline::default(),
        marks: Vec::new(),
        heading: None,
        ruled: 0,
        grid: None,
        budget: tree.nodes.len() * 8 + 100_000,
    };
    if let Some(before) = before {
        render.out.heading(1, before);
    }
    for top in content.tops() {
        render.walk(content, top);
        render.end_paragraph();
    }
    render.finish()
}

struct Render<'t> {
    tree: &'t Tree,
    out: Markdown,
    /// The paragraph, heading or cell that is being written.
    inline: Inline,
    /// Marks and links that are open, in every paragraph until they are closed.
    marks: Vec<(Id, Style)>,
    heading: Option<u8>,
    /// Length of what was written up to the last rule.
    ruled: usize,
    /// The table whose cells are being written.
    grid: Option<Grid>,
    /// Bytes that may still be written again: cells that span others, links around several paragraphs.
    budget: usize,
}

#[derive(Clone)]
enum Style {
    Mark(Mark),
    Link(String),
}

impl Render<'_> {
    fn walk(&mut self, content: &Content, top: Id) {
        let mut at = top;
        loop {
            let descends = !content.leaves_out(at) && self.enter(at);
            let mut next = if descends { self.tree.first(at) } else { None };
            if descends && next.is_none() {
                self.leave(at);
            }
            while next.is_none() {
                if at == top {
                    return;
                }
                next = self.tree.after(at);
                if next.is_none() {
                    let Some(parent) = self.tree.parent(at) else { return };
                    at = parent;
                    self.leave(at);
                }
            }
            at = next.unwrap_or(top);
        }
    }

    /// Begins a node; gives whether to walk what it holds.
    fn enter(&mut self, id: Id) -> bool {
        if let Some(text) = self.tree.text(id) {
            self.text(text);
            return false;
        }
        let Some(element) = self.tree.element(id) else { return true };
        if element.name.ns == ns!(mathml) {
            return self.math(id);
        }
        if element.name.ns != ns!(html) {
            return false;
        }
        let tag = element.name.local.clone();
        if is_silent(&tag) {
            if let Some(tex) = math::script(self.tree, id) {
                self.formula(&tex.0, tex.1);
            }
            return false;
        }
        if is_inline(&tag) { self.enter_inline(id, &tag) } else { self.enter_block(id, &tag) }
    }

    fn leave(&mut self, id: Id) {
        let tag = self.tree.tag(id);
        if is_inline(&tag) {
            self.leave_inline(id, &tag);
        } else {
            self.leave_block(id, &tag);
        }
    }

    fn text(&mut self, text: &str) {
        if text.contains('\u{ad}') {
            self.inline.text(&text.replace('\u{ad}', ""));
        } else {
            self.inline.text(text);
        }
    }

    fn math(&mut self, id: Id) -> bool {
        let Some((tex, display)) = math::formula(self.tree, id) else { return true };
        self.formula(&tex, display);
        false
    }

    fn formula(&mut self, tex: &str, display: bool) {
        if display && self.grid.is_none() && self.heading.is_none() {
            self.end_paragraph();
            self.out.math(tex);
        } else {
            self.inline.math(tex);
        }
    }

    fn enter_inline(&mut self, id: Id, tag: &LocalName) -> bool {
        let style = match *tag {
            local_name!("br") => {
                self.line_break(id);
                return false;
            }
            local_name!("img") => {
                self.image(id);
                return false;
            }
            local_name!("code") | local_name!("kbd") | local_name!("samp") | local_name!("tt") => {
                self.inline.code(&code_text(self.tree, id));
                return false;
            }
            local_name!("a") => match link(self.tree, id) {
                Link::Nothing => return false,
                Link::Text => return true,
                Link::To(address) => Style::Link(address),
            },
            local_name!("b") | local_name!("strong") => Style::Mark(Mark::Strong),
            local_name!("i") | local_name!("em") | local_name!("cite") | local_name!("dfn") | local_name!("var") => {
                Style::Mark(Mark::Emphasis)
            }
            local_name!("del") | local_name!("s") | local_name!("strike") => Style::Mark(Mark::Strike),
            local_name!("q") => {
                self.inline.text("“");
                return true;
            }
            local_name!("rt") => {
                self.inline.text("(");
                return true;
            }
            local_name!("sup") | local_name!("sub") => {
                let figures = script(self.tree, id, tag);
                self.inline.text(figures.as_deref().unwrap_or_default());
                return figures.is_none();
            }
            _ => return true,
        };
        open(&mut self.inline, &style);
        self.marks.push((id, style));
        true
    }

    fn leave_inline(&mut self, id: Id, tag: &LocalName) {
        match *tag {
            local_name!("q") => self.inline.text("”"),
            local_name!("rt") => self.inline.text(")"),
            _ => {}
        }
        if self.marks.last().is_some_and(|(opened, _)| *opened == id) {
            self.marks.pop();
            self.inline.close();
        }
    }

    /// A second break in a row ends the paragraph.
    fn line_break(&mut self, id: Id) {
        let blank = |id: &Id| self.tree.text(*id).is_some_and(|text| text.trim().is_empty());
        let before =
            std::iter::successors(self.tree.before(id), |before| self.tree.before(*before)).find(|id| !blank(id));
        let doubled = before.is_some_and(|before| self.tree.tag(before) == local_name!("br"));
        if doubled && self.grid.is_none() && self.heading.is_none() {
            self.end_paragraph();
        } else {
            self.inline.line_break();
        }
    }

    fn image(&mut self, id: Id) {
        let tree = self.tree;
        let alt = tree.attribute(id, &local_name!("alt")).unwrap_or_default().trim();
        let class = tree.attribute(id, &local_name!("class")).unwrap_or_default();
        if alt.is_empty() || class.contains("math") {
            return;
        }
        let source = tree.attribute(id, &local_name!("src")).filter(|source| !source.starts_with("data:"));
        let later = tree.attribute(id, &LocalName::from("data-src"));
        self.inline.image(alt, source.or(later).unwrap_or_default());
    }

    fn enter_block(&mut self, id: Id, tag: &LocalName) -> bool {
        if *tag == local_name!("dd") && follows_term(self.tree, id) && self.grid.is_none() && !self.inline.is_empty() {
            // What is said of a term stands in its paragraph.
            self.inline.line_break();
            return true;
        }
        self.end_paragraph();
        if self.grid.is_some() {
            return self.enter_within_table(id, tag);
        }
        match *tag {
            local_name!("h1") => self.begin_heading(1),
            local_name!("h2") => self.begin_heading(2),
            local_name!("h3") => self.begin_heading(3),
            local_name!("h4") => self.begin_heading(4),
            local_name!("h5") => self.begin_heading(5),
            local_name!("h6") => self.begin_heading(6),
            local_name!("ul") | local_name!("menu") | local_name!("dir") => self.out.open_list(None),
            local_name!("ol") => self.out.open_list(Some(first_number(self.tree, id))),
            local_name!("li") if in_list(self.tree, id) => self.out.open_item(),
            local_name!("blockquote") => self.out.open_quote(),
            local_name!("hr") => self.rule(),
            local_name!("pre") | local_name!("listing") | local_name!("xmp") => {
                self.out.code(&code::language(self.tree, id), &code_text(self.tree, id));
                return false;
            }
            local_name!("dt") | local_name!("summary") => {
                self.inline.open(Mark::Strong);
                self.marks.push((id, Style::Mark(Mark::Strong)));
            }
            local_name!("td") if code::is_gutter(self.tree, id) => return false,
            local_name!("table") => {
                self.grid = Grid::of(self.tree, id);
                if self.grid.is_some() {
                    self.inline.set_flat();
                }
            }
            _ => {}
        }
        true
    }

    /// In a table only cells count; what they hold is written in one line.
    fn enter_within_table(&mut self, id: Id, tag: &LocalName) -> bool {
        match *tag {
            local_name!("pre") | local_name!("listing") => {
                self.inline.code(&code_text(self.tree, id));
                return false;
            }
            local_name!("li") => self.inline.text(&item_mark(self.tree, id)),
            _ => {}
        }
        if let Some(grid) = &mut self.grid {
            grid.enter(self.tree, id);
        }
        true
    }

    fn leave_block(&mut self, id: Id, tag: &LocalName) {
        if matches!(*tag, local_name!("dt") | local_name!("summary"))
            && self.marks.last().is_some_and(|(opened, _)| *opened == id)
        {
            self.marks.pop();
            self.inline.close();
        }
        if let Some(grid) = &mut self.grid {
            if grid.ends_line(self.tree, id) {
                let cell = self.take();
                if let Some(grid) = &mut self.grid {
                    grid.put(cell);
                }
            } else {
                self.inline.text(" ");
            }
            if self.grid.as_ref().is_some_and(|grid| grid.table == id) {
                self.end_table();
            }
            return;
        }
        match *tag {
            local_name!("h1")
            | local_name!("h2")
            | local_name!("h3")
            | local_name!("h4")
            | local_name!("h5")
            | local_name!("h6") => self.end_heading(),
            local_name!("dt") => {}
            _ => self.end_paragraph(),
        }
        match *tag {
            local_name!("ul") | local_name!("menu") | local_name!("dir") | local_name!("ol") => {
                self.out.close();
                if hangs_on_item(self.tree, id) {
                    self.out.close();
                }
            }
            local_name!("li") if in_list(self.tree, id) && !has_list_after(self.tree, id) => self.out.close(),
            local_name!("blockquote") => self.out.close(),
            _ => {}
        }
    }

    /// Writes the paragraph that has come so far. In a heading or a table, blocks are but pieces of the line.
    fn end_paragraph(&mut self) {
        if self.heading.is_some() || self.grid.is_some() {
            self.inline.text(" ");
        } else if !self.inline.is_empty() {
            let text = self.take();
            self.out.paragraph(text);
        }
    }

    /// A rule parts what is above it from what is below.
    fn rule(&mut self) {
        if self.ruled != self.out.len() {
            self.out.rule();
            self.ruled = self.out.len();
        }
    }

    fn begin_heading(&mut self, level: u8) {
        self.heading = Some(level);
        self.inline.set_flat();
    }

    fn end_heading(&mut self) {
        let Some(level) = self.heading.take() else { return self.end_paragraph() };
        let text = self.take();
        self.out.heading(level, text);
    }

    fn end_table(&mut self) {
        let Some(grid) = self.grid.take() else { return };
        let caption = grid.caption();
        if let Some(caption) = caption {
            self.out.paragraph(caption);
        }
        let table = grid.table(&mut self.budget);
        self.out.table(&table);
    }

    /// What has been written of the line; marks that are open go on in the next one.
    fn take(&mut self) -> Inline {
        let mut next = Inline::default();
        for (_, style) in &self.marks {
            match style {
                Style::Link(address) if address.len() > self.budget => next.open_link(""),
                Style::Link(address) => {
                    self.budget -= address.len();
                    next.open_link(address);
                }
                Style::Mark(mark) => next.open(*mark),
            }
        }
        if self.grid.is_some() {
            next.set_flat();
        }
        std::mem::replace(&mut self.inline, next)
    }

    fn finish(mut self) -> String {
        self.heading = None;
        if self.grid.is_some() {
            self.end_table();
        }
        self.end_paragraph();
        self.out.finish()
    }
}

fn open(inline: &mut Inline, style: &Style) {
    match style {
        Style::Mark(mark) => inline.open(*mark),
        Style::Link(address) => inline.open_link(address),
    }
}
