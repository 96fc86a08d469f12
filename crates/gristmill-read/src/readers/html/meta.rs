//! What a page declares of itself: title, description, author, date, language, address, keywords.

use std::collections::VecDeque;

use gristmill_core::Attrs;
use html5ever::{LocalName, local_name, ns};
use serde_json::Value;

use super::tree::{Id, ROOT, Tree};

/// Reads the head of the page, with what is written in it for search engines.
pub(super) fn attrs(tree: &Tree) -> Attrs {
    let page = Declared::read(tree);
    let mut attrs = Attrs::new();
    let mut set = |name: &str, value: Option<String>| {
        if let Some(value) = value.map(|value| folded(&value)).filter(|value| !value.is_empty()) {
            attrs.insert(name.to_owned(), Value::String(value));
        }
    };
    set("title", page.title(tree));
    set("description", page.first(&["og:description", "description", "twitter:description", "dc.description"]));
    set("author", page.author());
    set("date", page.date());
    set("language", page.language());
    set("url", page.canonical.clone().or_else(|| page.first(&["og:url"])));
    set("site_name", page.first(&["og:site_name"]));
    if let Some(keywords) = page.first(&["keywords", "news_keywords"]) {
        let words: Vec<Value> = keywords
            .split([',', ';', '，', '、'])
            .map(folded)
            .filter(|word| !word.is_empty())
            .map(Value::String)
            .collect();
        if !words.is_empty() {
            attrs.insert("keywords".to_owned(), Value::Array(words));
        }
    }
    attrs
}

/// The label of the encoding that a `meta` element near the start of the page declares.
pub(super) fn declared_encoding(bytes: &[u8]) -> Option<&[u8]> {
    const HEAD: usize = 8192;
    let head = &bytes[..bytes.len().min(HEAD)];
    memchr::memchr_iter(b'<', head).find_map(|at| {
        let tag = &head[at + 1..];
        let named = tag.get(..4).is_some_and(|name| name.eq_ignore_ascii_case(b"meta"));
        let end = memchr::memchr(b'>', tag).unwrap_or(tag.len());
        named.then(|| charset(&tag[..end])).flatten()
    })
}

/// The value after `charset=`.
fn charset(tag: &[u8]) -> Option<&[u8]> {
    let lower = tag.to_ascii_lowercase();
    let at = memchr::memmem::find(&lower, b"charset")? + "charset".len();
    let value = tag[at..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let value = value.strip_prefix(b"\"").or(value.strip_prefix(b"'")).unwrap_or(value).trim_ascii_start();
    let is_label = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b':' | b'.');
    let len = value.iter().take_while(is_label).count();
    (len > 0).then(|| &value[..len])
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Names of one `meta` element that are taken: each holds its content.
const NAMES: usize = 4;

#[derive(Default)]
struct Declared {
    /// Names of `meta` elements in lower case, with their contents.
    metas: Vec<(String, String)>,
    title: Option<String>,
    canonical: Option<String>,
    language: Option<String>,
    /// Objects of JSON-LD that describe an article, else a page.
    linked: VecDeque<Value>,
    time: Option<String>,
}

impl Declared {
    fn read(tree: &Tree) -> Self {
        let mut declared = Self::default();
        for id in tree.within(ROOT) {
            if tree.element(id).is_some_and(|element| element.name.ns == ns!(html)) {
                declared.element(tree, id);
            }
        }
        declared
    }

    fn element(&mut self, tree: &Tree, id: Id) {
        let text = || tree.children(id).filter_map(|child| tree.text(child)).collect::<String>();
        match tree.tag(id) {
            local_name!("html") => self.language = tree.attribute(id, &local_name!("lang")).map(str::to_owned),
            local_name!("title") if self.title.is_none() => self.title = Some(text()),
            local_name!("meta") => self.meta(tree, id),
            local_name!("link") if tree.attribute(id, &local_name!("rel")) == Some("canonical") => {
                self.canonical = tree.attribute(id, &local_name!("href")).map(str::to_owned);
            }
            local_name!("script")
                if tree.attribute(id, &local_name!("type")).is_some_and(|t| t.contains("ld+json")) =>
            {
                if let Ok(value) = serde_json::from_str(text().trim()) {
                    collect(value, &mut self.linked);
                }
            }
            local_name!("time") if self.time.is_none() => {
                self.time =
                    tree.attribute(id, &local_name!("datetime")).filter(|time| is_date(time)).map(str::to_owned);
            }
            _ => {
                let published = tree.attribute(id, &local_name!("itemprop")) == Some("datePublished");
                if let (true, Some(content)) = (published, tree.attribute(id, &local_name!("content"))) {
                    self.metas.push(("datepublished".to_owned(), content.to_owned()));
                }
            }
        }
    }

    fn meta(&mut self, tree: &Tree, id: Id) {
        let get = |name: &LocalName| tree.attribute(id, name);
        let Some(content) = get(&local_name!("content")) else { return };
        let names = [get(&local_name!("property")), get(&local_name!("name")), get(&local_name!("itemprop"))];
        for name in names.into_iter().flatten().flat_map(|names| names.split_ascii_whitespace().take(NAMES)) {
            self.metas.push((name.to_ascii_lowercase(), content.to_owned()));
        }
        if get(&local_name!("http-equiv")).is_some_and(|name| name.eq_ignore_ascii_case("content-language")) {
            self.metas.push(("content-language".to_owned(), content.to_owned()));
        }
    }

    /// The first of `names` that says something.
    fn first(&self, names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| {
            let mut found = self.metas.iter().filter(|(had, content)| had == name && !content.trim().is_empty());
            found.next().map(|(_, content)| content.clone())
        })
    }

    fn title(&self, tree: &Tree) -> Option<String> {
        let declared = self.first(&["og:title", "twitter:title", "dc.title", "citation_title"]);
        let declared = declared.or_else(|| self.linked_text("headline"));
        declared.or_else(|| self.title.as_deref().map(|title| without_site(tree, title)))
    }

    fn author(&self) -> Option<String> {
        let is_name = |name: &String| !name.contains("://");
        let declared = self.first(&["author", "dc.creator", "parsely-author", "sailthru.author", "citation_author"]);
        let declared =
            declared.filter(is_name).or_else(|| self.linked.iter().find_map(|value| names(value.get("author")?)));
        declared.or_else(|| self.first(&["article:author", "og:article:author", "byl"]).filter(is_name))
    }

    fn date(&self) -> Option<String> {
        let names = [
            "article:published_time",
            "og:published_time",
            "datepublished",
            "date",
            "dc.date",
            "dc.date.issued",
            "dcterms.created",
            "parsely-pub-date",
            "sailthru.date",
            "publishdate",
            "pubdate",
            "citation_publication_date",
        ];
        let declared = names.iter().filter_map(|name| self.first(&[name])).find(|date| is_date(date));
        let declared = declared.or_else(|| self.linked_text("datePublished").filter(|date| is_date(date)));
        declared.or_else(|| self.time.clone())
    }

    fn language(&self) -> Option<String> {
        let code = |text: &String| {
            let text = text.trim();
            let fits = (2..=12).contains(&text.len())
                && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
            fits.then(|| text.replace('_', "-"))
        };
        let declared = self.language.as_ref().and_then(code);
        declared.or_else(|| {
            self.first(&["content-language", "og:locale", "language", "dc.language"]).as_ref().and_then(code)
        })
    }

    fn linked_text(&self, name: &str) -> Option<String> {
        self.linked.iter().find_map(|value| value.get(name)?.as_str().map(str::to_owned))
    }
}

