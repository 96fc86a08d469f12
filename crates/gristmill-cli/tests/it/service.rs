//! An embedding service of this machine: vectors are a function of model and text, and it remembers what it embedded.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

pub struct Service {
    address: String,
    seen: Arc<Mutex<Vec<String>>>,
    ended: Arc<AtomicBool>,
}

/// How a request is answered.
pub enum Reply {
    /// As it should be.
    Vectors,
    /// With the vectors in another order, each with its index.
    Reversed,
    /// Without the last vector.
    Short,
    /// With `null` in the vectors of texts with this word.
    Broken(&'static str),
    /// With a status, more headers and a body.
    Status(u16, String, &'static str),
    /// After the caller has given up.
    Late,
    /// Not at all: the connection is cut.
    Cut,
}

/// How a request is answered, by its number from 0 and its texts.
type Behaviour = dyn Fn(usize, &[String]) -> Reply + Send + Sync;

impl Service {
    /// Starts a service that takes some time for each answer.
    pub fn start(pause: Duration) -> Self {
        Self::behaving(move |_, _| {
            std::thread::sleep(pause);
            Reply::Vectors
        })
    }

    /// Starts a service that behaves in its own way.
    pub fn behaving(behaviour: impl Fn(usize, &[String]) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let seen: Arc<Mutex<Vec<String>>> = Arc::default();
        let ended = Arc::new(AtomicBool::new(false));
        let (texts, stop) = (Arc::clone(&seen), Arc::clone(&ended));
        let behaviour: Arc<Behaviour> = Arc::new(behaviour);
        let requests = Arc::new(AtomicUsize::new(0));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if stop.load(Ordering::SeqCst) {
                    return;
                }
                let (texts, behaviour, requests) = (Arc::clone(&texts), Arc::clone(&behaviour), Arc::clone(&requests));
                if let Ok(stream) = stream {
                    std::thread::spawn(move || answer(stream, behaviour.as_ref(), &requests, &texts));
                }
            }
        });
        Self { address, seen, ended }
    }

    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Texts that were embedded since the last call.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.seen.lock().unwrap())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(&self.address);
    }
}

/// Answers the requests of a connection until it ends.
fn answer(stream: TcpStream, behaviour: &Behaviour, requests: &AtomicUsize, seen: &Mutex<Vec<String>>) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut writer = stream;
    loop {
        let request: Value = serde_json::from_slice(&body(&mut reader)?).ok()?;
        let texts = request["input"].as_array()?.iter().filter_map(|text| text.as_str().map(str::to_owned));
        let texts: Vec<String> = texts.collect();
        let reply = behaviour(requests.fetch_add(1, Ordering::SeqCst), &texts);
        let mut data: Vec<Value> =
            texts.iter().enumerate().map(|(n, text)| json!({ "index": n, "embedding": vector(text) })).collect();
        let (mut status, mut headers, mut body) = (200, String::new(), String::new());
        match reply {
            Reply::Vectors => {}
            Reply::Reversed => data.reverse(),
            Reply::Short => drop(data.pop()),
            Reply::Broken(word) => {
                let spoilt = data.iter_mut().zip(&texts).filter(|(_, text)| text.contains(word));
                spoilt.for_each(|(one, _)| one["embedding"][1] = Value::Null);
            }
            Reply::Status(code, more, text) => (status, headers, body) = (code, more, text.to_owned()),
            Reply::Late => std::thread::sleep(Duration::from_secs(3)),
            Reply::Cut => return None,
        }
        if status == 200 {
            let good = |n: usize| data.iter().any(|one| one["index"] == n && !one["embedding"][1].is_null());
            seen.lock().unwrap().extend(texts.iter().enumerate().filter(|(n, _)| good(*n)).map(|(_, t)| t.clone()));
            body = json!({ "data": data, "model": request["model"] }).to_string();
        }
        let head = format!("HTTP/1.1 {status} -\r\nContent-Type: application/json\r\n{headers}");
        write!(writer, "{head}Content-Length: {}\r\n\r\n{body}", body.len()).ok()?;
    }
}

/// The body of the next request.
fn body(reader: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(body)
}

/// The vector of a text.
pub fn vector(text: &str) -> Vec<f32> {
    let mut out = [1f32; 8];
    for (n, byte) in text.bytes().enumerate() {
        out[n % 8] += f32::from(byte) * ((n % 13) as f32 + 1.0);
    }
    let norm = out.iter().map(|x| x * x).sum::<f32>().sqrt();
    out.iter().map(|x| x / norm).collect()
}
