//! Text that a reader does not see and a model does.

mod marks;
mod markup;

use gristmill_core::{Severity, Span};

use crate::visible::without_code;
use crate::{Check, Cut, Finding, GroupRule, Repairs, Rule, View};

pub static RULE: Rule = Rule {
    name: "hidden-text",
    title: "Chunk holds text that readers do not see",
    severity: Severity::Medium,
    repairs: Repairs::Never,
    docs: include_str!("docs.md"),
    cases: include_str!("cases.md"),
    check: Check::Group(&HiddenText),
};

/// A place with hidden text, and what it is.
struct Hidden {
    span: Span,
    what: String,
}

struct HiddenText;

impl GroupRule for HiddenText {
    fn check(&self, view: &View<'_>, out: &mut Vec<Finding>) {
        for (at, piece) in view.pieces.iter().enumerate() {
            let own = Span::new(piece.body_start(), piece.body_end().max(piece.body_start()));
            let mut found = Vec::new();
            if !piece.text.is_ascii() {
                // A line that goes on in the next chunk may close there what it opens.
                let goes_on = view.seams.get(at).is_some_and(|seam| seam.cut() != Cut::None || seam.within_line());
                found.extend(marks::zero_width(&piece.text));
                found.extend(marks::bidi(&piece.text, goes_on));
                found.extend(marks::tags(&piece.text));
            }
            if markup::may_hold(&piece.text) {
                let text = without_code(piece, &view.shapes[at]);
                found.extend(markup::comment(&text));
                found.extend(markup::invisible(&text));
            }
            let inside = |hidden: &Hidden| hidden.span.start >= own.start && hidden.span.end <= own.end;
            let finding = |hidden: Hidden| Finding::new(RULE.name, RULE.severity, at, hidden.what).at(hidden.span);
            out.extend(found.into_iter().filter(inside).map(finding));
        }
    }
}
