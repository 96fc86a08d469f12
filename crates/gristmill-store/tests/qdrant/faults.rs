//! Faults: requests that fail once, requests whose answer is lost, servers that die in the middle of a run.

use std::sync::atomic::Ordering;
use std::time::Duration;

use gristmill_core::{Error, Store};

use crate::contract::fixture::spec;
use crate::double::{Behaviour, Double, Fault, Trigger};
use crate::flow::{Snapshot, expect_left, live, snapshot};
use crate::open::Opened;

fn strike(at: usize, writes: bool, times: usize, fault: Fault) -> Option<Trigger> {
    Some(Trigger { at, writes, times, fault })
}

/// The number of requests, and of those that write, in a life without faults; and what is left.
fn undisturbed() -> (usize, usize, Snapshot) {
    let double = Double::start(Behaviour::default());
    live(&Opened::new(&double.url())).unwrap();
    let seen = double.seen();
    (seen.len(), seen.iter().filter(|seen| seen.writes()).count(), snapshot(&double))
}

/// Runs `check` for each number on some threads: the pauses before another try take most of the time.
fn side_by_side(count: usize, check: impl Fn(usize) + Sync) {
    const THREADS: usize = 16;
    std::thread::scope(|scope| {
        for first in 0..THREADS {
            let check = &check;
            scope.spawn(move || (first..count).step_by(THREADS).for_each(check));
        }
    });
}

#[test]
fn a_life_without_faults_leaves_what_it_should() {
    let double = Double::start(Behaviour::default());
    let opened = Opened::new(&double.url());
    live(&opened).unwrap();
    expect_left(&opened);
    let (collections, aliases) = snapshot(&double);
    assert_eq!((collections.len(), aliases.len()), (1, 1), "{:?} {aliases:?}", collections.keys());
}

#[test]
fn a_write_that_fails_once_at_any_point_changes_nothing() {
    let (_, writes, expected) = undisturbed();
    for fault in [Fault::After(503), Fault::Cut, Fault::Before(500), Fault::Before(429)] {
        side_by_side(writes, |at| {
            let double = Double::start(Behaviour::default());
            double.strike(strike(at, true, 1, fault));
            live(&Opened::new(&double.url())).unwrap_or_else(|error| panic!("{fault:?} at {at}: {}", error.chain()));
            assert!(snapshot(&double) == expected, "{fault:?} at {at}");
        });
    }
}

#[test]
fn any_request_that_fails_twice_changes_nothing() {
    let (requests, _, expected) = undisturbed();
    side_by_side(requests, |at| {
        let double = Double::start(Behaviour::default());
        double.strike(strike(at, false, 2, Fault::Before(502)));
        live(&Opened::new(&double.url())).unwrap();
        assert!(snapshot(&double) == expected, "{at}");
    });
}

#[test]
fn a_run_that_is_cut_short_anywhere_is_finished_by_the_next_one() {
    let (requests, _, expected) = undisturbed();
    side_by_side(requests, |at| {
        // From here on nothing works any more: the process has died, or its key was taken away.
        for before in [false, true] {
            let double = Double::start(Behaviour::default());
            let opened = Opened::new(&double.url());
            let fault = if before { Fault::Before(403) } else { Fault::After(403) };
            double.strike(strike(at, false, usize::MAX, fault));
            let Err(error) = live(&opened) else {
                // The last request gives the right to write back: nobody waits for that.
                assert_eq!(at + 1, requests);
                return;
            };
            assert!(error.chain().contains("status 403"), "{}", error.chain());
            double.strike(None);
            if let Err(error) = opened.store("a").writer(&spec()).map(drop) {
                assert!(error.to_string().contains("another run is writing"), "{error}");
            }
            opened.now.fetch_add(61, Ordering::SeqCst);
            live(&opened).unwrap_or_else(|error| panic!("after {at}: {}", error.chain()));
            expect_left(&opened);
            assert_eq!(snapshot(&double), expected, "after {at}, {fault:?}");
        }
    });
}

#[test]
fn tries_have_an_end() {
    let double = Double::start(Behaviour::default());
    let opened = Opened::new(&double.url());
    let store = opened.store("a");
    double.strike(strike(0, false, usize::MAX, Fault::Before(503)));
    let error = store.spec().unwrap_err();
    assert_eq!(error.chain(), "the store `qdrant` refused a request with status 503: struck before");
    assert_eq!(double.seen().len(), 6);
    drop(double);
    let error = store.spec().unwrap_err();
    assert!(error.to_string().starts_with("the store `qdrant` does not answer") && error.hint_text().is_some());
}

#[test]
fn what_cannot_help_is_not_tried_again() {
    let double = Double::start(Behaviour { key: Some("s3cret"), ..Behaviour::default() });
    let mut opened = Opened::new(&double.url());
    let refused = |error: Error| {
        let told = format!("{} {} {error:?}", error.chain(), error.hint_text().unwrap());
        assert!(told.contains("401") && told.contains("api_key_env") && !told.contains("wrong"), "{told}");
    };
    opened.key = Some("wrong");
    refused(opened.store("a").spec().unwrap_err());
    refused(opened.try_store("a", false).err().unwrap());
    assert_eq!(double.seen().len(), 2);
    opened.key = Some("s3cret");
    opened.store("a").writer(&spec()).unwrap();
}

#[test]
fn an_answer_that_is_slow_is_waited_for() {
    let double = Double::start(Behaviour::default());
    let store = Opened::new(&double.url()).store("a");
    double.strike(strike(0, false, 1, Fault::Slow(Duration::from_millis(300))));
    assert_eq!(store.spec().unwrap(), None);
    assert_eq!(double.seen().len(), 1);
}
