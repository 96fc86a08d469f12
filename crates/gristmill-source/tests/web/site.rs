//! Sites and sources to test with.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use gristmill_core::Outcome;
use gristmill_source::{Listed, Listing, Source, SourceSpec, WebSource, WebSpec};

/// What a site answers at one path.
#[derive(Clone)]
pub enum Reply {
    /// The bytes of an answer, head and all.
    Raw(Vec<u8>),
    /// A body without end.
    Endless,
    /// The head of an answer, and then nothing.
    Silent,
    /// The connection is closed.
    Cut,
    /// The first answer once, then the second.
    Then(Vec<u8>, Box<Reply>),
}

/// An answer with a status, headers and a body.
pub fn answer(status: &str, headers: &str, body: impl AsRef<[u8]>) -> Reply {
    let body = body.as_ref();
    let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n{headers}\r\n", body.len());
    Reply::Raw([head.as_bytes(), body].concat())
}

/// A page of HTML with links.
pub fn page(links: &[&str]) -> Reply {
    let links: String = links.iter().map(|link| format!("<a href=\"{link}\">x</a>")).collect();
    answer("200 OK", "content-type: text/html\r\n", links)
}

/// A text with a tag to ask with. What is asked for with the same tag has not changed.
pub fn tagged(tag: &str, body: &str) -> Reply {
    answer("200 OK", &format!("content-type: text/plain\r\netag: \"{tag}\"\r\n"), body)
}

pub fn redirect(status: u16, to: &str) -> Reply {
    answer(&format!("{status} Moved"), &format!("location: {to}\r\n"), "")
}

#[derive(Default)]
struct State {
    replies: HashMap<String, Reply>,
    /// The heads of requests: their first line, then all of it in lower case.
    requests: Vec<String>,
}

/// A site on this machine.
pub struct Site {
    pub address: String,
    state: Arc<Mutex<State>>,
    cache: tempfile::TempDir,
}

impl Site {
    pub fn new(replies: &[(&str, Reply)]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(Mutex::new(State::default()));
        let site = Self { address, state: state.clone(), cache: tempfile::tempdir().unwrap() };
        replies.iter().for_each(|(path, reply)| site.set(path, reply.clone()));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (stream, state) = (stream.unwrap(), state.clone());
                std::thread::spawn(move || serve(stream, &state));
            }
        });
        site
    }

    pub fn set(&self, path: &str, reply: Reply) {
        self.state.lock().unwrap().replies.insert(path.to_owned(), reply);
    }

    pub fn remove(&self, path: &str) {
        self.state.lock().unwrap().replies.remove(path);
    }

    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }

    pub fn urls(&self, paths: &[&str]) -> Vec<String> {
        paths.iter().map(|path| self.url(path)).collect()
    }

    /// The heads of the requests since the last call.
    pub fn requests(&self) -> Vec<String> {
        std::mem::take(&mut self.state.lock().unwrap().requests)
    }

    /// What was asked for since the last call, without `robots.txt`.
    pub fn asked(&self) -> Vec<String> {
        let requests = self.requests();
        let paths = requests.iter().map(|head| head.split(' ').nth(1).unwrap().to_owned());
        paths.filter(|path| path != "/robots.txt").collect()
    }

    pub fn spec(&self, web: WebSpec) -> SourceSpec {
        let (delay, timeout) = (Some(Duration::ZERO), Some(Duration::from_secs(20)));
        let web = WebSpec { delay: web.delay.or(delay), timeout: web.timeout.or(timeout), ..web };
        SourceSpec {
            folder: self.cache.path().to_owned(),
            cache: Some("cache".into()),
            readmes: true,
            web: Some(web),
            ..SourceSpec::default()
        }
    }

    pub fn source(&self, web: WebSpec) -> WebSource {
        WebSource::open(&self.spec(WebSpec { allow_private: true, ..web })).unwrap()
    }

    /// The pages named.
    pub fn named(&self, paths: &[&str]) -> WebSource {
        self.source(WebSpec { urls: self.urls(paths), ..WebSpec::default() })
    }

    /// A crawl from a page.
    pub fn crawl(&self, path: &str) -> WebSource {
        self.source(WebSpec { crawl: self.urls(&[path]), ..WebSpec::default() })
    }

    /// Empties the cache.
    pub fn forget_copies(&self) {
        let folder = self.cache.path().join("cache").join("web");
        std::fs::remove_dir_all(&folder).unwrap();
        std::fs::create_dir(folder).unwrap();
    }

    /// What a source lists and what it could not look at, by path.
    pub fn seen(&self, listing: &Outcome<Listing>) -> [Vec<String>; 2] {
        let path = |path: &str| path.strip_prefix(&self.address).unwrap_or(path).to_owned();
        let listed = listing.value.entries.iter().map(|listed| path(&listed.path)).collect();
        [listed, listing.value.unseen.iter().map(|unseen| path(unseen)).collect()]
    }

    /// Paths of what a source lists.
    pub fn listed(&self, listing: &Outcome<Listing>) -> Vec<String> {
        let [listed, _] = self.seen(listing);
        listed
    }

    /// Paths of what a source could not look at.
    pub fn unseen(&self, listing: &Outcome<Listing>) -> Vec<String> {
        let [_, unseen] = self.seen(listing);
        unseen
    }
}

