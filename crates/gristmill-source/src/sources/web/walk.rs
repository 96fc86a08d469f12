//! One run over pages: those that are named, those that sitemaps name, and those that links lead to.

use std::collections::{HashSet, VecDeque};
use std::path::Path;

use gristmill_core::{Diagnostic, Error, ErrorKind, Outcome, Result, Retry, Severity};
use url::Url;

use super::address::{Prefix, linked, shown_path};
use super::exchange::{Answer, Exchange, Lost, REDIRECTS_MAX, What};
use super::kinds::kind;
use super::links::links;
use super::{Plan, sitemap};
use crate::copies::{Copies, Kept, Record};
use crate::{Listed, Listing};

/// Sitemaps of one source.
const SITEMAPS_MAX: usize = 1000;

/// A page to be asked for.
struct Stop {
    url: Url,
    /// Links from the page at which the crawl begins.
    depth: u32,
    from: From,
}

/// How a page was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum From {
    /// A crawl begins here.
    Start,
    /// A page of a crawl leads here.
    Link,
    /// It is named, by the settings or by a sitemap: its links are not followed.
    Name,
}

/// What has been done and found so far.
pub(super) struct Walk<'a> {
    plan: &'a Plan,
    copies: &'a Copies,
    exchange: Exchange<'a>,
    queue: VecDeque<Stop>,
    /// Every address that was or will be asked for.
    seen: HashSet<String>,
    listing: Listing,
    diagnostics: Vec<Diagnostic>,
    /// Answers that say what is there.
    answers: usize,
    /// The first page that did not come, and why.
    first_lost: Option<(String, String)>,
    /// True when no more pages may be added.
    full: bool,
    /// True when no more may be asked for.
    over: bool,
}

impl<'a> Walk<'a> {
    pub(super) fn new(plan: &'a Plan, copies: &'a Copies, exchange: Exchange<'a>) -> Self {
        Self {
            plan,
            copies,
            exchange,
            queue: VecDeque::new(),
            seen: HashSet::new(),
            listing: Listing::default(),
            diagnostics: Vec::new(),
            answers: 0,
            first_lost: None,
            full: false,
            over: false,
        }
    }

    /// Asks for all pages.
    ///
    /// # Errors
    /// Remote: not one answer came that says what is there. Input: the cache cannot be written.
    pub(super) fn run(mut self) -> Result<Outcome<Listing>> {
        for url in &self.plan.crawl {
            self.add(url.clone(), 0, From::Start);
        }
        self.empty_queue()?;
        self.sitemaps()?;
        for url in &self.plan.urls {
            self.add(url.clone(), 0, From::Name);
        }
        self.empty_queue()?;
        if let Some((url, why)) = self.first_lost.filter(|_| self.answers == 0) {
            let error = Error::new(ErrorKind::Remote, format!("nothing of the web source can be read: {url}"));
            return Err(error.because(why).retry(Retry::Backoff));
        }
        Ok(self.listing.in_order(self.diagnostics))
    }

    fn add(&mut self, url: Url, depth: u32, from: From) {
        if self.full || self.leaves_out(&url) || self.seen.contains(url.as_str()) {
            return;
        }
        if self.seen.len() >= self.plan.limits.pages {
            self.fill("max_pages");
            return;
        }
        self.seen.insert(url.to_string());
        self.queue.push_back(Stop { url, depth, from });
    }

    /// True for pages that the settings exclude.
    fn leaves_out(&self, url: &Url) -> bool {
        let path = shown_path(url);
        let path = Path::new(&path);
        let mut folders = path.ancestors().skip(1);
        self.plan.selection.leaves_out(path, false)
            || folders.any(|folder| self.plan.selection.leaves_out(folder, true))
    }

    fn empty_queue(&mut self) -> Result<()> {
        while let Some(stop) = self.queue.pop_front() {
            if self.over {
                self.listing.unseen.push(stop.url.into());
            } else {
                self.visit(stop)?;
            }
        }
        Ok(())
    }

