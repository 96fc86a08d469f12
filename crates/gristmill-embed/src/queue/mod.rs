//! Many texts on their way to vectors: requests are filled, sent side by side, tried again and taken apart.
//!
//! What is decided stands in `state`, without threads and clock; here it is carried out.

mod batch;
mod bounds;
mod clock;
mod pauses;
mod reason;
mod settle;
mod state;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use gristmill_core::{EmbedError, EmbedQueue, Embedded, Embedder, Error, ErrorKind, Purpose, Remedy, Result};

use batch::Batch;
pub use clock::{Clock, SystemClock};
pub use pauses::Patience;
use state::{Next, State};

/// Texts of one run on their way to the vectors of one embedder.
///
/// Texts are sent in the order they are handed in, as many together as the embedder's limits allow; equal ones that are on
/// their way at the same time are sent once; blank ones are never sent. A text that got its vector is not sent again.
pub struct Queue {
    shared: Arc<Shared>,
}

/// How a queue works.
#[derive(Clone)]
pub struct QueueOptions {
    /// What the texts are embedded for.
    pub purpose: Purpose,
    /// How long it goes on asking a service that does not answer.
    pub patience: Patience,
    /// The time.
    pub clock: Arc<dyn Clock>,
}

impl Default for QueueOptions {
    fn default() -> Self {
        Self { purpose: Purpose::Passage, patience: Patience::default(), clock: Arc::new(SystemClock::new()) }
    }
}

struct Shared {
    embedder: Arc<dyn Embedder>,
    purpose: Purpose,
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
    /// Told when there may be something to send.
    work: Condvar,
    /// Told when something came.
    came: Condvar,
}

/// A pause is slept through in pieces, so that a queue that is dropped ends soon.
const NAP: Duration = Duration::from_millis(50);

impl Queue {
    /// A queue with as many threads as the embedder takes requests at the same time.
    ///
    /// # Errors
    /// When the system gives no threads.
    pub fn new(embedder: Arc<dyn Embedder>, options: QueueOptions) -> Result<Self> {
        let (name, limits) = (embedder.name().to_owned(), embedder.limits());
        let state = Mutex::new(State::new(name, limits, options.patience));
        let (work, came) = (Condvar::new(), Condvar::new());
        let queue = Self {
            shared: Arc::new(Shared { embedder, purpose: options.purpose, clock: options.clock, state, work, came }),
        };
        for _ in 0..limits.requests.max(1) {
            let shared = Arc::clone(&queue.shared);
            let thread = thread::Builder::new().name("embed".into()).spawn(move || shared.work());
            thread.map_err(|error| Error::new(ErrorKind::Bug, "no thread to embed with").because(error))?;
        }
        Ok(queue)
    }
}

impl EmbedQueue for Queue {
    fn push(&mut self, key: u64, text: &str, tokens: usize) {
        let mut state = self.shared.lock();
        if state.push(key, text, tokens) {
            self.shared.work.notify_one();
        }
        while state.is_full() {
            state.hurry(true);
            self.shared.work.notify_all();
            state = wait(&self.shared.came, state);
        }
        state.hurry(false);
    }

    fn take(&mut self, wait_for_one: bool) -> Result<Vec<Embedded>> {
        let mut state = self.shared.lock();
        while wait_for_one && state.is_awaited() {
            state.hurry(true);
            self.shared.work.notify_all();
            state = wait(&self.shared.came, state);
        }
        state.hurry(false);
        state.take()
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        self.shared.lock().close();
        self.shared.work.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a thread does until nothing can come any more.
    fn work(&self) {
        let mut state = self.lock();
        loop {
            match state.next(self.clock.now()) {
                Next::Stop => return,
                Next::Idle => state = wait(&self.work, state),
                Next::Pause(pause) => {
                    drop(state);
                    self.clock.sleep(pause.min(NAP));
                    state = self.lock();
                }
                Next::Send(batch) => {
                    drop(state);
                    let outcome = self.send(&batch);
                    state = self.lock();
                    state.settle(batch, outcome, self.clock.now());
                    self.work.notify_all();
                    self.came.notify_all();
                }
            }
        }
    }

    /// A panic of the embedder ends the queue, not the threads that wait for it.
    fn send(&self, batch: &Batch) -> Result<Vec<Vec<f32>>, EmbedError> {
        let texts = batch.texts();
        catch_unwind(AssertUnwindSafe(|| self.embedder.embed(&texts, self.purpose))).unwrap_or_else(|_| {
            let error = Error::bug(format!("the embedder panicked: `{}`", self.embedder.name()));
            Err(EmbedError::new(Remedy::Nothing, error))
        })
    }
}

fn wait<'a>(signal: &Condvar, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
    signal.wait(state).unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