/// The text of a document that was listed.
pub fn text(source: &WebSource, listed: &Listed) -> String {
    String::from_utf8(source.fetch(listed).unwrap().bytes().unwrap().to_vec()).unwrap()
}

/// Messages and codes.
pub fn said(listing: &Outcome<Listing>) -> Vec<String> {
    listing.diagnostics.iter().map(|said| format!("{} [{}]", said.message, said.code)).collect()
}

fn serve(stream: TcpStream, state: &Mutex<State>) {
    let mut writer = stream.try_clone().unwrap();
    let mut reader = BufReader::new(stream);
    while let Some(head) = head(&mut reader) {
        if head.starts_with("CONNECT ") {
            // As a proxy, it is itself every host.
            let _ = writer.write_all(b"HTTP/1.1 200 Connected\r\n\r\n");
            continue;
        }
        let reply = next_reply(&head, &mut state.lock().unwrap());
        if !send(&mut writer, &mut reader, &head, reply) {
            return;
        }
    }
}

fn next_reply(head: &str, state: &mut State) -> Option<Reply> {
    let first = head.lines().next().unwrap_or_default();
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    state.requests.push(format!("{first}\n{}", head.to_lowercase()));
    match state.replies.get(&path).cloned() {
        Some(Reply::Then(once, then)) => {
            state.replies.insert(path, *then);
            Some(Reply::Raw(once))
        }
        reply => reply,
    }
}

/// False when the connection is to be closed.
fn send(writer: &mut TcpStream, reader: &mut BufReader<TcpStream>, head: &str, reply: Option<Reply>) -> bool {
    const HTML: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n<p>";
    match reply {
        None => writer.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n").is_ok(),
        Some(Reply::Raw(bytes)) if is_known(head, &bytes) => {
            writer.write_all(b"HTTP/1.1 304 Not Modified\r\n\r\n").is_ok()
        }
        Some(Reply::Raw(bytes)) => writer.write_all(&bytes).is_ok(),
        Some(Reply::Endless) => {
            let _ = writer.write_all(HTML);
            while writer.write_all(&[b'x'; 65536]).is_ok() {}
            false
        }
        Some(Reply::Silent) => {
            let _ = writer.write_all(HTML);
            // Until the other side has had enough.
            let _ = reader.read(&mut [0]);
            false
        }
        Some(Reply::Cut | Reply::Then(..)) => false,
    }
}

/// True when a request tells the tag or the time that an answer has.
fn is_known(head: &str, answer: &[u8]) -> bool {
    let (head, answer) = (head.to_lowercase(), String::from_utf8_lossy(answer).to_lowercase());
    let value = |text: &str, name: &str| {
        text.lines().find_map(|line| line.strip_prefix(name)).map(|value| value.trim().to_owned())
    };
    let same = |asked, own| value(&head, asked).is_some_and(|asked| value(&answer, own) == Some(asked));
    same("if-none-match:", "etag:") || same("if-modified-since:", "last-modified:")
}

fn head(reader: &mut BufReader<TcpStream>) -> Option<String> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    Some(head)
}
