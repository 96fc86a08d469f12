//! What a queue decides, carried out without threads and in a time of its own.

use std::collections::BTreeMap;
use std::time::Duration;

use gristmill_core::{EmbedError, EmbedLimits, Error, ErrorKind, Remedy, Result};
use proptest::prelude::*;

use super::batch::{Batch, Size};
use super::pauses::Patience;
use super::state::{Next, State};

const SECOND: Duration = Duration::from_secs(1);

type Outcome = Result<Vec<Vec<f32>>, EmbedError>;

fn limits(inputs: usize, tokens: usize) -> EmbedLimits {
    EmbedLimits { inputs, tokens, bytes: usize::MAX, input_tokens: 1_000, requests: 1 }
}

fn failure(remedy: Remedy) -> Outcome {
    Err(EmbedError::new(remedy, Error::new(ErrorKind::Remote, "no")))
}

/// The vector of a text, told by its bytes.
fn vector(text: &str) -> Vec<f32> {
    text.bytes().map(f32::from).collect()
}

fn vectors(texts: &[&str]) -> Outcome {
    Ok(texts.iter().map(|text| vector(text)).collect())
}

/// One answer for each key, or what was wrong with its text.
type Answers = BTreeMap<u64, Result<Vec<f32>, String>>;

/// A queue, what was sent, and the time.
struct Trial {
    state: State,
    sent: Vec<Vec<String>>,
    now: Duration,
    answers: Answers,
}

impl Trial {
    fn new(limits: EmbedLimits) -> Self {
        let state = State::new("stub/m".into(), limits, Patience::default());
        Self { state, sent: Vec::new(), now: Duration::ZERO, answers: Answers::new() }
    }

    fn of<'t>(limits: EmbedLimits, texts: impl IntoIterator<Item = &'t str>) -> Self {
        let mut trial = Self::new(limits);
        for (key, text) in texts.into_iter().enumerate() {
            trial.state.push(key as u64, text, text.len());
        }
        trial
    }

    /// One request at a time until nothing is left to do, each answered by `serve`.
    fn run(&mut self, mut serve: impl FnMut(&[&str]) -> Outcome) -> Result<()> {
        self.state.hurry(true);
        while let Some(batch) = self.next() {
            let outcome = serve(&batch.texts());
            self.state.settle(batch, outcome, self.now);
            self.collect()?;
        }
        self.collect()
    }

    /// The next request, when its time has come.
    fn next(&mut self) -> Option<Batch> {
        loop {
            match self.state.next(self.now) {
                Next::Send(batch) => {
                    self.sent.push(batch.texts().into_iter().map(str::to_owned).collect());
                    return Some(batch);
                }
                Next::Pause(left) => self.now += left,
                Next::Idle | Next::Stop => return None,
            }
        }
    }

    fn collect(&mut self) -> Result<()> {
        for came in self.state.take()? {
            let known = self.answers.insert(came.key, came.vector.map_err(|error| error.to_string()));
            assert!(known.is_none(), "two answers for {}", came.key);
        }
        Ok(())
    }

    fn requests(&self) -> Vec<String> {
        self.sent.iter().map(|texts| texts.join(" ")).collect()
    }

    fn refused(&self) -> Vec<u64> {
        self.answers.iter().filter(|(_, vector)| vector.is_err()).map(|(key, _)| *key).collect()
    }
}

#[test]
fn requests_are_filled_in_order_to_each_bound() {
    let mut trial = Trial::of(limits(3, 10), ["aa", "bb", "cc", "dd", "eeeeeeeee", "ff", "gggggggggggg", "h"]);
    trial.run(vectors).unwrap();
    assert_eq!(trial.requests(), ["aa bb cc", "dd", "eeeeeeeee", "ff", "gggggggggggg", "h"]);
    assert_eq!(trial.answers[&4], Ok(vector("eeeeeeeee")));
    assert_eq!(trial.answers.len(), 8);
}

