//! Styles of paragraphs and characters, and what they inherit.

use std::collections::HashMap;

use crate::readers::office::package::is_on;
use crate::xml::{Element, Xml};

/// What a style says of the text it is for.
#[derive(Clone, Debug, Default)]
pub(super) struct Style {
    /// Its name in lower case; the built-in ones have English names in every language.
    pub(super) name: String,
    based_on: Option<String>,
    /// From 0; 9 and more is body text.
    outline: Option<u8>,
    /// Identifier of the numbering, and the level in it.
    pub(super) num: (Option<String>, Option<usize>),
    pub(super) run: Run,
}

/// What is said of a run of text, where something is said.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Run {
    pub(super) bold: Option<bool>,
    pub(super) italic: Option<bool>,
    pub(super) strike: Option<bool>,
    pub(super) hidden: Option<bool>,
    /// Set in a font for programs.
    pub(super) mono: Option<bool>,
    /// Set above the line.
    pub(super) raised: Option<bool>,
}

/// All styles of a document, inheritance resolved.
#[derive(Default)]
pub(super) struct Styles {
    all: HashMap<String, Style>,
    /// The style of paragraphs that name none.
    usual: String,
}

/// A style builds on so many others at most.
const CHAIN_MAX: usize = 16;

impl Styles {
    pub(super) fn read(xml: &Xml) -> Self {
        let mut own = HashMap::new();
        let mut usual = String::new();
        for element in xml.root().children().filter(|element| element.name() == "style") {
            let Some(id) = element.attr("styleId") else { continue };
            let is_usual = element.attr("default").is_some_and(|value| matches!(value, "1" | "true" | "on"));
            if is_usual && element.attr("type") == Some("paragraph") {
                id.clone_into(&mut usual);
            }
            own.insert(id.to_owned(), style(element));
        }
        let all = own.keys().map(|id| (id.clone(), resolved(&own, id))).collect();
        Self { all, usual }
    }

    pub(super) fn get(&self, id: &str) -> Option<&Style> {
        self.all.get(id)
    }

    /// The style of a paragraph.
    pub(super) fn of(&self, paragraph: Element<'_>) -> Option<&Style> {
        let id = paragraph.path(&["pPr", "pStyle"]).and_then(|style| style.attr("val"));
        self.get(id.unwrap_or(&self.usual))
    }
}

impl Run {
    /// Takes what run properties say.
    pub(super) fn take(&mut self, properties: Element<'_>) {
        for element in properties.children() {
            let on = Some(is_on(element));
            match element.name() {
                "b" => self.bold = on,
                "i" => self.italic = on,
                "strike" | "dstrike" => self.strike = on,
                "vanish" => self.hidden = on,
                "vertAlign" => self.raised = Some(element.attr("val") == Some("superscript")),
                "rFonts" => self.mono = element.attr("ascii").map(is_mono).or(self.mono),
                _ => {}
            }
        }
    }

    /// This, and `base` where this says nothing.
    pub(super) fn over(self, base: Self) -> Self {
        Self {
            bold: self.bold.or(base.bold),
            italic: self.italic.or(base.italic),
            strike: self.strike.or(base.strike),
            hidden: self.hidden.or(base.hidden),
            mono: self.mono.or(base.mono),
            raised: self.raised.or(base.raised),
        }
    }
}

impl Style {
    /// Fills what it leaves open from the style it builds on.
    fn inherit(&mut self, base: &Self) {
        self.outline = self.outline.or(base.outline).or(level_by_name(&base.name));
        let (num, level) = &base.num;
        self.num = (self.num.0.clone().or_else(|| num.clone()), self.num.1.or(*level));
        self.run = self.run.over(base.run);
    }

    /// The level of a heading from 0, if it is one.
    pub(super) fn level(&self) -> Option<u8> {
        level_by_name(&self.name).or(self.outline).filter(|level| *level < 9)
    }

    /// True for styles that code is set in.
    pub(super) fn is_code(&self) -> bool {
        const NAMES: [&str; 10] = [
            "code",
            "code block",
            "codeblock",
            "html preformatted",
            "macro text",
            "preformatted",
            "preformatted text",
            "program listing",
            "source code",
            "verbatim",
        ];
        NAMES.contains(&self.name.as_str())
    }
}

fn style(element: Element<'_>) -> Style {
    let name = element.child("name").and_then(|name| name.attr("val")).unwrap_or_default().to_lowercase();
    let based_on = element.child("basedOn").and_then(|base| base.attr("val")).map(str::to_owned);
    let mut style = Style { name, based_on, ..Style::default() };
    if let Some(properties) = element.child("pPr") {
        style.outline = outline(properties);
        style.num = numbering(properties);
    }
    if let Some(properties) = element.child("rPr") {
        style.run.take(properties);
    }
    style
}

fn resolved(own: &HashMap<String, Style>, id: &str) -> Style {
    let mut style = own.get(id).cloned().unwrap_or_default();
    let mut base = style.based_on.clone();
    for _ in 0..CHAIN_MAX {
        let Some(next) = base.as_ref().and_then(|id| own.get(id)) else { break };
        style.inherit(next);
        base.clone_from(&next.based_on);
    }
    style
}

fn level_by_name(name: &str) -> Option<u8> {
    let number: u8 = name.strip_prefix("heading ")?.trim().parse().ok()?;
    number.checked_sub(1).filter(|level| *level < 9)
}

/// The outline level that paragraph properties give.
pub(super) fn outline(properties: Element<'_>) -> Option<u8> {
    properties.child("outlineLvl")?.attr("val")?.parse().ok()
}

/// Identifier of the numbering and level in it that paragraph properties give.
pub(super) fn numbering(properties: Element<'_>) -> (Option<String>, Option<usize>) {
    let Some(element) = properties.child("numPr") else { return (None, None) };
    let value = |name: &str| element.child(name).and_then(|child| child.attr("val"));
    (value("numId").map(str::to_owned), value("ilvl").and_then(|level| level.parse().ok()))
}

/// True for the fonts that programs are written in.
fn is_mono(font: &str) -> bool {
    const FONTS: [&str; 12] = [
        "andale",
        "cascadia",
        "consolas",
        "courier",
        "fira code",
        "fixedsys",
        "inconsolata",
        "lucida console",
        "menlo",
        "monaco",
        "mono",
        "source code",
    ];
    let font = font.to_lowercase();
    FONTS.iter().any(|name| font.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_inherit_and_loops_end() {
        let styles = Styles::read(&Xml::parse(
            b"<styles><style type='paragraph' default='1' styleId='N'><name val='Normal'/></style>
            <style styleId='H'><name val='heading 2'/><basedOn val='N'/><rPr><b/></rPr></style>
            <style styleId='O'><name val='Own'/><basedOn val='H'/><rPr><i/><b val='0'/></rPr></style>
            <style styleId='L'><name val='a'/><basedOn val='M'/></style><style styleId='M'><name val='b'/><basedOn val='L'/></style>
            </styles>",
        ));
        let own = styles.get("O").expect("known");
        assert_eq!((own.level(), own.run.bold, own.run.italic), (Some(1), Some(false), Some(true)));
        assert_eq!(styles.get("L").and_then(Style::level), None);
        assert_eq!(styles.of(Xml::parse(b"<p/>").root()).map(|s| s.name.as_str()), Some("normal"));
    }
}
