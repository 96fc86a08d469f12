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
            local_name!("class") => value.split_ascii_whitespace().any(|class| {
                matches!(class, "sr-only" | "visually-hidden" | "screen-reader-text" | "visuallyhidden" | "headerlink")
            }),
            _ => false,
        }
    })
}

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

/// How sure it is that an element is no part of the article.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Chrome {
    #[default]
    No,
    /// By a word in its class, which may mean something else.
    Likely,
    /// By what it is, or by an unmistakable word.
    Sure,
}

/// What the element and its names say.
pub(super) fn chrome(tree: &Tree, id: Id) -> Chrome {
    let by_tag = match tree.tag(id) {
        local_name!("nav")
        | local_name!("dialog")
        | local_name!("menu")
        | local_name!("footer")
        | local_name!("button") => Chrome::Sure,
        local_name!("aside") if !is_admonition(tree, id) => Chrome::Sure,
        local_name!("html") | local_name!("body") | local_name!("main") | local_name!("article") => return Chrome::No,
        _ => Chrome::No,
    };
    let Some(element) = tree.element(id).filter(|element| !is_part(&element.name.local)) else { return by_tag };
    element
        .attributes
        .iter()
        .map(|attribute| by_attribute(&attribute.name.local, &attribute.value))
        .fold(by_tag, Ord::max)
}

/// True for parts of lists, tables and quotes, whose classes say what they show rather than where they stand.
fn is_part(tag: &LocalName) -> bool {
    matches!(
        *tag,
        local_name!("tr")
            | local_name!("td")
            | local_name!("th")
            | local_name!("tbody")
            | local_name!("thead")
            | local_name!("blockquote")
            | local_name!("pre")
            | local_name!("code")
    ) || tag.starts_with("mjx-")
}

/// True for notes that belong to the text around them.
fn is_admonition(tree: &Tree, id: Id) -> bool {
    tree.attribute(id, &local_name!("class")).is_some_and(|class| {
        words(class).any(|word| {
            matches!(
                word.as_str(),
                "admonition"
                    | "note"
                    | "tip"
                    | "warning"
                    | "caution"
                    | "danger"
                    | "important"
                    | "info"
                    | "callout"
                    | "footnote"
                    | "footnotes"
                    | "alert"
                    | "hint"
                    | "quote"
                    | "pullquote"
                    | "example"
                    | "starlight"
            )
        })
    })
}

fn by_attribute(name: &LocalName, value: &str) -> Chrome {
    match *name {
        local_name!("role") => match value {
            "navigation" | "search" | "dialog" | "alertdialog" | "menu" | "menubar" | "toolbar" => Chrome::Sure,
            "banner" | "contentinfo" | "complementary" => Chrome::Likely,
            _ => Chrome::No,
        },
        local_name!("class") if value.split_ascii_whitespace().any(is_about) => Chrome::Likely,
        local_name!("class") | local_name!("id") => words(value).map(|word| by_word(&word)).max().unwrap_or_default(),
        _ => Chrome::No,
    }
}

/// True for classes of what is told about an article.
fn is_about(class: &str) -> bool {
    matches!(class, "tag-links" | "tags-links" | "cat-links" | "category" | "entry-meta" | "post-meta" | "article-meta")
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

    pub(super) fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.len]).unwrap_or_default()
    }
}

fn by_word(word: &Word) -> Chrome {
    match word.as_str() {
        "nav" | "navbar" | "navigation" | "breadcrumb" | "breadcrumbs" | "cookie" | "cookies" | "consent" | "gdpr"
        | "comments" | "commentlist" | "disqus" | "outbrain" | "taboola" | "pagination" | "newsletter"
        | "newsletters" | "advert" | "adverts" | "advertisement" | "advertisements" | "adsense" | "adsbygoogle"
        | "sharedaddy" | "addthis" | "addtoany" | "noprint" | "masthead" | "shareaholic" | "respond" | "toc"
        | "catlinks" | "editsection" | "jp" | "syndication" => Chrome::Sure,
        "menu" | "submenu" | "sidebar" | "sidebars" | "footer" | "ad" | "ads" | "banner" | "promo" | "promos"
        | "promotion" | "sponsor" | "sponsored" | "sponsors" | "related" | "recommended" | "recommendation"
        | "recommendations" | "recommend" | "share" | "sharing" | "shares" | "sharebar" | "social" | "socials"
        | "subscribe" | "subscription" | "signup" | "comment" | "popup" | "modal" | "overlay" | "lightbox"
        | "widget" | "widgets" | "pager" | "paging" | "toolbar" | "login" | "signin" | "trending" | "popular"
        | "topbar" | "skip" | "tags" | "tagcloud" | "byline" | "bylines" | "dateline" | "timestamp" | "print"
        | "navi" | "bio" | "teasers" | "rail" | "paywall" | "posted" | "rating" | "ratings" | "metabar"
        | "postmeta" | "entrymeta" | "mostread" | "credits" | "credit" | "copyright" | "disclaimer" | "tooltip"
        | "feedback" | "whatsapp" | "twitter" | "facebook" | "carousel" | "slider" | "player" | "gallery"
        | "resgallery" | "slideshow" | "placeholder" | "newsteaser" | "crumbs" | "more" => Chrome::Likely,
        _ => Chrome::No,
    }
}

