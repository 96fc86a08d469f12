//! The client against small servers that answer well and badly.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use gristmill_http::{Addresses, Client, ClientOptions, Headers, Method, ProxyOptions, Trouble, TroubleKind};

/// Serves connections with `serve` until it says that enough have come. Gives its address.
fn server(mut serve: impl FnMut(TcpStream) -> bool + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/path?key=s3cret", listener.local_addr().unwrap());
    std::thread::spawn(move || while serve(listener.accept().unwrap().0) {});
    url
}

/// Reads a request: its head in lower case, and its body.
fn request(reader: &mut BufReader<TcpStream>) -> Option<(String, Vec<u8>)> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    let head = head.to_lowercase();
    let length = head.split("content-length: ").nth(1).and_then(|rest| rest.split("\r\n").next()?.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).ok()?;
    Some((head, body))
}

/// Answers every request of every connection with these bytes; tells requests and the connection each came by.
fn answering(answer: &'static [u8]) -> (String, Receiver<(usize, String, Vec<u8>)>) {
    let (tell, told) = channel();
    let mut connections = 0;
    let url = server(move |stream| {
        connections += 1;
        let mut writer = stream.try_clone().unwrap();
        let mut reader = BufReader::new(stream);
        while let Some((head, body)) = request(&mut reader) {
            let _ = tell.send((connections, head, body));
            let _ = writer.write_all(answer);
        }
        true
    });
    (url, told)
}

fn client(options: ClientOptions) -> Client {
    Client::new(options).unwrap()
}

fn trouble(answer: &'static [u8], options: ClientOptions) -> Trouble {
    let url = server(move |stream| {
        let mut writer = stream.try_clone().unwrap();
        request(&mut BufReader::new(stream));
        writer.write_all(answer).unwrap();
        false
    });
    client(options).send(Method::Get, &url, &Headers::new(), None).unwrap_err()
}