#[test]
fn bytes_are_bounded_too() {
    let mut trial = Trial::of(EmbedLimits { bytes: 7, ..limits(9, 99) }, ["가나", "a", "다"]);
    trial.run(vectors).unwrap();
    assert_eq!(trial.requests(), ["가나 a", "다"]);
}

#[test]
fn nothing_is_sent_before_it_is_full_or_waited_for() {
    let mut trial = Trial::of(limits(3, 99), ["a", "b"]);
    assert!(matches!(trial.state.next(SECOND), Next::Idle));
    trial.state.push(2, "c", 1);
    assert!(matches!(trial.state.next(SECOND), Next::Send(_)));
}

#[test]
fn blank_texts_are_answered_without_being_sent() {
    let mut trial = Trial::of(limits(3, 99), ["", " \n\t", "\u{200b}\u{feff}", "a"]);
    trial.run(vectors).unwrap();
    assert_eq!(trial.requests(), ["a"]);
    assert_eq!(trial.answers[&2], Ok(Vec::new()));
}

#[test]
fn a_text_above_the_models_limit_is_told_both_numbers() {
    let mut trial = Trial::of(limits(3, 9_999), [&*"a".repeat(1_001), "b"]);
    trial.run(vectors).unwrap();
    assert_eq!(trial.answers[&0], Err("a text of 1001 tokens, `stub/m` takes at most 1000".into()));
    assert_eq!(trial.requests(), ["b"]);
}

#[test]
fn equal_texts_on_their_way_are_sent_once() {
    let mut trial = Trial::of(limits(9, 99), ["a", "b", "a", "a"]);
    trial.run(vectors).unwrap();
    assert_eq!(trial.requests(), ["a b"]);
    assert_eq!(trial.answers.values().filter(|answer| **answer == Ok(vector("a"))).count(), 3);
}

#[test]
fn a_refused_text_is_found_by_halving() {
    let texts: Vec<String> = (0..1_024).map(|n| format!("t{n:04}")).collect();
    let mut trial = Trial::of(limits(1_024, usize::MAX), texts.iter().map(String::as_str));
    trial.run(|texts| if texts.contains(&"t0700") { failure(Remedy::Apart) } else { vectors(texts) }).unwrap();
    assert_eq!(trial.refused(), [700]);
    assert_eq!(trial.answers[&700], Err("no".into()));
    // Ten times two halves of 1,024, and the first request.
    assert_eq!(trial.sent.len(), 21);
}

#[test]
fn where_every_text_is_refused_it_soon_ends() {
    let texts: Vec<String> = (0..512).map(|n| format!("t{n}")).collect();
    let mut trial = Trial::of(limits(512, usize::MAX), texts.iter().map(String::as_str));
    let error = trial.run(|_| failure(Remedy::Apart)).unwrap_err();
    assert_eq!(error.to_string(), "no");
    assert!(trial.sent.len() < 30, "{}", trial.sent.len());
}

#[test]
fn a_bound_that_was_not_known_is_learnt() {
    let texts: Vec<String> = (0..1_000).map(|n| format!("t{n:03}")).collect();
    let mut trial = Trial::of(limits(100, usize::MAX), texts.iter().map(String::as_str));
    let serve = |texts: &[&str]| if texts.len() > 20 { failure(Remedy::Fewer) } else { vectors(texts) };
    trial.run(serve).unwrap();
    assert_eq!(trial.sent.iter().filter(|texts| texts.len() > 20).count(), 3, "100, 50 and 25 texts, each once");
    assert!(trial.refused().is_empty());
}

#[test]
fn a_text_that_is_too_much_alone_teaches_nothing() {
    let texts: Vec<String> = (0..64).map(|n| format!("t{n:02}")).collect();
    let mut trial = Trial::of(limits(16, usize::MAX), texts.iter().map(String::as_str));
    let serve = |texts: &[&str]| if texts.contains(&"t05") { failure(Remedy::Fewer) } else { vectors(texts) };
    trial.run(serve).unwrap();
    assert_eq!(trial.refused(), [5]);
    assert_eq!(trial.sent.last().map(Vec::len), Some(16));
}

