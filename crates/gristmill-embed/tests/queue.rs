//! The queue with its threads: nothing is lost, nothing waits for ever.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use gristmill_core::{EmbedError, EmbedLimits, EmbedQueue, Embedder, Error, ErrorKind, Purpose, Remedy, Result};
use gristmill_embed::{Clock, Queue, QueueOptions};

/// A clock that is always where it is slept to.
#[derive(Default)]
struct Leap(Mutex<Duration>);

impl Clock for Leap {
    fn now(&self) -> Duration {
        *self.0.lock().unwrap()
    }

    fn sleep(&self, pause: Duration) {
        *self.0.lock().unwrap() += pause;
    }
}

type Serve = dyn Fn(&[&str]) -> Result<Vec<Vec<f32>>, EmbedError> + Send + Sync;

/// A model that does what it is told.
struct Model {
    limits: EmbedLimits,
    serve: Box<Serve>,
    dropped: Option<Sender<()>>,
}

impl Embedder for Model {
    fn name(&self) -> &str {
        "stub/m"
    }

    fn dimensions(&self) -> Option<usize> {
        None
    }

    fn limits(&self) -> EmbedLimits {
        self.limits
    }

    fn embed(&self, texts: &[&str], _purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbedError> {
        (self.serve)(texts)
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        self.dropped.iter().for_each(|dropped| dropped.send(()).unwrap());
    }
}

fn queue(inputs: usize, requests: usize, serve: Box<Serve>) -> Queue {
    let limits = EmbedLimits { inputs, tokens: usize::MAX, bytes: usize::MAX, input_tokens: usize::MAX, requests };
    let options = QueueOptions { clock: Arc::new(Leap::default()), ..QueueOptions::default() };
    Queue::new(Arc::new(Model { limits, serve, dropped: None }), options).unwrap()
}

fn vector(text: &str) -> Vec<f32> {
    text.bytes().map(f32::from).collect()
}

fn failure(remedy: Remedy) -> Result<Vec<Vec<f32>>, EmbedError> {
    Err(EmbedError::new(remedy, Error::new(ErrorKind::Remote, "no")))
}

/// All answers, by key.
fn drain(queue: &mut Queue, answers: &mut BTreeMap<u64, Result<Vec<f32>>>) -> Result<()> {
    loop {
        let came = queue.take(true)?;
        if came.is_empty() {
            return Ok(());
        }
        for came in came {
            assert!(answers.insert(came.key, came.vector).is_none(), "two answers for {}", came.key);
        }
    }
}

#[test]
fn texts_beyond_the_bound_are_taken_in_as_answers_come() {
    let most = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
    let count = Arc::clone(&most);
    let serve = move |texts: &[&str]| {
        let now = count.0.fetch_add(1, Ordering::SeqCst) + 1;
        count.1.fetch_max(now, Ordering::SeqCst);
        let vectors = texts.iter().map(|text| vector(text)).collect();
        count.0.fetch_sub(1, Ordering::SeqCst);
        Ok(vectors)
    };
    let mut queue = queue(2, 3, Box::new(serve));
    let mut answers = BTreeMap::new();
    for key in 0..1_000 {
        queue.push(key, &key.to_string(), 1);
    }
    drain(&mut queue, &mut answers).unwrap();
    assert_eq!(answers.len(), 1_000);
    assert!(answers.iter().all(|(key, got)| got.as_ref().is_ok_and(|got| *got == vector(&key.to_string()))));
    assert!(most.1.load(Ordering::SeqCst) <= 3, "requests at the same time");
}

#[test]
fn a_moody_service_with_several_threads_gives_every_text_its_answer() {
    let calls = AtomicUsize::new(0);
    let given = Mutex::new(HashSet::new());
    let serve = move |texts: &[&str]| {
        let call = calls.fetch_add(1, Ordering::SeqCst);
        match call % 5 {
            1 => return failure(Remedy::Again(None)),
            3 => return failure(Remedy::Again(Some(Duration::from_secs(call as u64 % 7)))),
            _ if texts.len() > 5 => return failure(Remedy::Fewer),
            _ if texts.iter().any(|text| text.ends_with("13")) => return failure(Remedy::Apart),
            _ => {}
        }
        let mut given = given.lock().unwrap();
        assert!(texts.iter().all(|text| given.insert((*text).to_owned())), "sent after it got its vector");
        Ok(texts.iter().map(|text| vector(text)).collect())
    };
    let mut queue = queue(16, 4, Box::new(serve));
    let mut answers = BTreeMap::new();
    for key in 0..2_000 {
        queue.push(key, &key.to_string(), 1);
        for came in queue.take(false).unwrap() {
            answers.insert(came.key, came.vector);
        }
    }
    drain(&mut queue, &mut answers).unwrap();
    assert_eq!(answers.len(), 2_000);
    for (key, got) in answers {
        match got {
            Ok(got) => assert!(got == vector(&key.to_string()) && key % 100 != 13),
            Err(_) => assert_eq!(key % 100, 13),
        }
    }
}

#[test]
fn after_the_end_nothing_blocks() {
    let mut queue = queue(1, 2, Box::new(|_| failure(Remedy::Nothing)));
    for key in 0..1_000 {
        queue.push(key, &key.to_string(), 1);
    }
    let mut answers = BTreeMap::new();
    assert_eq!(drain(&mut queue, &mut answers).unwrap_err().to_string(), "no");
    queue.push(1_000, "more", 1);
    assert_eq!(queue.take(true).unwrap_err().to_string(), "no");
    assert_eq!(queue.take(false).unwrap_err().to_string(), "no");
    assert!(answers.is_empty());
}

#[test]
fn an_embedder_that_panics_ends_the_queue() {
    let mut queue = queue(1, 1, Box::new(|_| panic!("on purpose")));
    queue.push(0, "a", 1);
    let error = queue.take(true).unwrap_err();
    assert_eq!(error.to_string(), "the embedder panicked: `stub/m`");
}

#[test]
fn with_nothing_on_its_way_nothing_is_waited_for() {
    let mut queue = queue(1, 1, Box::new(|_| failure(Remedy::Nothing)));
    assert!(queue.take(true).unwrap().is_empty());
    queue.push(7, " ", 1);
    let came = queue.take(true).unwrap();
    assert!(came.len() == 1 && came[0].key == 7 && came[0].vector.as_ref().is_ok_and(Vec::is_empty));
}

#[test]
fn dropping_a_queue_ends_its_threads_during_a_pause() {
    let (tell, told) = channel();
    let limits =
        EmbedLimits { inputs: 1, tokens: usize::MAX, bytes: usize::MAX, input_tokens: usize::MAX, requests: 3 };
    let (asked, was_asked) = channel();
    let serve = move |_: &[&str]| {
        asked.send(()).unwrap();
        failure(Remedy::Again(Some(Duration::from_secs(500))))
    };
    let model = Arc::new(Model { limits, serve: Box::new(serve), dropped: Some(tell) });
    let mut queue = Queue::new(model, QueueOptions::default()).unwrap();
    queue.push(0, "a", 1);
    was_asked.recv().unwrap();
    drop(queue);
    told.recv_timeout(Duration::from_secs(60)).expect("the last thread lets go of the embedder");
}
