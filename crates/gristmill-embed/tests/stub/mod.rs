//! A small embedding service that answers well and badly, and a clock that nobody waits for.

use std::collections::{BTreeMap, HashSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use gristmill_core::{EmbedQueue, Embedder, Error};
use gristmill_embed::{Clock, EmbedderOptions, Queue, QueueOptions, embedder};
use serde_json::{Value, json};

/// What the service does with a request.
pub enum Reply {
    /// This answer.
    Json(u16, Value),
    /// This answer with a header.
    Header(u16, &'static str, String, Value),
    /// This text of HTML.
    Html(u16),
    /// Half of an answer.
    Cut,
    /// Nothing, ever.
    Silence,
}

/// A request as it came.
pub struct Request {
    /// Counted from 1.
    pub number: usize,
    /// First line and headers, in lower case.
    pub head: String,
    pub body: Value,
    /// When it came, by the clock of the trial.
    pub at: Duration,
}

impl Request {
    pub fn texts(&self) -> Vec<&str> {
        let texts = if self.body["input"].is_null() { &self.body["texts"] } else { &self.body["input"] };
        texts.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
    }
}

/// A clock that is always where it is slept to.
#[derive(Default)]
pub struct Leap(Mutex<Duration>);

impl Clock for Leap {
    fn now(&self) -> Duration {
        *self.0.lock().unwrap()
    }

    fn sleep(&self, pause: Duration) {
        *self.0.lock().unwrap() += pause;
    }
}

/// The service: its address, what it was asked, the time it lives in.
pub struct Stub {
    pub url: String,
    pub seen: Arc<Mutex<Vec<Request>>>,
    pub clock: Arc<Leap>,
}

impl Stub {
    /// Answers every request by `serve`.
    pub fn new(serve: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let (seen, clock, serve) = (Arc::<Mutex<Vec<Request>>>::default(), Arc::<Leap>::default(), Arc::new(serve));
        let (log, time) = (Arc::clone(&seen), Arc::clone(&clock));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, time, serve) = (Arc::clone(&log), Arc::clone(&time), Arc::clone(&serve));
                thread::spawn(move || connection(stream, &log, &time, &*serve));
            }
        });
        Self { url, seen, clock }
    }

    pub fn options(&self) -> EmbedderOptions {
        EmbedderOptions {
            model: Some("stub-embed".into()),
            base_url: Some(self.url.clone()),
            api_key: Some("s3cret".into()),
            concurrency: Some(1),
            timeout: Some(Duration::from_secs(20)),
            ..EmbedderOptions::default()
        }
    }

    /// Embeds texts by `openai`. The key of each is its place.
    pub fn run(&self, options: &EmbedderOptions, texts: &[&str]) -> Trial {
        run(embedder("openai", options).unwrap(), self.clock.clone(), texts)
    }

    pub fn requests(&self) -> usize {
        self.seen.lock().unwrap().len()
    }

    /// How often each text was sent.
    pub fn times(&self, text: &str) -> usize {
        self.seen.lock().unwrap().iter().filter(|request| request.texts().contains(&text)).count()
    }
}

/// What a queue gave.
pub struct Trial {
    pub answers: BTreeMap<u64, Result<Vec<f32>, String>>,
    pub ended: Option<Error>,
}

pub fn run(embedder: Arc<dyn Embedder>, clock: Arc<dyn Clock>, texts: &[&str]) -> Trial {
    let options = QueueOptions { clock, ..QueueOptions::default() };
    let mut queue = Queue::new(embedder, options).unwrap();
    for (key, text) in texts.iter().enumerate() {
        queue.push(key as u64, text, text.split_whitespace().count());
    }
    let mut trial = Trial { answers: BTreeMap::new(), ended: None };
    loop {
        match queue.take(true) {
            Err(error) => trial.ended = Some(error),
            Ok(came) if !came.is_empty() => {
                for came in came {
                    let known = trial.answers.insert(came.key, came.vector.map_err(|error| error.chain()));
                    assert!(known.is_none(), "two answers for {}", came.key);
                }
                continue;
            }
            Ok(_) => {}
        }
        return trial;
    }
}

impl Trial {
    /// Every text has its own vector, but these, which have none.
    pub fn assert_right_but(&self, texts: &[&str], bad: &[&str]) {
        assert!(self.ended.is_none(), "{:?}", self.ended);
        assert_eq!(self.answers.len(), texts.len());
        for (key, text) in texts.iter().enumerate() {
            match &self.answers[&(key as u64)] {
                Ok(vector) => assert!(!bad.contains(text) && near(vector, &vector_of(text)), "{text}: {vector:?}"),
                Err(why) => assert!(bad.contains(text), "{text}: {why}"),
            }
        }
    }
}

/// A vector that no other text has, not of unit length.
pub fn vector_of(text: &str) -> Vec<f32> {
    let hash = text.bytes().fold(7u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(u32::from(byte)));
    vec![(hash % 1_009) as f32, (hash % 997) as f32 + 1.0, text.len() as f32]
}

fn near(vector: &[f32], expected: &[f32]) -> bool {
    let length = expected.iter().map(|number| number * number).sum::<f32>().sqrt();
    vector.len() == expected.len() && vector.iter().zip(expected).all(|(a, b)| (a - b / length).abs() < 1e-6)
}

/// The lines of a good answer in the shape of OpenAI.
pub fn lines(request: &Request) -> Vec<Value> {
    let numbered = request.texts().into_iter().enumerate();
    numbered.map(|(index, text)| json!({"object": "embedding", "index": index, "embedding": vector_of(text)})).collect()
}

pub fn good(request: &Request) -> Reply {
    Reply::Json(200, json!({"object": "list", "data": lines(request)}))
}

pub fn refusal(status: u16, message: &str) -> Reply {
    Reply::Json(status, json!({"error": {"message": message, "type": "invalid_request_error"}}))
}

fn connection(stream: TcpStream, log: &Mutex<Vec<Request>>, time: &Leap, serve: &dyn Fn(&Request) -> Reply) {
    let mut writer = stream.try_clone().unwrap();
    let mut reader = BufReader::new(stream);
    while let Some((head, body)) = read(&mut reader) {
        let reply = {
            let mut log = log.lock().unwrap();
            let number = log.len() + 1;
            log.push(Request { number, head, body: serde_json::from_slice(&body).unwrap(), at: time.now() });
            serve(&log[number - 1])
        };
        let (status, header, text) = match reply {
            Reply::Json(status, value) => (status, String::new(), value.to_string()),
            Reply::Header(status, name, value, json) => (status, format!("{name}: {value}\r\n"), json.to_string()),
            Reply::Html(status) => (status, String::new(), "<html>no</html>".to_owned()),
            Reply::Cut => {
                let _ = writer.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{\"data\":");
                return;
            }
            Reply::Silence => {
                let _ = reader.read(&mut [0]);
                return;
            }
        };
        let length = text.len();
        let answer = format!("HTTP/1.1 {status} X\r\nContent-Length: {length}\r\n{header}\r\n{text}");
        let _ = writer.write_all(answer.as_bytes());
    }
}

fn read(reader: &mut BufReader<TcpStream>) -> Option<(String, Vec<u8>)> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    let head = head.to_lowercase();
    let length = head.split("content-length: ").nth(1)?.split("\r\n").next()?.parse().ok()?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((head, body))
}

/// True when no two are equal.
pub fn distinct<T: std::hash::Hash + Eq>(all: impl IntoIterator<Item = T>) -> bool {
    let mut seen = HashSet::new();
    all.into_iter().all(|one| seen.insert(one))
}
