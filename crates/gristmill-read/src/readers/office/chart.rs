//! Charts as tables of what they show, and diagrams as lists of their words.

use std::collections::BTreeMap;

use super::flow::{Block, Label, Line, plain};
use super::numbers::shown;
use crate::xml::{Element, Xml};

/// The title of a chart and its series, one a column.
pub(super) fn chart(xml: &Xml) -> Vec<Block> {
    let mut out = Vec::new();
    let Some(chart) = xml.root().child("chart") else { return out };
    let title = chart.child("title").map(|title| title.all("t").map(Element::text).collect::<String>());
    out.extend(title.filter(|title| !title.trim().is_empty()).map(|title| Block::Paragraph(plain(title))));
    // Series share their categories: the place of each is its index.
    let mut rows: BTreeMap<u32, (String, Vec<(usize, String)>)> = BTreeMap::new();
    let mut header = vec![Line::new()];
    for (column, series) in chart.all("ser").enumerate() {
        let name = series.child("tx").and_then(|name| name.all("v").next()).map(Element::text);
        header.push(plain(name.unwrap_or_default()));
        for (at, name) in points(series, &["cat", "xVal"]) {
            rows.entry(at).or_insert_with(|| (name, Vec::new()));
        }
        for (at, value) in points(series, &["val", "yVal"]) {
            rows.entry(at).or_default().1.push((column, value));
        }
    }
    if !rows.is_empty() {
        let filled = rows.into_values().map(|(name, values)| row(name, values));
        out.push(Block::Table(std::iter::once(header).chain(filled).collect()));
    }
    out
}

fn row(name: String, values: Vec<(usize, String)>) -> Vec<Line> {
    let mut cells = vec![plain(name)];
    for (column, value) in values {
        cells.resize(cells.len().max(column + 1), Line::new());
        cells.push(plain(value));
    }
    cells
}

/// The points of the first of these parts that a series has, each with its index.
fn points(series: Element<'_>, names: &[&str]) -> Vec<(u32, String)> {
    let Some(part) = names.iter().find_map(|name| series.child(name)) else { return Vec::new() };
    let point = |point: Element<'_>| Some((point.attr("idx")?.parse().ok()?, shown(&point.child("v")?.text())));
    part.all("pt").filter_map(point).collect()
}

/// The words of a diagram, point by point.
pub(super) fn diagram(xml: &Xml) -> Vec<Block> {
    let points = xml.root().all("pt").filter(|point| point.attr("type").is_none_or(|kind| kind == "node"));
    let words = points.filter_map(|point| {
        let words: Vec<String> = point.child("t")?.all("p").map(|p| p.all("t").map(Element::text).collect()).collect();
        Some(words.join(" ")).filter(|words| !words.trim().is_empty())
    });
    words.map(|words| Block::Item { depth: 0, label: Label::Bullet, line: plain(words) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_is_a_table_of_its_points() {
        let xml = Xml::parse(
            b"<chartSpace><chart><title><tx><rich><p><r><t>Ducks</t></r></p></rich></tx></title><plotArea><lineChart>
            <ser><tx><strRef><strCache><pt idx='0'><v>Wild</v></pt></strCache></strRef></tx>
            <cat><numCache><pt idx='0'><v>2023</v></pt><pt idx='1'><v>2024</v></pt></numCache></cat>
            <val><numCache><pt idx='0'><v>1.1000000000000001</v></pt></numCache></val></ser>
            <ser><val><numCache><pt idx='1'><v>7</v></pt></numCache></val></ser>
            </lineChart></plotArea></chart></chartSpace>",
        );
        let blocks = chart(&xml);
        assert_eq!(blocks[0], Block::Paragraph(plain("Ducks")));
        let Block::Table(rows) = &blocks[1] else { panic!("a table") };
        assert_eq!(rows[0], [Line::new(), plain("Wild"), plain("")]);
        assert_eq!(rows[1], [plain("2023"), plain("1.1")]);
        assert_eq!(rows[2], [plain("2024"), Line::new(), plain("7")]);
    }

    #[test]
    fn a_diagram_is_a_list_of_its_words() {
        let xml = Xml::parse(
            b"<dataModel><ptLst><pt type='doc'/><pt><t><p><r><t>one</t></r></p><p><r><t>two</t></r></p></t></pt>
            <pt type='parTrans'><t><p><r><t>x</t></r></p></t></pt></ptLst></dataModel>",
        );
        assert_eq!(diagram(&xml), [Block::Item { depth: 0, label: Label::Bullet, line: plain("one two") }]);
    }
}