/// How sure it is by its names that an element holds the article's text, and nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Claim {
    #[default]
    None,
    /// The main part of the page.
    Main,
    /// An article with its head and foot.
    Article,
    /// The text of an article, by its class.
    Body,
    /// The text of an article, as search engines are told.
    Declared,
}

/// What the element claims to be.
pub(super) fn claim(tree: &Tree, id: Id) -> Claim {
    let by_tag = match tree.tag(id) {
        local_name!("main") => Claim::Main,
        local_name!("article") => Claim::Article,
        local_name!("html") | local_name!("body") => return Claim::None,
        _ => Claim::None,
    };
    let Some(element) = tree.element(id).filter(|element| holds_blocks(&element.name.local)) else { return by_tag };
    let claims = element.attributes.iter().map(|attribute| match attribute.name.local {
        local_name!("itemprop") if attribute.value.split_ascii_whitespace().any(|name| name == "articleBody") => {
            Claim::Declared
        }
        local_name!("role") if &*attribute.value == "main" => Claim::Main,
        local_name!("class") | local_name!("id") => {
            attribute.value.split_ascii_whitespace().map(claim_of_name).max().unwrap_or_default()
        }
        _ => Claim::None,
    });
    claims.fold(by_tag, Ord::max)
}

/// True for the lines above an article that sum it up.
pub(super) fn is_lead(tree: &Tree, id: Id) -> bool {
    let Some(element) = tree.element(id) else { return false };
    element.attributes.iter().any(|attribute| {
        let named = matches!(attribute.name.local, local_name!("class") | local_name!("id") | local_name!("itemprop"));
        named && words(&attribute.value).any(|word| is_lead_word(word.as_str()))
    })
}

fn is_lead_word(word: &str) -> bool {
    matches!(
        word,
        "lead"
            | "lede"
            | "intro"
            | "introduction"
            | "standfirst"
            | "subtitle"
            | "subheadline"
            | "excerpt"
            | "teaser"
            | "summary"
            | "abstract"
            | "perex"
            | "vorspann"
            | "chapeau"
            | "description"
            | "sapo"
    )
}

fn holds_blocks(tag: &LocalName) -> bool {
    matches!(
        *tag,
        local_name!("div")
            | local_name!("section")
            | local_name!("article")
            | local_name!("main")
            | local_name!("span")
            | local_name!("td")
            | local_name!("center")
            | local_name!("form")
    )
}

/// Names such as `article-body`, `entry-content`, `storyText`.
fn claim_of_name(name: &str) -> Claim {
    let (mut whole, mut part, mut single) = (false, false, Claim::None);
    let mut count = 0;
    for word in words(name) {
        count += 1;
        match word.as_str() {
            "article" | "articles" | "story" | "post" | "entry" | "news" | "blog" | "single" | "field" => whole = true,
            "body" | "content" | "contents" | "text" | "copy" | "main" => part = true,
            "articlebody" | "articlecontent" | "articletext" | "storybody" | "storytext" | "postcontent"
            | "postbody" | "entrycontent" => single = Claim::Body,
            "header" | "footer" | "title" | "meta" | "image" | "list" | "teaser" | "summary" | "wrapper"
            | "container" | "area" | "before" | "after" | "top" | "bottom" | "navigation" => return Claim::None,
            _ => {}
        }
    }
    match (whole && part && count <= 5, count) {
        (true, _) => Claim::Body.max(single),
        (false, 1) if single == Claim::None && matches!(name, "main" | "content" | "mainContent" | "maincontent") => {
            Claim::Main
        }
        _ => single,
    }
}
