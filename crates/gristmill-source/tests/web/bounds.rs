//! Limits, and those who try them.

use std::io::Read;
use std::time::Duration;

use gristmill_source::{Source, WebSpec};

use crate::site::{Reply, Site, answer, page, said};

fn small(site: &Site, paths: &[&str]) -> WebSpec {
    WebSpec { urls: site.urls(paths), max_page_bytes: Some(1000), ..WebSpec::default() }
}

#[test]
fn bodies_without_end_and_bombs_are_not_read() {
    let mut bomb = flate2::read::GzEncoder::new(std::io::repeat(0).take(50 << 20), flate2::Compression::fast());
    let mut packed = Vec::new();
    bomb.read_to_end(&mut packed).unwrap();
    let headers = "content-type: text/html\r\ncontent-encoding: gzip\r\n";
    let site = Site::new(&[
        ("/endless", Reply::Endless),
        ("/bomb", answer("200 OK", headers, packed)),
        ("/ok", answer("200 OK", "content-type: text/html\r\n", "x".repeat(1000))),
        ("/large", answer("200 OK", "content-type: text/html\r\n", "x".repeat(1001))),
    ]);
    let listing = site.source(small(&site, &["/endless", "/bomb", "/large", "/ok"])).list().unwrap();
    assert_eq!(site.seen(&listing), [vec!["/ok"], vec!["/bomb", "/endless", "/large"]]);
    assert!(said(&listing).iter().all(|said| said.contains("above 1000 bytes")), "{:?}", said(&listing));
}

#[test]
fn what_is_no_document_is_not_read_to_its_end() {
    let site = Site::new(&[("/ok", page(&[]))]);
    // The body that is announced never comes.
    let head = "HTTP/1.1 200 OK\r\ncontent-type: video/mp4\r\ncontent-length: 1000000000000\r\n\r\n";
    site.set("/film", Reply::Raw(head.as_bytes().to_vec()));
    let listing = site.named(&["/film", "/ok"]).list().unwrap();
    assert_eq!(site.seen(&listing), [vec!["/ok"], vec![]]);
}

#[test]
fn slowness_ends() {
    let site = Site::new(&[("/slow", Reply::Silent), ("/ok", page(&[]))]);
    let timeout = Some(Duration::from_millis(500));
    let spec = WebSpec { urls: site.urls(&["/ok", "/slow"]), timeout, ..WebSpec::default() };
    let listing = site.source(spec).list().unwrap();
    assert_eq!(site.listed(&listing), ["/ok"]);
    assert!(said(&listing)[0].contains("no whole answer in time"), "{:?}", said(&listing));
}

#[test]
fn the_number_of_pages_is_bounded() {
    let site = Site::new(&[]);
    // A trap: every page leads to two that nobody has seen.
    for n in 0..100 {
        let links = [format!("{}", 2 * n + 1), format!("{}", 2 * n + 2)];
        site.set(&format!("/t/{n}"), page(&links.each_ref().map(String::as_str)));
    }
    let spec = WebSpec { crawl: site.urls(&["/t/0"]), max_pages: Some(20), ..WebSpec::default() };
    let listing = site.source(spec).list().unwrap();
    assert_eq!((site.listed(&listing).len(), site.asked().len()), (20, 20));
    assert_eq!(site.unseen(&listing), [""]);
    assert_eq!(said(&listing), ["not all was looked at: `max_pages` is reached [limit]"]);
}

#[test]
fn the_bytes_of_all_are_bounded() {
    let text = answer("200 OK", "content-type: text/plain\r\netag: \"1\"\r\n", "x".repeat(400));
    let site = Site::new(&[("/a", text.clone()), ("/b", text.clone()), ("/c", text)]);
    let spec = WebSpec { max_bytes: Some(1000), ..small(&site, &["/a", "/b", "/c"]) };
    let source = site.source(spec);
    let listing = source.list().unwrap();
    assert_eq!(site.seen(&listing), [vec!["/a", "/b"], vec!["", "/c"]]);
    assert_eq!(said(&listing), ["not all was looked at: `max_bytes` is reached [limit]"]);
    // What has not changed costs nothing, so the next run gets on.
    assert_eq!(site.seen(&source.list().unwrap()), [vec!["/a", "/b", "/c"], vec![]]);
}

#[test]
fn a_sitemap_of_too_much_is_bounded() {
    let site = Site::new(&[("/0", page(&[])), ("/1", page(&[]))]);
    let lines: String = (0..100_000).map(|n| format!("{}\n", site.url(&format!("/{n}")))).collect();
    site.set("/s.txt", answer("200 OK", "", lines));
    let spec = WebSpec { sitemaps: site.urls(&["/s.txt"]), max_pages: Some(2), ..WebSpec::default() };
    let listing = site.source(spec).list().unwrap();
    assert_eq!(site.seen(&listing), [vec!["/0", "/1"], vec![""]]);
}

#[test]
fn names_that_are_no_names_do_no_harm() {
    let links =
        ["http://[::", "//", "///x", "%zz", "\u{0}", "?", "http://a b/", "\\\\x\\y", "http:a", "data:text/html,x"];
    let site = Site::new(&[("/d/", page(&links))]);
    let listing = site.crawl("/d/").list().unwrap();
    assert_eq!(site.listed(&listing)[0], "/d/");
    assert!(site.unseen(&listing).is_empty());
}
