//! Chunks that are nothing but links.

use gristmill_core::Severity;

use crate::visible::read;
use crate::{Check, Finding, GroupRule, LineKind, Repairs, Rule, View};

pub static RULE: Rule = Rule {
    name: "link-farm",
    title: "Chunk is a list of links",
    severity: Severity::Low,
    repairs: Repairs::Never,
    docs: include_str!("docs.md"),
    cases: include_str!("cases.md"),
    check: Check::Group(&LinkFarm),
};

/// Fewer links are a reference, not a list.
const LEAST: usize = 5;

struct LinkFarm;

impl GroupRule for LinkFarm {
    fn check(&self, view: &View<'_>, out: &mut Vec<Finding>) {
        for at in 0..view.pieces.len() {
            let Some(Shares { links, inside, outside }) = shares(view, at) else { continue };
            // Four fifths of what is read.
            if links >= LEAST && inside >= outside * 4 {
                let share = inside * 100 / (inside + outside).max(1);
                let message = format!("{links} links are {share} % of the text");
                out.push(Finding::new(RULE.name, RULE.severity, at, message));
            }
        }
    }
}

#[derive(Default)]
struct Shares {
    links: usize,
    /// Letters and digits inside links.
    inside: usize,
    /// Letters and digits elsewhere, those of headings left out.
    outside: usize,
}

/// `None` for a piece with code.
fn shares(view: &View<'_>, at: usize) -> Option<Shares> {
    let text = &view.pieces[at].text;
    let signs = |sign: &'static str| memchr::memmem::find_iter(text.as_bytes(), sign);
    signs("](").chain(signs("://")).nth(LEAST - 1)?;
    let mut shares = Shares::default();
    for line in &view.shapes[at].lines {
        match line.kind {
            kind if kind.is_code() => return None,
            kind if kind.is_heading() || kind == LineKind::Context => continue,
            _ => {}
        }
        let mut before = false;
        read(&text[line.span.range()], |c, in_link| {
            shares.links += usize::from(in_link && !before);
            before = in_link;
            if c.is_alphanumeric() {
                *(if in_link { &mut shares.inside } else { &mut shares.outside }) += 1;
            }
        });
    }
    Some(shares)
}
