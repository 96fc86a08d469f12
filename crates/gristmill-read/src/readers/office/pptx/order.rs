//! The order in which the shapes of a slide are read: as they stand on it, not as they were put there.

use crate::xml::Element;

/// Where a shape is: from the left and the top, in English Metric Units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    left: i64,
    top: i64,
    right: i64,
    bottom: i64,
}

/// Cuts go so deep at most.
const CUTS: usize = 12;

/// Shapes whose tops differ by less stand beside one another (4 mm).
const ROW: i64 = 144_000;

impl Frame {
    /// The place that a shape gives itself.
    pub(super) fn of(shape: Element<'_>) -> Option<Self> {
        let inner = ["spPr", "grpSpPr"].iter().find_map(|name| shape.path(&[name, "xfrm"]));
        let place = inner.or_else(|| shape.child("xfrm"))?;
        let number = |child: &str, name: &str| place.child(child)?.attr(name)?.parse::<i64>().ok();
        let (left, top) = (number("off", "x")?, number("off", "y")?);
        let (width, height) = (number("ext", "cx").unwrap_or(0), number("ext", "cy").unwrap_or(0));
        let end = |start: i64, length: i64| start.saturating_add(length.max(1));
        Some(Self { left, top, right: end(left, width), bottom: end(top, height) })
    }
}

/// Sorts things by where they are: cut into rows where nothing stands across the gap, these into columns, and so on.
/// What has no place stays with what came before it.
pub(super) fn reading_order<T>(things: Vec<(T, Option<Frame>)>) -> Vec<T> {
    let mut groups: Vec<(Frame, Vec<T>)> = Vec::new();
    let nowhere = Frame { left: i64::MIN, top: i64::MIN, right: i64::MIN, bottom: i64::MIN };
    for (thing, frame) in things {
        match (frame, groups.last_mut()) {
            (None, Some((_, group))) => group.push(thing),
            (frame, _) => groups.push((frame.unwrap_or(nowhere), vec![thing])),
        }
    }
    let mut out = Vec::new();
    let mut open = vec![(groups, 0)];
    while let Some((groups, cuts)) = open.pop() {
        if groups.len() < 2 {
            out.extend(groups.into_iter().flat_map(|(_, things)| things));
            continue;
        }
        let (mut parts, uncut) = if cuts < CUTS { cut(groups) } else { (Vec::new(), groups) };
        if parts.is_empty() {
            out.extend(by_rows(uncut).into_iter().flat_map(|(_, things)| things));
        } else {
            parts.reverse();
            open.extend(parts.into_iter().map(|part| (part, cuts + 1)));
        }
    }
    out
}

type Placed<T> = Vec<(Frame, T)>;

/// The parts between gaps from side to side, else between gaps from top to bottom; or everything, uncut.
fn cut<T>(things: Placed<T>) -> (Vec<Placed<T>>, Placed<T>) {
    let rows = parts(things, |frame| (frame.top, frame.bottom));
    if rows.len() > 1 {
        return (rows, Vec::new());
    }
    let columns = parts(rows.into_iter().flatten().collect(), |frame| (frame.left, frame.right));
    if columns.len() > 1 {
        return (columns, Vec::new());
    }
    (Vec::new(), columns.into_iter().flatten().collect())
}

/// The groups of things whose extents overlap or touch, in order.
fn parts<T>(mut things: Placed<T>, extent: impl Fn(&Frame) -> (i64, i64)) -> Vec<Placed<T>> {
    things.sort_by_key(|(frame, _)| extent(frame));
    let mut out: Vec<Placed<T>> = Vec::new();
    let mut reach = i64::MIN;
    for thing in things {
        let (start, end) = extent(&thing.0);
        match out.last_mut() {
            Some(part) if start < reach => part.push(thing),
            _ => out.push(vec![thing]),
        }
        reach = reach.max(end);
    }
    out
}

/// By rows from the top, each from the left.
fn by_rows<T>(mut things: Placed<T>) -> Placed<T> {
    things.sort_by_key(|(frame, _)| (frame.top, frame.left));
    let mut row = i64::MIN;
    for (frame, _) in &mut things {
        if frame.top.saturating_sub(row) > ROW {
            row = frame.top;
        }
        frame.top = row;
    }
    things.sort_by_key(|(frame, _)| (frame.top, frame.left));
    things
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(left: i64, top: i64, width: i64, height: i64) -> Option<Frame> {
        let [left, top, width, height] = [left, top, width, height].map(|mm| mm * 36_000);
        Some(Frame { left, top, right: left + width, bottom: top + height })
    }

    #[test]
    fn rows_come_before_columns_and_columns_are_read_down() {
        let things = vec![
            ("foot", at(0, 90, 100, 5)),
            ("right", at(60, 30, 30, 50)),
            ("left below", at(0, 60, 40, 20)),
            ("head", at(0, 0, 100, 10)),
            ("left", at(0, 20, 40, 35)),
        ];
        assert_eq!(reading_order(things), ["head", "left", "left below", "right", "foot"]);
    }

    #[test]
    fn what_overlaps_is_read_by_rows() {
        let things = vec![("b", at(40, 11, 50, 50)), ("a", at(0, 12, 50, 50)), ("c", at(20, 40, 50, 50))];
        assert_eq!(reading_order(things), ["a", "b", "c"]);
    }

    #[test]
    fn what_has_no_place_stays_where_it_is() {
        let things = vec![("x", None), ("b", at(0, 50, 9, 9)), ("y", None), ("a", at(0, 0, 9, 9))];
        assert_eq!(reading_order(things), ["x", "a", "b", "y"]);
    }
}
