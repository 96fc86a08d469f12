//! Sentences of eleven languages and more, from the fixtures in `tests/sentences/`, one JSON object a line.

use std::fs;
use std::path::{Path, PathBuf};

use gristmill_text::segment::{best_break, sentence_starts, sentences};
use serde_json::Value;

/// The languages that are promised; each has at least twelve fixtures.
const LANGUAGES: [&str; 11] = ["ar", "de", "en", "es", "fr", "hi", "ja", "ko", "ru", "th", "zh"];

fn fixture(name: &str) -> Vec<(String, Vec<String>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sentences").join(name).with_extension("jsonl");
    let lines = fs::read_to_string(&path).expect("a fixture file");
    lines.lines().map(|line| case(&serde_json::from_str(line).expect("JSON"))).collect()
}

fn case(value: &Value) -> (String, Vec<String>) {
    let text = |value: &Value| value.as_str().expect("a string").to_owned();
    (text(&value["text"]), value["sentences"].as_array().expect("a list").iter().map(text).collect())
}

fn split(text: &str) -> Vec<&str> {
    sentences(text).collect()
}

#[test]
fn fixtures_of_every_language() {
    for name in LANGUAGES.into_iter().chain(["others"]) {
        let cases = fixture(name);
        assert!(cases.len() >= 12 || name == "others", "{name} has {} fixtures", cases.len());
        for (text, expected) in cases {
            assert_eq!(split(&text), expected, "{name}");
        }
    }
}

#[test]
fn sentences_tile_the_text() {
    for name in LANGUAGES {
        let page: String = fixture(name).into_iter().map(|(text, _)| text + "\n\n").collect();
        let mut starts = vec![99];
        sentence_starts(&page, &mut starts);
        assert_eq!(starts[0], 0);
        assert!(starts.windows(2).all(|pair| pair[0] < pair[1]), "{name}");
        let before = |&at: &usize| page[..at].ends_with(char::is_whitespace) || matches!(name, "zh" | "ja" | "ko");
        assert!(starts[1..].iter().all(before), "{name}: white space belongs to the sentence before");
    }
}

#[test]
fn empty_and_blank_texts() {
    let mut starts = vec![5];
    sentence_starts("", &mut starts);
    assert!(starts.is_empty());
    sentence_starts(" \n\n ", &mut starts);
    assert_eq!(starts, [0]);
    assert_eq!(split("  \n "), Vec::<&str>::new());
}

#[test]
fn leading_white_space_belongs_to_the_first_sentence() {
    let mut starts = Vec::new();
    sentence_starts("  One. Two.", &mut starts);
    assert_eq!(starts, [0, 7]);
}

#[test]
fn markdown_spans_are_not_cut() {
    for whole in [
        "Use `a. B` and ``c ` d. E`` now.",
        "The [first. Second](x.html) link.",
        "The picture ![Wide. View](a.png \"Big. One\") here.",
        "At <https://a.example/x?y=1. Z> it ends.",
        "Put <img alt=\"A. B\" src=x> there.",
        "Let $x. Y$ be small.",
        "Let $$x. Y$$ be small.",
    ] {
        assert_eq!(split(whole), [whole]);
    }
}

#[test]
fn emphasis_and_notes_stay_with_the_sentence_they_end() {
    assert_eq!(split("**Note.** Next."), ["**Note.**", "Next."]);
    assert_eq!(split("*One.* **Two.** ~~Three.~~"), ["*One.*", "**Two.**", "~~Three.~~"]);
    assert_eq!(split("It fell.[^a][3] We saw.² Then night."), ["It fell.[^a][3]", "We saw.²", "Then night."]);
    assert_eq!(split("It ended.12 The next began."), ["It ended.12", "The next began."]);
    assert_eq!(split("[Read it.](a.html) Then go."), ["[Read it.](a.html)", "Then go."]);
}

#[test]
fn blank_lines_and_list_lines_end_sentences() {
    assert_eq!(split("no mark\n\nnext"), ["no mark", "next"]);
    assert_eq!(split("no mark\n \t\nnext"), ["no mark", "next"]);
    assert_eq!(split("no mark\r\n\r\nnext"), ["no mark", "next"]);
    assert_eq!(split("soft\nwrap"), ["soft\nwrap"]);
    assert_eq!(split("Bring:\n- rope\n- tape"), ["Bring:", "- rope", "- tape"]);
    assert_eq!(split("Do:\n1. this\n2. that"), ["Do:", "1. this", "2. that"]);
    assert_eq!(split("It happened in\n1984. We know."), ["It happened in\n1984.", "We know."]);
}

#[test]
fn lists_inside_a_line() {
    assert_eq!(split("a) the nut b) the bolt c) the pin"), ["a) the nut", "b) the bolt", "c) the pin"]);
    assert_eq!(split("1. Fill the can 2. Shut the lid"), ["1. Fill the can", "2. Shut the lid"]);
    assert_eq!(split("1. Read page 2. Then stop."), ["1. Read page 2.", "Then stop."]);
    assert_eq!(split("1. Mai und 2. Mai sind frei."), ["1. Mai und 2. Mai sind frei."]);
    assert_eq!(split("• red • green"), ["• red", "• green"]);
}

