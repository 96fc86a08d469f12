//! Asking for one page: politely, within the limits, and only for what has changed.

use std::collections::HashMap;
use std::time::{Duration, Instant, SystemTime};

use gristmill_core::{Error, Result};
use gristmill_http::{Client, Headers, Response, Trouble, TroubleKind, retry_after};
use url::{Position, Url};

use super::address::linked;
use super::kinds::kind;
use super::robots::Robots;
use super::sitemap;
use crate::copies::{Copies, Kept};

/// Redirects from one address on.
pub(super) const REDIRECTS_MAX: usize = 10;

/// Bytes of a `robots.txt`. RFC 9309, 2.5, asks for no less than half of it.
const ROBOTS_MAX: usize = 1 << 20;

/// How often is asked for one page.
const ATTEMPTS: u32 = 3;

/// The longest pause that is made because a host asks for one.
const PAUSE_MAX: Duration = Duration::from_secs(120);

/// A host that failed as often in a row is left alone.
const FAILURES_MAX: u32 = 3;

/// Later than any date a host names: without a clock, a date that is to be compared with it asks for nothing.
const FAR: Duration = Duration::from_secs(253_402_300_799);

/// What a source may take.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    pub(super) depth: u32,
    pub(super) pages: usize,
    pub(super) bytes: u64,
    pub(super) page_bytes: usize,
    pub(super) time: Duration,
    pub(super) delay: Duration,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Page,
    Sitemap,
    Robots,
}

/// What came of it.
#[derive(Debug)]
pub(super) enum Answer {
    /// A document, which is kept.
    Document(Kept),
    /// Something of this content type.
    NoDocument(String),
    /// It is elsewhere.
    Moved { to: String, for_good: bool },
    /// There is nothing any more.
    Gone,
    /// It is not known what there is.
    Lost(Lost),
    /// A limit of the whole source has been reached: which.
    Over(&'static str),
}

/// Why it is not known what there is.
#[derive(Clone, Debug)]
pub(super) struct Lost {
    pub(super) why: String,
    /// True when asking again would bring the same.
    pub(super) sure: bool,
}

impl Lost {
    pub(super) fn surely(why: impl Into<String>) -> Self {
        Self { why: why.into(), sure: true }
    }

    fn perhaps(why: impl Into<String>) -> Self {
        Self { why: why.into(), sure: false }
    }
}

/// The requests of one run.
pub(super) struct Exchange<'a> {
    client: &'a Client,
    copies: &'a Copies,
    limits: &'a Limits,
    deadline: Instant,
    bytes_left: u64,
    hosts: HashMap<String, Host>,
}

/// What is known of a host.
#[derive(Debug, Default)]
struct Host {
    robots: Option<Result<Robots, Lost>>,
    /// When it may be asked next.
    next: Option<Instant>,
    failures: u32,
    /// Why it is asked nothing any more.
    down: Option<String>,
}

impl<'a> Exchange<'a> {
    pub(super) fn new(client: &'a Client, copies: &'a Copies, limits: &'a Limits) -> Self {
        let now = Instant::now();
        // A time beyond what the clock can say is no limit in practice.
        let deadline = now.checked_add(limits.time).unwrap_or(now + Duration::from_secs(86_400 * 365));
        Self { client, copies, limits, deadline, bytes_left: limits.bytes, hosts: HashMap::new() }
    }

    /// Asks for one address. Redirects are told, not followed.
    pub(super) fn ask(&mut self, url: &Url, what: What) -> Result<Answer> {
        if what != What::Robots
            && let Some(answer) = self.barred(url)?
        {
            return Ok(answer);
        }
        let kept = self.copies.kept(url.as_str());
        for attempt in 0.. {
            if let Some(answer) = self.await_turn(url) {
                return Ok(answer);
            }
            let response = self.send(url, what, kept.as_ref());
            self.took(url);
            let last = attempt + 1 >= ATTEMPTS;
            match response {
                Ok(response) => match self.pause_asked(url, &response, attempt) {
                    Some(pause) if !last && pause <= PAUSE_MAX => self.wait(url, pause),
                    Some(pause) => return Ok(self.refused(url, &response, pause)),
                    None => return self.read(url, what, &response, kept),
                },
                Err(trouble) if trouble.may_pass() && attempt == 0 => self.wait(url, self.backoff(attempt)),
                Err(trouble) => return Ok(self.failed(url, &trouble)),
            }
        }
        Err(Error::bug("a page was asked for without end"))
    }

