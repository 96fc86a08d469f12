//! Listing and fetching.

use std::time::{Duration, SystemTime};

use gristmill_core::ErrorKind;
use gristmill_source::{HELD_MAX, Listing, ObjectSource, ObjectSpec, Source, SourceSpec};

use crate::signature;
use crate::stand_in::{KEY, REGION, SECRET, Speaks, Store};

const DOCUMENTS: &[(&str, &[u8])] = &[
    ("docs/a.md", b"one"),
    ("docs/deep/b c.md", b"two"),
    ("docs/deep/", b""),
    ("docs/pic.png", b"png"),
    ("docs2/x.md", b"no"),
    ("single.md", b"alone"),
];

fn spec(folder: &tempfile::TempDir, url: &str, options: &[(&str, &str)]) -> SourceSpec {
    let own = |pairs: &[(&str, &str)]| pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let object = ObjectSpec { url: url.to_owned(), options: own(options), ..ObjectSpec::default() };
    SourceSpec {
        folder: folder.path().to_owned(),
        cache: Some("cache".into()),
        readmes: true,
        object: Some(object),
        ..SourceSpec::default()
    }
}

fn s3(store: &Store, folder: &tempfile::TempDir, url: &str) -> SourceSpec {
    let keys = [("access_key_id", KEY), ("secret_access_key", SECRET), ("aws_region", REGION)];
    spec(folder, url, &[&keys[..], &[("endpoint", &store.address), ("allow_http", "true")]].concat())
}

fn paths(listing: &Listing) -> Vec<&str> {
    listing.entries.iter().map(|listed| listed.path.as_str()).collect()
}

fn text(source: &ObjectSource, listing: &Listing, index: usize) -> String {
    let raw = source.fetch(&listing.entries[index]).unwrap();
    String::from_utf8(raw.bytes().unwrap().to_vec()).unwrap()
}

#[test]
fn what_lies_below_a_prefix_is_listed_and_fetched_with_signed_requests() {
    let (store, folder) = (Store::new(Speaks::S3, DOCUMENTS), tempfile::tempdir().unwrap());
    let mut spec = s3(&store, &folder, "s3://bucket/docs/");
    spec.exclude = vec!["*.png".to_owned()];
    let source = ObjectSource::open(&spec).unwrap();
    let listing = source.list().unwrap().value;
    assert_eq!(paths(&listing), ["a.md", "deep/b c.md"]);
    // Pages of two, of four keys.
    assert_eq!(store.requests().len(), 2);
    let modified = listing.entries[0].modified.unwrap();
    assert_eq!(modified.duration_since(SystemTime::UNIX_EPOCH).unwrap(), Duration::from_secs(784_111_777));
    assert_eq!((text(&source, &listing, 0), text(&source, &listing, 1)), ("one".to_owned(), "two".to_owned()));
    source.list().unwrap();
    for request in store.requests() {
        let given = request.header("authorization").unwrap();
        assert_eq!(given, signature::expected(&request, KEY, SECRET, REGION), "{request:?}");
    }
}

#[test]
fn what_has_not_changed_is_read_from_the_cache() {
    let (store, folder) = (Store::new(Speaks::S3, DOCUMENTS), tempfile::tempdir().unwrap());
    let spec = s3(&store, &folder, "s3://bucket/docs");
    let open = || {
        let source = ObjectSource::open(&spec).unwrap();
        let listing = source.list().unwrap().value;
        store.requests();
        (text(&source, &listing, 0), store.requests().len())
    };
    assert_eq!(open(), ("one".to_owned(), 1));
    assert_eq!(open(), ("one".to_owned(), 0));
    store.put("docs/a.md", b"ONE");
    assert_eq!(open(), ("ONE".to_owned(), 1));
}

#[test]
fn a_large_object_comes_in_parts_of_one_version() {
    let large: Vec<u8> = (0..2 * HELD_MAX + 5).map(|n| (n % 251) as u8).collect();
    let store = Store::new(Speaks::S3, &[("large.txt", &large)]);
    let folder = tempfile::tempdir().unwrap();
    let source = ObjectSource::open(&s3(&store, &folder, "s3://bucket")).unwrap();
    let listing = source.list().unwrap().value;
    let raw = source.fetch(&listing.entries[0]).unwrap();
    assert_eq!((raw.len(), raw.fingerprint().unwrap()), (large.len() as u64, gristmill_core::Fingerprint::of(&large)));
    let asked = store.requests();
    let ranges: Vec<_> = asked.iter().filter_map(|request| request.header("range")).collect();
    assert_eq!(ranges, ["bytes=0-16777215", "bytes=16777216-33554431", "bytes=33554432-33554436"]);
    store.put("large.txt", &large);
    let folder = tempfile::tempdir().unwrap();
    let late = ObjectSource::open(&s3(&store, &folder, "s3://bucket")).unwrap();
    let listing = late.list().unwrap().value;
    store.put("large.txt", b"small");
    let error = late.fetch(&listing.entries[0]).unwrap_err();
    assert_eq!(error.hint_text(), Some("it has changed meanwhile; run again"));
}

