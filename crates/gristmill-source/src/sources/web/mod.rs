//! Pages of the web: those of a list, of sitemaps, and those that links lead to within a part of a site.

mod address;
mod exchange;
mod kinds;
mod links;
mod markup;
mod robots;
mod sitemap;
mod walk;

use std::time::Duration;

use gristmill_core::{Error, Outcome, Result};
use gristmill_http::{Addresses, Client, ClientOptions};
use url::Url;

use self::address::{Prefix, given};
use self::exchange::{Exchange, Limits};
use self::walk::Walk;
use crate::copies::Copies;
use crate::select::Selection;
use crate::{Listed, Listing, Raw, Source, SourceSpec, WebSpec};

/// The documents of a part of the web.
///
/// A document is named by its address: as the URL standard writes it, without fragment and needless escapes; where an
/// address leads to another one, by the last. Listing asks for every page, one at a time, with pauses, as `robots.txt` of
/// its host allows, and for a page that is known only whether it has changed. What came is kept in the cache, and fetching
/// answers from there.
///
/// A page that does not exist (404, 410) is gone; one that does not come is unseen. Addresses of this machine and of
/// private networks are not connected to unless that is allowed.
#[derive(Debug)]
pub struct WebSource {
    plan: Plan,
    client: Client,
    copies: Copies,
}

/// Settings that were checked.
#[derive(Debug)]
struct Plan {
    urls: Vec<Url>,
    sitemaps: Vec<Url>,
    crawl: Vec<Url>,
    /// Where crawls may go.
    crawl_scope: Vec<Prefix>,
    /// What the settings allow; empty where they say nothing.
    within: Vec<Prefix>,
    selection: Selection,
    limits: Limits,
    /// What stands for the source as a whole in messages.
    name: String,
}

/// The entry of the registry.
pub(super) fn build(spec: &SourceSpec) -> Result<Box<dyn Source>> {
    Ok(Box::new(WebSource::open(spec)?))
}

impl WebSource {
    /// Checks the settings and makes the cache. Nothing is asked for yet.
    ///
    /// # Errors
    /// Config: the settings are wrong. Input: the cache cannot be made.
    pub fn open(spec: &SourceSpec) -> Result<Self> {
        let web = spec.web.as_ref().ok_or_else(nothing_named)?;
        let plan = Plan::new(spec, web)?;
        let copies = Copies::open(&spec.folder, spec.cache.as_ref(), "web")?;
        let client = Client::new(ClientOptions {
            timeout: web.timeout.unwrap_or(Duration::from_secs(30)),
            body_limit: plan.limits.page_bytes.max(sitemap::BYTES_MAX),
            idle_connections: 1,
            proxy: web.proxy.clone(),
            addresses: if web.allow_private { Addresses::Any } else { Addresses::Public },
            ..ClientOptions::default()
        })?;
        Ok(Self { plan, client, copies })
    }
}

impl Plan {
    fn new(spec: &SourceSpec, web: &WebSpec) -> Result<Self> {
        let all = |texts: &[String], key: &str| texts.iter().map(|text| given(text, key)).collect::<Result<Vec<Url>>>();
        let (urls, sitemaps, crawl) =
            (all(&web.urls, "urls")?, all(&web.sitemaps, "sitemaps")?, all(&web.crawl, "crawl")?);
        let within: Vec<Prefix> = all(&web.within, "within")?.iter().map(Prefix::below).collect();
        let crawl_scope = if within.is_empty() { crawl.iter().map(Prefix::beside).collect() } else { within.clone() };
        let first = crawl.iter().chain(&sitemaps).chain(&urls).next().ok_or_else(nothing_named)?;
        let page_bytes = web.max_page_bytes.unwrap_or(32 << 20);
        Ok(Self {
            name: first.to_string(),
            selection: Selection::new(&spec.include, &spec.exclude, spec.readmes)?,
            limits: Limits {
                depth: web.depth.unwrap_or(u32::MAX),
                pages: web.max_pages.unwrap_or(10_000),
                bytes: web.max_bytes.unwrap_or(2 << 30),
                page_bytes: usize::try_from(page_bytes).unwrap_or(usize::MAX),
                time: web.max_time.unwrap_or(Duration::from_secs(3600)),
                delay: web.delay.unwrap_or(Duration::from_millis(100)),
            },
            urls,
            sitemaps,
            crawl,
            crawl_scope,
            within,
        })
    }
}

fn nothing_named() -> Error {
    Error::config("a web source needs one of `urls`, `sitemaps` and `crawl`")
}

impl Source for WebSource {
    fn list(&self) -> Result<Outcome<Listing>> {
        let exchange = Exchange::new(&self.client, &self.copies, &self.plan.limits);
        Walk::new(&self.plan, &self.copies, exchange).run()
    }

    fn fetch(&self, listed: &Listed) -> Result<Raw> {
        let kept = self.copies.kept(&listed.path);
        let kept =
            kept.ok_or_else(|| Error::input(format!("the cache has no copy of the page any more: {}", listed.path)))?;
        self.copies.open_body(&kept)
    }

    fn extension(&self, listed: &Listed) -> Option<&'static str> {
        let url = Url::parse(&listed.path).ok()?;
        kinds::kind(self.copies.kept(&listed.path)?.content_type.as_deref(), &url)
    }
}
