//! HTTP/1.1, as much of it as a client of this interface needs.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::{JoinHandle, sleep, spawn};
use std::time::Duration;

use serde_json::{Value, json};

use super::state::Refused;
use super::{Fault, Seen, Shared, writes};

pub fn serve(shared: Arc<Shared>) -> (SocketAddr, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let accept = move || {
        for connection in listener.incoming() {
            if shared.stopping.load(Ordering::SeqCst) {
                return;
            }
            let shared = Arc::clone(&shared);
            spawn(move || _ = connection.map(|connection| converse(&shared, connection)));
        }
    };
    (address, spawn(accept))
}

/// A request as it came.
struct Request {
    method: String,
    target: String,
    key: Option<String>,
    body: Vec<u8>,
}

fn converse(shared: &Shared, connection: TcpStream) -> std::io::Result<()> {
    // A client that keeps its connection open must not keep this thread for ever.
    connection.set_read_timeout(Some(Duration::from_secs(30)))?;
    connection.set_nodelay(true)?;
    let mut reader = BufReader::new(connection.try_clone()?);
    let mut writer = connection;
    while let Some(request) = receive(&mut reader)? {
        if shared.stopping.load(Ordering::SeqCst) {
            return Ok(());
        }
        let Some((status, answer)) = answer(shared, &request) else { return Ok(()) };
        let text = answer.to_string();
        let head =
            format!("HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n", text.len());
        writer.write_all(&[head.as_bytes(), text.as_bytes()].concat())?;
    }
    Ok(())
}

fn receive(reader: &mut impl BufRead) -> std::io::Result<Option<Request>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split(' ').map(str::to_owned);
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let (mut length, mut key) = (0, None);
    loop {
        let mut header = String::new();
        reader.read_line(&mut header)?;
        let Some((name, value)) = header.trim().split_once(':') else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().unwrap_or(0),
            "api-key" => key = Some(value.trim().to_owned()),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(Some(Request { method, target, key, body }))
}

/// Status and body; `None` when the connection is to be cut.
fn answer(shared: &Shared, request: &Request) -> Option<(u16, Value)> {
    let mut inner = shared.lock();
    let fault = strike(&mut inner, request);
    let (status, body) = match fault {
        Some(Fault::Before(status)) => (status, error("struck before")),
        _ => work(&mut inner, request),
    };
    let status = match fault {
        Some(Fault::After(status)) => status,
        _ => status,
    };
    let (method, path) = (request.method.clone(), request.target.clone());
    inner.seen.push(Seen { method, path, bytes: request.body.len(), status });
    drop(inner);
    match fault {
        Some(Fault::Cut) => None,
        Some(Fault::Slow(pause)) => {
            sleep(pause);
            Some((status, body))
        }
        Some(Fault::After(_)) => Some((status, error("struck after"))),
        _ => Some((status, body)),
    }
}

fn strike(inner: &mut super::Inner, request: &Request) -> Option<Fault> {
    let trigger = inner.trigger.as_mut()?;
    if trigger.writes && !writes(&request.method, &request.target) {
        return None;
    }
    if trigger.at > 0 {
        trigger.at -= 1;
        return None;
    }
    let fault = trigger.fault;
    trigger.times -= 1;
    if trigger.times == 0 {
        inner.trigger = None;
    }
    Some(fault)
}

fn error(message: &str) -> Value {
    json!({"status": {"error": message}, "time": 0.0})
}

fn work(inner: &mut super::Inner, request: &Request) -> (u16, Value) {
    match route(inner, request) {
        Ok(result) => (200, json!({"result": result, "status": "ok", "time": 0.0})),
        Err(Refused(status, message)) => (status, error(&message)),
    }
}

fn route(inner: &mut super::Inner, request: &Request) -> Result<Value, Refused> {
    let behaviour = inner.behaviour.clone();
    if behaviour.key.is_some_and(|key| request.key.as_deref() != Some(key)) {
        return Err(Refused(401, "Must provide an API key or an Authorization bearer token".into()));
    }
    let (bytes, limit) = (request.body.len(), behaviour.body_limit);
    if bytes > limit {
        let message =
            format!("Payload error: JSON payload ({bytes} bytes) is larger than allowed (limit: {limit} bytes).");
        return Err(Refused(413, message));
    }
    let body = match request.body.as_slice() {
        [] => Value::Null,
        body => serde_json::from_slice(body).map_err(|e| Refused(400, format!("Format error in JSON body: {e}")))?,
    };
    let (path, parameters) = request.target.split_once('?').unwrap_or((&request.target, ""));
    let path: Vec<String> = path.trim_matches('/').split('/').map(decoded).collect();
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    inner.state.route(&behaviour, &request.method, &path, parameters, body)
}

fn decoded(segment: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = segment.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = || u8::from_str_radix(std::str::from_utf8(after.get(..2)?).ok()?, 16).ok();
        match (first, code()) {
            (b'%', Some(code)) => {
                bytes.push(code);
                rest = &after[2..];
            }
            _ => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap()
}
