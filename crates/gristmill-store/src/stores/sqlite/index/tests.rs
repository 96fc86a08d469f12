//! The index against FTS5, which ranks by the same formula.

use std::collections::BTreeMap;

use tempfile::TempDir;

use super::super::schema;
use super::*;

/// The index of collection 1 beside a table of FTS5 with the same texts.
struct Both {
    db: Connection,
    texts: BTreeMap<i64, String>,
    next: i64,
    _folder: TempDir,
}

impl Both {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let db = schema::open(&folder.path().join("store.db")).unwrap();
        db.execute_batch("CREATE VIRTUAL TABLE other USING fts5(words, tokenize = \"ascii tokenchars '.'\")").unwrap();
        Self { db, texts: BTreeMap::new(), next: keys(1)[0] + 1, _folder: folder }
    }

    fn add(&mut self, texts: &[String]) {
        let new: Vec<(i64, &str)> = (self.next..).zip(texts.iter().map(String::as_str)).collect();
        add(&self.db, 1, new.iter().copied()).unwrap();
        for (key, text) in new {
            self.db.execute("INSERT INTO other(rowid, words) VALUES(?1, ?2)", (key, text)).unwrap();
            self.texts.insert(key, text.to_owned());
            self.next = key + 1;
        }
    }

    fn remove(&mut self, key: i64) {
        remove(&self.db, key).unwrap();
        self.db.execute("DELETE FROM other WHERE rowid = ?1", [key]).unwrap();
        self.texts.remove(&key);
    }

    /// What FTS5 finds.
    fn other(&self, words: &[&str]) -> Vec<(i64, f64)> {
        let any = words.join(" OR ");
        let sql = "SELECT rowid, -bm25(other) FROM other WHERE other MATCH ?1 ORDER BY rowid";
        let mut statement = self.db.prepare(sql).unwrap();
        statement.query_map([any], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect()
    }

    fn check(&self) {
        for words in [&["a0"][..], &["a1", "b2"], &["a3", "b3", "c3"], &["b30", "zz"], &["c70"], &["zz"]] {
            let owned: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            let (found, other) = (find(&self.db, 1, &owned, None).unwrap(), self.other(words));
            assert_eq!(found.len(), other.len(), "{words:?}");
            for ((key, score), (other_key, other_score)) in found.iter().zip(&other) {
                assert!(
                    key == other_key && (score - other_score).abs() < 1e-9,
                    "{words:?} {key} {score} {other_score}"
                );
            }
            let odd: Vec<i64> = self.texts.keys().copied().filter(|key| key % 2 == 1).collect();
            let allowed = find(&self.db, 1, &owned, Some(&odd)).unwrap();
            assert!(allowed.iter().eq(found.iter().filter(|(key, _)| key % 2 == 1)), "{words:?}");
        }
        let sums: BTreeMap<i64, Sum> = sums(&self.db, 1).unwrap().into_iter().collect();
        assert!(
            sums.iter().map(|(key, sum)| (*key, *sum)).eq(self.texts.iter().map(|(key, text)| (*key, Sum::of(text))))
        );
    }

    fn count(&self, table: &str) -> i64 {
        self.db.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
    }
}

/// A text of words that are the rarer the greater their number.
fn text(random: &mut u64) -> String {
    let mut next = |below: u64| {
        *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*random >> 33) % below
    };
    let length = next(40);
    let word = |kind, number| format!("{kind}{number} ");
    (0..length)
        .map(|_| {
            let (kind, most) = (["a", "b", "c"][next(3) as usize], 1 + next(120));
            word(kind, next(most))
        })
        .collect()
}

#[test]
fn ranks_as_fts5_does_after_any_changes() {
    let (mut both, mut random) = (Both::new(), 7);
    for round in 0..150u64 {
        let texts: Vec<String> = (0..1 + round % 9 * (round % 4)).map(|_| text(&mut random)).collect();
        both.add(&texts);
        let keys: Vec<i64> = both.texts.keys().copied().collect();
        keys.iter().filter(|key| (**key as u64 * 31 + round).is_multiple_of(97)).for_each(|key| both.remove(*key));
        if round % 10 == 9 {
            both.check();
        }
    }
    let parts = part::rows(&both.db, 1).unwrap();
    assert!(parts.len() < 3 * FANOUT && parts[0].level >= 2, "{}", parts.len());
    assert!(parts.windows(2).all(|pair| pair[0].level >= pair[1].level));
    // No more is left of texts that are gone than of the others.
    assert!(both.count("word_gone") <= both.texts.len() as i64);
    let keys: Vec<i64> = both.texts.keys().copied().collect();
    keys.iter().skip(10).for_each(|key| both.remove(*key));
    sweep(&both.db, 1).unwrap();
    assert_eq!((both.count("word_parts"), both.count("word_gone")), (0, 0), "none of them has a chunk");
}

#[test]
fn one_that_shrinks_is_written_anew() {
    let (mut both, mut random) = (Both::new(), 3);
    let texts: Vec<String> = (0..300).map(|_| text(&mut random)).collect();
    both.add(&texts);
    let first: Vec<i64> = both.texts.keys().copied().take(200).collect();
    first.iter().for_each(|key| both.remove(*key));
    both.check();
    shrink(&both.db, 1).unwrap();
    both.check();
    assert_eq!((both.count("word_parts"), both.count("word_gone")), (1, 0));
    assert_eq!(part::rows(&both.db, 1).unwrap()[0].count, 100);
}

#[test]
fn collections_know_nothing_of_one_another() {
    let db = Both::new().db;
    for collection in 1..=3 {
        let first = keys(collection)[0];
        add(&db, collection, [(first, "night"), (first + 1, "day")].into_iter()).unwrap();
    }
    remove(&db, keys(3)[0]).unwrap();
    forget(&db, 2).unwrap();
    let found = |collection| find(&db, collection, &["night".into()], None).unwrap().len();
    assert_eq!([1, 2, 3].map(found), [1, 0, 0]);
}

#[test]
fn a_search_reads_one_block_of_each_part() {
    let db = Both::new().db;
    let plan = |sql: &str| -> String {
        let mut statement = db.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        statement.raw_query().next().unwrap().unwrap().get(3).unwrap()
    };
    let by_first = "SEARCH word_blocks USING INDEX sqlite_autoindex_word_blocks_1 (part=? AND first<?)";
    assert_eq!(plan(part::BLOCK_OF), by_first);
    assert_eq!(plan(part::ROWS), "SEARCH word_parts USING INDEX word_parts_by_last (collection=?)");
}
