//! Borders in many languages, from the fixtures in `tests/borders.jsonl`, one JSON object a line: `cut` is `none`, `word`,
//! `sentence` for a definite cut, `doubtful` for a likely one; `gap` is the white space that is known to have stood there;
//! `joined` is the text after the repair.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use gristmill_text::resume::{
    Border, Continuation, Cut, Gap, Unfinished, Verdict, continuation, joint, judge, unfinished,
};
use proptest::prelude::*;
use serde_json::Value;

fn fixtures() -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/borders.jsonl");
    let lines = fs::read_to_string(path).expect("a fixture file");
    lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn field<'v>(row: &'v Value, key: &str) -> &'v str {
    row[key].as_str().expect("a string")
}

fn verdict(row: &Value) -> Verdict {
    let gap = match row.get("gap").and_then(Value::as_str) {
        None => Gap::Unknown,
        Some("") => Gap::None,
        Some(" ") => Gap::Space,
        Some(_) => Gap::Line,
    };
    judge(&Border { before: field(row, "before"), after: field(row, "after"), gap })
}

fn name(cut: Cut) -> &'static str {
    match cut {
        Cut::None => "none",
        Cut::Word => "word",
        Cut::Sentence { sure: true } => "sentence",
        Cut::Sentence { sure: false } => "doubtful",
    }
}

