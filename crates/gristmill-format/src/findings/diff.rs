//! Differences between two versions of chunks, by whole lines.

use std::collections::{BTreeMap, HashMap};

use super::{Diff, Version};

/// One line of two versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    Same(&'a str),
    Gone(&'a str),
    New(&'a str),
    /// This many lines that are the same and far from any other.
    Skipped(usize),
}

/// Unchanged lines that are shown on each side of a change.
const CONTEXT: usize = 2;

/// A chunk before and after; one of them is missing when the chunk is gone or new.
#[derive(Default)]
pub(super) struct Pair<'a> {
    pub(super) before: Option<&'a Version>,
    pub(super) after: Option<&'a Version>,
}

impl<'a> Pair<'a> {
    /// What to call the chunk.
    pub(super) fn chunk(&self) -> std::borrow::Cow<'a, str> {
        self.before.or(self.after).map(Version::chunk).unwrap_or_default()
    }

    /// What became of the chunk as a whole.
    pub(super) fn state(&self) -> &'static str {
        match (self.before, self.after) {
            (Some(_), None) => "gone",
            (None, Some(_)) => "new",
            _ => "changed",
        }
    }

    pub(super) fn lines(&self) -> Vec<Line<'a>> {
        let text = |version: Option<&'a Version>| version.map_or("", |version| version.text.as_str());
        shortened(lines(text(self.before), text(self.after)))
    }
}

/// The chunks that differ, in their order.
pub(super) fn pairs<'a>(diffs: impl IntoIterator<Item = &'a Diff>) -> Vec<Pair<'a>> {
    let mut pairs: BTreeMap<u64, Pair<'a>> = BTreeMap::new();
    for diff in diffs {
        for version in &diff.before {
            pairs.entry(version.index).or_default().before = Some(version);
        }
        for version in &diff.after {
            pairs.entry(version.index).or_default().after = Some(version);
        }
    }
    pairs.retain(|_, pair| match (pair.before, pair.after) {
        (Some(before), Some(after)) => before.text != after.text,
        _ => true,
    });
    pairs.into_values().collect()
}

/// The bytes at the start and at the end that two lines share, whole characters, neither counted twice.
pub(super) fn shared(a: &str, b: &str) -> (usize, usize) {
    let head: usize = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum();
    let (a, b) = (&a[head..], &b[head..]);
    let tail = a.chars().rev().zip(b.chars().rev()).take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum();
    (head, tail)
}

/// All lines. Lines that stand once in both versions tie them together, so that the work is near-linear.
fn lines<'a>(before: &'a str, after: &'a str) -> Vec<Line<'a>> {
    let (before, after): (Vec<_>, Vec<_>) = (split(before), split(after));
    let (head, tail) = ends(&before, &after);
    let (old, new) = (&before[head..before.len() - tail], &after[head..after.len() - tail]);
    let mut out: Vec<_> = before[..head].iter().map(|line| Line::Same(line)).collect();
    let (mut i, mut j) = (0, 0);
    for (a, b) in anchors(old, new) {
        between(&old[i..a], &new[j..b], &mut out);
        out.push(Line::Same(old[a]));
        (i, j) = (a + 1, b + 1);
    }
    between(&old[i..], &new[j..], &mut out);
    out.extend(before[before.len() - tail..].iter().map(|line| Line::Same(line)));
    out
}

/// The lines at the start and at the end that are the same, none counted twice.
fn ends(old: &[&str], new: &[&str]) -> (usize, usize) {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    (head, tail)
}

/// The lines between two that are tied together. Lines that stand several times, such as empty ones, are the same where
/// they stand next to such a line.
fn between<'a>(old: &[&'a str], new: &[&'a str], out: &mut Vec<Line<'a>>) {
    let (head, tail) = ends(old, new);
    out.extend(old[..head].iter().map(|line| Line::Same(line)));
    out.extend(old[head..old.len() - tail].iter().map(|line| Line::Gone(line)));
    out.extend(new[head..new.len() - tail].iter().map(|line| Line::New(line)));
    out.extend(old[old.len() - tail..].iter().map(|line| Line::Same(line)));
}

/// A text of no line is no line, not an empty one.
fn split(text: &str) -> Vec<&str> {
    if text.is_empty() { Vec::new() } else { text.split('\n').collect() }
}

/// Places of lines that stand once in both, rising in both.
fn anchors(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    let (old, new) = (single(old), single(new));
    let mut both: Vec<_> = old.iter().filter_map(|(line, a)| Some((*a, *new.get(line)?))).collect();
    both.sort_unstable();
    rising(&both)
}

