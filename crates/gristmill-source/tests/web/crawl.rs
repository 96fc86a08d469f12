//! Following links.

use std::time::Duration;

use gristmill_source::{Source, SourceSpec, WebSource, WebSpec};

use crate::site::{Reply, Site, answer, page, said};

fn docs() -> Site {
    Site::new(&[
        ("/docs/", page(&["a", "b.html#x", "../blog/", "https://other.example/", "logo.png", "mailto:x@y.example"])),
        ("/docs/a", page(&["/docs/", "deep/c"])),
        ("/docs/b.html", page(&["a"])),
        ("/docs/deep/c", page(&["d"])),
        ("/docs/deep/d", page(&[])),
        ("/blog/", page(&[])),
    ])
}

#[test]
fn a_crawl_stays_within_its_part_and_asks_for_each_page_once() {
    let site = docs();
    let listing = site.crawl("/docs/").list().unwrap();
    let expected = vec!["/docs/", "/docs/a", "/docs/b.html", "/docs/deep/c", "/docs/deep/d"];
    assert_eq!(site.seen(&listing), [expected.clone(), vec![]]);
    assert_eq!(said(&listing), [""; 0]);
    assert_eq!(site.asked(), expected);
}

#[test]
fn a_crawl_may_begin_at_any_page_and_be_bound_elsewhere() {
    let site = docs();
    assert_eq!(site.listed(&site.crawl("/docs/deep/c").list().unwrap()), ["/docs/deep/c", "/docs/deep/d"]);
    let (crawl, within) = (site.urls(&["/docs/"]), site.urls(&["/docs", "/blog"]));
    let wide = site.source(WebSpec { crawl, within, ..WebSpec::default() });
    assert_eq!(site.listed(&wide.list().unwrap()).len(), 6);
}

#[test]
fn depth_is_counted_in_links() {
    let site = docs();
    for (depth, pages) in [(0, 1), (1, 3), (2, 4), (3, 5)] {
        let spec = WebSpec { crawl: site.urls(&["/docs/"]), depth: Some(depth), ..WebSpec::default() };
        let listing = site.source(spec).list().unwrap();
        assert_eq!((listing.value.entries.len(), site.unseen(&listing).len()), (pages, 0), "{depth}");
    }
}

#[test]
fn globs_choose_pages_by_their_paths() {
    let site = docs();
    let web = WebSpec { crawl: site.urls(&["/docs/"]), allow_private: true, ..WebSpec::default() };
    let list = |include: &[&str], exclude: &[&str]| {
        let own = |globs: &[&str]| globs.iter().map(ToString::to_string).collect::<Vec<_>>();
        let spec = SourceSpec { include: own(include), exclude: own(exclude), ..site.spec(web.clone()) };
        site.listed(&WebSource::open(&spec).unwrap().list().unwrap())
    };
    // Pages that are not wanted themselves lead to those that are.
    assert_eq!(list(&["/docs/deep/**"], &[]), ["/docs/deep/c", "/docs/deep/d"]);
    site.requests();
    assert_eq!(list(&[], &["deep/", "*.html"]), ["/docs/", "/docs/a"]);
    assert_eq!(site.asked(), ["/docs/", "/docs/a"]);
}

#[test]
fn robots_are_heard() {
    let site = docs();
    let robots = "User-agent: gristmill\nDisallow: /docs/deep\nUser-agent: *\nDisallow: /\n";
    site.set("/robots.txt", answer("200 OK", "", robots));
    let listing = site.crawl("/docs/").list().unwrap();
    assert_eq!(site.seen(&listing), [vec!["/docs/", "/docs/a", "/docs/b.html"], vec!["/docs/deep/c"]]);
    assert_eq!(said(&listing), ["`robots.txt` of the host forbids it [unreachable]"]);
    assert_eq!(site.asked(), ["/docs/", "/docs/a", "/docs/b.html"]);
}

#[test]
fn a_host_whose_robots_are_unknown_is_left_alone() {
    for reply in [answer("500 Oops", "", ""), answer("429 Wait", "", ""), Reply::Cut, Reply::Endless] {
        let site = docs();
        site.set("/robots.txt", reply);
        let error = site.crawl("/docs/").list().unwrap_err();
        assert!(error.chain().contains("`robots.txt` of the host cannot be read"), "{}", error.chain());
        assert_eq!(site.asked(), [""; 0]);
    }
    // What is refused or missing forbids nothing (RFC 9309, 2.3.1.3).
    for status in ["403 Forbidden", "401 Unauthorized", "404 Not Found"] {
        let site = docs();
        site.set("/robots.txt", answer(status, "", ""));
        assert_eq!(site.listed(&site.crawl("/docs/").list().unwrap()).len(), 5);
    }
}

#[test]
fn a_delay_that_is_asked_for_is_kept() {
    let site = docs();
    site.set("/robots.txt", answer("200 OK", "", "User-agent: *\nCrawl-delay: 86400\n"));
    let max_time = Some(Duration::from_secs(3600));
    let spec = WebSpec { crawl: site.urls(&["/docs/"]), max_time, ..WebSpec::default() };
    let listing = site.source(spec).list().unwrap();
    // The second page would have to wait for longer than all may take.
    assert_eq!(site.asked(), ["/docs/"]);
    assert_eq!(site.seen(&listing), [vec!["/docs/"], vec!["", "/docs/a", "/docs/b.html"]]);
    assert_eq!(said(&listing), ["not all was looked at: `max_time` is reached [limit]"]);
}
