//! What holds for every repair.

use std::collections::{BTreeMap, BTreeSet};

use gristmill_core::PartKind;
use gristmill_lint::{Finding, Group, LintCx, Piece, RULES, Repaired, Repairs, Rule, Safety, check, part_of, repair};

use crate::sets::{Set, Told};

/// What is broken, in words. Of text alone also what is broken where the file has no place for marks, and where the result is
/// taken for nothing but text once more.
pub fn broken(set: &Set, cx: &LintCx<'_>, least: Safety) -> Vec<String> {
    let (mut wrong, after) = broken_once(set, cx, least);
    if set.told == Told::Text {
        let bare = |piece: &Piece| Piece { bare: true, ..piece.clone() };
        wrong.extend(broken_once(&set.with(set.group.pieces.iter().map(bare)), cx, least).0);
        let texts = after.pieces.iter().enumerate().map(|(at, piece)| Piece::new(at, None, piece.text.clone()));
        wrong.extend(broken_once(&Set { document: None, ..set.with(texts) }, cx, least).0);
    }
    wrong
}

fn broken_once(set: &Set, cx: &LintCx<'_>, least: Safety) -> (Vec<String>, Repaired) {
    let mut before = set.group.clone();
    let found = check(&mut before, RULES, cx);
    let after = repair(set.group.clone(), RULES, cx, least);
    let mut wrong: Vec<String> = after.faults.clone();
    // Made-up parts may stand anywhere, also where a repair would have to go through them.
    wrong.retain(|fault| !(set.told != Told::Text && set.document.is_none() && fault.ends_with("cannot be made")));
    let run = Run { set, before: &before, after: &after, cx, least };
    run.ends(&mut wrong);
    run.says_what_it_mends(&found, &mut wrong);
    run.pieces_are_sound(&mut wrong);
    if least == Safety::Lossless {
        run.names_are_kept(&mut wrong);
        run.untouched_is_same(&mut wrong);
        run.limits_hold(&mut wrong);
        run.nothing_is_lost(&mut wrong);
        run.places_are_right(&mut wrong);
    }
    if !wrong.is_empty() {
        wrong.push(run.story());
    }
    (wrong, after)
}

struct Run<'a> {
    set: &'a Set,
    /// With the overlap that was found.
    before: &'a Group,
    after: &'a Repaired,
    cx: &'a LintCx<'a>,
    least: Safety,
}

