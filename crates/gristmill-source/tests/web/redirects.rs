//! Pages that lead elsewhere.

use gristmill_http::ProxyOptions;
use gristmill_source::{Source, WebSource, WebSpec};

use crate::site::{Reply, Site, page, redirect, said};

#[test]
fn a_document_is_named_by_where_it_is() {
    let site = Site::new(&[
        ("/docs/", page(&["old", "new", "slash"])),
        ("/docs/old", redirect(301, "new")),
        ("/docs/slash", redirect(302, "/docs/slash/")),
        ("/docs/slash/", page(&["deeper"])),
        ("/docs/slash/deeper", page(&[])),
        ("/docs/new", page(&[])),
    ]);
    let listing = site.crawl("/docs/").list().unwrap();
    assert_eq!(site.seen(&listing), [vec!["/docs/", "/docs/new", "/docs/slash/", "/docs/slash/deeper"], vec![]]);
    assert_eq!(said(&listing), [""; 0]);
    // Each page is asked for once, whoever leads there.
    assert_eq!(site.asked().iter().filter(|path| *path == "/docs/new").count(), 1);
}

#[test]
fn circles_and_long_ways_end() {
    let site = Site::new(&[("/ok", page(&[])), ("/a", redirect(302, "/b")), ("/b", redirect(302, "/a"))]);
    for n in 0..30 {
        site.set(&format!("/n{n}"), redirect(301, &format!("/n{}", n + 1)));
    }
    let listing = site.named(&["/ok", "/a", "/n0"]).list().unwrap();
    assert_eq!(site.listed(&listing), ["/ok"]);
    assert_eq!(said(&listing), ["leads in a circle, or on and on [unreachable]"; 2]);
    assert!(site.asked().len() < 20);
}

#[test]
fn a_crawl_does_not_leave_by_a_redirect() {
    let site = Site::new(&[
        ("/docs/", page(&["out", "file", "nowhere"])),
        ("/docs/out", redirect(301, "/blog/")),
        ("/docs/file", redirect(301, "file:///etc/passwd")),
        ("/docs/nowhere", redirect(301, "http://[")),
        ("/blog/", page(&[])),
    ]);
    let listing = site.crawl("/docs/").list().unwrap();
    assert_eq!(site.seen(&listing), [vec!["/docs/"], vec!["/docs/file", "/docs/nowhere"]]);
    assert!(!site.asked().contains(&"/blog/".to_owned()));
    let error = site.crawl("/docs/out").list().unwrap_err();
    assert!(error.chain().contains("leads out of where it may go"), "{}", error.chain());
}

#[test]
fn a_login_that_stands_in_front_for_a_while_deletes_nothing() {
    let site = Site::new(&[
        ("/docs/", page(&["a"])),
        ("/docs/a", page(&["b"])),
        ("/docs/b", page(&[])),
        ("/login", page(&[])),
    ]);
    let source = site.crawl("/docs/");
    assert_eq!(source.list().unwrap().value.entries.len(), 3);
    site.set("/docs/a", redirect(302, "/login"));
    assert_eq!(site.seen(&source.list().unwrap()), [vec!["/docs/", "/docs/b"], vec!["/docs/a"]]);
    // The same for a page of a list.
    let named = site.named(&["/docs/a", "/docs/b"]);
    assert_eq!(site.seen(&named.list().unwrap()), [vec!["/docs/b"], vec!["/docs/a"]]);
    // For good is for good.
    site.set("/docs/a", redirect(301, "/login"));
    assert_eq!(site.seen(&named.list().unwrap()), [vec!["/docs/b", "/login"], vec![]]);
}

#[test]
fn an_address_that_led_on_and_cannot_be_reached_keeps_what_it_led_to() {
    let site = Site::new(&[("/latest", redirect(302, "/v1")), ("/v1", page(&[])), ("/x", page(&[]))]);
    let source = site.named(&["/latest", "/x"]);
    assert_eq!(site.seen(&source.list().unwrap()), [vec!["/v1", "/x"], vec![]]);
    site.set("/latest", Reply::Cut);
    assert_eq!(site.seen(&source.list().unwrap()), [vec!["/v1", "/x"], vec!["/latest"]]);
}

#[test]
fn private_addresses_are_not_connected_to() {
    let site = Site::new(&[("/a", page(&[]))]);
    let port = site.address.rsplit(':').next().unwrap().to_owned();
    for host in ["127.0.0.1", "localhost", "[::1]", "127.1", "0x7f000001", "[::ffff:7f00:1]", "0.0.0.0"] {
        let urls = vec![format!("http://{host}:{port}/a")];
        let source = WebSource::open(&site.spec(WebSpec { urls, ..WebSpec::default() })).unwrap();
        let error = source.list().unwrap_err();
        assert!(error.chain().ends_with("which is not allowed"), "{}", error.chain());
    }
    assert_eq!(site.requests(), [""; 0]);
}

#[test]
fn a_public_site_does_not_lead_to_a_private_address() {
    // The site is the proxy too, and so every host of the world.
    let private = Site::new(&[("/secret", page(&[]))]);
    let site = Site::new(&[("/a", redirect(301, &private.url("/secret"))), ("/b", page(&[]))]);
    let proxy = Some(ProxyOptions { url: site.address.clone(), except: Vec::new() });
    let urls = vec!["http://docs.example/a".to_owned(), "http://docs.example/b".to_owned()];
    let source = WebSource::open(&site.spec(WebSpec { urls, proxy, ..WebSpec::default() })).unwrap();
    let listing = source.list().unwrap();
    assert_eq!(site.seen(&listing), [vec!["http://docs.example/b".to_owned()], vec![private.url("/secret")]]);
    assert!(said(&listing)[0].contains("which is not allowed"), "{:?}", said(&listing));
    assert_eq!(private.requests(), [""; 0]);
}
