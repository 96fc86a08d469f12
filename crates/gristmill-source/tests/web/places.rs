//! What is named: lists of pages, sitemaps, and what is asked for again.

use std::io::Write;
use std::time::{Duration, SystemTime};

use gristmill_source::{Source, SourceSpec, WebSource, WebSpec};

use crate::site::{Reply, Site, answer, page, redirect, said, tagged, text};

#[test]
fn pages_of_a_list_are_named_by_their_addresses() {
    let site = Site::new(&[("/b", page(&["/c"])), ("/a.txt", tagged("1", "words")), ("/c", page(&[]))]);
    let source = site.named(&["/b#part", "/a.txt", "/b", "/d/../b?"]);
    let listing = source.list().unwrap();
    assert_eq!(site.seen(&listing), [vec!["/a.txt", "/b"], vec![]]);
    assert_eq!(said(&listing), [""; 0]);
    assert_eq!(site.asked(), ["/b", "/a.txt"]);
    let [a, b] = listing.value.entries.as_slice() else { panic!() };
    assert_eq!((a.size, text(&source, a).as_str()), (5, "words"));
    assert_eq!((source.extension(a), source.extension(b)), (Some("txt"), Some("html")));
}

#[test]
fn we_say_who_we_are() {
    let site = Site::new(&[("/a", page(&[]))]);
    site.named(&["/a"]).list().unwrap();
    assert!(site.requests().iter().all(|head| head.contains("\nuser-agent: gristmill/")));
}

#[test]
fn what_has_not_changed_is_read_from_the_cache() {
    let dated = "content-type: text/markdown\r\nlast-modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n";
    let site = Site::new(&[("/a", tagged("1", "one")), ("/b", answer("200 OK", dated, "dated")), ("/c", page(&[]))]);
    let paths = ["/a", "/b", "/c"];
    let first = site.named(&paths).list().unwrap();
    let modified = first.value.entries[1].modified.unwrap();
    // RFC 9110, 5.6.7.
    assert_eq!(modified.duration_since(SystemTime::UNIX_EPOCH).unwrap(), Duration::from_secs(784_111_777));
    site.requests();
    let source = site.named(&paths);
    let second = source.list().unwrap();
    assert_eq!(second.value, first.value);
    let requests = site.requests();
    assert!(requests[1].contains("if-none-match: \"1\""), "{requests:?}");
    assert!(requests[2].contains("if-modified-since: sun, 06 nov 1994 08:49:37 gmt"), "{requests:?}");
    assert_eq!(text(&source, &second.value.entries[0]), "one");
    assert_eq!(text(&source, &second.value.entries[1]), "dated");
    site.set("/a", tagged("2", "two!"));
    let third = source.list().unwrap();
    assert_eq!((text(&source, &third.value.entries[0]).as_str(), third.value.entries[0].size), ("two!", 4));
}

#[test]
fn an_answer_that_nothing_has_changed_is_worth_nothing_without_a_copy() {
    let site = Site::new(&[("/a", Reply::Raw(b"HTTP/1.1 304 Not Modified\r\n\r\n".to_vec())), ("/b", page(&[]))]);
    let listing = site.named(&["/a", "/b"]).list().unwrap();
    assert_eq!(site.seen(&listing), [vec!["/b"], vec!["", "/a"]]);
}

#[test]
fn what_does_not_exist_is_gone() {
    let site = Site::new(&[("/a", page(&[])), ("/b", page(&[])), ("/c", page(&[]))]);
    let source = site.named(&["/a", "/b", "/c"]);
    let kept = source.list().unwrap().value.entries[0].clone();
    site.remove("/a");
    site.set("/b", answer("410 Gone", "", ""));
    let listing = source.list().unwrap();
    assert_eq!(site.seen(&listing), [vec!["/c"], vec![]]);
    assert_eq!(said(&listing), ["there is no such page [gone]"; 2]);
    assert!(source.fetch(&kept).unwrap_err().to_string().starts_with("the cache has no copy"));
}

