//! Words, numbers and characters that the border between two chunks cuts.

use gristmill_core::{Severity, Span};

use crate::cut;
use crate::seam::sides;
use crate::{Check, Cut, Finding, GroupRule, Repairs, Rule, View};

pub static RULE: Rule = Rule {
    name: "split-word",
    title: "Chunk begins inside a word",
    severity: Severity::Medium,
    repairs: Repairs::Lossless,
    docs: include_str!("docs.md"),
    cases: include_str!("cases.md"),
    check: Check::Group(&SplitWord),
};

struct SplitWord;

impl GroupRule for SplitWord {
    fn check(&self, view: &View<'_>, out: &mut Vec<Finding>) {
        for (left, seam) in view.seams.iter().enumerate() {
            if seam.cut() != Cut::Word {
                continue;
            }
            let right = left + 1;
            let (before, after) = sides(&view.pieces[left], &view.pieces[right]);
            let head: String = after.chars().take_while(|c| !c.is_whitespace()).take(24).collect();
            let tail: String = before.chars().rev().take_while(|c| !c.is_whitespace()).take(24).collect();
            let tail: String = tail.chars().rev().collect();
            let message = format!("begins inside a word ('{tail}' + '{head}'), which {} cut", view.label(left));
            let start = view.pieces[right].shown_start();
            let finding = Finding::new(RULE.name, RULE.severity, right, message).with(left);
            let repair = cut::mend(view, left).repair(view, left);
            out.push(finding.at(Span::new(start, start + head.len())).repair(repair));
        }
    }
}
