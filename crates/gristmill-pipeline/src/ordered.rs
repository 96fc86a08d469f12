//! Work in parallel, results in order, and only so many of them waiting.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

use gristmill_core::{Error, Result};

/// Results that may wait for an earlier one, for each worker. Bounds memory when one document takes long.
const WAITING_PER_WORKER: usize = 8;

/// Calls `work(0..count)` on `workers` threads and hands the results to `take` in order, on the calling thread.
///
/// When `take` fails, no new work is begun and its error is returned. A panic in `work` becomes an error of kind
/// [`gristmill_core::ErrorKind::Bug`] in place of that result's value.
///
/// # Errors
/// The first error that `take` returns.
pub fn ordered<T: Send>(
    count: usize,
    workers: usize,
    work: impl Fn(usize) -> T + Sync,
    mut take: impl FnMut(usize, Result<T>) -> Result<()>,
) -> Result<()> {
    let workers = workers.clamp(1, count.max(1));
    if workers == 1 {
        return (0..count).try_for_each(|index| take(index, guarded(&work, index)));
    }
    let queue = Queue::new(count, workers);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| queue.serve(&work));
        }
        let outcome = (0..count).try_for_each(|index| take(index, queue.wait_for(index)));
        queue.stop();
        outcome
    })
}

fn guarded<T>(work: &impl Fn(usize) -> T, index: usize) -> Result<T> {
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(index)));
    caught.map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
        Error::bug(format!("a step panicked: {text}"))
    })
}

struct Queue<T> {
    count: usize,
    ahead: usize,
    next: AtomicUsize,
    stopped: AtomicBool,
    state: Mutex<State<T>>,
    done: Condvar,
    taken: Condvar,
}

struct State<T> {
    ready: BTreeMap<usize, Result<T>>,
    /// Index of the result that is taken next.
    front: usize,
    /// The taker waits for the result at the front.
    awaited: bool,
    /// Workers that wait until more is taken.
    resting: usize,
}

impl<T: Send> Queue<T> {
    fn new(count: usize, workers: usize) -> Self {
        let state = State { ready: BTreeMap::new(), front: 0, awaited: false, resting: 0 };
        Self {
            count,
            ahead: workers * WAITING_PER_WORKER,
            next: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
            state: Mutex::new(state),
            done: Condvar::new(),
            taken: Condvar::new(),
        }
    }

    fn serve(&self, work: &impl Fn(usize) -> T) {
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            if index >= self.count || !self.may_begin(index) {
                return;
            }
            let result = guarded(work, index);
            let mut state = self.lock();
            state.ready.insert(index, result);
            let wakes = state.awaited && index == state.front;
            drop(state);
            // To wake somebody takes longer than some documents.
            if wakes {
                self.done.notify_one();
            }
        }
    }

    /// Waits until `index` is near enough to the front; false when the work is stopped.
    fn may_begin(&self, index: usize) -> bool {
        let mut state = self.lock();
        while index >= state.front + self.ahead && !self.stopped.load(Ordering::Acquire) {
            state.resting += 1;
            state = self.taken.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.resting -= 1;
        }
        !self.stopped.load(Ordering::Acquire)
    }

    fn wait_for(&self, index: usize) -> Result<T> {
        let mut state = self.lock();
        loop {
            if let Some(result) = state.ready.remove(&index) {
                (state.front, state.awaited) = (index + 1, false);
                // Who rests is woken when several can be begun. All that it waits for lies before the next such moment.
                let wakes = state.resting > 0 && state.front.is_multiple_of(self.ahead / 2);
                drop(state);
                if wakes {
                    self.taken.notify_all();
                }
                return result;
            }
            state.awaited = true;
            state = self.done.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn stop(&self) {
        // Under the lock, so that no worker misses it between its check and its wait.
        let state = self.lock();
        self.stopped.store(true, Ordering::Release);
        drop(state);
        self.taken.notify_all();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gristmill_core::ErrorKind;

    #[test]
    fn results_come_in_order_for_any_number_of_workers() {
        for workers in [1, 2, 7] {
            let mut seen = Vec::new();
            ordered(
                100,
                workers,
                |i| i * i,
                |i, square| {
                    seen.push((i, square?));
                    Ok(())
                },
            )
            .unwrap();
            assert_eq!(seen, (0..100).map(|i| (i, i * i)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn nobody_waits_for_ever() {
        let pause = |now: bool| {
            if now {
                std::thread::sleep(std::time::Duration::from_micros(300));
            }
        };
        for workers in [2, 3, 8, 33] {
            for (slow_work, slow_taker) in [(7, 1), (1, 7), (usize::MAX, 1), (1, usize::MAX), (20, 21)] {
                let mut taken = 0;
                let work = |index: usize| pause(index.is_multiple_of(slow_work));
                ordered(400, workers, work, |index, _| {
                    pause(index.is_multiple_of(slow_taker));
                    taken += 1;
                    Ok(())
                })
                .unwrap();
                assert_eq!(taken, 400);
            }
        }
    }

    #[test]
    fn a_failing_taker_stops_the_work() {
        let began = AtomicUsize::new(0);
        let result = ordered(
            10_000,
            2,
            |_| began.fetch_add(1, Ordering::Relaxed),
            |i, _| {
                if i == 3 { Err(Error::usage("enough")) } else { Ok(()) }
            },
        );
        assert!(result.is_err());
        assert!(began.load(Ordering::Relaxed) <= 4 + 2 * WAITING_PER_WORKER + 2);
    }

    #[test]
    fn a_panic_is_one_failed_result() {
        let mut failed = Vec::new();
        ordered(
            5,
            2,
            |i| assert_ne!(i, 2, "boom"),
            |i, result| {
                if let Err(error) = result {
                    assert_eq!(error.kind(), ErrorKind::Bug);
                    failed.push(i);
                }
                Ok(())
            },
        )
        .unwrap();
        assert_eq!(failed, [2]);
    }
}
