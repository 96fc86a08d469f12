//! After any history of edits, moves, deletions, other settings and models, crashes and two runs at once, a store holds what
//! a first ingest of the present documents would hold, and no text was embedded that the store had a vector of.
//!
//! `PROPTEST_CASES` sets how many histories are tried, `PROPTEST_RNG_SEED` which ones.

mod history;

use history::{Step, World, steps};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn config() -> ProptestConfig {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse().ok());
    ProptestConfig {
        cases: number("PROPTEST_CASES").unwrap_or(1000),
        rng_seed: RngSeed::Fixed(number("PROPTEST_RNG_SEED").unwrap_or(1).into()),
        failure_persistence: None,
        max_shrink_iters: 2_000,
        ..ProptestConfig::default()
    }
}

fn told(history: &[Step]) -> Result<(), String> {
    let mut world = World::new();
    for (n, step) in history.iter().enumerate() {
        world.take(step).map_err(|wrong| format!("step {n}, {step:?}: {wrong}\n{}", world.story()))?;
    }
    // Whatever went wrong on the way, one undisturbed run heals it.
    world.take(&Step::Run).map_err(|wrong| format!("the last run: {wrong}\n{}", world.story()))
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_store_equals_a_first_ingest_after_any_history(history in steps()) {
        let outcome = told(&history);
        prop_assert!(outcome.is_ok(), "{}", outcome.unwrap_err());
    }
}
