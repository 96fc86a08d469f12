//! A stand-in for a store: lists in pages of two, hands out whole objects and parts, and remembers what it was asked.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

pub const KEY: &str = "AKIDEXAMPLE";
pub const SECRET: &str = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
pub const REGION: &str = "eu-central-1";

/// What languages it speaks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Speaks {
    S3,
    Azure,
    Google,
}

/// A request that arrived.
#[derive(Clone, Debug)]
pub struct Request {
    pub method: String,
    pub path: String,
    pub query: String,
    headers: Vec<(String, String)>,
}

impl Request {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
    }

    /// A value of the query, as it stands there.
    fn asked(&self, name: &str) -> Option<&str> {
        self.query.split('&').filter_map(|pair| pair.split_once('=')).find(|(given, _)| *given == name).map(|(_, v)| v)
    }
}

struct State {
    speaks: Speaks,
    /// Objects with the version of each.
    objects: BTreeMap<String, (u32, Vec<u8>)>,
    /// What every request is answered with instead, where it is set.
    refuses: Option<&'static str>,
    requests: Vec<Request>,
}

pub struct Store {
    pub address: String,
    state: Arc<Mutex<State>>,
}

impl Store {
    pub fn new(speaks: Speaks, objects: &[(&str, &[u8])]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let objects = objects.iter().map(|(key, body)| ((*key).to_owned(), (1, body.to_vec()))).collect();
        let state = Arc::new(Mutex::new(State { speaks, objects, refuses: None, requests: Vec::new() }));
        let store = Self { address, state: state.clone() };
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (stream, state) = (stream.unwrap(), state.clone());
                std::thread::spawn(move || serve(stream, &state));
            }
        });
        store
    }

    pub fn put(&self, key: &str, body: &[u8]) {
        let mut state = self.state.lock().unwrap();
        let version = state.objects.get(key).map_or(1, |(version, _)| version + 1);
        state.objects.insert(key.to_owned(), (version, body.to_vec()));
    }

    pub fn refuse(&self, status: Option<&'static str>) {
        self.state.lock().unwrap().refuses = status;
    }

    /// The requests since the last call.
    pub fn requests(&self) -> Vec<Request> {
        std::mem::take(&mut self.state.lock().unwrap().requests)
    }
}

fn serve(stream: TcpStream, state: &Mutex<State>) {
    let mut writer = stream.try_clone().unwrap();
    let mut reader = BufReader::new(stream);
    while let Some(request) = read(&mut reader) {
        let mut state = state.lock().unwrap();
        state.requests.push(request.clone());
        if writer.write_all(&answer(&request, &state)).is_err() {
            return;
        }
    }
}

fn read(reader: &mut BufReader<TcpStream>) -> Option<Request> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    let mut lines = head.lines();
    let mut first = lines.next()?.split(' ');
    let (method, target) = (first.next()?.to_owned(), first.next()?);
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let headers = lines.filter_map(|line| line.split_once(": "));
    let headers: Vec<_> = headers.map(|(name, value)| (name.to_lowercase(), value.to_owned())).collect();
    let request = Request { method, path: path.to_owned(), query: query.to_owned(), headers };
    let length = request.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    reader.read_exact(&mut vec![0; length]).ok()?;
    Some(request)
}

fn answer(request: &Request, state: &State) -> Vec<u8> {
    if let Some(status) = state.refuses {
        return whole(status, "", b"<Error><Code>No</Code>\n<Message>not for you</Message></Error>", request);
    }
    let lists = request.asked("list-type").is_some() || request.asked("comp").is_some() || request.path.ends_with("/o");
    if lists { list(request, state) } else { object(request, state) }
}

fn whole(status: &str, headers: &str, body: &[u8], request: &Request) -> Vec<u8> {
    let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n{headers}\r\n", body.len());
    [head.as_bytes(), if request.method == "HEAD" { b"" } else { body }].concat()
}

fn object(request: &Request, state: &State) -> Vec<u8> {
    let key = request.path.trim_start_matches('/').split_once('/').map_or("", |(_, key)| key);
    let key = key.replace("%20", " ").replace("%2F", "/").replace("%2E", ".");
    let Some((version, body)) = state.objects.get(&key) else { return whole("404 Not Found", "", b"", request) };
    let tag = format!("\"{version}\"");
    if request.header("if-match").is_some_and(|wanted| wanted != tag) {
        return whole("412 Precondition Failed", "", b"", request);
    }
    let headers = format!("etag: {tag}\r\nlast-modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n");
    let range = request.header("range").and_then(|range| range.strip_prefix("bytes=")?.split_once('-'));
    let Some((start, end)) = range else { return whole("200 OK", &headers, body, request) };
    let (start, end): (usize, usize) = (start.parse().unwrap(), end.parse().unwrap());
    let headers = format!("{headers}content-range: bytes {start}-{end}/{}\r\n", body.len());
    whole("206 Partial Content", &headers, &body[start..=end], request)
}

fn list(request: &Request, state: &State) -> Vec<u8> {
    let prefix = request.asked("prefix").unwrap_or_default().replace("%2F", "/");
    let token = ["continuation-token", "marker", "pageToken"].iter().find_map(|name| request.asked(name));
    let from = token.map_or(0, |token| token.parse().unwrap());
    let all: Vec<_> = state.objects.iter().filter(|(key, _)| key.starts_with(&prefix)).collect();
    let page = all.iter().skip(from).take(2).map(|(key, (version, body))| (key.as_str(), *version, body.len()));
    let next = (from + 2 < all.len()).then(|| (from + 2).to_string());
    let (headers, body) = match state.speaks {
        Speaks::S3 => ("content-type: application/xml\r\n", s3(page, next)),
        Speaks::Azure => ("content-type: application/xml\r\n", azure(page, next)),
        Speaks::Google => ("content-type: application/xml\r\n", s3(page, next)),
    };
    whole("200 OK", headers, body.as_bytes(), request)
}

fn s3<'k>(page: impl Iterator<Item = (&'k str, u32, usize)>, next: Option<String>) -> String {
    let entries: String = page
        .map(|(key, version, size)| {
            format!(
                "<Contents><Key>{key}</Key><LastModified>1994-11-06T08:49:37.000Z</LastModified>\
                 <ETag>&quot;{version}&quot;</ETag><Size>{size}</Size></Contents>"
            )
        })
        .collect();
    let next = next.map(|next| format!("<NextContinuationToken>{next}</NextContinuationToken>")).unwrap_or_default();
    format!("<?xml version=\"1.0\"?><ListBucketResult>{entries}{next}</ListBucketResult>")
}

fn azure<'k>(page: impl Iterator<Item = (&'k str, u32, usize)>, next: Option<String>) -> String {
    let entries: String = page
        .map(|(key, version, size)| {
            format!(
                "<Blob><Name>{key}</Name><Properties><Last-Modified>Sun, 06 Nov 1994 08:49:37 GMT</Last-Modified>\
                 <Etag>\"{version}\"</Etag><Content-Length>{size}</Content-Length>\
                 <Content-Type>text/plain</Content-Type></Properties></Blob>"
            )
        })
        .collect();
    let next = next.unwrap_or_default();
    format!(
        "<?xml version=\"1.0\"?><EnumerationResults><Blobs>{entries}</Blobs><NextMarker>{next}</NextMarker>\
         </EnumerationResults>"
    )
}
