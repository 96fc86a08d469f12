//! The search for near-duplicates against a comparison of all pairs, and what holds for any texts.

#![expect(clippy::print_stdout, reason = "says what was measured")]

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use gristmill_text::similar::{Index, Options, Pair, Relation, Sketch, Texts, overlap};
use proptest::prelude::*;

fn pairs(texts: &[String]) -> Vec<Pair> {
    let order: Vec<usize> = (0..texts.len()).collect();
    pairs_in_order(texts, &order)
}

fn pairs_in_order(texts: &[String], order: &[usize]) -> Vec<Pair> {
    let mut index = Index::new(Options::default());
    for at in order {
        index.insert(*at as u64, Sketch::of(&texts[*at]));
    }
    let read = |id: u64| Ok(Cow::Borrowed(texts[id as usize].as_str()));
    index.pairs(&Texts::new(&read)).expect("texts in memory")
}

/// Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }
}

fn word(n: usize) -> String {
    let letters = b"bcdfghjklmnprstvwz";
    let vowels = b"aeiou";
    let pick = |n: usize| [char::from(letters[n % 18]), char::from(vowels[n / 18 % 5])];
    [pick(n), pick(n / 90), pick(n / 8100)].iter().flatten().collect()
}

fn words(random: &mut Random, count: usize) -> Vec<String> {
    (0..count).map(|_| word(random.below(20_000))).collect()
}

/// The shingles of a text of plain words, by their words.
fn bag(text: &str) -> BTreeMap<Vec<&str>, usize> {
    let words: Vec<&str> = text.split(' ').collect();
    let mut bag = BTreeMap::new();
    for shingle in words.windows(3) {
        *bag.entry(shingle.to_vec()).or_insert(0) += 1;
    }
    bag
}

/// Common shingles, and those of the two texts.
fn shared(left: &str, right: &str) -> (usize, usize, usize) {
    let (left, right) = (bag(left), bag(right));
    let common = left.iter().map(|(shingle, n)| *n.min(right.get(shingle).unwrap_or(&0))).sum();
    (common, left.values().sum(), right.values().sum())
}

fn ratio(left: &str, right: &str) -> f64 {
    let (common, left, right) = shared(left, right);
    common as f64 / (left + right - common) as f64
}

#[test]
fn pairs_at_the_ratio_are_found_and_none_below() {
    let mut random = Random(7);
    let (mut all, mut found) = (0, 0);
    let mut texts = Vec::new();
    for _ in 0..4000 {
        let count = 20 + random.below(300);
        let mut text = words(&mut random, count);
        texts.push(text.join(" "));
        // Each changed word costs three shingles: about 6 % of the words for a ratio of 0.7.
        for _ in 0..1 + random.below(count / 12) {
            let at = random.below(count);
            text[at] = word(20_000 + random.below(20_000));
        }
        texts.push(text.join(" "));
    }
    let reported: BTreeMap<(u64, u64), Relation> =
        pairs(&texts).into_iter().map(|pair| ((pair.a, pair.b), pair.relation)).collect();
    let mut hardest = (0, 0);
    for at in (0..texts.len()).step_by(2) {
        let ratio = ratio(&texts[at], &texts[at + 1]);
        let relation = reported.get(&(at as u64, at as u64 + 1));
        if ratio < 0.72 {
            assert_eq!(relation, None, "{ratio}");
            continue;
        }
        all += 1;
        found += usize::from(relation.is_some());
        if ratio < 0.75 {
            hardest.0 += usize::from(relation.is_some());
            hardest.1 += 1;
        }
        if let Some(relation) = relation {
            assert_eq!(*relation, Relation::Near { ratio });
        }
    }
    assert!(reported.keys().all(|(a, b)| a % 2 == 0 && *b == a + 1), "no false pair");
    println!("at 0.72 and above {found} of {all}, from 0.72 to 0.75 {} of {}", hardest.0, hardest.1);
    assert!(all > 500 && hardest.1 > 100, "{all} {hardest:?}");
    assert!(found * 1000 >= all * 990, "{found} of {all}");
    assert!(hardest.0 * 100 >= hardest.1 * 97, "{hardest:?}");
}