#[test]
fn nobody_sends_during_a_pause() {
    let mut trial = Trial::of(limits(1, 99), ["a", "b", "c"]);
    trial.state.hurry(true);
    let (first, second) = (trial.next().unwrap(), trial.next().unwrap());
    trial.now = SECOND;
    trial.state.settle(first, failure(Remedy::Again(Some(SECOND * 2))), trial.now);
    trial.state.settle(second, vectors(&["b"]), trial.now);
    assert!(matches!(trial.state.next(SECOND * 2), Next::Pause(left) if left == SECOND));
    assert!(matches!(trial.state.next(SECOND * 3), Next::Send(_)));
}

#[test]
fn a_pause_that_is_too_long_ends_it() {
    let mut trial = Trial::of(limits(1, 99), ["a", "b"]);
    let error = trial.run(|_| failure(Remedy::Again(Some(SECOND * 86_400)))).unwrap_err();
    assert_eq!(error.to_string(), "`stub/m` asks for a pause of 86400 s: no");
    assert_eq!(trial.requests(), ["a"]);
}

#[test]
fn a_service_that_is_not_there_is_given_up_soon() {
    let mut trial = Trial::of(limits(2, 99), ["a", "b", "c", "d", "e"]);
    let error = trial.run(|_| failure(Remedy::Again(None))).unwrap_err();
    assert_eq!(error.to_string(), "`stub/m` failed 5 times: no");
    assert!(trial.now >= SECOND * 5 && trial.now < SECOND * 10, "{:?}", trial.now);
}

#[test]
fn a_service_that_dies_is_given_up_late_and_what_came_is_kept() {
    let mut trial = Trial::of(limits(1, 99), ["a", "b", "c", "d", "e"]);
    let mut served = 0;
    let outcome = trial.run(|texts| {
        served += 1;
        if served <= 2 { vectors(texts) } else { failure(Remedy::Again(None)) }
    });
    assert_eq!(outcome.unwrap_err().to_string(), "`stub/m` failed 10 times: no");
    assert_eq!(trial.answers.keys().copied().collect::<Vec<_>>(), [0, 1]);
    assert!(trial.now > SECOND * 100, "{:?}", trial.now);
}

#[test]
fn a_text_that_makes_the_service_fail_is_found() {
    for bad in ["a", "d", "h"] {
        let mut trial = Trial::of(limits(8, 99), ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]);
        trial.run(|texts| if texts.contains(&bad) { failure(Remedy::Again(None)) } else { vectors(texts) }).unwrap();
        assert_eq!(trial.refused().len(), 1, "{bad}");
        assert_eq!(trial.answers.len(), 10);
    }
}

#[test]
fn what_cannot_be_helped_ends_it_after_what_came() {
    let mut trial = Trial::of(limits(1, 99), ["a", "b", "c", "d"]);
    trial.state.hurry(true);
    let requests: Vec<_> = (0..3).filter_map(|_| trial.next()).collect();
    let [first, second, third] = <[Batch; 3]>::try_from(requests).unwrap();
    trial.state.settle(first, vectors(&["a"]), SECOND);
    trial.state.settle(second, failure(Remedy::Nothing), SECOND);
    assert!(matches!(trial.state.next(SECOND), Next::Stop));
    assert_eq!(trial.state.take().unwrap().len(), 1);
    assert!(trial.state.is_awaited(), "one is still on its way");
    assert!(trial.state.take().unwrap().is_empty());
    trial.state.settle(third, vectors(&["c"]), SECOND);
    assert_eq!(trial.state.take().unwrap().len(), 1);
    for _ in 0..2 {
        assert_eq!(trial.state.take().unwrap_err().to_string(), "no");
    }
    assert!(!trial.state.is_awaited() && !trial.state.is_full());
}

#[test]
fn texts_on_their_way_are_bounded() {
    let mut trial = Trial::new(limits(4, 99));
    for key in 0..7 {
        trial.state.push(key, &key.to_string(), 1);
        assert!(!trial.state.is_full(), "{key}");
    }
    trial.state.push(7, "0", 1);
    assert!(trial.state.is_full(), "two requests of four, equal texts counted");
}

