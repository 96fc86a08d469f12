//! What the layout of a page left in its text.

mod gaps;
mod hyphens;
mod padding;
mod pages;

use gristmill_core::{Severity, Span};

use crate::{Change, Check, Finding, Fold, GroupRule, Repair, Repairs, Rule, Safety, View};

pub static RULE: Rule = Rule {
    name: "pdf-noise",
    title: "Page layout is left in the text",
    severity: Severity::Low,
    repairs: Repairs::Lossless,
    docs: include_str!("docs.md"),
    cases: include_str!("cases.md"),
    check: Check::Group(&PdfNoise),
};

/// A place where the layout shows, and what stands there without it.
struct Noise {
    span: Span,
    text: String,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Hyphen,
    Padding,
    Gap,
}

struct PdfNoise;

impl GroupRule for PdfNoise {
    fn check(&self, view: &View<'_>, out: &mut Vec<Finding>) {
        let breaks = hyphens::breaks(view);
        let known = hyphens::Known::of(view, &breaks);
        let noise: Vec<Vec<Noise>> = breaks
            .iter()
            .enumerate()
            .map(|(at, breaks)| {
                let mut noise: Vec<Noise> = breaks.iter().map(|one| one.mend(&known)).collect();
                noise.extend(padding::runs(view, at));
                noise.extend(gaps::gaps(view, at, breaks));
                noise.sort_by_key(|one| one.span.start);
                noise
            })
            .collect();
        if !is_page(view) && !looks_like_page(&noise) {
            return;
        }
        for (at, noise) in noise.iter().enumerate().filter(|(_, noise)| !noise.is_empty()) {
            out.push(finding(at, noise));
        }
        pages::check(view, out);
    }
}

/// True when the source is known to be made of pages.
fn is_page(view: &View<'_>) -> bool {
    let name = view.source.unwrap_or_default().to_lowercase();
    let name = name.split(['#', '?']).next().unwrap_or_default();
    let paged = || view.pieces.iter().any(|piece| piece.paged);
    let feeds = || view.pieces.iter().any(|piece| memchr::memchr(0x0c, piece.text.trim().as_bytes()).is_some());
    name.ends_with(".pdf") || paged() || feeds()
}

/// True when the text itself shows that it was taken from pages: three words broken at hyphens. One or two may be
/// compounds that someone wrapped by hand, or a poem.
fn looks_like_page(noise: &[Vec<Noise>]) -> bool {
    let all = || noise.iter().flatten();
    let broken = all().filter(|one| one.kind == Kind::Hyphen && one.text.is_empty()).count();
    broken >= 3
}

fn finding(piece: usize, noise: &[Noise]) -> Finding {
    let count = |kind: Kind, one: &str, many: &str| {
        let count = noise.iter().filter(|noise| noise.kind == kind).count();
        (count > 0).then(|| format!("{count} {}", if count == 1 { one } else { many }))
    };
    let parts = [
        count(Kind::Hyphen, "hyphenated line break", "hyphenated line breaks"),
        count(Kind::Padding, "run of padding", "runs of padding"),
        count(Kind::Gap, "page gap", "page gaps"),
    ];
    let message = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    // From the last to the first, so that the places of those before stay right.
    let change = |one: &Noise| Change::Replace {
        piece,
        span: one.span,
        text: one.text.clone(),
        fold: if one.kind == Kind::Hyphen { Fold::Hyphen } else { Fold::Space },
    };
    let changes = noise.iter().rev().map(change).collect();
    let repair = Repair { title: "write it as running text".to_owned(), safety: Safety::Lossless, changes };
    let finding = Finding::new(RULE.name, RULE.severity, piece, message).repair(Some(repair));
    noise.first().map_or(finding.clone(), |first| finding.at(first.span))
}

/// The bytes of a piece that were not injected.
fn shown(view: &View<'_>, at: usize) -> std::ops::Range<usize> {
    let piece = &view.pieces[at];
    piece.shown_start()..piece.body_end().max(piece.shown_start())
}