    /// The same, going where it leads. Answers with the last address as well.
    pub(super) fn follow(&mut self, url: &Url, what: What) -> Result<(Url, Answer)> {
        let mut url = url.clone();
        for _ in 0..=REDIRECTS_MAX {
            let answer = self.ask(&url, what)?;
            let Answer::Moved { to, .. } = &answer else { return Ok((url, answer)) };
            let Some(target) = linked(&url, to) else {
                return Ok((url, Answer::Lost(Lost::surely("leads to what is no page"))));
            };
            url = target;
        }
        Ok((url, Answer::Lost(Lost::surely("leads on and on"))))
    }

    fn host(&mut self, url: &Url) -> &mut Host {
        self.hosts.entry(url[..Position::BeforePath].to_owned()).or_default()
    }

    /// An answer without asking: the host has failed too often, or wants no such request.
    fn barred(&mut self, url: &Url) -> Result<Option<Answer>> {
        if let Some(why) = &self.host(url).down {
            return Ok(Some(Answer::Lost(Lost::perhaps(why.clone()))));
        }
        if self.host(url).robots.is_none() {
            let robots = match self.robots(url)? {
                Ok(robots) => robots,
                Err(over) => return Ok(Some(over)),
            };
            self.host(url).robots = Some(robots);
        }
        Ok(match &self.host(url).robots {
            Some(Ok(robots)) if !robots.allow(&url[Position::BeforePath..Position::AfterQuery]) => {
                Some(Answer::Lost(Lost::surely("`robots.txt` of the host forbids it")))
            }
            Some(Err(lost)) => Some(Answer::Lost(lost.clone())),
            _ => None,
        })
    }

    /// What the host asks for (RFC 9309, 2.3.1): nothing where it has no such file, and to be left alone where it is not
    /// known whether it has one. The outer error is a limit of the whole.
    fn robots(&mut self, url: &Url) -> Result<Result<Result<Robots, Lost>, Answer>> {
        let mut place = url.clone();
        place.set_path("/robots.txt");
        place.set_query(None);
        let (_, answer) = self.follow(&place, What::Robots)?;
        let robots = match answer {
            Answer::Document(kept) => Ok(Robots::parse(&self.copies.read_body(&kept).unwrap_or_default())),
            Answer::Gone | Answer::NoDocument(_) | Answer::Moved { .. } => Ok(Robots::default()),
            Answer::Lost(Lost { why, sure }) => {
                Err(Lost { why: format!("`robots.txt` of the host cannot be read: {why}"), sure })
            }
            Answer::Over(limit) => return Ok(Err(Answer::Over(limit))),
        };
        Ok(Ok(robots))
    }

    /// Waits until the host may be asked. An answer when the time is up before.
    fn await_turn(&mut self, url: &Url) -> Option<Answer> {
        let now = Instant::now();
        let next = self.host(url).next.unwrap_or(now).max(now);
        if next >= self.deadline {
            return Some(Answer::Over("max_time"));
        }
        std::thread::sleep(next - now);
        None
    }

    /// The host was asked just now.
    fn took(&mut self, url: &Url) {
        let delay = self.limits.delay;
        let robots = self.host(url).robots.as_ref().and_then(|robots| robots.as_ref().ok()?.delay);
        self.wait(url, robots.unwrap_or_default().max(delay));
    }

    fn wait(&mut self, url: &Url, pause: Duration) {
        let next = Instant::now().checked_add(pause).unwrap_or(self.deadline);
        let host = self.host(url);
        host.next = host.next.max(Some(next));
    }

    fn backoff(&self, attempt: u32) -> Duration {
        self.limits.delay.saturating_mul(10 << attempt.min(8))
    }

