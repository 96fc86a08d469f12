//! Which pages of the web are read.

use std::time::Duration;

use gristmill_source::WebSpec;
use serde::Serialize;

use super::SourceOptions;
use crate::config::Env;
use crate::open::proxy;

/// Which pages are read. What is `None` is as the source has it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WebSettings {
    /// Pages.
    pub urls: Vec<String>,
    /// Sitemaps, and indexes of them.
    pub sitemaps: Vec<String>,
    /// Pages from which links are followed.
    pub crawl: Vec<String>,
    /// What sitemaps and crawls are bound to.
    pub within: Vec<String>,
    /// Links between the page at which a crawl begins and any other.
    pub depth: Option<u32>,
    /// The most addresses that are asked for.
    pub max_pages: Option<usize>,
    /// The most bytes of all new and changed pages.
    pub max_bytes: Option<u64>,
    /// The most bytes of one page.
    pub max_page_bytes: Option<u64>,
    /// The longest that looking for pages may take, in seconds.
    pub max_seconds: Option<u64>,
    /// The pause between two requests to a host, in milliseconds.
    pub delay_ms: Option<u64>,
    /// Allow addresses of this machine and of private networks.
    pub allow_private: bool,
}

impl WebSettings {
    pub(super) fn resolve(options: &SourceOptions) -> Self {
        let list = |urls: &Option<Vec<String>>| urls.clone().unwrap_or_default();
        Self {
            urls: list(&options.urls),
            sitemaps: list(&options.sitemaps),
            crawl: list(&options.crawl),
            within: list(&options.within),
            depth: options.depth,
            max_pages: options.max_pages,
            max_bytes: options.max_bytes,
            max_page_bytes: options.max_page_bytes,
            max_seconds: options.max_seconds,
            delay_ms: options.delay_ms,
            allow_private: options.allow_private.unwrap_or_default(),
        }
    }

    pub(super) fn spec(&self, timeout: Option<Duration>, env: &Env) -> WebSpec {
        let first = self.urls.iter().chain(&self.sitemaps).chain(&self.crawl).next();
        WebSpec {
            urls: self.urls.clone(),
            sitemaps: self.sitemaps.clone(),
            crawl: self.crawl.clone(),
            within: self.within.clone(),
            depth: self.depth,
            max_pages: self.max_pages,
            max_bytes: self.max_bytes,
            max_page_bytes: self.max_page_bytes,
            max_time: self.max_seconds.map(Duration::from_secs),
            timeout,
            delay: self.delay_ms.map(Duration::from_millis),
            allow_private: self.allow_private,
            proxy: proxy(env, first.map(String::as_str)),
        }
    }
}
