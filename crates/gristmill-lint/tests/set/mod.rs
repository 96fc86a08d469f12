//! Chunks of test cases as pieces, and a whole set under the rules.

use std::borrow::Cow;
use std::collections::BTreeMap;

use gristmill_core::Result;
use gristmill_lint::{
    Corpus, Digest, Finding, Group, LintCx, Piece, Repaired, Rule, Safety, Texts, check, check_corpus, digest, part_of,
    repair,
};
use serde_json::Value;

/// Pieces of a list of chunks, grouped by source in the order of their first chunk.
pub fn groups(chunks: &Value) -> Vec<Group> {
    let mut groups: Vec<(Group, Vec<(i64, Piece)>)> = Vec::new();
    for (index, chunk) in chunks.as_array().expect("a list of chunks").iter().enumerate() {
        let source = field(chunk, "source").and_then(Value::as_str).map(str::to_owned);
        let order = chunk["order"].as_i64().unwrap_or(index as i64);
        let at = groups.iter().position(|(group, _)| group.source == source).unwrap_or_else(|| {
            groups.push((Group { source, pieces: Vec::new() }, Vec::new()));
            groups.len() - 1
        });
        groups[at].1.push((order, piece(index, chunk)));
    }
    let ordered = |(mut group, mut pieces): (Group, Vec<(i64, Piece)>)| {
        pieces.sort_by_key(|(order, _)| *order);
        group.pieces = pieces.into_iter().map(|(_, piece)| piece).collect();
        group
    };
    groups.into_iter().map(ordered).collect()
}

fn field<'v>(chunk: &'v Value, key: &str) -> Option<&'v Value> {
    chunk.get(key).or_else(|| chunk.get("metadata")?.get(key))
}

fn piece(index: usize, chunk: &Value) -> Piece {
    let text = chunk.as_str().or_else(|| chunk["text"].as_str()).expect("a text").to_owned();
    let mut piece = Piece::new(index, chunk["id"].as_str().map(str::to_owned), text);
    let titles = field(chunk, "heading_path").and_then(Value::as_array).into_iter().flatten();
    piece.path = titles.filter_map(|title| title.as_str().map(str::to_owned)).collect();
    piece.order = chunk["order"].as_u64().map(|order| (order, order));
    piece.paged = field(chunk, "page").is_some();
    let at = |key| field(chunk, key).and_then(Value::as_u64);
    piece.place = at("char_start").zip(at("char_end")).map(|(start, end)| start..end);
    let metadata = chunk.get("metadata").and_then(Value::as_object).into_iter().flatten();
    piece.metadata = metadata.filter(|(_, value)| !value.is_null()).map(|(key, _)| key.clone()).collect();
    piece
}

/// A set after its repair, and what was found before.
pub struct Outcome {
    pub found: Vec<(usize, Finding)>,
    pub repaired: Vec<(Option<String>, Repaired)>,
    pub left: Vec<Finding>,
}

impl Outcome {
    /// The pieces that are left, in the order of the input.
    pub fn pieces(&self) -> Vec<&Piece> {
        let mut all: Vec<&Piece> = self.repaired.iter().flat_map(|(_, group)| &group.pieces).collect();
        all.sort_by_key(|piece| part_of(piece.index));
        all
    }
}

/// Checks and repairs a set. Findings name pieces by their index in the input, and are fixable as they are shown: when
/// repair mends them.
pub fn run(groups: &[Group], rules: &[&'static Rule], cx: &LintCx<'_>, least: Safety) -> Outcome {
    let repaired: Vec<(Option<String>, Repaired)> =
        groups.iter().map(|group| (group.source.clone(), repair(group.clone(), rules, cx, least))).collect();
    let shown = |number: usize, pieces: &[Piece], found: &mut Vec<Finding>| {
        repaired[number].1.withdraw(found, pieces, least);
    };
    let mut found = all_findings(groups.to_vec(), rules, cx, shown);
    found.sort_by_key(|finding| (finding.piece, finding.rule));
    let after = repaired.iter().map(|(source, group)| Group { source: source.clone(), pieces: group.pieces.clone() });
    let left = all_findings(after.collect(), rules, cx, |_, _, _| {});
    Outcome { found: found.into_iter().map(|finding| (finding.piece, finding)).collect(), repaired, left }
}

/// Findings of all groups and over all of them; `shown` gets the number, the pieces and the findings of each.
fn all_findings(
    mut groups: Vec<Group>,
    rules: &[&'static Rule],
    cx: &LintCx<'_>,
    shown: impl Fn(usize, &[Piece], &mut Vec<Finding>),
) -> Vec<Finding> {
    let mut all = Vec::new();
    for (number, group) in groups.iter_mut().enumerate() {
        let mut found = check(group, rules, cx);
        shown(number, &group.pieces, &mut found);
        for mut finding in found {
            let index = |at: usize| group.pieces[at].index;
            finding.piece = index(finding.piece);
            finding.related = finding.related.iter().map(|at| index(*at)).collect();
            all.push(finding);
        }
    }
    let mut digests: Vec<Digest> = Vec::new();
    for (number, group) in groups.iter().enumerate() {
        let source = group.source.is_some().then_some(number as u32);
        digests.extend(digest(group, source));
    }
    digests.sort_by_key(|digest| digest.index);
    let held = Held(groups.into_iter().flat_map(|group| group.pieces).map(|piece| (piece.index, piece)).collect());
    check_corpus(&Corpus::new(&digests, &held).expect("texts are held"), rules, &mut all);
    all
}

struct Held(BTreeMap<usize, Piece>);

impl Texts for Held {
    fn piece(&self, index: usize) -> Result<Cow<'_, Piece>> {
        Ok(Cow::Borrowed(&self.0[&index]))
    }
}
