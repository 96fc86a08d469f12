//! What elements are to the page, by their names and classes: parts of its frame, or holders of the article.

use html5ever::{LocalName, local_name};
use rustc_hash::FxHashMap;

use super::names::{Word, Words, words};
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

/// What classes say, each looked at once: most elements of a page have one that others have, too.
#[derive(Default)]
pub(super) struct Classes<'t>(FxHashMap<&'t str, (Chrome, Claim)>);

impl<'t> Classes<'t> {
    fn of(&mut self, class: &'t str) -> (Chrome, Claim) {
        *self.0.entry(class).or_insert_with(|| {
            let about = class.split_ascii_whitespace().any(is_about);
            (if about { Chrome::Likely } else { by_words(class) }, claim_of_names(class))
        })
    }
}

/// What the element and its names say.
pub(super) fn roles<'t>(tree: &'t Tree, id: Id, classes: &mut Classes<'t>) -> (Chrome, Claim) {
    let tag = tree.tag(id);
    let mut chrome = match tag {
        local_name!("nav")
        | local_name!("dialog")
        | local_name!("menu")
        | local_name!("footer")
        | local_name!("button") => Chrome::Sure,
        local_name!("aside") if !is_admonition(tree, id) => Chrome::Sure,
        _ => Chrome::No,
    };
    let mut claim = match tag {
        local_name!("main") => Claim::Main,
        local_name!("article") => Claim::Article,
        _ => Claim::None,
    };
    let Some(element) = tree.element(id) else { return (chrome, claim) };
    let own = &element.name.local;
    let by_names = !matches!(*own, local_name!("html") | local_name!("body"));
    let is_chrome = by_names && !matches!(*own, local_name!("main") | local_name!("article")) && !is_part(own);
    let claims = by_names && holds_blocks(own);
    for attribute in &element.attributes {
        let value = &*attribute.value;
        let said = match attribute.name.local {
            local_name!("role") => of_role(value),
            local_name!("class") => classes.of(value),
            local_name!("id") => (by_words(value), claim_of_names(value)),
            local_name!("itemprop") if value.split_ascii_whitespace().any(|name| name == "articleBody") => {
                (Chrome::No, Claim::Declared)
            }
            _ => continue,
        };
        chrome = if is_chrome { chrome.max(said.0) } else { chrome };
        claim = if claims { claim.max(said.1) } else { claim };
    }
    (chrome, claim)
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

fn of_role(role: &str) -> (Chrome, Claim) {
    match role {
        "navigation" | "search" | "dialog" | "alertdialog" | "menu" | "menubar" | "toolbar" => {
            (Chrome::Sure, Claim::None)
        }
        "banner" | "contentinfo" | "complementary" => (Chrome::Likely, Claim::None),
        "main" => (Chrome::No, Claim::Main),
        _ => (Chrome::No, Claim::None),
    }
}

fn by_words(names: &str) -> Chrome {
    words(names).map(|word| by_word(&word)).max().unwrap_or_default()
}

fn claim_of_names(names: &str) -> Claim {
    names.split_ascii_whitespace().map(claim_of_name).max().unwrap_or_default()
}

/// True for classes of what is told about an article.
fn is_about(class: &str) -> bool {
    matches!(class, "tag-links" | "tags-links" | "cat-links" | "category" | "entry-meta" | "post-meta" | "article-meta")
}

fn by_word(word: &Word) -> Chrome {
    match word.as_bytes() {
        word if SURE.holds(word) => Chrome::Sure,
        word if LIKELY.holds(word) => Chrome::Likely,
        _ => Chrome::No,
    }
}

/// Words for what is never part of an article.
static SURE: Words = Words::new(&[
    "nav",
    "navbar",
    "navigation",
    "breadcrumb",
    "breadcrumbs",
    "cookie",
    "cookies",
    "consent",
    "gdpr",
    "comments",
    "commentlist",
    "disqus",
    "outbrain",
    "taboola",
    "pagination",
    "newsletter",
    "newsletters",
    "advert",
    "adverts",
    "advertisement",
    "advertisements",
    "adsense",
    "adsbygoogle",
    "sharedaddy",
    "addthis",
    "addtoany",
    "noprint",
    "masthead",
    "shareaholic",
    "respond",
    "toc",
    "catlinks",
    "editsection",
    "jp",
    "syndication",
]);

/// Words that may mean something else, too.
static LIKELY: Words = Words::new(&[
    "menu",
    "submenu",
    "sidebar",
    "sidebars",
    "footer",
    "ad",
    "ads",
    "banner",
    "promo",
    "promos",
    "promotion",
    "sponsor",
    "sponsored",
    "sponsors",
    "related",
    "recommended",
    "recommendation",
    "recommendations",
    "recommend",
    "share",
    "sharing",
    "shares",
    "sharebar",
    "social",
    "socials",
    "subscribe",
    "subscription",
    "signup",
    "comment",
    "popup",
    "modal",
    "overlay",
    "lightbox",
    "widget",
    "widgets",
    "pager",
    "paging",
    "toolbar",
    "login",
    "signin",
    "trending",
    "popular",
    "topbar",
    "skip",
    "tags",
    "tagcloud",
    "byline",
    "bylines",
    "dateline",
    "timestamp",
    "print",
    "navi",
    "bio",
    "teasers",
    "rail",
    "paywall",
    "posted",
    "rating",
    "ratings",
    "metabar",
    "postmeta",
    "entrymeta",
    "mostread",
    "credits",
    "credit",
    "copyright",
    "disclaimer",
    "tooltip",
    "feedback",
    "whatsapp",
    "twitter",
    "facebook",
    "carousel",
    "slider",
    "player",
    "gallery",
    "resgallery",
    "slideshow",
    "placeholder",
    "newsteaser",
    "crumbs",
    "more",
]);

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