#[test]
fn pairs_of_chinese_texts_are_found_by_characters() {
    let mut random = Random(19);
    let mut char = || char::from_u32(0x4e00 + random.below(3000) as u32).expect("Han");
    let mut texts = Vec::new();
    for n in 0..1500 {
        let mut text: Vec<char> = (0..60 + n % 300).map(|_| char()).collect();
        texts.push(text.iter().collect::<String>());
        let changes = 1 + n % (text.len() / 20);
        for change in 0..changes {
            let at = change * text.len() / changes + n % 7;
            text[at] = char();
        }
        texts.push(
            text.iter()
                .flat_map(|char| [*char, if (*char as u32).is_multiple_of(9) { '，' } else { '\u{200b}' }])
                .collect(),
        );
    }
    let shingles = |text: &str| {
        let chars: Vec<char> = text.chars().filter(|char| ('\u{4e00}'..).contains(char) && *char != '，').collect();
        chars.windows(5).map(<[char]>::to_vec).collect::<BTreeSet<_>>()
    };
    let reported: BTreeMap<(u64, u64), Relation> =
        pairs(&texts).into_iter().map(|pair| ((pair.a, pair.b), pair.relation)).collect();
    let (mut all, mut found) = (0, 0);
    for at in (0..texts.len()).step_by(2) {
        let (left, right) = (shingles(&texts[at]), shingles(&texts[at + 1]));
        let ratio = left.intersection(&right).count() as f64 / left.union(&right).count() as f64;
        let relation = reported.get(&(at as u64, at as u64 + 1));
        if ratio < 0.72 {
            assert_eq!(relation, None, "{ratio}");
        } else {
            all += 1;
            found += usize::from(relation == Some(&Relation::Near { ratio }));
        }
    }
    println!("Chinese {found} of {all}");
    assert!(all > 300 && found * 100 >= all * 98, "{found} of {all}");
    assert!(reported.keys().all(|(a, b)| a % 2 == 0 && *b == a + 1), "no false pair");
}

#[test]
fn texts_inside_larger_ones_are_found() {
    let mut random = Random(11);
    let mut texts = Vec::new();
    for _ in 0..500 {
        let count = 20 + random.below(200);
        let mut inner = words(&mut random, count);
        let rest = count * (1 + random.below(30));
        let (mut outer, tail) = (words(&mut random, rest), words(&mut random, 40));
        outer.extend(inner.iter().cloned().chain(tail));
        texts.push(outer.join(" "));
        if random.below(2) == 0 {
            let at = count / 2;
            inner[at] = word(20_000 + random.below(20_000));
        }
        texts.push(inner.join(" "));
    }
    let reported: BTreeMap<(u64, u64), Relation> =
        pairs(&texts).into_iter().map(|pair| ((pair.a, pair.b), pair.relation)).collect();
    let (mut all, mut found) = (0, 0);
    for at in (0..texts.len()).step_by(2) {
        let (common, _, inner) = shared(&texts[at], &texts[at + 1]);
        let share = common as f64 / inner as f64;
        let relation = reported.get(&(at as u64, at as u64 + 1));
        if share >= 0.9 && inner >= 16 {
            all += 1;
            found += usize::from(relation.is_some());
        }
        if let Some(relation) = relation {
            assert_eq!(*relation, Relation::Contained { inner: at as u64 + 1, share });
        }
    }
    println!("contained {found} of {all}");
    assert!(all > 400 && found * 100 >= all * 99, "{found} of {all}");
    assert!(reported.keys().all(|(a, b)| a % 2 == 0 && *b == a + 1), "no false pair");
}

