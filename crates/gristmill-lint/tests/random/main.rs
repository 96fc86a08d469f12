//! Whatever the chunks are, repairs end, say rightly what they mend, and lose nothing.
//!
//! `PROPTEST_CASES` sets how many sets are tried, `PROPTEST_RNG_SEED` which ones.

mod promises;
mod sets;
mod texts;

use gristmill_core::{Sizer, Unit};
use gristmill_lint::{Edges, LintCx, Safety, TokenLimit};
use promises::broken;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;
use sets::{Set, cut, made_up, without_blank_lines};

fn config() -> ProptestConfig {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse().ok());
    ProptestConfig {
        cases: number("PROPTEST_CASES").unwrap_or(400),
        rng_seed: RngSeed::Fixed(number("PROPTEST_RNG_SEED").unwrap_or(1).into()),
        failure_persistence: None,
        max_shrink_iters: 20_000,
        ..ProptestConfig::default()
    }
}

/// Settings that a set is tried with.
#[derive(Clone, Copy, Debug)]
struct Limits {
    max_chars: usize,
    words: Option<usize>,
    blank_lines: bool,
    least: Safety,
}

fn limits() -> impl Strategy<Value = Limits> {
    let words = proptest::option::weighted(0.2, select(&[10, 40, 200][..]));
    let chars = select(&[4000, 4000, 1000, 300, 120, 40][..]);
    let least = prop_oneof![9 => Just(Safety::Lossless), 1 => Just(Safety::Unsafe)];
    (chars, words, prop::bool::weighted(0.8), least).prop_map(|(max_chars, words, blank_lines, least)| Limits {
        max_chars,
        words,
        blank_lines,
        least,
    })
}

/// What a run looks at before it begins.
fn edges(set: &Set) -> Edges {
    let mut edges = Edges::default();
    edges.add(&set.group.pieces);
    edges.add_overlap(&set.group.pieces);
    edges
}

fn tried(set: Set, limits: Limits) -> Vec<String> {
    let blank_lines = limits.blank_lines || set.overlaps;
    let set = if blank_lines { set } else { without_blank_lines(set) };
    let sizer = gristmill_text::count::sizer(Unit::Words, "").expect("words are counted");
    let sizer: &dyn Sizer = sizer.as_ref();
    let tokens = limits.words.map(|max| TokenLimit { sizer, max });
    let solid = |text: &str| !text.split('\n').any(|line| line.trim().is_empty());
    let holds: Option<&(dyn Fn(&str) -> bool + Sync)> = if blank_lines { None } else { Some(&solid) };
    let edges = edges(&set);
    let (overlaps, keeps_white) = (edges.overlap(), edges.keep_white());
    let cx = LintCx { max_chars: limits.max_chars, tokens, holds, overlaps, keeps_white, ..LintCx::default() };
    broken(&set, &cx, limits.least)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn made_up_sets_keep_all_promises(set in made_up(), limits in limits()) {
        let wrong = tried(set, limits);
        prop_assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn cut_documents_keep_all_promises(set in cut(), limits in limits()) {
        let wrong = tried(set, limits);
        prop_assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
