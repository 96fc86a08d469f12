//! One slide as blocks.

use std::rc::Rc;

use super::bullets::{Counter, Levels, Pattern, Place, bullet, place};
use super::order::{Frame, reading_order};
use crate::readers::office::chart::{chart, diagram};
use crate::readers::office::drawing::{Drawn, chosen, described, drawn};
use crate::readers::office::flow::{Block, Line, Look, Piece, is_blank, joined, push, raised, repeated, unmarked};
use crate::readers::office::math::latex;
use crate::readers::office::package::{Package, Relations};
use crate::xml::{Element, Xml};

/// A slide that is being read.
pub(super) struct Slide<'w, 'a> {
    pub(super) package: &'w mut Package<'a>,
    pub(super) relations: &'w Relations,
    pub(super) pattern: &'w Pattern,
    /// The title, once found, and whether it is that of a title slide.
    pub(super) title: Option<(Line, bool)>,
    pub(super) out: Vec<Block>,
}

impl Slide<'_, '_> {
    /// Takes the shapes of a tree or group as they stand on the slide.
    pub(super) fn shapes(&mut self, tree: Element<'_>) {
        let mut all = Vec::new();
        gather(tree, &mut all);
        let frame = |shape| Frame::of(shape).or_else(|| self.pattern.frame(place(shape)?));
        let placed = all.into_iter().map(|shape| (shape, frame(shape))).collect();
        for shape in reading_order(placed) {
            match shape.name() {
                "sp" => self.shape(shape),
                "grpSp" => self.shapes(shape),
                "pic" => self.picture(shape),
                _ => self.frame(shape),
            }
        }
    }

    fn shape(&mut self, shape: Element<'_>) {
        let Some(body) = shape.child("txBody") else { return };
        let place = place(shape);
        match place {
            Some((kind @ ("title" | "ctrTitle"), _)) if self.title.is_none() => {
                let line: Line = unmarked(joined(self.lines(body))).collect();
                self.title = (!is_blank(&line)).then_some((line, kind == "ctrTitle"));
            }
            // The same on every slide.
            Some(("dt" | "ftr" | "sldNum" | "hdr" | "sldImg", _)) => {}
            _ => {
                self.text(body, place);
                self.out.push(Block::End);
            }
        }
    }

    fn lines(&self, body: Element<'_>) -> Vec<Line> {
        body.children().filter(|child| child.name() == "p").map(|paragraph| self.line(paragraph)).collect()
    }

    fn text(&mut self, body: Element<'_>, place: Option<Place<'_>>) {
        let own = Levels::of(body.child("lstStyle"));
        let levels = match place {
            Some(place) => self.pattern.levels(own, place),
            None => own,
        };
        let mut counter = Counter::default();
        for paragraph in body.children().filter(|child| child.name() == "p") {
            let line = self.line(paragraph);
            if is_blank(&line) {
                continue;
            }
            let properties = paragraph.child("pPr");
            let level = properties.and_then(|p| p.attr("lvl")).and_then(|level| level.parse().ok()).unwrap_or(0);
            let given = properties.and_then(bullet);
            self.out.push(match counter.next(level, given.as_ref().or_else(|| levels.get(level))) {
                Some(label) => Block::Item { depth: level, label, line },
                None => Block::Paragraph(line),
            });
        }
    }

    fn line(&self, paragraph: Element<'_>) -> Line {
        let mut line = Line::new();
        self.inline(paragraph, &mut line);
        line
    }

    fn inline(&self, parent: Element<'_>, line: &mut Line) {
        for child in parent.children() {
            match child.name() {
                "r" | "fld" => {
                    let text = child.child("t").map(Element::text).unwrap_or_default();
                    let text = text.replace('\u{b}', " ");
                    let above =
                        child.child("rPr").and_then(|p| p.attr("baseline")).and_then(|at| at.parse::<i64>().ok());
                    let raised = above.filter(|at| *at > 0).map(|_| raised(&text));
                    push(line, &raised.unwrap_or(text), self.look(child));
                }
                "br" => line.push(Piece::Break),
                "oMath" => line.push(Piece::Math(latex(child))),
                "oMathPara" => line.push(Piece::Display(latex(child))),
                "m" => self.inline(child, line),
                "AlternateContent" => chosen(child).into_iter().for_each(|choice| self.inline(choice, line)),
                _ => {}
            }
        }
    }

