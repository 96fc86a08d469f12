//! A stand-in for a Qdrant server: its REST interface over memory, on a thread of its own. It is stricter than the real
//! one where that shows mistakes: unknown fields are refused, and a write that nobody waits for is not seen at once.

mod collection;
mod condition;
mod points;
mod query;
mod server;
mod state;

use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

pub use collection::{Collection as RawCollection, Layout};
pub use points::{Point, PointId};
pub use state::State;

/// How the server behaves.
#[derive(Clone, Debug)]
pub struct Behaviour {
    /// Filters on fields without an index are refused.
    pub strict: bool,
    /// Points in one answer at most, in strict mode.
    pub query_limit: usize,
    /// Bytes of a request.
    pub body_limit: usize,
    /// Points in a page of a scroll at most, whatever was asked for.
    pub page_size: usize,
    /// The server can count values of a field.
    pub facets: bool,
    /// The server knows the condition `has_vector`.
    pub has_vector: bool,
    /// The key that every request must bear.
    pub key: Option<&'static str>,
}

impl Default for Behaviour {
    fn default() -> Self {
        Self {
            strict: false,
            query_limit: 10_000,
            body_limit: 32 << 20,
            page_size: usize::MAX,
            facets: true,
            has_vector: true,
            key: None,
        }
    }
}

/// What happens to one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing is done, the answer has this status.
    Before(u16),
    /// All is done, the answer has this status.
    After(u16),
    /// All is done, no answer comes.
    Cut,
    /// The answer comes late.
    Slow(Duration),
}

/// When it happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trigger {
    /// The number of the request that is struck, from 0; only requests that write are counted if `writes`.
    pub at: usize,
    pub writes: bool,
    /// How many requests in a row.
    pub times: usize,
    pub fault: Fault,
}

/// A request that came.
#[derive(Clone, Debug)]
pub struct Seen {
    pub method: String,
    pub path: String,
    pub bytes: usize,
    pub status: u16,
}

impl Seen {
    /// True for requests that change something.
    pub fn writes(&self) -> bool {
        writes(&self.method, &self.path)
    }
}

fn writes(method: &str, path: &str) -> bool {
    let reads = ["/scroll", "/count", "/query", "/batch", "/facet", "/points"];
    let place = path.split('?').next().unwrap_or_default();
    match method {
        "PUT" | "DELETE" => true,
        "POST" => path.contains("/points/batch") || !reads.iter().any(|end| place.ends_with(end)),
        _ => false,
    }
}

/// A running server.
pub struct Double {
    shared: Arc<Shared>,
    address: SocketAddr,
    accepting: Option<JoinHandle<()>>,
}

/// What all connections share.
#[derive(Default)]
struct Shared {
    stopping: AtomicBool,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    state: State,
    behaviour: Behaviour,
    seen: Vec<Seen>,
    trigger: Option<Trigger>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Double {
    /// An empty server.
    pub fn start(behaviour: Behaviour) -> Self {
        let shared = Arc::new(Shared::default());
        shared.lock().behaviour = behaviour;
        let (address, accepting) = server::serve(Arc::clone(&shared));
        Self { shared, address, accepting: Some(accepting) }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Changes how it behaves.
    pub fn behave(&self, change: impl FnOnce(&mut Behaviour)) {
        change(&mut self.shared.lock().behaviour);
    }

    /// Looks into it or changes what it holds.
    pub fn state<T>(&self, look: impl FnOnce(&mut State) -> T) -> T {
        look(&mut self.shared.lock().state)
    }

    /// Forgets what it has seen, and strikes a request from here on.
    pub fn strike(&self, trigger: Option<Trigger>) {
        let mut inner = self.shared.lock();
        inner.seen.clear();
        inner.trigger = trigger;
    }

    /// The requests since the last call of [`Self::strike`].
    pub fn seen(&self) -> Vec<Seen> {
        self.shared.lock().seen.clone()
    }
}

impl Drop for Double {
    fn drop(&mut self) {
        self.shared.stopping.store(true, Ordering::SeqCst);
        _ = TcpStream::connect(self.address);
        if let Some(accepting) = self.accepting.take() {
            _ = accepting.join();
        }
    }
}
