//! Instructions aimed at a model, in text that is only to be read.

mod markers;
mod orders;

use gristmill_core::{Severity, Span};

use crate::visible::without_code;
use crate::{Check, Finding, GroupRule, Repairs, Rule, View};

pub static RULE: Rule = Rule {
    name: "injection-pattern",
    title: "Chunk speaks to the model",
    severity: Severity::Medium,
    repairs: Repairs::Never,
    docs: include_str!("docs.md"),
    cases: include_str!("cases.md"),
    check: Check::Group(&InjectionPattern),
};

struct InjectionPattern;

impl GroupRule for InjectionPattern {
    fn check(&self, view: &View<'_>, out: &mut Vec<Finding>) {
        for (at, piece) in view.pieces.iter().enumerate() {
            let (marks, orders) = (markers::may_hold(&piece.text), orders::may_hold(&piece.text));
            if !marks && !orders {
                continue;
            }
            let text = without_code(piece, &view.shapes[at]);
            let marker = if marks { markers::find(&text) } else { None };
            let marker = marker.map(|span| (span, "a mark that divides the turns of a chat"));
            let order = || if orders { orders::find(&text) } else { None };
            let order = || order().map(|span| (span, "an order to a model"));
            let Some((span, what)) = marker.or_else(order) else { continue };
            let severity = if is_quoted(&text, span) { Severity::Low } else { RULE.severity };
            let shown: String = piece.text[span.range()].split_whitespace().collect::<Vec<_>>().join(" ");
            let shown: String = shown.chars().take(60).collect();
            let quoted = if severity == Severity::Low { ", quoted" } else { "" };
            let message = format!("{what}, in text that is only to be read{quoted}: '{shown}'");
            out.push(Finding::new(RULE.name, severity, at, message).at(span));
        }
    }
}

/// True when a quotation mark stands before the words, or the text is about such attacks.
fn is_quoted(text: &str, span: Span) -> bool {
    let before = text[..span.start as usize].trim_end().chars().next_back();
    let quote = before.is_some_and(|c| matches!(c, '"' | '“' | '„' | '«' | '‘' | '\'' | '「' | '『' | '《' | '»'));
    let text = text.to_lowercase();
    quote || ["injection", "jailbreak", "注入", "インジェクション", "инъекци"].iter().any(|word| text.contains(word))
}