#[test]
fn only_documents_are_read() {
    let of = |content_type: &str| answer("200 OK", &format!("content-type: {content_type}\r\n"), "x");
    let site = Site::new(&[
        ("/image", of("image/png")),
        ("/paper", of("application/pdf")),
        ("/raw.md", of("text/plain; charset=utf-8")),
        ("/unknown", answer("200 OK", "", "x")),
        ("/empty", answer("204 No Content", "", "")),
    ]);
    let source = site.named(&["/image", "/paper", "/raw.md", "/unknown"]);
    let listing = source.list().unwrap();
    assert_eq!(site.seen(&listing), [vec!["/paper", "/raw.md"], vec![]]);
    let kinds: Vec<_> = listing.value.entries.iter().map(|listed| source.extension(listed)).collect();
    assert_eq!(kinds, [Some("pdf"), Some("md")]);
    let expected =
        ["image/png", "none"].map(|kind| format!("is no document, its content type is `{kind}` [content-type]"));
    assert_eq!(said(&listing), expected);
    let listing = site.named(&["/empty", "/paper"]).list().unwrap();
    assert_eq!(site.unseen(&listing), ["", "/empty"]);
}

fn packed(text: &str) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(text.as_bytes()).unwrap();
    packer.finish().unwrap()
}

#[test]
fn sitemaps_name_pages_and_one_another() {
    let site = Site::new(&[("/a", page(&[])), ("/b", page(&["/c"])), ("/c", page(&[]))]);
    let at = |path: &str| format!("<loc>{}</loc>", site.url(path));
    let index = format!(
        "<sitemapindex><sitemap>{}</sitemap><sitemap>{}</sitemap></sitemapindex>",
        at("/one.xml.gz"),
        at("/index.xml")
    );
    let one = format!("<urlset><url>{}</url><url><loc>https://other.example/x</loc></url></urlset>", at("/a"));
    site.set("/old.xml", redirect(301, "/index.xml"));
    site.set("/index.xml", answer("200 OK", "content-type: application/xml\r\n", index));
    site.set("/one.xml.gz", answer("200 OK", "content-type: application/x-gzip\r\n", packed(&one)));
    site.set("/list.txt", answer("200 OK", "", format!("{}\n", site.url("/b"))));
    let sitemaps = site.urls(&["/old.xml", "/list.txt"]);
    let listing = site.source(WebSpec { sitemaps, ..WebSpec::default() }).list().unwrap();
    assert_eq!(site.seen(&listing), [vec!["/a", "/b"], vec![]]);
    let expected = "1 addresses of the sitemap are left out: they are of another place, or no pages [outside]";
    assert_eq!(said(&listing), [expected]);
}

#[test]
fn a_sitemap_that_cannot_be_had_deletes_nothing() {
    let site = Site::new(&[("/a", page(&[])), ("/b", page(&[]))]);
    site.set("/old.txt", redirect(301, "/s.txt"));
    site.set("/s.txt", answer("200 OK", "", site.url("/a")));
    let spec = WebSpec { sitemaps: site.urls(&["/old.txt"]), urls: site.urls(&["/b"]), ..WebSpec::default() };
    let source = site.source(spec);
    assert_eq!(site.seen(&source.list().unwrap()), [vec!["/a", "/b"], vec![]]);
    // Its copy says what it named.
    for bad in [answer("404 Not Found", "", ""), Reply::Cut] {
        site.set("/s.txt", bad);
        assert_eq!(site.seen(&source.list().unwrap()), [vec!["/a", "/b"], vec!["/s.txt"]]);
    }
    for bad in [answer("404 Not Found", "", ""), answer("200 OK", "", "<html></html>"), Reply::Cut] {
        site.forget_copies();
        site.set("/s.txt", bad);
        assert_eq!(site.seen(&source.list().unwrap()), [vec!["/b"], vec![""]]);
    }
}

#[test]
fn wrong_settings_are_told() {
    let site = Site::new(&[]);
    let error = |web: WebSpec| WebSource::open(&site.spec(web)).unwrap_err().to_string();
    let one = |url: &str| WebSpec { urls: vec![url.to_owned()], ..WebSpec::default() };
    assert_eq!(error(WebSpec::default()), "a web source needs one of `urls`, `sitemaps` and `crawl`");
    let scheme = "`urls` of a web source is no URL of `http` or `https`: file:///etc/passwd";
    assert_eq!(error(one("file:///etc/passwd")), scheme);
    assert_eq!(error(one("docs.example")), "`urls` of a web source is no URL: docs.example");
    let spec = SourceSpec { cache: None, ..site.spec(one("https://docs.example/")) };
    let expected = "a source of kind `web` needs a folder for its cache";
    assert_eq!(WebSource::open(&spec).unwrap_err().to_string(), expected);
}
