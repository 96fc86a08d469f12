//! Which paragraphs of a slide are items of lists: said by the slide, its layout or its master.

use std::collections::HashMap;
use std::rc::Rc;

use super::order::Frame;
use crate::readers::office::flow::Label;
use crate::readers::office::numbers::written;
use crate::xml::{Element, Xml};

/// Levels of text.
const LEVELS: usize = 9;

/// What stands before a paragraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Bullet {
    None,
    Mark,
    /// Its kind and the number of the first.
    Auto(String, u64),
}

/// What each level of text says, where it says something.
#[derive(Clone, Debug, Default)]
pub(super) struct Levels([Option<Bullet>; LEVELS]);

impl Levels {
    /// Of an element with `lvl1pPr` to `lvl9pPr`.
    pub(super) fn of(style: Option<Element<'_>>) -> Self {
        let mut levels = Self::default();
        let Some(style) = style else { return levels };
        for child in style.children() {
            let number = child.name().strip_prefix("lvl").and_then(|rest| rest.strip_suffix("pPr"));
            let at = number.and_then(|number| number.parse::<usize>().ok()).and_then(|number| number.checked_sub(1));
            if let Some(slot) = at.and_then(|at| levels.0.get_mut(at)) {
                *slot = bullet(child);
            }
        }
        levels
    }

    /// These, and those of `below` where these say nothing.
    fn over(mut self, below: &Self) -> Self {
        for (own, other) in self.0.iter_mut().zip(&below.0) {
            if own.is_none() {
                own.clone_from(other);
            }
        }
        self
    }

    pub(super) fn get(&self, level: usize) -> Option<&Bullet> {
        self.0.get(level).and_then(Option::as_ref)
    }
}

/// What the properties of a paragraph say of its bullet.
pub(super) fn bullet(properties: Element<'_>) -> Option<Bullet> {
    properties.children().find_map(|child| match child.name() {
        "buNone" => Some(Bullet::None),
        "buChar" | "buBlip" => Some(Bullet::Mark),
        "buAutoNum" => {
            let start = child.attr("startAt").and_then(|start| start.parse().ok()).unwrap_or(1);
            Some(Bullet::Auto(child.attr("type").unwrap_or("arabicPeriod").to_owned(), start))
        }
        _ => None,
    })
}

/// The kind of a placeholder and its index.
pub(super) type Place<'x> = (&'x str, Option<&'x str>);

/// The placeholder that a shape is.
pub(super) fn place(shape: Element<'_>) -> Option<Place<'_>> {
    let properties = shape.children().find(|child| child.name().starts_with("nv"))?;
    let place = properties.path(&["nvPr", "ph"])?;
    Some((place.attr("type").unwrap_or("obj"), place.attr("idx")))
}

/// A placeholder of a layout or master.
#[derive(Clone, Default)]
struct Holder {
    levels: Levels,
    frame: Option<Frame>,
}

/// What a layout or a master says of the text of slides.
#[derive(Default)]
pub(super) struct Pattern {
    by_index: HashMap<String, Holder>,
    by_kind: HashMap<String, Holder>,
    title: Levels,
    body: Levels,
    /// The master that a layout builds on.
    pub(super) base: Option<Rc<Pattern>>,
}

impl Pattern {
    pub(super) fn read(xml: &Xml) -> Self {
        let root = xml.root();
        let mut pattern = Self::default();
        let Some(tree) = root.path(&["cSld", "spTree"]) else { return pattern };
        for shape in tree.all("sp") {
            let Some((kind, index)) = place(shape) else { continue };
            let levels = Levels::of(shape.path(&["txBody", "lstStyle"]));
            let holder = Holder { levels, frame: Frame::of(shape) };
            if let Some(index) = index {
                pattern.by_index.insert(index.to_owned(), holder.clone());
            }
            pattern.by_kind.entry(family(kind).to_owned()).or_insert(holder);
        }
        pattern.title = Levels::of(root.path(&["txStyles", "titleStyle"]));
        pattern.body = Levels::of(root.path(&["txStyles", "bodyStyle"]));
        pattern
    }

    /// What the text of a placeholder inherits.
    pub(super) fn levels(&self, own: Levels, (kind, index): Place<'_>) -> Levels {
        let mut levels = own;
        if let Some(found) = self.holder((kind, index)) {
            levels = levels.over(&found.levels);
        }
        match &self.base {
            // Masters know placeholders by their kind alone.
            Some(base) => base.levels(levels, (kind, None)),
            None => levels.over(if family(kind) == "title" { &self.title } else { &self.body }),
        }
    }

    /// Where a placeholder stands that does not say so itself.
    pub(super) fn frame(&self, (kind, index): Place<'_>) -> Option<Frame> {
        let own = self.holder((kind, index)).and_then(|found| found.frame);
        own.or_else(|| self.base.as_ref()?.frame((kind, None)))
    }

    fn holder(&self, (kind, index): Place<'_>) -> Option<&Holder> {
        let exact = index.and_then(|index| self.by_index.get(index));
        exact.or_else(|| self.by_kind.get(family(kind)))
    }
}

fn family(kind: &str) -> &str {
    match kind {
        "title" | "ctrTitle" => "title",
        "obj" | "body" | "subTitle" | "tbl" | "chart" | "dgm" | "media" | "clipArt" | "pic" => "body",
        other => other,
    }
}

/// Counts the numbered paragraphs of one text.
#[derive(Default)]
pub(super) struct Counter([Option<(String, u64)>; LEVELS]);

impl Counter {
    /// The label of the next paragraph; `None` for one without.
    pub(super) fn next(&mut self, level: usize, bullet: Option<&Bullet>) -> Option<Label> {
        let level = level.min(LEVELS - 1);
        self.0[level + 1..].fill(None);
        let Some(Bullet::Auto(kind, start)) = bullet else {
            self.0[level] = None;
            return (bullet == Some(&Bullet::Mark)).then_some(Label::Bullet);
        };
        let number = match &self.0[level] {
            Some((before, number)) if before == kind => number.saturating_add(1),
            _ => *start,
        };
        self.0[level] = Some((kind.clone(), number));
        Some(label(kind, number))
    }
}

/// `arabicPeriod` and its like: a format, and what stands around the number.
fn label(kind: &str, number: u64) -> Label {
    let ends = [("ParenBoth", "(", ")"), ("ParenR", "", ")"), ("Period", "", "."), ("Plain", "", "")];
    let found = ends.iter().find_map(|(end, before, after)| Some((kind.strip_suffix(end)?, *before, *after)));
    match found.unwrap_or((kind, "", ".")) {
        (format, "", "." | ")") if format.starts_with("arabic") => Label::Number(number),
        (format, before, after) => Label::Other(format!("{before}{}{after}", written(number, format))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_on_while_their_kind_does() {
        let mut counter = Counter::default();
        let auto = |kind: &str| Bullet::Auto(kind.into(), 1);
        let steps = [(0, "arabicPeriod"), (1, "alphaLcParenR"), (1, "alphaLcParenR"), (0, "arabicPeriod")];
        let labels: Vec<_> = steps.iter().map(|(level, kind)| counter.next(*level, Some(&auto(kind)))).collect();
        let other = |text: &str| Some(Label::Other(text.into()));
        assert_eq!(labels, [Some(Label::Number(1)), other("a)"), other("b)"), Some(Label::Number(2))]);
        assert_eq!(counter.next(0, Some(&Bullet::Mark)), Some(Label::Bullet));
        assert_eq!(counter.next(0, Some(&auto("romanUcParenBoth"))), other("(I)"));
        assert_eq!(counter.next(0, Some(&Bullet::None)), None);
    }
}