#[test]
fn copies_up_to_spacing_and_a_mark_are_near_and_other_numbers_are_not() {
    let texts = [
        "Restart the gateway after each change of the certificate store, then wait for the green lamp.",
        "The limit for plan A is 100 requests per minute and 4 users.",
        "Restart  the gateway after each change of the certificate store, then wait for the green lamp!",
        "The limit for plan B is 900 requests per minute and 40 users.",
        "The limit for plan B is 900 requests\nper minute and 40 users. ",
        "---",
        "***",
        "---",
    ]
    .map(str::to_owned);
    assert_eq!(
        pairs(&texts),
        [Pair { a: 0, b: 2, relation: Relation::Near { ratio: 1.0 } }, Pair { a: 3, b: 4, relation: Relation::Equal },]
    );
}

#[test]
fn a_cluster_is_reported_against_its_first() {
    let mut random = Random(3);
    let origin = words(&mut random, 200);
    let mut texts: Vec<String> = (0..3000)
        .map(|n| match n % 3 {
            0 => origin.join(" "),
            1 => origin.join("  ").replacen('a', "A", n % 40),
            _ => {
                let mut changed = origin.clone();
                changed[n % 200] = word(20_000 + n);
                changed.join(" ")
            }
        })
        .collect();
    texts.push(words(&mut random, 200).join(" "));
    let found = pairs(&texts);
    assert_eq!(found.len(), 2999);
    for pair in &found {
        let same = |text: &&String| text.split_whitespace().eq(texts[pair.b as usize].split_whitespace());
        let first = texts.iter().position(|text| same(&text)).filter(|_| pair.relation == Relation::Equal);
        assert_eq!(
            pair.a,
            first.unwrap_or(0) as u64,
            "equal texts with the first of them, others with the first of all"
        );
    }
    let asked = std::cell::Cell::new(0);
    let read = |id: u64| {
        asked.set(asked.get() + 1);
        Ok(Cow::Borrowed(texts[id as usize].as_str()))
    };
    let mut index = Index::new(Options::default());
    texts.iter().enumerate().for_each(|(at, text)| index.insert(at as u64, Sketch::of(text)));
    assert_eq!(index.pairs(&Texts::new(&read)).expect("texts"), found);
    assert!(asked.get() < 3 * texts.len(), "{}", asked.get());
}

#[test]
fn a_template_filled_with_numbers_makes_no_pairs() {
    let mut random = Random(5);
    let frame = words(&mut random, 60).join(" ");
    let texts: Vec<String> = (0..2000).map(|n| format!("Entry {n}. {frame} price {}.50", n * 7 % 1000)).collect();
    assert_eq!(pairs(&texts), []);
}

#[test]
fn one_near_copy_among_thousands_of_a_template_is_found() {
    let mut random = Random(9);
    let frame = words(&mut random, 40).join(" ");
    let mut texts: Vec<String> = (0..3000).map(|_| format!("{frame} {}", words(&mut random, 20).join(" "))).collect();
    let copy = texts[1234].replacen(' ', " very ", 1);
    texts.push(copy);
    let found = pairs(&texts);
    assert!(found.iter().any(|pair| (pair.a, pair.b) == (1234, 3000)), "{found:?}");
}

#[test]
fn what_a_splitter_repeated_does_not_make_neighbours_near() {
    let mut random = Random(13);
    let text = words(&mut random, 130);
    let texts = [text[..115].join(" "), text[15..].join(" ")];
    assert!(matches!(pairs(&texts)[..], [Pair { relation: Relation::Near { .. }, .. }]));
    let read = |id: u64| Ok(Cow::Borrowed(texts[id as usize].as_str()));
    let shared = |a: u64, b: u64| {
        let found = overlap(&texts[a as usize], &texts[b as usize])?;
        Some(found.shared(&texts[a as usize]))
    };
    let mut index = Index::new(Options::default());
    texts.iter().enumerate().for_each(|(at, text)| index.insert(at as u64, Sketch::of(text)));
    assert_eq!(index.pairs(&Texts { text: &read, shared: &shared }).expect("texts"), []);
}