/// A service that fails by chance, and what it must not see.
#[derive(Debug)]
struct Moody {
    draws: u64,
    failures: u32,
    most: usize,
    most_tokens: usize,
    quiet_until: Duration,
    given: std::collections::HashSet<String>,
}

impl Moody {
    fn draw(&mut self, below: u64) -> u64 {
        self.draws = self.draws.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.draws >> 33) % below
    }

    fn serve(&mut self, texts: &[&str], now: Duration) -> Outcome {
        assert!(texts.iter().all(|text| !self.given.contains(*text)), "sent after it got its vector: {texts:?}");
        if self.failures < 2 && self.draw(4) == 0 {
            self.failures += 1;
            let pause = SECOND * u32::try_from(self.draw(9)).unwrap_or(0);
            return match self.draw(3) {
                0 => {
                    self.quiet_until = self.quiet_until.max(now + pause);
                    failure(Remedy::Again(Some(pause)))
                }
                // One text alone with a wrong answer would be at fault itself.
                draw if draw == 1 || texts.len() == 1 => failure(Remedy::Again(None)),
                _ => Ok(vec![vec![1.0]; texts.len() + 1]),
            };
        }
        self.failures = 0;
        let tokens: usize = texts.iter().map(|text| text.len()).sum();
        if texts.len() > self.most || tokens > self.most_tokens {
            return failure(Remedy::Fewer);
        }
        if texts.iter().any(|text| text.starts_with("bad")) {
            return failure(Remedy::Apart);
        }
        self.given.extend(texts.iter().map(|text| (*text).to_owned()));
        vectors(texts)
    }
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[a-z]{3,12}",
        1 => "bad[a-z]{0,6}",
        1 => Just("same".to_owned()),
        1 => Just(" \u{200b}".to_owned()),
        1 => Just("x".repeat(1_001)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_text_gets_one_right_answer(
        texts in prop::collection::vec(text(), 0..80),
        (inputs, tokens) in (1usize..20, 20usize..200),
        (most, most_tokens) in (1usize..20, 12usize..200),
        (seed, at_once) in (any::<u64>(), 1usize..5),
    ) {
        let mut trial = Trial::of(limits(inputs, tokens), texts.iter().map(String::as_str));
        let mut moody = Moody {
            draws: seed, failures: 0, most, most_tokens, quiet_until: Duration::ZERO, given: Default::default(),
        };
        trial.state.hurry(true);
        let mut flying: Vec<Batch> = Vec::new();
        let bound = Size { inputs, tokens, bytes: usize::MAX };
        loop {
            while flying.len() < at_once {
                let Next::Send(batch) = trial.state.next(trial.now) else { break };
                prop_assert!(trial.now >= moody.quiet_until, "sent during a pause");
                prop_assert!(batch.size().fits(bound) || batch.texts.len() == 1, "above a bound: {:?}", batch);
                flying.push(batch);
            }
            if flying.is_empty() {
                match trial.state.next(trial.now) {
                    Next::Pause(left) => trial.now += left,
                    _ => break,
                }
                continue;
            }
            let which = moody.draw(flying.len() as u64) as usize;
            let batch = flying.swap_remove(which);
            let outcome = moody.serve(&batch.texts(), trial.now);
            trial.state.settle(batch, outcome, trial.now);
        }
        // Nothing but refusals from the start is a reason to end.
        let outcome = trial.collect();
        if outcome.is_err() {
            prop_assert!(moody.given.is_empty());
            return Ok(());
        }
        prop_assert_eq!(trial.answers.len(), texts.len());
        for (key, text) in texts.iter().enumerate() {
            match &trial.answers[&(key as u64)] {
                Ok(got) if text.trim_matches('\u{200b}').trim().is_empty() => prop_assert!(got.is_empty()),
                Ok(got) => prop_assert_eq!(got, &vector(text)),
                Err(_) => prop_assert!(text.starts_with("bad") || text.len() > most_tokens.min(1_000), "{}", text),
            }
        }
    }
}