    fn send(&self, url: &Url, what: What, kept: Option<&Kept>) -> Result<Response, Trouble> {
        let mut headers = Headers::new();
        if let Some(etag) = kept.and_then(|kept| kept.etag.as_ref()) {
            headers = headers.with("if-none-match", etag);
        }
        if let Some(time) = kept.and_then(|kept| kept.last_modified.as_ref()) {
            headers = headers.with("if-modified-since", time);
        }
        let limit = self.body_limit(what);
        self.client.get(url.as_str(), &headers, |head| {
            let is_whole = matches!(head.status(), 200 | 203);
            let is_wanted = what != What::Page || kind(head.header("content-type"), url).is_some();
            (is_whole && is_wanted).then_some(limit)
        })
    }

    fn body_limit(&self, what: What) -> usize {
        match what {
            What::Page => self.limits.page_bytes.min(usize::try_from(self.bytes_left).unwrap_or(usize::MAX)),
            What::Sitemap => sitemap::BYTES_MAX,
            What::Robots => ROBOTS_MAX,
        }
    }

    /// The pause after which the same request may succeed; `None` when the answer stands.
    fn pause_asked(&self, url: &Url, response: &Response, attempt: u32) -> Option<Duration> {
        let passes = matches!(response.status(), 408 | 425 | 429 | 500 | 502 | 503 | 504);
        let is_down = self.hosts.get(&url[..Position::BeforePath]).is_some_and(|host| host.down.is_some());
        let asked = retry_after(response, SystemTime::UNIX_EPOCH + FAR).filter(|pause| !pause.is_zero());
        (passes && !is_down).then(|| asked.unwrap_or_else(|| self.backoff(attempt)))
    }

    /// The host would not answer, however often it was asked.
    fn refused(&mut self, url: &Url, response: &Response, pause: Duration) -> Answer {
        let why = format!("the host answers with status {}", response.status());
        if pause > PAUSE_MAX {
            self.host(url).down = Some(format!("{why} and asks to be left alone for {} s", pause.as_secs()));
        }
        self.fail(url, why)
    }

    fn failed(&mut self, url: &Url, trouble: &Trouble) -> Answer {
        match trouble.kind() {
            TroubleKind::Request => Answer::Lost(Lost::surely(trouble.to_string())),
            TroubleKind::TooLarge if self.bytes_left < self.limits.page_bytes as u64 => Answer::Over("max_bytes"),
            TroubleKind::TooLarge => Answer::Lost(Lost::surely(trouble.to_string())),
            _ => self.fail(url, trouble.to_string()),
        }
    }

    fn fail(&mut self, url: &Url, why: String) -> Answer {
        let host = self.host(url);
        host.failures += 1;
        if host.failures >= FAILURES_MAX && host.down.is_none() {
            host.down = Some(format!("the host failed too often, the last time so: {why}"));
        }
        Answer::Lost(Lost::perhaps(why))
    }

    fn read(&mut self, url: &Url, what: What, response: &Response, kept: Option<Kept>) -> Result<Answer> {
        let status = response.status();
        if status >= 500 {
            return Ok(self.fail(url, format!("the host answers with status {status}")));
        }
        self.host(url).failures = 0;
        let own = |name: &str| response.header(name).map(str::to_owned);
        Ok(match (status, own("location"), kept) {
            (200 | 203, ..) => {
                let content_type = own("content-type");
                if what == What::Page {
                    if kind(content_type.as_deref(), url).is_none() {
                        return Ok(Answer::NoDocument(content_type.unwrap_or_else(|| "none".to_owned())));
                    }
                    self.bytes_left = self.bytes_left.saturating_sub(response.body().len() as u64);
                }
                let known =
                    Kept { etag: own("etag"), last_modified: own("last-modified"), content_type, ..Kept::default() };
                Answer::Document(self.copies.keep(url.as_str(), known, response.body())?)
            }
            (304, _, Some(kept)) => Answer::Document(kept),
            (301 | 302 | 303 | 307 | 308, Some(to), _) => Answer::Moved { to, for_good: matches!(status, 301 | 308) },
            (404 | 410, ..) => Answer::Gone,
            // RFC 9309, 2.3.1.3.
            (400..=499, ..) if what == What::Robots => Answer::Gone,
            _ => Answer::Lost(Lost::perhaps(format!("the host answers with status {status}"))),
        })
    }
}