impl Run<'_> {
    /// What was done, for the one who looks for the mistake.
    fn story(&self) -> String {
        let done = self.after.applied.iter().map(|one| format!("  {} at {}: {}\n", one.rule, one.piece, one.title));
        let line = |piece: &Piece| {
            let parts = piece.parts.iter().map(|part| (part.kind.name(), part.range.range())).collect::<Vec<_>>();
            format!("  {} {:?} {parts:?} {:?}\n", piece.index, piece.text, piece.place)
        };
        let before: String = self.before.pieces.iter().map(line).collect();
        let after: String = self.after.pieces.iter().map(line).collect();
        format!("read as\n{before}repaired\n{}to\n{after}", done.collect::<String>())
    }

    /// Repairing the result again changes nothing, also when it was written and read in between.
    fn ends(&self, wrong: &mut Vec<String>) {
        let forms = [("held", self.after.pieces.clone()), ("read again", self.read_again())];
        for (form, pieces) in forms {
            let mut group = Group { source: self.set.group.source.clone(), pieces };
            let again = repair(group.clone(), RULES, self.cx, self.least);
            for applied in &again.applied {
                wrong.push(format!("{form}: repaired again: {} at {}: {}", applied.rule, applied.piece, applied.title));
            }
            let texts = |pieces: &[Piece]| pieces.iter().map(|piece| piece.text.clone()).collect::<Vec<_>>();
            if again.applied.is_empty() && texts(&again.pieces) != texts(&self.after.pieces) {
                wrong.push(format!("{form}: texts differ without a repair"));
            }
            let mut found = check(&mut group, &self.mending(), self.cx);
            found.iter_mut().for_each(|finding| finding.withdraw(self.least));
            let (now, then) = (places(&found), places(&self.after.left));
            if now != then {
                let more: Vec<_> = now.difference(&then).collect();
                let less: Vec<_> = then.difference(&now).collect();
                wrong.push(format!("{form}: other findings: {more:?} instead of {less:?}"));
            }
        }
    }

    /// The rules of which a repair tells what they find in the end.
    fn mending(&self) -> Vec<&'static Rule> {
        let mends = |rule: &&&Rule| match rule.repairs {
            Repairs::Lossless => true,
            Repairs::Unsafe => self.least == Safety::Unsafe,
            Repairs::Never => false,
        };
        RULES.iter().filter(mends).copied().collect()
    }

    /// The pieces as they are read from the file in which they were written. What no repair touched is read as it was.
    fn read_again(&self) -> Vec<Piece> {
        let read = |(at, piece): (usize, &Piece)| {
            let old = self.set.group.pieces.iter().find(|old| old.index == piece.index && old.text == piece.text);
            let old = old.filter(|_| piece.merged.is_empty() && !piece.overlap_known);
            old.map_or_else(|| read_again(at, piece), |old| Piece { index: at, ..old.clone() })
        };
        self.after.pieces.iter().enumerate().map(read).collect()
    }

    /// What is shown as fixable is gone: of a rule there is no more left about a piece, and what was merged into it, than was
    /// shown as not to be mended.
    fn says_what_it_mends(&self, found: &[Finding], wrong: &mut Vec<String>) {
        let mut shown = found.to_vec();
        self.after.withdraw(&mut shown, &self.before.pieces, self.least);
        let offered: Vec<&Finding> = shown.iter().filter(|finding| finding.is_offered(self.least)).collect();
        if !offered.is_empty() && self.after.applied.is_empty() {
            wrong.push("repairs are offered and none is made".to_owned());
        }
        for offer in offered {
            let family = self.family(self.before.pieces[offer.piece].index);
            let same = |finding: &&Finding, index: usize| finding.rule == offer.rule && self.family(index) == family;
            let kept = shown.iter().filter(|finding| !finding.is_offered(self.least));
            let kept = kept.filter(|finding| same(finding, self.before.pieces[finding.piece].index)).count();
            let left = self.after.left.iter();
            let left = left.filter(|finding| same(finding, self.after.pieces[finding.piece].index)).count();
            if left > kept {
                wrong.push(format!("shown as fixable and still there: {} at {}", offer.rule, offer.piece));
            }
        }
        for finding in self.after.left.iter().filter(|finding| finding.is_offered(self.least)) {
            wrong.push(format!("still offered: {} at {}", finding.rule, finding.piece));
        }
    }

    /// The chunk of the input that has what is left of a piece: itself, that of which it is a part, or into which it went.
    fn family(&self, index: usize) -> usize {
        let is_first = part_of(index).1 == 0;
        let holder = self.after.pieces.iter().find(|piece| is_first && piece.merged.contains(&index));
        part_of(holder.map_or(index, |piece| piece.index)).0
    }

    fn pieces_are_sound(&self, wrong: &mut Vec<String>) {
        for piece in &self.after.pieces {
            let mut at = 0;
            for part in &piece.parts {
                if part.range.start as usize != at || piece.text.get(part.range.range()).is_none() {
                    wrong.push(format!("parts of {} do not tile its text: {:?}", piece.index, piece.parts));
                }
                at = part.range.end as usize;
            }
            if at != piece.text.len() {
                wrong.push(format!("parts of {} do not cover its text: {:?}", piece.index, piece.parts));
            }
        }
    }

    /// Those that are left keep their names and order; each that went and said something is named once.
    fn names_are_kept(&self, wrong: &mut Vec<String>) {
        let mut before = self.before.pieces.iter();
        let mut merged: BTreeMap<usize, usize> = BTreeMap::new();
        for piece in &self.after.pieces {
            if !before.any(|old| old.index == piece.index && old.id == piece.id && old.path == piece.path) {
                wrong.push(format!("chunk {} has another name or place", piece.index));
            }
            piece.merged.iter().for_each(|index| *merged.entry(*index).or_default() += 1);
        }
        let left: BTreeSet<usize> = self.after.pieces.iter().map(|piece| piece.index).collect();
        for piece in &self.before.pieces {
            let count = merged.remove(&piece.index).unwrap_or(0);
            let blank = piece.bodies().all(|body| letters(body).is_empty());
            let expected = usize::from(!left.contains(&piece.index) && !blank);
            if count != expected && !(blank && count <= 1) {
                wrong.push(format!("chunk {} is merged {count} times", piece.index));
            }
        }
        if !merged.is_empty() {
            wrong.push(format!("merged from nowhere: {merged:?}"));
        }
    }

    fn old(&self, piece: &Piece) -> Option<&Piece> {
        self.before.pieces.iter().find(|old| old.index == piece.index)
    }

    fn untouched_is_same(&self, wrong: &mut Vec<String>) {
        let touched: BTreeSet<usize> =
            self.after.applied.iter().flat_map(|applied| &applied.touched).copied().collect();
        for piece in self.after.pieces.iter().filter(|piece| !touched.contains(&piece.index)) {
            let same = self.old(piece).is_some_and(|old| {
                old.text == piece.text && old.place == piece.place && old.line == piece.line && piece.merged.is_empty()
            });
            if !same {
                wrong.push(format!("chunk {} changed without a repair", piece.index));
            }
        }
    }

    fn limits_hold(&self, wrong: &mut Vec<String>) {
        for piece in self.after.pieces.iter().filter(|piece| !self.cx.is_small(&piece.text)) {
            let was_small = self.old(piece).is_some_and(|old| self.cx.is_small(&old.text));
            let merged = piece.merged.iter().any(|index| {
                self.before.pieces.iter().any(|old| old.index == *index && !letters(&old.text).is_empty())
            });
            if was_small || merged {
                wrong.push(format!("chunk {} became too large: {:?}", piece.index, piece.text));
            }
        }
        for piece in self.after.pieces.iter().filter(|piece| !self.cx.can_hold(&piece.text)) {
            wrong.push(format!("the file cannot hold chunk {}: {:?}", piece.index, piece.text));
        }
    }

    /// The text that the pieces make together is the same: the document, or what the bodies were. Where pieces repeat
    /// each other, each goes on at or before the place where those before it ended.
    fn nothing_is_lost(&self, wrong: &mut Vec<String>) {
        let bodies = |pieces: &[Piece]| pieces.iter().flat_map(Piece::bodies).map(letters).collect::<String>();
        let whole = bodies(&self.before.pieces);
        if self.set.told == Told::Parts {
            if whole != bodies(&self.after.pieces) {
                wrong.push("the bodies are not what they were".to_owned());
            }
            return;
        }
        if self.set.told == Told::Metadata && self.set.document.is_none() && self.seems_repeated() {
            // Where marks were made up, text may begin anywhere, also with what the piece before happens to end with.
            return;
        }
        let lost = |whole: &str| if self.set.bare() { self.left_out(whole) } else { self.lost(whole) };
        let mut all = lost(&whole);
        // Overlap that is too short to be seen stands twice in the bodies, until a merge shows it.
        if let Some(document) = self.set.document.as_ref().filter(|_| !all.is_empty()) {
            let other = lost(&letters(document));
            if other.is_empty() {
                all.clear();
            }
        }
        wrong.extend(all);
        let document = self.set.document.as_ref().map(|document| letters(document));
        if document.is_some_and(|document| whole != document && !self.repeats()) {
            wrong.push("the bodies before do not make the document".to_owned());
        }
    }

    /// True when a piece repeats another one, as far as one can see, whatever stands between them.
    fn seems_repeated(&self) -> bool {
        let pieces = &self.set.group.pieces;
        let repeats = |left: &Piece, right: &Piece| {
            let mut pair = Group { source: None, pieces: vec![left.clone(), right.clone()] };
            check(&mut pair, &[], self.cx);
            pair.pieces[1].overlap_len() > 0
        };
        pieces.iter().enumerate().any(|(at, right)| pieces[..at].iter().any(|left| repeats(left, right)))
    }

    /// Where nothing tells what was put in: the text stands in the pieces in order, whatever stands between.
    fn left_out(&self, whole: &str) -> Vec<String> {
        let all: String = self.after.pieces.iter().map(|piece| letters(&piece.text)).collect();
        let mut all = all.chars();
        let first = whole.char_indices().find(|(_, c)| !all.any(|other| other == *c));
        let shown = |at: usize| format!("left out from {:?}", whole[at..].chars().take(40).collect::<String>());
        first.map(|(at, _)| shown(at)).into_iter().collect()
    }

    /// What of a text the pieces do not make together, or make besides.
    fn lost(&self, whole: &str) -> Vec<String> {
        let (mut reached, mut wrong) = (0, Vec::new());
        for piece in &self.after.pieces {
            match furthest(whole, reached, &letters(&shown(piece))) {
                Some(end) => reached = reached.max(end),
                None => wrong.push(format!("chunk {} holds what was not there: {:?}", piece.index, piece.text)),
            }
        }
        if reached < whole.len() {
            wrong.push(format!("lost from {:?}", &whole[reached..].chars().take(40).collect::<String>()));
        }
        wrong
    }

    /// True when overlap may be too short to be seen, so that bodies hold text twice.
    fn repeats(&self) -> bool {
        let total: usize = self.set.group.pieces.iter().map(|piece| letters(&piece.text).len()).sum();
        self.set.document.as_ref().is_some_and(|document| letters(document).len() != total)
    }

    /// Parts and places that are known stand for the same text of the document.
    fn places_are_right(&self, wrong: &mut Vec<String>) {
        let Some(document) = self.set.document.as_ref().filter(|_| self.set.told != Told::Text) else { return };
        let chars: Vec<char> = document.chars().collect();
        let range = |start: usize, end: usize| chars.get(start..end).map(|chars| chars.iter().collect::<String>());
        for piece in &self.after.pieces {
            for part in &piece.parts {
                let Some(origin) = part.origin else { continue };
                let text = &piece.text[part.range.range()];
                let there = range(origin.start as usize, origin.end as usize);
                if there.as_deref().map(letters) != Some(letters(text)) {
                    wrong.push(format!("chunk {}: {origin:?} is {there:?}, not {text:?}", piece.index));
                }
            }
            let Some(place) = &piece.place else { continue };
            let there = range(place.start as usize, place.end as usize);
            let body: String = piece.bodies().collect();
            let own = if self.set.told == Told::Parts { body } else { shown(piece) };
            // Overlap that went for another reason than its place leaves the place where it began.
            let (there_is, own_is) = (there.as_deref().map(letters), letters(&own));
            let same = if self.set.overlaps {
                there_is.is_some_and(|there| there.ends_with(&own_is))
            } else {
                there_is == Some(own_is)
            };
            if !same {
                wrong.push(format!("chunk {} does not lie at {place:?}: {there:?}, not {own:?}", piece.index));
            }
            let before = range(0, place.start as usize).unwrap_or_default();
            let line = before.matches('\n').count() as u64 + 1;
            // Line ends that the splitter took are not counted.
            if piece.line.is_some_and(|own| own > line) {
                wrong.push(format!("chunk {} begins on line {line}, not {:?}", piece.index, piece.line));
            }
        }
    }
}

