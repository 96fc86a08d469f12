//! What a queue knows and decides.

use std::collections::{HashMap, VecDeque};
use std::mem::take;
use std::sync::Arc;
use std::time::Duration;

use gristmill_core::{EmbedLimits, Embedded, Error, Result};

use super::batch::{Batch, Size, Text};
use super::bounds::Bounds;
use super::pauses::{Patience, Pauses};
use super::reason::Reason;

/// Texts on their way at most, for each request at the same time and one more.
const WAITING: Size = Size { inputs: 2_048, tokens: usize::MAX, bytes: 16 << 20 };

/// What a queue knows.
pub(super) struct State {
    pub(super) name: String,
    limits: EmbedLimits,
    pub(super) patience: Patience,
    pub(super) bounds: Bounds,
    pub(super) pauses: Pauses,
    /// Keys that wait for the vector of a text that is on its way.
    pub(super) waiting: HashMap<Arc<str>, Vec<u64>>,
    /// Texts that were not sent yet, and their size.
    pub(super) fresh: VecDeque<Text>,
    fresh_size: Size,
    /// What is to be sent again at once.
    pub(super) again: VecDeque<Batch>,
    /// What is to be sent again in turn with fresh texts.
    pub(super) later: VecDeque<Batch>,
    /// Whether it is the turn of what failed.
    turn: bool,
    pub(super) came: Vec<Embedded>,
    /// Size of all texts on their way, one for each key.
    pub(super) on_way: Size,
    pub(super) in_flight: usize,
    pub(super) sent: u64,
    pub(super) succeeded: u64,
    /// Texts that were refused alone.
    pub(super) refused: u32,
    /// Requests that had succeeded when a text was last taken to be what the service fails on.
    pub(super) blamed: Option<u64>,
    /// Somebody waits: requests are sent before they are full.
    hurry: bool,
    closed: bool,
    pub(super) ended: Option<Reason>,
}

/// What a thread does next.
#[derive(Debug)]
pub(super) enum Next {
    /// Sends.
    Send(Batch),
    /// Leaves the service alone for this time.
    Pause(Duration),
    /// Waits for texts.
    Idle,
    /// Ends.
    Stop,
}

impl State {
    pub fn new(name: String, limits: EmbedLimits, patience: Patience) -> Self {
        Self {
            name,
            limits,
            patience,
            bounds: Bounds::new(limits),
            pauses: Pauses::new(patience),
            waiting: HashMap::new(),
            fresh: VecDeque::new(),
            fresh_size: Size::default(),
            again: VecDeque::new(),
            later: VecDeque::new(),
            turn: false,
            came: Vec::new(),
            on_way: Size::default(),
            in_flight: 0,
            sent: 0,
            succeeded: 0,
            refused: 0,
            blamed: None,
            hurry: false,
            closed: false,
            ended: None,
        }
    }

    /// Takes a text in. True when there may be something to send.
    pub fn push(&mut self, key: u64, text: &str, tokens: usize) -> bool {
        if self.ended.is_some() {
            return false;
        }
        if text.chars().all(is_invisible) {
            self.came.push(Embedded { key, vector: Ok(Vec::new()) });
            return false;
        }
        if tokens > self.limits.input_tokens {
            let message =
                format!("a text of {tokens} tokens, `{}` takes at most {}", self.name, self.limits.input_tokens);
            let error = Error::input(message).hint("make chunks smaller");
            self.came.push(Embedded { key, vector: Err(error) });
            return false;
        }
        self.await_vector(key, text, tokens)
    }

    fn await_vector(&mut self, key: u64, text: &str, tokens: usize) -> bool {
        self.on_way = self.on_way.and(Size { inputs: 1, tokens, bytes: text.len() });
        if let Some(keys) = self.waiting.get_mut(text) {
            keys.push(key);
            return false;
        }
        let text = Text { text: text.into(), tokens };
        self.waiting.insert(Arc::clone(&text.text), vec![key]);
        self.fresh_size = self.fresh_size.and(Size::of(&text));
        self.fresh.push_back(text);
        self.fresh_size.fills(self.bounds.now())
    }

    /// True when no more texts should be taken in now.
    pub fn is_full(&self) -> bool {
        let requests = self.limits.requests.max(1).saturating_add(1);
        let each = self.bounds.now().inputs.min(WAITING.inputs);
        let bytes = self.limits.bytes.min(WAITING.bytes);
        let room =
            Size { inputs: each.saturating_mul(requests), tokens: usize::MAX, bytes: bytes.saturating_mul(requests) };
        self.ended.is_none() && self.on_way.fills(room) && self.on_way.inputs > 0
    }

    /// Whether requests are sent before they are full.
    pub fn hurry(&mut self, hurry: bool) {
        self.hurry = hurry;
    }

    /// Nothing is wanted any more.
    pub fn close(&mut self) {
        self.closed = true;
    }

    /// True when nothing has come, and something may.
    pub fn is_awaited(&self) -> bool {
        let may_come = if self.ended.is_some() { self.in_flight > 0 } else { self.on_way.inputs > 0 };
        self.came.is_empty() && may_come
    }

    /// What has come.
    ///
    /// # Errors
    /// When nothing has come and nothing can.
    pub fn take(&mut self) -> Result<Vec<Embedded>> {
        match &self.ended {
            Some(reason) if self.came.is_empty() && self.in_flight == 0 => Err(reason.error()),
            _ => Ok(take(&mut self.came)),
        }
    }

    /// What to do at this time.
    pub fn next(&mut self, now: Duration) -> Next {
        if self.closed || self.ended.is_some() {
            return Next::Stop;
        }
        let is_filled = !self.fresh.is_empty() && (self.hurry || self.fresh_size.fills(self.bounds.now()));
        if self.again.is_empty() && self.later.is_empty() && !is_filled {
            return Next::Idle;
        }
        if let Some(left) = self.pauses.left(now) {
            return Next::Pause(left);
        }
        let mut batch = self.choose(is_filled);
        batch.number = self.sent;
        self.sent += 1;
        self.in_flight += 1;
        Next::Send(batch)
    }

    fn choose(&mut self, is_filled: bool) -> Batch {
        if let Some(batch) = self.again.pop_front() {
            return self.trim(batch);
        }
        self.turn = !self.turn || !is_filled;
        let failed = if self.turn { self.later.pop_front() } else { None };
        match failed {
            Some(batch) => self.trim(batch),
            None => self.fill(),
        }
    }

    /// As many fresh texts as a request may hold; at least one.
    fn fill(&mut self) -> Batch {
        let bound = self.bounds.now();
        let (mut texts, mut size) = (Vec::new(), Size::default());
        while let Some(text) = self.fresh.front() {
            let more = size.and(Size::of(text));
            if !texts.is_empty() && !more.fits(bound) {
                break;
            }
            size = more;
            texts.extend(self.fresh.pop_front());
        }
        self.fresh_size = self.fresh_size.without(size);
        Batch::new(texts)
    }

    /// A batch that is sent again, cut to what a request may hold by now.
    fn trim(&mut self, mut batch: Batch) -> Batch {
        while batch.texts.len() > 1 && !batch.size().fits(self.bounds.now()) {
            let (first, second) = batch.halves();
            self.again.push_front(second);
            batch = first;
        }
        batch
    }
}

/// White space, and characters that show nothing.
fn is_invisible(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}
