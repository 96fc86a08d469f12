//! Text into HTML: whatever is not markup of our own is escaped.

use std::borrow::Cow;
use std::fmt::{Display, Write};

/// HTML that grows. Only [`Html::push`] takes markup, and only markup that stands in the source of this program.
#[derive(Default)]
pub struct Html(String);

impl Html {
    pub fn new() -> Self {
        Self::default()
    }

    /// Markup of our own.
    pub fn push(&mut self, markup: &'static str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Text from anywhere.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.0.push_str(&escape(text));
        self
    }

    /// A number or the like.
    pub fn value(&mut self, value: impl Display) -> &mut Self {
        let text = value.to_string();
        self.text(&text)
    }

    /// An attribute with its value.
    pub fn attribute(&mut self, name: &'static str, value: impl Display) -> &mut Self {
        // Writing to a string cannot fail.
        let _ = write!(self.0, " {name}=\"{}\"", escape(&value.to_string()));
        self
    }

    /// An address that [`super::link`] made.
    pub fn link(&mut self, address: &str) -> &mut Self {
        self.text(address)
    }

    /// A part that is made.
    pub fn html(&mut self, part: &Self) -> &mut Self {
        self.0.push_str(&part.0);
        self
    }

    pub fn into_string(self) -> String {
        self.0
    }
}

/// Text as it may stand in elements and quoted attributes. Characters that show nothing but turn or hide others are shown.
pub fn escape(text: &str) -> Cow<'_, str> {
    let is_special = |c: char| {
        matches!(c, '&' | '<' | '>' | '"' | '\'') || (c.is_control() && !matches!(c, '\n' | '\t')) || is_turning(c)
    };
    if !text.contains(is_special) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\r' => {}
            c if is_special(c) => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Marks that turn the direction of what follows.
fn is_turning(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Subjects of the pages, in the order of the keys 1 to 6.
const SUBJECTS: [(&str, &str); 6] = [
    ("/", "Documents"),
    ("/try", "Try settings"),
    ("/findings", "Findings"),
    ("/search", "Search"),
    ("/jobs", "Jobs"),
    ("/docs", "API"),
];

/// A whole page. `here` is the address of its subject.
pub fn page(here: &str, title: &str, main: &Html) -> Html {
    let mut page = Html::new();
    page.push(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
        <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\">\
        <link rel=\"icon\" href=\"/favicon.svg\"><link rel=\"stylesheet\" href=\"/assets/style.css\">\
        <script src=\"/assets/app.js\" defer></script><title>",
    );
    page.text(title).push(" · gristmill</title></head><body><a class=\"skip\" href=\"#main\">Skip to content</a>");
    page.push("<header><a class=\"brand\" href=\"/\">gristmill</a><nav aria-label=\"Pages\"><ul>");
    for (address, name) in SUBJECTS {
        page.push("<li><a").attribute("href", address);
        if address == here {
            page.push(" aria-current=\"page\"");
        }
        page.push(">").text(name).push("</a></li>");
    }
    page.push("</ul></nav></header><main id=\"main\" tabindex=\"-1\">").html(main).push("</main></body></html>\n");
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_from_outside_is_markup() {
        let mut html = Html::new();
        html.push("<p").attribute("title", "\" onclick='x'").push(">").text("<script>&\u{202e}\0").push("</p>");
        let expected = "<p title=\"&quot; onclick=&#39;x&#39;\">&lt;script&gt;&amp;\u{fffd}\u{fffd}</p>";
        assert_eq!(html.into_string(), expected);
    }
}
