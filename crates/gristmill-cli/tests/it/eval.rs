//! `gristmill eval`.

use serde_json::Value;

use crate::run::Folder;

const EVAL: [&str; 5] = ["eval", "--config", "handbook/gristmill.toml", "--questions", "questions.jsonl"];

fn eval(folder: &Folder, more: &[&str]) -> crate::run::Ran {
    folder.run(&[&EVAL, more].concat())
}

fn report(folder: &Folder, more: &[&str]) -> Value {
    let ran = eval(folder, &[more, &["--format", "json"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn settings_are_ranked_with_their_cost() {
    let folder = Folder::examples();
    let report = report(&folder, &["--strategies", "markdown,fixed", "--grid", "target=200,400"]);
    let ranking = report["questions"]["ranking"].as_array().unwrap();
    assert_eq!(
        (ranking.len(), report["questions"]["asked"].as_u64(), &report["left_out"]),
        (4, Some(13), &Value::from(Vec::<Value>::new()))
    );
    assert_eq!(ranking[0]["rank"], 1);
    assert!(report["settings"].as_array().unwrap().iter().all(|s| s["cost"]["index_bytes"].as_u64() > Some(10_000)));
    let name = |at: usize| report["settings"][at]["name"].as_str().unwrap();
    assert_eq!((name(0), name(3)), ("strategy=markdown target=200", "strategy=fixed target=400"));
    assert!(report["synthetic"].is_null());
}

#[test]
fn a_gate_that_is_missed_is_exit_1() {
    let folder = Folder::examples();
    assert_eq!(eval(&folder, &["-q", "--min", "recall@2048=0.2", "--max", "break-rate=0.9"]).code, Some(0));
    let ran = eval(&folder, &["-q", "--min", "precision@5=0.99"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("failed: precision@5 is 0.") && ran.stderr.contains("below 0.99"), "{}", ran.stderr);
    let ran = eval(&folder, &["--min", "recal@5=0.5"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("unknown figure: `recal@5`"), "{}", ran.stderr);
}

#[test]
fn the_chosen_settings_are_written() {
    let folder = Folder::examples();
    let ran = eval(&folder, &["--grid", "target=150,300;max=400", "--write", "-q"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let text = folder.read("handbook/gristmill.toml");
    assert!(
        text.contains("\nmax = 400\n") && text.contains("overlap = 50\n") && text.contains("# relative to this file")
    );
    assert!(text.contains("\ntarget = 150\n") || text.contains("\ntarget = 300\n"), "{text}");
    let ran = eval(&folder, &["--write", "-q"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("nothing to write"), "{}", ran.stderr);
}

#[test]
fn questions_are_made_and_kept_apart() {
    let folder = Folder::examples();
    let made = folder.run(&["eval", "questions", "--config", "handbook/gristmill.toml", "-o", "made.jsonl"]);
    assert_eq!((made.code, made.stdout.as_str()), (Some(0), ""), "{}", made.stderr);
    let made = folder.read("made.jsonl");
    assert!(
        made.lines().count() > 30
            && made.contains("\"synthetic\":\"table-row\"")
            && made.contains("\"synthetic\":\"faq\"")
    );
    let ran =
        folder.run(&["eval", "--config", "handbook/gristmill.toml", "--questions", "made.jsonl", "--format", "json"]);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert!(report["questions"].is_null() && report["synthetic"]["asked"].as_u64() > Some(30));
    let report = self::report(&folder, &["--synthetic"]);
    assert_eq!(report["questions"]["asked"], 13);
    assert!(report["synthetic"]["asked"].as_u64() > Some(30));
}

#[test]
fn a_page_shows_the_worst_questions_over_the_source() {
    let folder = Folder::examples();
    assert_eq!(
        eval(&folder, &["-q", "--grid", "target=40;max=60;overlap=0;min=0", "--html", "out/eval.html"]).code,
        Some(0)
    );
    let page = folder.read("out/eval.html");
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n") && !page.contains("<script"));
}

#[test]
fn wrong_questions_are_told_with_their_line() {
    let folder = Folder::examples();
    folder.write("q.jsonl", "{\"question\":\"why\"}\n");
    let ran = folder.run(&["eval", "handbook/en", "--questions", "q.jsonl"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.starts_with("error: q.jsonl:1: there is no evidence\n"), "{}", ran.stderr);
    let ran = folder.run(&["eval", "handbook/en", "--questions", "absent.jsonl"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("the questions cannot be read: absent.jsonl"), "{}", ran.stderr);
    folder.write("none.jsonl", "\n");
    let ran = folder.run(&["eval", "handbook/en", "--questions", "none.jsonl"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("there are no questions in none.jsonl"), "{}", ran.stderr);
    folder.write("gone.jsonl", "{\"question\":\"why\",\"doc\":\"gone.md\",\"quotes\":[\"so\"]}\n");
    let ran = folder.run(&["eval", "handbook/en", "--questions", "gone.jsonl", "--min", "mrr=0.1"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("none of 1 questions can be measured: line-1: no such document: gone.md"),
        "{}",
        ran.stderr
    );
}