/// The lines that stand once, with their places.
fn single<'a>(lines: &[&'a str]) -> HashMap<&'a str, usize> {
    let mut places: HashMap<&str, Option<usize>> = HashMap::new();
    for (at, line) in lines.iter().enumerate() {
        places.entry(line).and_modify(|place| *place = None).or_insert(Some(at));
    }
    places.into_iter().filter_map(|(line, place)| Some((line, place?))).collect()
}

/// The longest run of pairs, which rise in the first place, that rises in the second as well.
fn rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // `ends[n]` is the pair with the lowest end among runs of n + 1 pairs.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (at, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].1 < pair.1);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        if length == ends.len() { ends.push(at) } else { ends[length] = at }
    }
    let mut run: Vec<_> = std::iter::successors(ends.last().copied(), |at| before[*at]).map(|at| pairs[at]).collect();
    run.reverse();
    run
}

/// Without the unchanged lines that are far from any change.
fn shortened(lines: Vec<Line<'_>>) -> Vec<Line<'_>> {
    let changed = |line: &Line<'_>| !matches!(line, Line::Same(_));
    let mut distance = vec![usize::MAX; lines.len()];
    let mut near = usize::MAX;
    for (at, line) in lines.iter().enumerate() {
        near = if changed(line) { 0 } else { near.saturating_add(1) };
        distance[at] = near;
    }
    near = usize::MAX;
    for (at, line) in lines.iter().enumerate().rev() {
        near = if changed(line) { 0 } else { near.saturating_add(1) };
        distance[at] = distance[at].min(near);
    }
    let mut out = Vec::new();
    for (line, distance) in lines.into_iter().zip(distance) {
        match (distance > CONTEXT, out.last_mut()) {
            (false, _) => out.push(line),
            (true, Some(Line::Skipped(n))) => *n += 1,
            (true, _) => out.push(Line::Skipped(1)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::Line::{Gone, New, Same, Skipped};
    use super::*;

    #[test]
    fn changes_are_told_by_lines() {
        assert_eq!(lines("a\nb\nc", "a\nx\nc"), [Same("a"), Gone("b"), New("x"), Same("c")]);
        assert_eq!(lines("a\nb", "a\nb\nc"), [Same("a"), Same("b"), New("c")]);
        assert_eq!(
            lines("1\nkeep\n2\nstay\n3", "4\nkeep\n5\nstay\n6"),
            [Gone("1"), New("4"), Same("keep"), Gone("2"), New("5"), Same("stay"), Gone("3"), New("6")]
        );
        assert_eq!(
            lines("a\n\nb", "\nx\n\na\n\nb\n\ny"),
            [New(""), New("x"), New(""), Same("a"), Same(""), Same("b"), New(""), New("y")]
        );
        assert_eq!(lines("", "a"), [New("a")]);
        assert_eq!(lines("x\nx", "x"), [Same("x"), Gone("x")]);
        assert_eq!(lines("a\nb\nc", "c\na\nb"), [New("c"), Same("a"), Same("b"), Gone("c")]);
    }

    #[test]
    fn both_versions_can_be_had_back() {
        let before = "a\nb\nb\nc\n\nd\ne\na\nf";
        let after = "b\na\nc\nb\n\nx\ne\nf\nf";
        let lines = lines(before, after);
        let version = |left_out: fn(&Line<'_>) -> bool| {
            let kept = lines.iter().filter(|line| !left_out(line)).map(|line| match line {
                Same(text) | Gone(text) | New(text) => *text,
                Skipped(_) => "",
            });
            kept.collect::<Vec<_>>().join("\n")
        };
        assert_eq!(version(|line| matches!(line, New(_))), before);
        assert_eq!(version(|line| matches!(line, Gone(_))), after);
    }

    #[test]
    fn far_lines_are_counted() {
        let before: Vec<_> = (0..20).map(|n| n.to_string()).collect();
        let mut after = before.clone();
        after[10] = "ten".to_owned();
        let (before, after) = (before.join("\n"), after.join("\n"));
        let lines = shortened(lines(&before, &after));
        assert_eq!(lines[..3], [Skipped(8), Same("8"), Same("9")]);
        assert_eq!(lines[3..], [Gone("10"), New("ten"), Same("11"), Same("12"), Skipped(7)]);
    }

    #[test]
    fn shared_ends_are_whole_characters() {
        assert_eq!(shared("가나다", "가라다"), (3, 3));
        assert_eq!(shared("aa", "a"), (1, 0));
        assert_eq!(shared("", "x"), (0, 0));
    }

    #[test]
    fn long_texts_take_near_linear_work() {
        let old: Vec<_> = (0..100_000).map(|n| n.to_string()).collect();
        let new: Vec<_> = old.iter().rev().cloned().collect();
        assert!(lines(&old.join("\n"), &new.join("\n")).len() >= 199_999);
    }
}
