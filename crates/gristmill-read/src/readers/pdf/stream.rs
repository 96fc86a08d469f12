//! Tables without rules, found by how their text is aligned. The search is the engine's.

use unpdf::parser::{DetectedTable, TableDetector, TextSpan};

use super::engine::Engine;
use super::page::right;
use super::table::Table;
use super::words::clean;

/// Below this the engine itself doubts the table.
const SURE: f32 = 0.5;

/// Takes tables out of the runs: what is left is returned.
pub(super) fn tables(engine: &Engine, spans: Vec<TextSpan>, tables: &mut Vec<Table>) -> Vec<TextSpan> {
    let whole = runs(spans);
    let detector = TableDetector::new();
    let given = whole.clone();
    let Some((found, mut rest)) = engine.layout(|_| detector.detect(given)) else { return whole };
    for detected in found {
        match table(&detector, &detected) {
            Some(table) => tables.push(table),
            None => rest.extend(detected.rows.into_iter().flat_map(|row| row.spans)),
        }
    }
    rest
}

fn table(detector: &TableDetector, detected: &DetectedTable) -> Option<Table> {
    if detected.confidence < SURE {
        return None;
    }
    let model = detector.to_table_model(detected);
    let mut rows = Vec::new();
    for (row, starts) in model.rows.iter().zip(model.cell_columns()) {
        let mut out = vec![String::new(); model.column_count()];
        for (cell, start) in row.cells.iter().zip(starts) {
            let text: Vec<String> = cell.content.iter().map(unpdf::Paragraph::plain_text).collect();
            if let Some(slot) = out.get_mut(start) {
                *slot = clean(&text.join(" "));
            }
        }
        rows.push(out);
    }
    let table = Table::new(detected.top_y, detected.left_x, detected.right_x, rows).tidy();
    (table.columns() >= 2 && table.rows.len() >= 2 && !table.is_prose()).then_some(table)
}

/// Runs with the pieces that a producer drew one by one put together: a word may come in many.
fn runs(spans: Vec<TextSpan>) -> Vec<TextSpan> {
    let mut out: Vec<TextSpan> = Vec::new();
    for span in spans {
        match out.last_mut() {
            Some(last) if goes_on(last, &span) => {
                let apart = span.x - right(last) > last.font_size * 0.15;
                if apart && !last.text.ends_with(' ') && !span.text.starts_with(' ') {
                    last.text.push(' ');
                }
                last.text.push_str(&span.text);
                last.width = span.x + span.width - last.x;
                last.ink_width = span.ink_width.map(|ink| span.x + ink - last.x);
                last.width_measured &= span.width_measured;
                last.links.clear();
            }
            _ => out.push(span),
        }
    }
    out
}

fn goes_on(last: &TextSpan, span: &TextSpan) -> bool {
    let gap = span.x - right(last);
    !last.is_rotated()
        && !span.is_rotated()
        && (last.y - span.y).abs() < 0.5
        && (last.font_size - span.font_size).abs() < 0.1
        && last.font_name == span.font_name
        && gap > -0.3 * last.font_size
        && gap < 0.35 * last.font_size
}
