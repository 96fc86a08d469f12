//! Text that was decoded with the wrong table of characters.

mod decode;

use gristmill_core::{Severity, Span};

use crate::visible::without_code;
use crate::{Change, Check, Finding, Fold, GroupRule, Repair, Repairs, Rule, Safety, View};

pub static RULE: Rule = Rule {
    name: "mojibake",
    title: "Text was decoded with the wrong encoding",
    severity: Severity::Medium,
    repairs: Repairs::Unsafe,
    docs: include_str!("docs.md"),
    cases: include_str!("cases.md"),
    check: Check::Group(&Mojibake),
};

struct Mojibake;

impl GroupRule for Mojibake {
    fn check(&self, view: &View<'_>, out: &mut Vec<Finding>) {
        for (at, piece) in view.pieces.iter().enumerate() {
            if !decode::may_hold(&piece.text) {
                continue;
            }
            let wrong = decode::wrong(&without_code(piece, &view.shapes[at]));
            let Some((first, right)) = wrong.first() else { continue };
            let left = &piece.text[first.range()];
            let more = if wrong.len() > 1 { format!(", and {} more", wrong.len() - 1) } else { String::new() };
            let message = format!("`{left}` is `{}` decoded with the wrong encoding{more}", visible(right));
            let repair = repair(at, &wrong);
            out.push(Finding::new(RULE.name, RULE.severity, at, message).at(*first).repair(Some(repair)));
        }
    }
}

/// White space is named, not shown.
fn visible(text: &str) -> String {
    text.chars()
        .flat_map(|c| if c.is_whitespace() || c == '\u{feff}' { c.escape_unicode().collect() } else { vec![c] })
        .collect()
}

fn repair(piece: usize, wrong: &[(Span, String)]) -> Repair {
    // From the last to the first, so that the places of those before stay right.
    let change =
        |(span, text): &(Span, String)| Change::Replace { piece, span: *span, text: text.clone(), fold: Fold::Free };
    let changes = wrong.iter().rev().map(change).collect();
    Repair { title: "decode it as UTF-8".to_owned(), safety: Safety::Unsafe, changes }
}
