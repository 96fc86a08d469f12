//! An embedding service of this machine: vectors are a function of model and text, and it remembers what it embedded.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

pub struct Service {
    address: String,
    seen: Arc<Mutex<Vec<String>>>,
    ended: Arc<AtomicBool>,
}

impl Service {
    /// Starts a service that takes some time for each answer.
    pub fn start(pause: Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let seen: Arc<Mutex<Vec<String>>> = Arc::default();
        let ended = Arc::new(AtomicBool::new(false));
        let (texts, stop) = (Arc::clone(&seen), Arc::clone(&ended));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if stop.load(Ordering::SeqCst) {
                    return;
                }
                let texts = Arc::clone(&texts);
                if let Ok(stream) = stream {
                    std::thread::spawn(move || answer(stream, pause, &texts));
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
fn answer(stream: TcpStream, pause: Duration, seen: &Mutex<Vec<String>>) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut writer = stream;
    loop {
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
        let request: Value = serde_json::from_slice(&body).ok()?;
        let texts: Vec<String> =
            request["input"].as_array()?.iter().filter_map(|t| t.as_str().map(str::to_owned)).collect();
        std::thread::sleep(pause);
        let data: Vec<Value> =
            texts.iter().enumerate().map(|(n, text)| json!({ "index": n, "embedding": vector(text) })).collect();
        let reply = json!({ "data": data, "model": request["model"] }).to_string();
        seen.lock().unwrap().extend(texts);
        write!(
            writer,
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{reply}",
            reply.len()
        )
        .ok()?;
    }
}

fn vector(text: &str) -> Vec<f32> {
    let mut out = [1f32; 8];
    for (n, byte) in text.bytes().enumerate() {
        out[n % 8] += f32::from(byte) * ((n % 13) as f32 + 1.0);
    }
    let norm = out.iter().map(|x| x * x).sum::<f32>().sqrt();
    out.iter().map(|x| x / norm).collect()
}
