//! Numbered and bulleted paragraphs: which label each one shows.

use std::collections::{HashMap, HashSet};

use crate::readers::office::flow::Label;
use crate::readers::office::numbers::written;
use crate::xml::{Element, Xml};

/// Levels of a numbering.
const LEVELS: usize = 9;

#[derive(Clone, Debug)]
struct Level {
    format: String,
    /// The label with `%1` for the number of the first level and so on.
    text: String,
    start: u64,
}

impl Default for Level {
    fn default() -> Self {
        Self { format: "decimal".into(), text: String::new(), start: 1 }
    }
}

#[derive(Clone, Debug, Default)]
struct Abstract {
    levels: Vec<Level>,
    /// The style in which the levels stand instead.
    link: Option<String>,
}

#[derive(Clone, Debug, Default)]
struct Instance {
    base: String,
    starts: Vec<(usize, u64)>,
    levels: Vec<(usize, Level)>,
}

/// The numberings of a document and how far each has counted.
#[derive(Default)]
pub(super) struct Numbering {
    bases: HashMap<String, Abstract>,
    instances: HashMap<String, Instance>,
    /// The base that a style of numbering stands for.
    styles: HashMap<String, String>,
    counts: HashMap<String, [Option<u64>; LEVELS]>,
    seen: HashSet<String>,
}

impl Numbering {
    pub(super) fn read(xml: &Xml) -> Self {
        let mut numbering = Self::default();
        for element in xml.root().children() {
            match element.name() {
                "abstractNum" => numbering.base(element),
                "num" => numbering.instance(element),
                _ => {}
            }
        }
        numbering
    }

    fn base(&mut self, element: Element<'_>) {
        let Some(id) = element.attr("abstractNumId") else { return };
        let mut levels = vec![Level::default(); LEVELS];
        for found in element.children().filter(|child| child.name() == "lvl") {
            let slot = found.attr("ilvl").and_then(|at| at.parse::<usize>().ok()).and_then(|at| levels.get_mut(at));
            if let Some(slot) = slot {
                *slot = level(found);
            }
        }
        let value = |name: &str| element.child(name).and_then(|child| child.attr("val")).map(str::to_owned);
        if let Some(style) = value("styleLink") {
            self.styles.insert(style, id.to_owned());
        }
        self.bases.insert(id.to_owned(), Abstract { levels, link: value("numStyleLink") });
    }

    fn instance(&mut self, element: Element<'_>) {
        let Some(id) = element.attr("numId") else { return };
        let base = element.child("abstractNumId").and_then(|base| base.attr("val")).unwrap_or_default().to_owned();
        let mut instance = Instance { base, ..Instance::default() };
        for change in element.children().filter(|child| child.name() == "lvlOverride") {
            let Some(at) = change.attr("ilvl").and_then(|at| at.parse::<usize>().ok()) else { continue };
            let start = change.child("startOverride").and_then(|start| start.attr("val"));
            instance.starts.extend(start.and_then(|start| start.parse().ok()).map(|start| (at, start)));
            instance.levels.extend(change.child("lvl").map(|found| (at, level(found))));
        }
        self.instances.insert(id.to_owned(), instance);
    }

    /// The label of the next paragraph at this level of a numbering; `None` when it shows none.
    pub(super) fn next(&mut self, id: &str, at: usize) -> Option<Label> {
        let at = at.min(LEVELS - 1);
        let instance = self.instances.get(id)?;
        let base = self.bases.get(&instance.base)?;
        let linked = base.link.as_ref().and_then(|style| self.styles.get(style));
        let key = linked.unwrap_or(&instance.base);
        let levels = &self.bases.get(key)?.levels;
        let of = |at: usize| {
            let own = instance.levels.iter().find(|(level, _)| *level == at).map(|(_, level)| level);
            own.or_else(|| levels.get(at)).cloned().unwrap_or_default()
        };
        let counts = self.counts.entry(key.clone()).or_default();
        if self.seen.insert(id.to_owned()) {
            for (level, start) in &instance.starts {
                if let Some(count) = counts.get_mut(*level) {
                    *count = start.checked_sub(1);
                }
            }
        }
        let level = of(at);
        counts[at] = Some(counts[at].map_or(level.start, |count| count.saturating_add(1)));
        counts[at + 1..].fill(None);
        label(&level, at, |above| (of(above).format, counts[above].unwrap_or_else(|| of(above).start)))
    }
}

fn level(element: Element<'_>) -> Level {
    let value = |name: &str| element.child(name).and_then(|child| child.attr("val"));
    Level {
        format: value("numFmt").unwrap_or("decimal").to_owned(),
        text: value("lvlText").unwrap_or_default().to_owned(),
        start: value("start").and_then(|start| start.parse().ok()).unwrap_or(1),
    }
}

/// The label of a level; `number` gives format and number of each level.
fn label(level: &Level, at: usize, number: impl Fn(usize) -> (String, u64)) -> Option<Label> {
    match level.format.as_str() {
        "bullet" => return Some(Label::Bullet),
        "none" if level.text.is_empty() => return None,
        _ => {}
    }
    let mut out = String::new();
    let mut chars = level.text.chars().peekable();
    while let Some(c) = chars.next() {
        let digit = if c == '%' { chars.peek().and_then(|next| next.to_digit(10)) } else { None };
        match digit {
            Some(place @ 1..=9) => {
                chars.next();
                let (format, number) = number(place as usize - 1);
                out.push_str(&written(number, &format));
            }
            _ => out.push(c),
        }
    }
    let out = out.trim();
    let own = number(at).1;
    if out.strip_suffix(['.', ')']).unwrap_or(out) == own.to_string() {
        return Some(Label::Number(own));
    }
    Some(if out.is_empty() { Label::Bullet } else { Label::Other(out.to_owned()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbering() -> Numbering {
        Numbering::read(&Xml::parse(
            br#"<numbering>
            <abstractNum abstractNumId="0">
              <lvl ilvl="0"><start val="3"/><numFmt val="decimal"/><lvlText val="%1."/></lvl>
              <lvl ilvl="1"><numFmt val="lowerLetter"/><lvlText val="%1.%2)"/></lvl>
              <lvl ilvl="2"><numFmt val="bullet"/><lvlText val="o"/></lvl>
            </abstractNum>
            <num numId="1"><abstractNumId val="0"/></num>
            <num numId="2"><abstractNumId val="0"/>
              <lvlOverride ilvl="0"><startOverride val="1"/></lvlOverride></num>
            </numbering>"#,
        ))
    }

    #[test]
    fn levels_count_and_begin_again_below_the_next() {
        let mut numbering = numbering();
        let labels: Vec<_> = [0, 1, 1, 2, 0, 1].map(|at| numbering.next("1", at)).into_iter().flatten().collect();
        let other = |text: &str| Label::Other(text.into());
        let expected = [Label::Number(3), other("3.a)"), other("3.b)"), Label::Bullet, Label::Number(4), other("4.a)")];
        assert_eq!(labels, expected);
        assert_eq!(numbering.next("2", 0), Some(Label::Number(1)));
        assert_eq!(numbering.next("1", 0), Some(Label::Number(2)));
        assert_eq!(numbering.next("7", 0), None);
    }
}
