//! What drawings hold: pictures, text boxes, charts and diagrams.

use crate::xml::Element;

/// A thing in a drawing.
pub(super) enum Drawn<'x> {
    /// The content of a text box.
    Box(Element<'x>),
    Image {
        description: &'x str,
        relation: Option<&'x str>,
    },
    /// Relationship of the part with the chart.
    Chart(&'x str),
    /// Relationship of the part with the words of a diagram.
    Diagram(&'x str),
}

/// What is in a drawing, in order.
pub(super) fn drawn<'x>(element: Element<'x>, out: &mut Vec<Drawn<'x>>) {
    within(element, "", out);
}

fn within<'x>(element: Element<'x>, description: &'x str, out: &mut Vec<Drawn<'x>>) {
    let own = properties(element).and_then(described).unwrap_or(description);
    for child in element.children() {
        match child.name() {
            "txbxContent" => out.push(Drawn::Box(child)),
            "blip" => {
                let relation = child.relation("embed").or_else(|| child.relation("link"));
                out.push(Drawn::Image { description: own, relation });
            }
            "imagedata" => {
                let description = child.attr("title").unwrap_or(own);
                out.push(Drawn::Image { description, relation: child.relation("id") });
            }
            "chart" => out.extend(child.relation("id").map(Drawn::Chart)),
            "relIds" => out.extend(child.relation("dm").map(Drawn::Diagram)),
            "AlternateContent" => chosen(child).into_iter().for_each(|choice| within(choice, own, out)),
            // Pictures that are only the filling of a shape say nothing.
            "spPr" | "bg" => {}
            _ => within(child, own, out),
        }
    }
}

fn properties(element: Element<'_>) -> Option<Element<'_>> {
    element.child("docPr").or_else(|| element.path(&["nvPicPr", "cNvPr"]))
}

/// The description that properties of a drawing give, if they give one.
pub(super) fn described(properties: Element<'_>) -> Option<&str> {
    let texts = ["descr", "title"].iter().filter_map(|name| properties.attr(name));
    texts.map(own_words).find(|text| !text.is_empty())
}

/// A description without what Office adds to those it has made.
fn own_words(text: &str) -> &str {
    let text = text.trim().trim_end_matches("AI-generated content may be incorrect.").trim_end();
    text.trim_end_matches("Description automatically generated").trim_end()
}

/// The part of a choice that is read: the newer one, where it holds anything.
pub(super) fn chosen(element: Element<'_>) -> Option<Element<'_>> {
    element.child("Choice").filter(|choice| choice.children().next().is_some()).or_else(|| element.child("Fallback"))
}