    /// Asks for a page, and where it leads to another, for that one.
    fn visit(&mut self, mut stop: Stop) -> Result<()> {
        let mut chain = HashSet::from([stop.url.to_string()]);
        loop {
            let answer = self.exchange.ask(&stop.url, What::Page)?;
            let Answer::Moved { to, for_good } = answer else { return self.take(&stop, answer) };
            let target = match self.target(&stop, &to, for_good) {
                Ok(Some(target)) => target,
                Ok(None) => return Ok(()),
                Err(lost) => return self.lose(&stop, &lost),
            };
            if !chain.insert(target.to_string()) || chain.len() > REDIRECTS_MAX {
                return self.lose(&stop, &Lost::surely("leads in a circle, or on and on"));
            }
            self.copies.note(stop.url.as_str(), Record::Moved(target.to_string()))?;
            if self.leaves_out(&target) || !self.seen.insert(target.to_string()) {
                return Ok(());
            }
            stop.url = target;
        }
    }

    /// Where a redirect leads; `None` where that is no page of this source.
    fn target(&mut self, stop: &Stop, to: &str, for_good: bool) -> Result<Option<Url>, Lost> {
        let Some(target) = linked(&stop.url, to) else {
            return Err(Lost::surely("leads to what is no page of the web"));
        };
        let is_outside = stop.from != From::Name && !holds(&self.plan.crawl_scope, &target);
        // A document that was here comes back when a login or a notice of maintenance has gone.
        if (is_outside || !for_good) && self.copies.kept(stop.url.as_str()).is_some() {
            return Err(Lost::surely(format!("leads elsewhere for now: {target}")));
        }
        if is_outside && stop.from == From::Start {
            return Err(Lost::surely(format!("the crawl leads out of where it may go: {target}")));
        }
        if is_outside {
            self.note("outside", Severity::Info, &stop.url, format!("leads to another place: {target}"));
            self.answers += 1;
            return Ok(None);
        }
        Ok(Some(target))
    }

    fn take(&mut self, stop: &Stop, answer: Answer) -> Result<()> {
        let severity = if stop.from == From::Name { Severity::Low } else { Severity::Info };
        match answer {
            Answer::Document(kept) => self.document(stop, &kept),
            Answer::Gone if stop.from == From::Start => {
                return self.lose(stop, &Lost { why: "there is no such page".to_owned(), sure: false });
            }
            Answer::Gone => {
                self.answers += 1;
                self.copies.forget(stop.url.as_str());
                self.note("gone", severity, &stop.url, "there is no such page");
            }
            Answer::NoDocument(content_type) => {
                self.answers += 1;
                self.copies.forget(stop.url.as_str());
                let what = content_type.chars().filter(|c| !c.is_control()).take(100).collect::<String>();
                self.note("content-type", severity, &stop.url, format!("is no document, its content type is `{what}`"));
            }
            Answer::Lost(lost) => return self.lose(stop, &lost),
            Answer::Over(limit) => {
                self.listing.unseen.push(stop.url.to_string());
                self.end(limit);
            }
            Answer::Moved { .. } => {}
        }
        Ok(())
    }

    fn document(&mut self, stop: &Stop, kept: &Kept) {
        self.answers += 1;
        if self.plan.selection.wants(Path::new(&shown_path(&stop.url)), false) {
            let modified = kept.last_modified.as_ref().and_then(|time| httpdate::parse_http_date(time).ok());
            self.listing.entries.push(Listed { path: stop.url.to_string(), size: kept.size, modified, escaped: false });
        }
        self.go_on(stop, kept);
    }

    /// Adds what a page of a crawl leads to.
    fn go_on(&mut self, stop: &Stop, kept: &Kept) {
        let is_page = kind(kept.content_type.as_deref(), &stop.url) == Some("html");
        if stop.from == From::Name || !is_page || stop.depth >= self.plan.limits.depth {
            return;
        }
        let html = self.copies.read_body(kept).unwrap_or_default();
        for url in links(&stop.url, &html) {
            if holds(&self.plan.crawl_scope, &url) {
                self.add(url, stop.depth + 1, From::Link);
            }
        }
    }

    /// It is not known what is at a page. What it led to before is asked for still; where that is not known, nothing may
    /// be taken for deleted.
    fn lose(&mut self, stop: &Stop, lost: &Lost) -> Result<()> {
        let address = stop.url.as_str();
        self.listing.unseen.push(address.to_owned());
        self.note("unreachable", Severity::High, &stop.url, lost.why.clone());
        self.first_lost.get_or_insert_with(|| (address.to_owned(), lost.why.clone()));
        match self.copies.record(address) {
            Some(Record::Body(kept)) => self.go_on(stop, &kept),
            Some(Record::Moved(to)) => {
                if let Some(target) = linked(&stop.url, &to) {
                    self.add(target, stop.depth, stop.from);
                }
            }
            Some(Record::Nothing) => {}
            None => {
                if !lost.sure {
                    self.listing.unseen.push(String::new());
                }
                self.copies.note(address, Record::Nothing)?;
            }
        }
        Ok(())
    }