/// A title without the name of the site, where a heading of the page tells which part that is.
fn without_site(tree: &Tree, title: &str) -> String {
    let title = folded(title);
    let headings = tree.within(ROOT).filter(|id| matches!(tree.tag(*id), local_name!("h1") | local_name!("h2")));
    let texts = headings.take(50).map(|id| folded(&text_of(tree, id)));
    let found =
        texts.filter(|text| text.chars().count() > 3 && title.starts_with(text.as_str())).max_by_key(String::len);
    found.unwrap_or(title)
}

/// The text that an element holds.
pub(super) fn text_of(tree: &Tree, id: Id) -> String {
    tree.within(id).filter_map(|id| tree.text(id)).collect()
}

/// Four digits of a year and something that looks like a month.
fn is_date(text: &str) -> bool {
    let bytes = text.trim().as_bytes();
    let year = text.trim().get(..4).and_then(|year| year.parse().ok());
    let year = year.is_some_and(|year: u32| (1500..2200).contains(&year));
    let month = bytes.get(5..7).is_some_and(|month| month.iter().all(u8::is_ascii_digit));
    year && (month || bytes.len() == 4)
}

/// The objects of a JSON-LD text that describe a page, articles first.
fn collect(value: Value, out: &mut VecDeque<Value>) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(values) => open.extend(values),
            Value::Object(mut object) => {
                if let Some(graph) = object.remove("@graph") {
                    open.push(graph);
                }
                let value = Value::Object(object);
                let kind = value.get("@type").map(Value::to_string).unwrap_or_default();
                let article = ["Article", "Posting", "Report"].iter().any(|name| kind.contains(name));
                if article {
                    out.push_front(value);
                } else if kind.contains("WebPage") {
                    out.push_back(value);
                }
            }
            _ => {}
        }
    }
}

/// The names of one or more authors.
fn names(value: &Value) -> Option<String> {
    let one = |value: &Value| value.get("name").and_then(Value::as_str).or(value.as_str()).map(str::to_owned);
    let all = match value {
        Value::Array(values) => values.iter().filter_map(one).collect::<Vec<_>>().join(", "),
        value => one(value)?,
    };
    (!all.is_empty() && !all.contains("://")).then_some(all)
}