/// A changed piece as it is read from the file in which it was written.
fn read_again(at: usize, piece: &Piece) -> Piece {
    let mut read =
        Piece { index: at, merged: Vec::new(), grown: 0, overlap_before: 0, derived_after: None, ..piece.clone() };
    if piece.bare {
        read.parts = Piece::new(at, None, piece.text.clone()).parts;
    } else if !piece.overlap_known {
        // Only what was injected is written down.
        let mut parts: Vec<gristmill_core::Part> = Vec::new();
        for part in &piece.parts {
            let mut part = gristmill_core::Part { origin: None, ..*part };
            if part.kind == PartKind::Overlap {
                part.kind = PartKind::Body;
            }
            match parts.last_mut().filter(|last| last.kind == PartKind::Body && part.kind == PartKind::Body) {
                Some(last) => last.range.end = part.range.end,
                None => parts.push(part),
            }
        }
        read.parts = parts;
    }
    read
}

/// Piece, rule, span, and whether there is a repair.
type Place = (usize, &'static str, Option<(u32, u32)>, bool);

/// What findings say, without the words.
fn places(found: &[Finding]) -> BTreeSet<Place> {
    let place = |finding: &Finding| {
        let span = finding.span.map(|span| (span.start, span.end));
        (finding.piece, finding.rule, span, finding.repair.is_some())
    };
    found.iter().map(place).collect()
}

/// Overlap and body.
fn shown(piece: &Piece) -> String {
    let own = piece.parts.iter().filter(|part| matches!(part.kind, PartKind::Body | PartKind::Overlap));
    own.map(|part| &piece.text[part.range.range()]).collect()
}

/// The end of `text` in `whole`, where it begins at or before `reached`, as far on as can be.
fn furthest(whole: &str, reached: usize, text: &str) -> Option<usize> {
    let last = whole.floor_char_boundary(reached + text.len());
    Some(whole[..last].rfind(text)? + text.len())
}

/// A text without what repairs may fold: white space, characters that show nothing, hyphens.
fn letters(text: &str) -> String {
    let folded = |c: char| {
        c.is_whitespace()
            || matches!(c, '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{ad}')
            || matches!(c, '-' | '\u{2010}' | '\u{2011}' | '\u{ac}')
    };
    text.chars().filter(|c| !folded(*c)).collect()
}