#[test]
fn long_quotations_are_cut_at_their_sentences() {
    let long = format!("“{}” she said.", "The wheel turned slowly. ".repeat(40).trim_end());
    assert_eq!(split(&long).len(), 40);
}

#[test]
fn unclosed_signs_do_not_join_what_follows() {
    assert_eq!(split("He said \"stop. Then he left."), ["He said \"stop.", "Then he left."]);
    assert_eq!(split("See (the note. It is short."), ["See (the note.", "It is short."]);
    assert_eq!(split("Run `make. It works."), ["Run `make.", "It works."]);
    assert_eq!(split("The dogs' bowl is 5\" wide. It's 'ere."), ["The dogs' bowl is 5\" wide.", "It's 'ere."]);
}

#[test]
fn straight_quotes_in_chinese_belong_to_what_they_hold() {
    assert_eq!(split("这是一句。\"你好！\"他说。"), ["这是一句。", "\"你好！\"他说。"]);
    assert_eq!(split("他说：\"你好。\"她走了。"), ["他说：\"你好。\"", "她走了。"]);
    assert_eq!(split("\"走吧！\"他说。\"好。\"她说。"), ["\"走吧！\"他说。", "\"好。\"她说。"]);
    assert_eq!(split("真的？\"是的。我去。\"他答。完了。"), ["真的？", "\"是的。我去。\"他答。", "完了。"]);
}

#[test]
fn chinese_cut_at_its_semicolon() {
    let text = "先停止服务；然后复制全部文件和日志到另一台机器上再检查";
    let cut = best_break(text, 0, "先停止服务；然后复制全部".len());
    assert_eq!(&text[..cut], "先停止服务；");
}

/// Cuts a text into pieces of at most `max` characters: whole sentences if they fit.
fn pieces(text: &str, max: usize) -> Vec<&str> {
    let mut starts = Vec::new();
    sentence_starts(text, &mut starts);
    starts.push(text.len());
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let limit = text[at..].char_indices().nth(max).map_or(text.len(), |(i, _)| at + i);
        let whole = starts.iter().copied().take_while(|&start| start <= limit).last().unwrap_or(0);
        let end = if whole > at { whole } else { best_break(text, at, limit) };
        pieces.push(text[at..end].trim());
        at = end;
    }
    pieces
}

#[test]
fn pieces_end_with_marks_and_begin_with_words() {
    let zh = "水车停了。“谁听见了？”他问。没有人！先关闸门；再查轮轴（还有皮带。）接着等……最后开闸。水位3.5米，共1,200立方。";
    for max in 16..40 {
        for piece in pieces(zh, max) {
            assert!(piece.ends_with(['。', '！', '？', '；', '…', '”', '）', '，']), "{max}: {piece}");
            assert!(!piece.starts_with(['。', '！', '？', '；', '…', '”', '）', '，']), "{max}: {piece}");
        }
    }
    for piece in pieces("أين المفتاح؟ هو في الدرج الأول، تحت الورق؛ خذه. هل وجدته؟ نعم!", 40)
    {
        assert!(piece.ends_with(['؟', '.', '!', '؛']), "{piece}");
    }
}

/// The case of the shared collection, when that lies next to the repository.
#[test]
fn shared_case_of_english_abbreviations() {
    let folder = shared().join("cases/055-english-abbreviations");
    let Ok(text) = fs::read_to_string(folder.join("input.txt")) else {
        return skipped(&folder);
    };
    let expect = fs::read_to_string(folder.join("expect.json")).expect("the case's expectation");
    let expect: Value = serde_json::from_str(&expect).expect("JSON");
    let list: Vec<&str> =
        expect["assert"][0]["list"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    assert_eq!(split(&text), list);
}

#[test]
fn shared_cases_of_other_scripts() {
    for (file, max, ends) in [
        ("057-chinese-sentences/input.txt", 26, "。！？；…”）"),
        ("059-arabic-hindi-sentence-marks/ar.txt", 45, "؟।॥?.!؛"),
        ("059-arabic-hindi-sentence-marks/hi.txt", 45, "؟।॥?.!؛"),
    ] {
        let path = shared().join("cases").join(file);
        let Ok(text) = fs::read_to_string(&path) else {
            return skipped(&path);
        };
        for piece in pieces(text.trim_end(), max) {
            assert!(piece.ends_with(|c| ends.contains(c)), "{file}: {piece}");
            assert!(!piece.starts_with(|c| "。”）！？；…，".contains(c)), "{file}: {piece}");
        }
    }
}

fn shared() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared")
}

#[expect(clippy::print_stdout, reason = "a test that did not run says so")]
fn skipped(path: &Path) {
    println!("skipped: no {}", path.display());
}
