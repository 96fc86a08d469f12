//! What elements are to the page, by their names and classes: parts of its frame, or holders of the article.

use html5ever::{LocalName, local_name};

use super::names::{Word, words};
use super::tree::{Id, Tree};

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
