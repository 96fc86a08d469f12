//! A part of the web kept in step: what changed is embedded, what is gone goes, what does not answer stays.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::Value;

use crate::run::Folder;

/// By path: status and body.
type Pages = Arc<Mutex<BTreeMap<String, (u16, String)>>>;

/// A site of this machine.
struct Site {
    address: String,
    pages: Pages,
}

impl Site {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let pages = Pages::default();
        let site = Self { address, pages: Arc::clone(&pages) };
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let pages = Arc::clone(&pages);
                std::thread::spawn(move || serve(stream, &pages));
            }
        });
        site
    }

    fn page(&self, path: &str, title: &str, text: &str) {
        let body = format!(
            "<!doctype html><html lang=en><head><title>{title}</title></head><body><nav><a href=\"/docs/\">Home</a> \
            <a href=\"/docs/filter\">Filter</a> <a href=\"/docs/pump\">Pump</a></nav><main><h1>{title}</h1><p>{text}</p>\
            </main><footer>Imprint of the works</footer></body></html>"
        );
        self.set(path, 200, &body);
    }

    fn set(&self, path: &str, status: u16, body: &str) {
        self.pages.lock().unwrap().insert(path.to_owned(), (status, body.to_owned()));
    }
}

fn serve(stream: TcpStream, pages: &Mutex<BTreeMap<String, (u16, String)>>) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut writer = stream;
    loop {
        let mut first = String::new();
        reader.read_line(&mut first).ok()?;
        let path = first.split(' ').nth(1)?.to_owned();
        let mut line = String::new();
        while reader.read_line(&mut line).ok()? > 2 {
            line.clear();
        }
        let (status, body) = pages.lock().unwrap().get(&path).cloned().unwrap_or((404, String::new()));
        let size = body.len();
        write!(writer, "HTTP/1.1 {status} -\r\ncontent-type: text/html\r\ncontent-length: {size}\r\n\r\n{body}")
            .ok()?;
    }
}

fn handbook() -> Site {
    let site = Site::new();
    site.page("/docs/", "Handbook", "This handbook tells how the mill is kept running through the whole of the year.");
    site.page("/docs/filter", "Filter", "The filter is rinsed with cold water every second week of the season.");
    site.page("/docs/pump", "Pump", "The pump is oiled on the first day of each month, before the gate is opened.");
    site
}

fn folder(site: &Site, more: &str) -> Folder {
    let folder = Folder::new();
    let crawl = format!("{}/docs/", site.address);
    folder.write(
        "gristmill.toml",
        format!("version = 1\n[[source]]\ntype = \"web\"\ncrawl = [\"{crawl}\"]\ndelay_ms = 0\n{more}"),
    );
    folder
}

const PRIVATE: &str = "allow_private = true\n";

/// Texts by the ends of their addresses.
fn stored(folder: &Folder) -> BTreeMap<String, String> {
    let ran = folder.run(&["export", "--format", "jsonl"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let point = |line: &str| {
        let point: Value = serde_json::from_str(line).unwrap();
        let source = point["metadata"]["source"].as_str().unwrap();
        let end = source.rsplit_once("/docs/").unwrap().1;
        (end.to_owned(), point["content"].as_str().unwrap().to_owned())
    };
    ran.stdout.lines().map(point).collect()
}

fn embedded(folder: &Folder) -> u64 {
    let ran = folder.run(&["ingest", "--format", "json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let told: Value = serde_json::from_str(&ran.stdout).unwrap();
    told["chunks"]["embedded"].as_u64().unwrap()
}

#[test]
fn a_site_is_kept_in_step() {
    let site = handbook();
    let folder = folder(&site, PRIVATE);
    assert_eq!(embedded(&folder), 3);
    let texts = stored(&folder);
    assert_eq!(texts.keys().collect::<Vec<_>>(), ["", "filter", "pump"]);
    assert!(texts["filter"].contains("rinsed with cold water"), "{texts:?}");
    assert!(texts.values().all(|text| !text.contains("Imprint")), "{texts:?}");
    assert_eq!(embedded(&folder), 0);

    site.page("/docs/pump", "Pump", "The pump is oiled on the second day of each month, before the gate is opened.");
    site.set("/docs/filter", 410, "");
    assert_eq!(embedded(&folder), 1);
    let texts = stored(&folder);
    assert_eq!(texts.keys().collect::<Vec<_>>(), ["", "pump"]);
    assert!(texts["pump"].contains("the second day"), "{texts:?}");
}

#[test]
fn a_page_that_does_not_answer_stays() {
    let site = handbook();
    let folder = folder(&site, PRIVATE);
    assert_eq!(embedded(&folder), 3);
    site.set("/docs/filter", 403, "");
    let ran = folder.run(&["ingest"]);
    assert!(ran.stderr.contains("/docs/filter"), "{}", ran.stderr);
    assert_eq!(stored(&folder).len(), 3);
}

#[test]
fn this_machine_is_asked_only_when_that_is_allowed() {
    let site = handbook();
    let folder = folder(&site, "");
    let ran = folder.run(&["ingest"]);
    assert_ne!(ran.code, Some(0));
    assert!(ran.stderr.contains("private"), "{}", ran.stderr);
}

#[test]
fn settings_of_another_kind_are_told() {
    let folder = Folder::new();
    let first = |text: &str| {
        folder.write("gristmill.toml", format!("version = 1\n[[source]]\n{text}"));
        folder.run(&["config", "check"]).stderr.lines().next().unwrap_or_default().to_owned()
    };
    let said = first("type = \"web\"\n");
    assert!(said.contains("needs one of `urls`, `sitemaps` and `crawl`"), "{said}");
    let said = first("path = \"docs\"\ncrawl = [\"http://a.example/\"]\n");
    assert!(said.contains("only sources of type `web` have `crawl`"), "{said}");
    let said = first("type = \"web\"\nurls = [\"ftp://a.example/\"]\n");
    assert!(said.contains("is no URL of `http` or `https`"), "{said}");
}
