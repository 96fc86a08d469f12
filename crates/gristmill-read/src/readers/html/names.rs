//! What elements are, and what their classes say of them.

use html5ever::{LocalName, local_name};

use super::tree::{Id, Tree};

/// True for elements that stand in a line of text.
pub(super) fn is_inline(tag: &LocalName) -> bool {
    matches!(
        *tag,
        local_name!("a")
            | local_name!("abbr")
            | local_name!("b")
            | local_name!("bdi")
            | local_name!("bdo")
            | local_name!("br")
            | local_name!("cite")
            | local_name!("code")
            | local_name!("data")
            | local_name!("del")
            | local_name!("dfn")
            | local_name!("em")
            | local_name!("i")
            | local_name!("img")
            | local_name!("ins")
            | local_name!("kbd")
            | local_name!("label")
            | local_name!("mark")
            | local_name!("picture")
            | local_name!("q")
            | local_name!("rp")
            | local_name!("rt")
            | local_name!("ruby")
            | local_name!("s")
            | local_name!("samp")
            | local_name!("span")
            | local_name!("strike")
            | local_name!("strong")
            | local_name!("sub")
            | local_name!("sup")
            | local_name!("time")
            | local_name!("tt")
            | local_name!("var")
            | local_name!("wbr")
            | local_name!("")
    ) || tag.contains('-') && !tag.starts_with("annotation")
}

/// True for what is never part of the text.
pub(super) fn is_silent(tag: &LocalName) -> bool {
    matches!(
        *tag,
        local_name!("head")
            | local_name!("script")
            | local_name!("style")
            | local_name!("noscript")
            | local_name!("template")
            | local_name!("iframe")
            | local_name!("object")
            | local_name!("embed")
            | local_name!("canvas")
            | local_name!("audio")
            | local_name!("video")
            | local_name!("map")
            | local_name!("input")
            | local_name!("select")
            | local_name!("datalist")
            | local_name!("textarea")
            | local_name!("progress")
            | local_name!("meter")
            | local_name!("rp")
    )
}

/// True for what the page does not show.
pub(super) fn is_hidden(tree: &Tree, id: Id) -> bool {
    let Some(element) = tree.element(id) else { return false };
    element.attributes.iter().any(|attribute| {
        let value = &*attribute.value;
        match attribute.name.local {
            local_name!("hidden") => !value.eq_ignore_ascii_case("until-found"),
            local_name!("aria-hidden") => value.eq_ignore_ascii_case("true"),
            local_name!("style") => is_hidden_by_style(value),
            local_name!("class") => value.split_ascii_whitespace().any(|class| HIDDEN.holds(class.as_bytes())),
            _ => false,
        }
    })
}

/// Classes by convention of what only screen readers tell.
static HIDDEN: Words =
    Words::new(&["sr-only", "visually-hidden", "screen-reader-text", "visuallyhidden", "headerlink"]);

fn is_hidden_by_style(style: &str) -> bool {
    style.split(';').filter_map(|rule| rule.split_once(':')).any(|(name, value)| {
        let value = value.trim().trim_end_matches("!important").trim_end();
        match name.trim() {
            name if name.eq_ignore_ascii_case("display") => value.eq_ignore_ascii_case("none"),
            name if name.eq_ignore_ascii_case("visibility") => value.eq_ignore_ascii_case("hidden"),
            _ => false,
        }
    })
}

/// The words of a class or an id in lower case, cut at punctuation and where an upper case letter follows a lower case one.
/// Short ones between letters are left out, as generated names are full of them.
pub(super) fn words(value: &str) -> impl Iterator<Item = Word> {
    let mut rest = value.as_bytes();
    let mut joined = false;
    let mut next = move || {
        let start = rest.iter().position(u8::is_ascii_alphanumeric)?;
        let after = joined && start == 0;
        rest = &rest[start..];
        let inside = |pair: &[u8]| {
            pair[1].is_ascii_alphanumeric() && !(pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
        };
        let len = 1 + rest.windows(2).take_while(|pair| inside(pair)).count();
        let word = Word::of(&rest[..len]);
        rest = &rest[len..];
        joined = true;
        let before = rest.first().is_some_and(u8::is_ascii_alphanumeric);
        Some((word, len <= 3 && (after || before)))
    };
    std::iter::from_fn(move || {
        loop {
            let (word, doubtful) = next()?;
            if !doubtful {
                return Some(word);
            }
        }
    })
}

/// A short word in lower case; a longer one is cut.
pub(super) struct Word {
    bytes: [u8; 24],
    len: usize,
}

impl Word {
    fn of(word: &[u8]) -> Self {
        let mut bytes = [0; 24];
        let len = word.len().min(bytes.len());
        bytes[..len].copy_from_slice(&word[..len]);
        bytes.make_ascii_lowercase();
        Self { bytes, len }
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    pub(super) fn as_str(&self) -> &str {
        std::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }
}

/// A list of words in lower case. Nearly all that is looked up is not in it, which its length tells for its first letter.
pub(super) struct Words {
    words: &'static [&'static str],
    /// By first byte, one bit for each length there is.
    lengths: [u32; 128],
}

impl Words {
    pub(super) const fn new(words: &'static [&'static str]) -> Self {
        let mut lengths = [0; 128];
        let mut index = 0;
        while index < words.len() {
            lengths[words[index].as_bytes()[0] as usize] |= 1 << words[index].len();
            index += 1;
        }
        Self { words, lengths }
    }

    pub(super) fn holds(&self, word: &[u8]) -> bool {
        let lengths = word.first().and_then(|first| self.lengths.get(usize::from(*first)));
        let likely = lengths.is_some_and(|lengths| word.len() < 32 && lengths >> word.len() & 1 == 1);
        likely && self.words.iter().any(|known| known.as_bytes() == word)
    }
}
