//! Waiting for the turn to write.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::thread::sleep;
use std::time::{Duration, Instant};

use gristmill_core::{Result, Retry, Store, VectorSpec, Writer};

/// The first pause; each is longer than the one before, up to the last.
const PAUSES: (Duration, Duration) = (Duration::from_millis(20), Duration::from_secs(2));

/// Takes the right to write, as soon as nobody else has it or after `wait` has passed.
///
/// # Errors
/// When another run is still writing then, or for any other reason at once.
pub(super) fn writer<'s>(store: &'s dyn Store, spec: &VectorSpec, wait: Duration) -> Result<Box<dyn Writer + 's>> {
    let (begun, mut pause) = (Instant::now(), PAUSES.0);
    loop {
        match store.writer(spec) {
            Err(error) if error.retry_advice() != Retry::Never && begun.elapsed() < wait => {}
            taken => return taken,
        }
        // Of runs that try at the same moment all may fail: they must not try again at the same moment.
        let share = RandomState::new().hash_one(0) % 1_000;
        sleep(pause.mul_f64(0.5 + f64::from(share as u32) / 1_000.0).min(wait));
        pause = (pause * 2).min(PAUSES.1);
    }
}