#[test]
fn a_request_arrives_whole_and_its_answer_is_read() {
    let (url, told) = answering(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Kind: stub\r\n\r\nok");
    let headers = Headers::new().with("api-key", "s3cret").with("content-type", "application/json");
    let client = client(ClientOptions::default());
    let answer = client.send(Method::Put, &url, &headers, Some(b"{}")).unwrap();
    assert_eq!((answer.status(), answer.is_success(), answer.body()), (200, true, &b"ok"[..]));
    assert_eq!(
        (answer.header("x-kind"), answer.header("X-KIND"), answer.header("y")),
        (Some("stub"), Some("stub"), None)
    );
    let (_, head, body) = told.recv().unwrap();
    assert!(head.starts_with("put /path?key=s3cret http/1.1\r\n"), "{head}");
    for line in ["api-key: s3cret\r\n", "content-type: application/json\r\n", "user-agent: gristmill/"] {
        assert!(head.contains(line), "{head}");
    }
    assert_eq!(body, b"{}");
}

#[test]
fn every_method_is_sent_and_the_connection_kept() {
    let (url, told) = answering(b"HTTP/1.1 204 No Content\r\n\r\n");
    let client = client(ClientOptions::default());
    for (method, body) in [
        (Method::Get, None),
        (Method::Delete, None),
        (Method::Post, None),
        (Method::Post, Some(&b"x"[..])),
        (Method::Patch, Some(b"x")),
    ] {
        assert_eq!(client.send(method, &url, &Headers::new(), body).unwrap().status(), 204);
        let (connection, head, got) = told.recv().unwrap();
        assert_eq!((connection, got.as_slice()), (1, body.unwrap_or_default()), "{head}");
    }
}

#[test]
fn a_refusal_is_an_answer() {
    let (url, _told) = answering(b"HTTP/1.1 429 Slow Down\r\nRetry-After: 3\r\nContent-Length: 4\r\n\r\nwait");
    let answer = client(ClientOptions::default()).send(Method::Get, &url, &Headers::new(), None).unwrap();
    assert_eq!((answer.status(), answer.is_success(), &*answer.text()), (429, false, "wait"));
}

#[test]
fn redirects_are_not_followed() {
    let (url, told) = answering(b"HTTP/1.1 302 Found\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n");
    let answer = client(ClientOptions::default()).send(Method::Get, &url, &Headers::new(), None).unwrap();
    assert_eq!((answer.status(), answer.header("location")), (302, Some("/other")));
    assert_eq!(told.try_iter().count(), 1);
}

/// `hello hello hello`, packed by Python's `gzip`.
const PACKED: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 28\r\n\r\n\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xcb\x48\xcd\xc9\xc9\x57\xc8\x40\x90\x00\x80\x88\xf9\xe5\x11\x00\x00\x00";

#[test]
fn a_packed_answer_is_unpacked_and_measured_unpacked() {
    let (url, _told) = answering(PACKED);
    let get = |limit| {
        client(ClientOptions { body_limit: limit, ..ClientOptions::default() }).send(
            Method::Get,
            &url,
            &Headers::new(),
            None,
        )
    };
    assert_eq!(get(17).unwrap().body(), b"hello hello hello");
    assert_eq!(get(16).unwrap_err().kind(), TroubleKind::TooLarge);
}

#[test]
fn what_ends_early_is_cut_off() {
    for answer in [
        &b""[..],
        b"HTTP/1.1 200 OK\r\nContent-Le",
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhe",
        b"\x16\x03\x01 no HTTP at all\r\n\r\n",
    ] {
        let trouble = trouble(answer, ClientOptions::default());
        assert_eq!(trouble.kind(), TroubleKind::CutOff, "{trouble}");
        assert!(trouble.may_pass());
    }
}

#[test]
fn an_answer_above_the_limit_is_refused() {
    let options = ClientOptions { body_limit: 3, ..ClientOptions::default() };
    let trouble = trouble(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n1234", options);
    assert_eq!(trouble.kind(), TroubleKind::TooLarge);
    assert!(!trouble.may_pass());
}

#[test]
fn silence_ends() {
    let mut held = Vec::new();
    let url = server(move |stream| {
        held.push(stream);
        true
    });
    let options = ClientOptions { timeout: Duration::from_millis(50), ..ClientOptions::default() };
    let trouble = client(options).send(Method::Post, &url, &Headers::new(), Some(b"x")).unwrap_err();
    assert_eq!(trouble.kind(), TroubleKind::TimedOut, "{trouble}");
}

#[test]
fn a_closed_door_is_told_without_secrets() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let client = client(ClientOptions::default());
    let url = format!("http://me:s3cret@{address}/?key=s3cret");
    let trouble = client.send(Method::Get, &url, &Headers::new().with("api-key", "s3cret"), None).unwrap_err();
    assert_eq!(trouble.kind(), TroubleKind::Connect, "{trouble}");
    let shown = format!("{trouble} {trouble:?} {client:?}");
    assert!(shown.contains(&address.to_string()) && !shown.contains("s3cret"), "{shown}");
}

#[test]
fn a_server_without_encryption_is_not_spoken_to_over_https() {
    let (url, told) = answering(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
    let url = url.replacen("http:", "https:", 1);
    let options = ClientOptions { timeout: Duration::from_secs(5), ..ClientOptions::default() };
    let trouble = client(options).send(Method::Get, &url, &Headers::new(), None).unwrap_err();
    assert!(matches!(trouble.kind(), TroubleKind::Tls | TroubleKind::CutOff | TroubleKind::TimedOut), "{trouble:?}");
    assert_eq!(told.try_iter().count(), 0);
}

#[test]
fn what_is_no_request_is_not_sent() {
    let client = client(ClientOptions::default());
    for url in ["", "no url", "http://", "/path", "ftp://localhost/", "http://local host/"] {
        let trouble = client.send(Method::Get, url, &Headers::new(), None).unwrap_err();
        assert_eq!(trouble.kind(), TroubleKind::Request, "{url}: {trouble:?}");
    }
    let trouble = client.send(Method::Delete, "http://127.0.0.1:9/", &Headers::new(), Some(b"x")).unwrap_err();
    assert_eq!(trouble.kind(), TroubleKind::Request);
    let key = Headers::new().with("api-key", "s3cret\r\nx: y");
    let trouble = client.send(Method::Get, "http://127.0.0.1:9/", &key, None).unwrap_err();
    assert_eq!(trouble.kind(), TroubleKind::Request);
    assert!(!format!("{trouble} {trouble:?}").contains("s3cret"));
}

#[test]
fn a_body_is_read_as_far_as_it_is_wanted() {
    let answer: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n1234";
    let (url, _told) = answering(answer);
    let client = client(ClientOptions { body_limit: 4, ..ClientOptions::default() });
    let get = |limit| client.get(&url, &Headers::new(), |head| head.header("content-type").and(limit));
    assert_eq!(get(Some(4)).unwrap().body(), b"1234");
    assert_eq!(get(Some(usize::MAX)).unwrap().body(), b"1234");
    assert_eq!(get(Some(3)).unwrap_err().kind(), TroubleKind::TooLarge);
    let bare = get(None).unwrap();
    assert_eq!((bare.status(), bare.body()), (200, &b""[..]));
}

#[test]
fn only_public_addresses_are_connected_to_where_that_is_asked_for() {
    let (url, told) = answering(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    let client = client(ClientOptions { addresses: Addresses::Public, ..ClientOptions::default() });
    let port = url.split(':').nth(2).unwrap();
    // The last two are known as local only once they are looked up.
    for host in ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433", "127.1"] {
        let trouble = client.send(Method::Get, &format!("http://{host}:{port}"), &Headers::new(), None).unwrap_err();
        assert_eq!(trouble.kind(), TroubleKind::Request, "{trouble}");
        assert!(trouble.to_string().ends_with("which is not allowed"), "{trouble}");
    }
    assert_eq!(told.try_iter().count(), 0);
}

#[test]
fn a_proxy_may_be_near_where_only_public_addresses_are_allowed() {
    let (url, told) = answering(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n");
    let proxy = url.split("/path").next().unwrap().to_owned();
    let proxy = Some(ProxyOptions { url: proxy, except: Vec::new() });
    let options = ClientOptions { proxy, addresses: Addresses::Public, ..ClientOptions::default() };
    let client = client(options);
    let get = |url: &str| client.send(Method::Get, url, &Headers::new(), None);
    assert_eq!(get("http://127.0.0.1:9/").unwrap_err().kind(), TroubleKind::Request);
    assert_eq!(told.try_iter().count(), 0);
    assert_ne!(get("http://docs.example/").unwrap_err().kind(), TroubleKind::Request);
    assert!(told.recv().unwrap().1.starts_with("connect docs.example:80"));
}