    /// A limit has been reached, and nothing more is asked for.
    fn end(&mut self, limit: &'static str) {
        self.over = true;
        self.fill(limit);
    }

    /// A limit has been reached, and nothing is added to what is to be asked for.
    fn fill(&mut self, limit: &'static str) {
        if std::mem::replace(&mut self.full, true) {
            return;
        }
        self.listing.unseen.push(String::new());
        let said = Diagnostic::new(
            "limit",
            Severity::High,
            &self.plan.name,
            format!("not all was looked at: `{limit}` is reached"),
        );
        self.diagnostics.push(said.help(format!("raise `{limit}` of the source, or have it read less")));
    }

    fn note(&mut self, code: &'static str, severity: Severity, url: &Url, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::new(code, severity, url.as_str(), message));
    }

    fn sitemaps(&mut self) -> Result<()> {
        let mut queue: VecDeque<Url> = self.plan.sitemaps.iter().cloned().collect();
        let mut seen: HashSet<String> = queue.iter().map(Url::to_string).collect();
        while let Some(url) = queue.pop_front().filter(|_| !self.full) {
            let Some(kept) = self.sitemap(&url)? else { continue };
            let bytes = self.copies.read_body(&kept).unwrap_or_default();
            let map = match sitemap::parse(&bytes) {
                Ok(map) => map,
                Err(why) => {
                    self.no_sitemap(&url, &why);
                    continue;
                }
            };
            let inside = self.inside(&url, &map.sitemaps);
            queue.extend(inside.into_iter().filter(|url| seen.insert(url.to_string())));
            if seen.len() > SITEMAPS_MAX {
                self.no_sitemap(&url, &format!("names more than {SITEMAPS_MAX} sitemaps"));
                queue.clear();
            }
            for url in self.inside(&url, &map.pages) {
                self.add(url, 0, From::Name);
            }
        }
        Ok(())
    }

    /// A sitemap, or the copy of one that cannot be had for now.
    fn sitemap(&mut self, url: &Url) -> Result<Option<Kept>> {
        let (last, answer) = self.exchange.follow(url, What::Sitemap)?;
        let url = &last;
        let why = match answer {
            Answer::Document(kept) => return Ok(Some(kept)),
            Answer::Over(limit) => {
                self.end(limit);
                return Ok(None);
            }
            Answer::Lost(lost) => lost.why,
            Answer::Gone | Answer::NoDocument(_) | Answer::Moved { .. } => "there is no such sitemap".to_owned(),
        };
        if let Some(kept) = self.copies.kept(url.as_str()) {
            self.listing.unseen.push(url.to_string());
            self.note("unreachable", Severity::High, url, format!("the copy of the sitemap is used, since {why}"));
            return Ok(Some(kept));
        }
        self.no_sitemap(url, &why);
        Ok(None)
    }

    fn no_sitemap(&mut self, url: &Url, why: &str) {
        self.listing.unseen.push(String::new());
        self.note("unreachable", Severity::High, url, format!("the sitemap cannot be read: {why}"));
        self.first_lost.get_or_insert_with(|| (url.to_string(), why.to_owned()));
    }

    /// Of the addresses in a sitemap those that it may name.
    fn inside(&mut self, map: &Url, named: &[String]) -> Vec<Url> {
        let own = [Prefix::whole(map)];
        let scope = if self.plan.within.is_empty() { &own[..] } else { &self.plan.within };
        let count = named.len();
        let urls = named.iter().filter_map(|url| linked(map, url)).filter(|url| holds(scope, url));
        let urls: Vec<Url> = urls.collect();
        if urls.len() < count {
            let others = count - urls.len();
            let said =
                format!("{others} addresses of the sitemap are left out: they are of another place, or no pages");
            self.note("outside", Severity::Low, map, said);
        }
        urls
    }
}

fn holds(scope: &[Prefix], url: &Url) -> bool {
    scope.iter().any(|prefix| prefix.holds(url))
}