#[test]
fn windows_that_slide_are_each_near_to_the_one_before() {
    let mut random = Random(17);
    let text = words(&mut random, 3000);
    let texts: Vec<String> = text.windows(100).step_by(10).map(|words| words.join(" ")).collect();
    let found = pairs(&texts);
    assert_eq!(found.len(), texts.len() - 1);
    assert!(found.iter().all(|pair| pair.a + 1 == pair.b), "{found:?}");
}

#[test]
fn large_and_odd_texts_are_fine() {
    let texts: Vec<String> =
        ["[", "a", "a ", "1", "1,", "允", "ก", "\u{301}", "e\u{301}", "\u{fdfa}", "- ", "한", "\u{200b}"]
            .iter()
            .flat_map(|part| [part.repeat((1 << 20) / part.len()), part.repeat((1 << 19) / part.len())])
            .collect();
    let found = pairs(&texts);
    assert!(found.iter().all(|pair| matches!(pair.relation, Relation::Contained { .. }) && pair.a + 1 == pair.b));
    for two in texts.chunks(2) {
        assert_eq!(overlap(&two[0], &two[1]), None);
    }
}

fn any_text() -> impl Strategy<Value = String> {
    let parts = [
        "alpha",
        "beta",
        "gamma",
        " ",
        " ",
        "\n",
        "1",
        "23",
        ",",
        ".",
        "**",
        "允许",
        "访问",
        "禁止",
        "ภาษา",
        "한국",
        "é",
        "e\u{301}",
        "ش",
        "َ",
        "#",
        "-5",
        "C++",
        "✅",
        "\u{200b}",
        "ﬁ",
        "𝐀",
        "\u{10ffff}",
    ];
    proptest::collection::vec(proptest::sample::select(parts.to_vec()), 0..60).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_set_of_pairs_does_not_depend_on_the_order_of_insertion(
        texts in proptest::collection::vec(any_text(), 0..40), seed in 1u64..1000
    ) {
        let mut order: Vec<usize> = (0..texts.len()).collect();
        let mut random = Random(seed);
        for at in (1..order.len()).rev() {
            order.swap(at, random.below(at + 1));
        }
        let found = pairs(&texts);
        prop_assert_eq!(&pairs_in_order(&texts, &order), &found);
        let mut seen = BTreeSet::new();
        for pair in &found {
            prop_assert!(pair.a < pair.b);
            let reported = match pair.relation {
                Relation::Contained { inner, .. } => inner,
                _ => pair.b,
            };
            prop_assert!(seen.insert(reported), "reported once");
        }
    }

    #[test]
    fn two_texts_are_alike_both_ways(left in any_text(), right in any_text()) {
        let turn = |pairs: Vec<Pair>| pairs.into_iter().map(|pair| match pair.relation {
            Relation::Contained { inner, share } => Relation::Contained { inner: 1 - inner, share },
            other => other,
        }).collect::<Vec<_>>();
        let there = pairs(&[left.clone(), right.clone()]).into_iter().map(|pair| pair.relation).collect::<Vec<_>>();
        prop_assert_eq!(turn(pairs(&[right, left])), there);
    }

    #[test]
    fn overlaps_are_equal_up_to_white_space(left in any_text(), shared in any_text(), right in any_text()) {
        let (left, right) = (format!("{left}{shared}"), format!("{shared}{right}"));
        if let Some(found) = overlap(&left, &right) {
            let (end, start) = (&left[left.len() - found.left..], &right[..found.right]);
            prop_assert!(end.split_whitespace().eq(start.split_whitespace()), "{:?} {:?}", end, start);
        }
    }

    #[test]
    fn any_string_is_fine(left in ".*", right in ".*") {
        let _ = overlap(&left, &right);
        pairs(&[left, right]);
    }
}