#[test]
fn one_object_may_be_named() {
    let (store, folder) = (Store::new(Speaks::S3, DOCUMENTS), tempfile::tempdir().unwrap());
    let source = ObjectSource::open(&s3(&store, &folder, "s3://bucket/single.md")).unwrap();
    let listing = source.list().unwrap().value;
    assert_eq!((paths(&listing), text(&source, &listing, 0)), (vec!["single.md"], "alone".to_owned()));
    let none = ObjectSource::open(&s3(&store, &folder, "s3://bucket/none/")).unwrap();
    assert_eq!(none.list().unwrap().value, Listing::default());
}

#[test]
fn refusals_are_told_on_one_line_without_secrets() {
    let (store, folder) = (Store::new(Speaks::S3, DOCUMENTS), tempfile::tempdir().unwrap());
    let spec = s3(&store, &folder, "s3://bucket/docs/");
    let source = ObjectSource::open(&spec).unwrap();
    store.refuse(Some("403 Forbidden"));
    let error = source.list().unwrap_err();
    let expected = format!("the objects cannot be listed: s3://bucket/docs at {}", store.address);
    assert_eq!((error.kind(), error.to_string()), (ErrorKind::Remote, expected));
    assert!(error.hint_text().unwrap().starts_with("are the keys right"));
    assert!(error.chain().contains("not for you") && !error.chain().contains('\n'), "{}", error.chain());
    let shown = format!("{} {spec:?} {source:?}", error.chain());
    assert!(!shown.contains(SECRET), "{shown}");
    store.refuse(Some("404 Not Found"));
    assert_eq!(source.list().unwrap_err().kind(), ErrorKind::Input);
}

#[test]
fn keys_come_from_the_environment_that_is_handed_in_and_options_before_it() {
    let (store, folder) = (Store::new(Speaks::S3, DOCUMENTS), tempfile::tempdir().unwrap());
    let mut spec = spec(&folder, "s3://bucket/docs", &[("endpoint", &store.address), ("allow_http", "true")]);
    let environment = [
        ("AWS_ACCESS_KEY_ID", KEY),
        ("AWS_SECRET_ACCESS_KEY", SECRET),
        ("AWS_REGION", REGION),
        ("AWS_ENDPOINT", "http://127.0.0.1:9"),
        ("AWS_PAGER", "less"),
    ];
    let environment = environment.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    spec.object.as_mut().unwrap().environment = environment;
    assert_eq!(ObjectSource::open(&spec).unwrap().list().unwrap().value.entries.len(), 3);
    let request = &store.requests()[0];
    assert_eq!(request.header("authorization").unwrap(), signature::expected(request, KEY, SECRET, REGION));
}

#[test]
fn the_other_stores_are_read_too() {
    for (speaks, url, options) in [
        (Speaks::Azure, "az://container/docs/", &[("account_name", "me"), ("endpoint", "")][..]),
        (Speaks::Google, "gs://bucket/docs/", &[("base_url", "")]),
    ] {
        let (store, folder) = (Store::new(speaks, DOCUMENTS), tempfile::tempdir().unwrap());
        let mut options = options.to_vec();
        options.iter_mut().filter(|(_, value)| value.is_empty()).for_each(|(_, value)| *value = &store.address);
        options.extend([("skip_signature", "true"), ("allow_http", "true")]);
        let source = ObjectSource::open(&spec(&folder, url, &options)).unwrap();
        let listing = source.list().unwrap().value;
        assert_eq!(paths(&listing), ["a.md", "deep/b c.md", "pic.png"], "{url}");
        assert_eq!(text(&source, &listing, 1), "two", "{url}");
    }
}

#[test]
fn wrong_settings_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let error = |url: &str, options: &[(&str, &str)]| ObjectSource::open(&spec(&folder, url, options)).unwrap_err();
    for url in ["bucket", "file:///etc", "memory:///", "https://example.org/a", "ftp://bucket/", "s3://"] {
        let error = error(url, &[]);
        assert_eq!(error.kind(), ErrorKind::Config);
        assert!(error.to_string().ends_with(url), "{}", error.chain());
    }
    let unknown = error("s3://bucket", &[("regoin", "x")]);
    assert_eq!(unknown.to_string(), "`options` of an object source has an unknown name: regoin");
    assert!(!error("s3://key:s3cret@bucket", &[]).chain().contains("s3cret"));
    // Nothing is sent in the clear unless that is asked for.
    let options = [("access_key_id", KEY), ("secret_access_key", SECRET), ("endpoint", "http://127.0.0.1:9")];
    let source = ObjectSource::open(&spec(&folder, "s3://bucket", &options)).unwrap();
    let error = source.list().unwrap_err();
    assert!(error.chain().contains("`allow_http`"), "{}", error.chain());
}