    fn look(&self, run: Element<'_>) -> Look {
        let Some(properties) = run.child("rPr") else { return Look::default() };
        let on = |name: &str| properties.attr(name).is_some_and(|value| matches!(value, "1" | "true" | "on"));
        let target = properties.child("hlinkClick").and_then(|link| link.relation("id"));
        let target = target.and_then(|id| self.relations.get(id)).filter(|found| found.kind == "hyperlink");
        Look {
            bold: on("b"),
            italic: on("i"),
            strike: properties.attr("strike").is_some_and(|value| value != "noStrike"),
            link: target.map(|found| Rc::from(found.target.as_str())),
        }
    }

    fn picture(&mut self, shape: Element<'_>) {
        let description = shape.path(&["nvPicPr", "cNvPr"]).and_then(described).unwrap_or_default();
        let blip = shape.path(&["blipFill", "blip"]);
        self.image(description, blip.and_then(|blip| blip.relation("embed").or_else(|| blip.relation("link"))));
    }

    fn image(&mut self, description: &str, relation: Option<&str>) {
        let name = self.relations.file(relation).to_owned();
        self.out.push(Block::Paragraph(vec![Piece::Image(description.to_owned(), name)]));
    }

    fn frame(&mut self, frame: Element<'_>) {
        let Some(held) = frame.path(&["graphic", "graphicData"]) else { return };
        if let Some(table) = held.child("tbl") {
            let table = self.table(table);
            return self.out.push(Block::Table(table));
        }
        let mut found = Vec::new();
        drawn(held, &mut found);
        for thing in found {
            match thing {
                Drawn::Chart(id) => self.other_part(id, chart),
                Drawn::Diagram(id) => self.other_part(id, diagram),
                Drawn::Image { description, relation } => self.image(description, relation),
                Drawn::Box(_) => {}
            }
        }
    }

    fn other_part(&mut self, id: &str, read: fn(&Xml) -> Vec<Block>) {
        let xml = self.package.related(self.relations, id);
        self.out.extend(xml.as_ref().map(read).unwrap_or_default());
        self.out.push(Block::End);
    }

    /// The rows of a table, what merged cells show repeated at all their places.
    fn table(&self, table: Element<'_>) -> Vec<Vec<Line>> {
        let goes_on =
            |cell: Element<'_>, name: &str| cell.attr(name).is_some_and(|value| matches!(value, "1" | "true"));
        let mut rows: Vec<Vec<Line>> = Vec::new();
        for row in table.children().filter(|child| child.name() == "tr") {
            let mut cells: Vec<Line> = Vec::new();
            for cell in row.children().filter(|child| child.name() == "tc") {
                let above = rows.last().and_then(|row| row.get(cells.len()));
                cells.push(match cell {
                    _ if goes_on(cell, "hMerge") => cells.last().map(repeated).unwrap_or_default(),
                    _ if goes_on(cell, "vMerge") => above.map(repeated).unwrap_or_default(),
                    _ => joined(cell.child("txBody").map(|body| self.lines(body)).unwrap_or_default()),
                });
            }
            rows.push(cells);
        }
        rows
    }

    /// What the speaker is to say.
    pub(super) fn notes(&mut self, notes: Element<'_>) {
        let shapes = notes.all("sp").filter(|shape| matches!(place(*shape), Some(("body", _))));
        let lines = shapes.filter_map(|shape| shape.child("txBody")).flat_map(|body| self.lines(body));
        let mut lines: Vec<Line> = lines.filter(|line| !is_blank(line)).collect();
        if let Some(first) = lines.first_mut() {
            first.insert(0, Piece::Text("Notes: ".into(), Look::default()));
            self.out.push(Block::Quote(lines));
        }
    }
}

/// The shapes right in a tree, of choices the one that is read.
fn gather<'x>(tree: Element<'x>, out: &mut Vec<Element<'x>>) {
    for shape in tree.children() {
        match shape.name() {
            "sp" | "grpSp" | "pic" | "graphicFrame" => out.push(shape),
            "AlternateContent" => chosen(shape).into_iter().for_each(|choice| gather(choice, out)),
            _ => {}
        }
    }
}

/// True when the slide is not shown.
pub(super) fn is_hidden(slide: Element<'_>) -> bool {
    slide.attr("show").is_some_and(|value| matches!(value, "0" | "false"))
}
