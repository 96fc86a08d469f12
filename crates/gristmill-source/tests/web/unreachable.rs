//! Sites and pages that do not answer, or not well.

use gristmill_core::ErrorKind;
use gristmill_source::{Source, WebSpec};

use crate::site::{Reply, Site, answer, page, said};

#[test]
fn a_page_that_does_not_come_is_unseen_and_what_it_led_to_is_looked_at() {
    for bad in [answer("503 Busy", "", ""), answer("403 Forbidden", "", ""), Reply::Cut, answer("302 Found", "", "")] {
        let site = Site::new(&[("/docs/", page(&["a"])), ("/docs/a", page(&["b"])), ("/docs/b", page(&[]))]);
        let source = site.crawl("/docs/");
        assert_eq!(site.listed(&source.list().unwrap()), ["/docs/", "/docs/a", "/docs/b"]);
        site.set("/docs/a", bad);
        let listing = source.list().unwrap();
        assert_eq!(site.seen(&listing), [vec!["/docs/", "/docs/b"], vec!["/docs/a"]]);
        assert_eq!(said(&listing).len(), 1);
    }
}

#[test]
fn where_nothing_is_known_of_a_page_nothing_counts_as_deleted_at_first() {
    let site = Site::new(&[("/docs/", page(&["a"])), ("/docs/a", answer("500 Oops", "", ""))]);
    let source = site.crawl("/docs/");
    assert_eq!(site.unseen(&source.list().unwrap()), ["", "/docs/a"]);
    // By now it is known that it has led nowhere since then.
    assert_eq!(site.unseen(&source.list().unwrap()), ["/docs/a"]);
    site.set("/docs/a", page(&[]));
    assert_eq!(site.seen(&source.list().unwrap()), [vec!["/docs/", "/docs/a"], vec![]]);
}

#[test]
fn a_crawl_whose_beginning_has_gone_deletes_nothing() {
    let site = Site::new(&[("/docs/", page(&["a"])), ("/docs/a", page(&[])), ("/blog/", page(&[]))]);
    let source = site.source(WebSpec { crawl: site.urls(&["/docs/", "/blog/"]), ..WebSpec::default() });
    source.list().unwrap();
    site.remove("/docs/");
    assert_eq!(site.seen(&source.list().unwrap()), [vec!["/blog/", "/docs/a"], vec!["/docs/"]]);
}

#[test]
fn a_site_that_answers_nothing_is_an_error() {
    let site = Site::new(&[("/a", Reply::Cut), ("/b", answer("500 Oops", "", ""))]);
    let error = site.named(&["/a", "/b"]).list().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Remote);
    assert_eq!(error.to_string(), format!("nothing of the web source can be read: {}", site.url("/a")));
    // Nor does one at which nobody listens.
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let spec = WebSpec { urls: vec![format!("http://{closed}/")], ..WebSpec::default() };
    assert!(site.source(spec).list().unwrap_err().chain().contains("`robots.txt` of the host cannot be read"));
    // Pages that are known to be gone are an answer.
    assert_eq!(site.named(&["/x"]).list().unwrap().value.entries, []);
}

#[test]
fn a_host_that_fails_in_a_row_is_asked_no_more() {
    let paths: Vec<String> = (0..50).map(|n| format!("/{n}")).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let site = Site::new(&[("/ok", page(&[]))]);
    paths.iter().for_each(|path| site.set(path, Reply::Cut));
    let listing = site.named(&[&["/ok"], paths.as_slice()].concat()).list().unwrap();
    assert_eq!((site.listed(&listing), site.unseen(&listing).len()), (vec!["/ok".to_owned()], 51));
    // Three pages, twice each.
    assert_eq!(site.asked().len(), 7);
}

#[test]
fn what_passes_is_asked_for_again() {
    let Reply::Raw(busy) = answer("503 Busy", "", "") else { unreachable!() };
    let Reply::Raw(wait) = answer("429 Slow Down", "retry-after: 0\r\n", "") else { unreachable!() };
    let site = Site::new(&[("/a", Reply::Then(busy, Box::new(Reply::Then(wait, Box::new(page(&[]))))))]);
    assert_eq!(site.listed(&site.named(&["/a"]).list().unwrap()), ["/a"]);
    assert_eq!(site.asked().len(), 3);
}

#[test]
fn a_host_that_asks_for_a_long_pause_is_left_alone() {
    let site = Site::new(&[
        ("/a", answer("429 Slow Down", "retry-after: 3600\r\n", "")),
        ("/b", page(&[])),
        ("/c", page(&[])),
    ]);
    let listing = site.named(&["/b", "/a", "/c"]).list().unwrap();
    assert_eq!(site.seen(&listing), [vec!["/b"], vec!["", "/a", "/c"]]);
    assert_eq!(site.asked(), ["/b", "/a"]);
}
