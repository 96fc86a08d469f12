//! HTML for people: a builder that escapes, documents beside their chunks, and the page of a run. The service shows the same
//! overlay.

pub mod overlay;
mod run;

use std::borrow::Cow;
use std::fmt::{Display, Write};

pub use run::{CutDocument, run_page};

/// HTML that grows. Only [`Html::push`] takes markup, and only markup that stands in the source of this program.
#[derive(Default)]
pub struct Html(String);

impl Html {
    /// Nothing yet.
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

    /// A part that is made.
    pub fn html(&mut self, part: &Self) -> &mut Self {
        self.0.push_str(&part.0);
        self
    }

    /// HTML that another library made of text.
    fn made(html: Cow<'_, str>) -> Self {
        Self(html.into_owned())
    }

    /// The text.
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

/// What the overlay looks like, with the colours of all pages.
pub const OVERLAY_STYLE: &str = include_str!("overlay.css");

/// Text and chunks of the overlay point at one another.
pub const OVERLAY_SCRIPT: &str = include_str!("overlay.js");

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

#[cfg(test)]
pub(crate) mod testing {
    /// RFC 4648, section 4.
    pub(crate) fn base64(bytes: &[u8]) -> String {
        const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let group = |bytes: &[u8]| {
            let bits = (0..3).fold(0, |bits, i| bits << 8 | usize::from(bytes.get(i).copied().unwrap_or(0)));
            let digit = |i: usize| if i <= bytes.len() { char::from(DIGITS[bits >> (18 - 6 * i) & 63]) } else { '=' };
            (0..4).map(digit).collect::<String>()
        };
        bytes.chunks(3).map(group).collect()
    }

    #[test]
    fn base64_is_that_of_the_standard() {
        assert_eq!(base64(b"fooba"), "Zm9vYmE=");
    }
}