#[test]
fn borders_of_many_languages() {
    let rows = fixtures();
    let languages: BTreeSet<&str> = rows.iter().map(|row| field(row, "lang")).collect();
    assert!(languages.len() >= 12, "{languages:?}");
    let wrong: Vec<String> = rows
        .iter()
        .filter(|row| name(verdict(row).cut) != field(row, "cut"))
        .map(|row| format!("{row} is {:?}", verdict(row)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn joined_texts() {
    for row in fixtures() {
        let Some(joined) = row.get("joined").and_then(Value::as_str) else { continue };
        let verdict = verdict(&row);
        assert_eq!(format!("{}{}{}", field(&row, "before"), verdict.join, field(&row, "after")), joined, "{verdict:?}");
    }
}

#[test]
fn joints() {
    for (before, after, expected) in [
        ("one", "two", " "),
        ("one ", "two", ""),
        ("增长", "40%", ""),
        ("40%", "增长", ""),
        ("用 Rust 写的", "Cargo 项目", " "),
        ("用Rust写的", "Cargo项目", ""),
        ("中文", "文字", ""),
        ("中文，", "文字", ""),
        ("한국어", "문장", " "),
        ("`map`", "을 씁니다", ""),
        ("2024", "년에", ""),
        ("ภาษา", "ไทย", ""),
        ("السلام", "عليكم", " "),
        ("well-", "known", ""),
        ("a –", "b", " "),
        ("word—", "word", ""),
        ("and/", "or", ""),
        ("(", "one)", ""),
        ("one", ")", ""),
        ("one", ", two", ""),
        ("the dog", "'s tail", ""),
        ("he said", "'never' twice", " "),
        ("40", "%", ""),
        ("1,", "000", ""),
        ("in 1999,", "20 people", " "),
        ("3.", "14", ""),
        ("inter\u{ad}", "national", ""),
        ("costs $", "40", ""),
        ("| pump | >= 5.", "3.1 |", ""),
        ("停了。", "没有人", ""),
        ("停了。**", "没有人", ""),
        ("停了。”", "没有人", ""),
        ("ce qu'", "elle dit", ""),
        ("19", "78年", ""),
        ("Plus de l’", "eau", ""),
        ("the dogs'", "eyes", " "),
        ("**Indemnification.", "**", ""),
        ("**Indemnification.", "** Each side", ""),
        ("It stopped.", "**Then** it ran", " "),
    ] {
        assert_eq!(joint(before, after), expected, "{before} | {after}");
    }
}

#[test]
fn evidence_of_the_text_before() {
    for (text, expected) in [
        ("We bought nails,", Some(Unfinished::Mark)),
        ("We bought nails and", Some(Unfinished::Word)),
        ("我们买了钉子和", Some(Unfinished::Word)),
        ("The well-", Some(Unfinished::Hyphen)),
        ("The mill (an old one", Some(Unfinished::Open)),
        ("他说：「水泵停了", Some(Unfinished::Open)),
        ("We met Dr.", Some(Unfinished::Abbreviation)),
        ("It stopped. Then the water ran", Some(Unfinished::Unmarked)),
        ("It stopped.", None),
        ("水泵停了。", None),
        ("Plan B.", None),
        ("1.", None),
        ("Call stop()", None),
        ("It stopped when we (", Some(Unfinished::Open)),
        ("See also: [the guide](guide.md)", None),
        ("A title", None),
        ("* * *", None),
        ("", None),
    ] {
        assert_eq!(unfinished(text), expected, "{text}");
    }
}

#[test]
fn evidence_of_the_text_after() {
    for (text, expected) in [
        ("and then it ran.", Some(Continuation::LowerCase)),
        ("**and** then it ran.", Some(Continuation::LowerCase)),
        (", then it ran.", Some(Continuation::Punctuation)),
        ("，然后", Some(Continuation::Punctuation)),
        ("، ثم", Some(Continuation::Punctuation)),
        ("）的", Some(Continuation::Punctuation)),
        ("40% of it", Some(Continuation::Quantity)),
        ("14 days later", Some(Continuation::Quantity)),
        ("3 个工作日", Some(Continuation::Quantity)),
        ("2024 年的", Some(Continuation::Quantity)),
        ("를 저장합니다.", Some(Continuation::Particle)),
        ("的人", Some(Continuation::Particle)),
        ("を使う", Some(Continuation::Particle)),
        ("3. Results", None),
        ("3) results", None),
        ("12 March", None),
        ("2024-03-01", None),
        ("10:30 the bell rang", None),
        ("a) results", None),
        ("npm runs it", None),
        ("iPhone users", None),
        ("mill_speed is", None),
        ("e.g. this", None),
        ("key: value", None),
        (".NET runs", None),
        (":tada: we did it", None),
        ("이 함수는", None),
        ("了解更多", None),
        ("2024年3月1日：会议", None),
        ("The mill", None),
        ("", None),
    ] {
        assert_eq!(continuation(text), expected, "{text}");
    }
}

#[test]
fn a_blank_line_is_never_a_cut() {
    for row in fixtures() {
        let border = Border { before: field(&row, "before"), after: field(&row, "after"), gap: Gap::Paragraph };
        assert_eq!(judge(&border).cut, Cut::None, "{row}");
    }
}

#[test]
fn only_the_text_near_the_border_matters() {
    let far = "Far away stands (an open bracket and `code. ".repeat(400);
    let near = "x ".repeat(400);
    let before = format!("{near}We bought nails and");
    let after = format!("more nails. {near}");
    let border = |before: &str, after: &str| judge(&Border { before, after, gap: Gap::Unknown });
    assert_eq!(border(&before, &after), border(&format!("{far}{before}"), &format!("{after}{far}")));
}

proptest! {
    #[test]
    fn no_text_panics(before in ".{0,80}", after in ".{0,80}") {
        for gap in [Gap::Unknown, Gap::None, Gap::Space, Gap::Line, Gap::Paragraph] {
            let verdict = judge(&Border { before: &before, after: &after, gap });
            prop_assert!(verdict.join.len() <= 1);
        }
    }

    #[test]
    fn no_mix_of_signs_panics(before in "[a中한ก0-9`*\\[\\]()<>.。,:;|\\n \u{300}\u{fffd}-]{0,60}", after in "[a中한ก0-9`*\\[\\]()<>.。,:;|\\n \u{300}\u{fffd}-]{0,60}") {
        let verdict = judge(&Border { before: &before, after: &after, gap: Gap::Unknown });
        prop_assert!(verdict.cut == Cut::None || !before.trim().is_empty() && !after.trim().is_empty());
    }

    #[test]
    fn white_space_at_the_edges_is_kept(before in "[a-z]{1,9}", after in "[a-z]{1,9}") {
        prop_assert_eq!(joint(&format!("{before} "), &after), "");
        prop_assert_eq!(joint(&before, &format!("\n{after}")), "");
    }
}
