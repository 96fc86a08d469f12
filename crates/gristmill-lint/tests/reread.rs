//! What a repair gives is what one sees who reads the file again.

use gristmill_core::{Part, PartKind, Span};
use gristmill_lint::{Change, Edges, Finding, Group, LintCx, Piece, RULES, Repair, Repaired, Safety, check, repair};

fn group(texts: &[&str], bare: bool) -> Group {
    let piece = |(at, text): (usize, &&str)| Piece { bare, ..Piece::new(at, None, (*text).to_owned()) };
    Group { source: None, pieces: texts.iter().enumerate().map(piece).collect() }
}

fn fixed(group: &Group) -> Repaired {
    let repaired = repair(group.clone(), RULES, &LintCx::default(), Safety::Lossless);
    assert_eq!(repaired.faults, [""; 0]);
    repaired
}

fn kinds(piece: &Piece) -> Vec<PartKind> {
    piece.parts.iter().map(|part| part.kind).collect()
}

#[test]
fn marks_stay_where_the_file_has_a_place_for_them() {
    let texts = ["Run this:\n\n```sh\nmake all && make test", "make install && make clean\n```\n\nThat is all of it."];
    let held = fixed(&group(&texts, false));
    assert_eq!(kinds(&held.pieces[0]), [PartKind::Body, PartKind::Closer]);
    assert_eq!(kinds(&held.pieces[1]), [PartKind::Opener, PartKind::Body]);
    let bare = fixed(&group(&texts, true));
    assert_eq!(kinds(&bare.pieces[0]), [PartKind::Body]);
    assert_eq!(kinds(&bare.pieces[1]), [PartKind::Body]);
    assert_eq!(held.pieces[1].text, bare.pieces[1].text);
}

#[test]
fn a_fence_cut_into_crumbs_is_mended_once_and_for_all() {
    let document = "One.\n\n  ```rust\nfn f() {\n# x\n}\n  ```\n\nTwo and more of it.\n";
    for size in 1..9 {
        let chars: Vec<char> = document.chars().collect();
        let texts: Vec<String> = chars.chunks(size).map(|chars| chars.iter().collect()).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let first = fixed(&group(&texts, true));
        let again: Vec<&str> = first.pieces.iter().map(|piece| piece.text.as_str()).collect();
        let second = fixed(&group(&again, true));
        assert_eq!(second.applied, [], "{size}");
    }
}

#[test]
fn what_no_repair_touched_is_read_as_it_was() {
    let mut group = group(&["[Guide]\n\nThe pump runs all day long.", "", "# Guide\n\nIt stops at night, too."], false);
    group.pieces[0].parts = vec![
        Part { kind: PartKind::Heading, range: Span::new(0, 9), origin: None },
        Part { kind: PartKind::Body, range: Span::new(9, group.pieces[0].text.len()), origin: None },
    ];
    let parts = group.pieces[0].parts.clone();
    assert_eq!(fixed(&group).pieces[0].parts, parts);
}

#[test]
fn places_that_only_happen_to_fit_are_not_counted_in() {
    // Without its noise and with the line of the heading, the first text has as many bytes as its place has characters.
    let texts = [
        "The infor-\nmation is   spread   over col-\numns.\n\n# वर्ग 0",
        "over col-\numns.\n\n# वर्ग 0 ##\n\nalpha 0\n-----\n\n",
    ];
    let mut group = group(&texts, false);
    (group.pieces[0].place, group.pieces[1].place) = (Some(0..57), Some(32..77));
    let cx = LintCx { max_chars: 40, ..LintCx::default() };
    let after = repair(group, RULES, &cx, Safety::Lossless);
    assert_eq!(after.pieces[0].text, "The information is spread over columns.");
    let ends: Vec<u64> = after.pieces[0].place.iter().map(|place| place.end).collect();
    assert!(ends.is_empty() || ends == [47], "{ends:?}");
}

#[test]
fn what_stays_is_not_shown_as_fixable() {
    let offer = |piece: usize| {
        let repair = Repair::lossless("remove it", Change::Remove { piece });
        Finding::new("empty-chunk", gristmill_core::Severity::High, piece, "x").repair(Some(repair))
    };
    let before = group(&["one", "two", "three"], false).pieces;
    let mut holder = before[0].clone();
    holder.merged = vec![1];
    let left = vec![Finding { repair: None, ..offer(0) }];
    let after = Repaired { pieces: vec![holder, before[2].clone()], left, ..Repaired::default() };
    let mut found = vec![offer(0), offer(1), offer(2)];
    after.withdraw(&mut found, &before, Safety::Lossless);
    let shown: Vec<bool> = found.iter().map(|finding| finding.is_offered(Safety::Lossless)).collect();
    assert_eq!(shown, [true, false, true], "the later of the two that are one now");
    found[0].repair = None;
    found[1] = offer(1);
    after.withdraw(&mut found, &before, Safety::Lossless);
    assert!(found[1].is_offered(Safety::Lossless), "the one that offers nothing is the one that stays");
}

#[test]
fn a_group_without_repairs_is_as_it_was() {
    let mut group = group(&["The pump runs all day long.", "It stops when it is night."], true);
    let after = fixed(&group);
    check(&mut group, RULES, &LintCx::default());
    assert_eq!((after.pieces, after.applied), (group.pieces, vec![]));
}

#[test]
fn headings_that_were_put_in_do_not_hide_what_a_splitter_repeats() {
    let words = |at: usize| format!("and that the pump of station {at} in the valley runs day and night without rest");
    let text = |at: usize| format!("{} {}", words(at), words(at + 1));
    let texts: Vec<String> = (0..5).map(text).collect();
    let noted: Vec<String> = texts.iter().map(|text| format!("[Guide]\n\n{text}")).collect();
    for texts in [texts, noted] {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let mut edges = Edges::default();
        let pieces = group(&texts, true).pieces;
        edges.add(&pieces);
        edges.add_overlap(&pieces);
        assert!(edges.overlap(), "{texts:?}");
    }
}
