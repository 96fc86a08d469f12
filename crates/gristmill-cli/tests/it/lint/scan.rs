//! What is found, told and answered.

use serde_json::Value;

use super::folder;
use crate::run::{Folder, Ran};

fn found(ran: &Ran) -> Vec<String> {
    let report: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{ran:?}"));
    let findings = report["findings"].as_array().unwrap().iter();
    findings
        .map(|finding| format!("{} {}", finding["chunk_id"].as_str().unwrap(), finding["rule"].as_str().unwrap()))
        .collect()
}

#[test]
fn people_read_what_is_wrong_where_and_what_to_do() {
    folder().run(&["scan", "worn.json"]).is(
        1,
        "4 chunks scanned\n\
         \n\
         mid-sentence-start  Chunk resumes a cut sentence\n  \
         [high] b  opens mid-sentence ('40% year over year, which nobody…'), resuming what chunk `a` cut ·fixable\n      \
         1 | 40% year over year, which nobody in the house had thought likely befo…\n        \
         | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n\
         \n\
         orphan-table  Table rows without their header\n  \
         [medium] d  begins with 2 rows of a table whose header (`| size | price |`) is in an earlier chunk ·fixable\n      \
         1 | | large | 19 francs |\n        \
         | ^^^^^^^^^^^^^^^^^^^^^\n\
         \n\
         missing-heading  Chunk has lost its heading\n  \
         [low] b  stands under the heading 'Results' and neither holds nor carries it ·fixable\n  \
         [low] d  stands under the heading 'Prices' and neither holds nor carries it ·fixable\n\
         \n\
         4 findings: 1 high, 1 medium, 2 low · 4 fixable\n\
         run `gristmill fix worn.json` to repair, or add `--dry-run --diff` to preview\n",
        "",
    );
    folder().run(&["scan", "sound.json"]).is(0, "2 chunks scanned: no findings\n", "");
}

#[test]
fn the_gate_falls_at_the_severity_that_was_named() {
    let folder = folder();
    let code = |rule: &str, fail_on: &[&str]| {
        folder.run(&[&["scan", "worn.json", "-q", "--select", rule], fail_on].concat()).code.unwrap()
    };
    for (rule, codes) in [
        ("mid-sentence-start", [1, 1, 1, 1, 0]),
        ("orphan-table", [0, 1, 1, 1, 0]),
        ("missing-heading", [0, 0, 1, 1, 0]),
    ] {
        let gates = ["high", "medium", "low", "info", "never"].map(|gate| code(rule, &["--fail-on", gate]));
        assert_eq!(gates, codes, "{rule}");
        assert_eq!(code(rule, &[]), codes[0], "without a word it is high: {rule}");
    }
    let file =
        Folder::with(&[("worn.json", super::WORN), ("gristmill.toml", "version = 1\n[lint]\nfail_on = \"never\"\n")]);
    assert_eq!(file.run(&["scan", "worn.json", "-q"]).code, Some(0));
    assert_eq!(file.run(&["scan", "worn.json", "-q", "--fail-on", "high"]).code, Some(1));
}

#[test]
fn bad_input_is_named_with_file_and_line() {
    let folder = folder();
    for (name, text, stderr) in [
        (
            "number.jsonl",
            "{\"text\": \"Words.\"}\n{\"text\": 7}\n",
            "error: `number.jsonl`, line 2: chunk 1 has a text that is no string: a number\n",
        ),
        ("cut.json", "[\n  {\"text\": \"Words.\"},\n", "error: `cut.json`, line 3: the list of chunks is not closed\n"),
        (
            "none.json",
            "{\"a\": 1}\n",
            "error: `none.json`: no list of chunks under `chunks`, `documents`, `data`, `items`\n\nhint: a file with one chunk a line is to be named `.jsonl`\n",
        ),
    ] {
        folder.write(name, text);
        folder.run(&["scan", name]).fails(2, stderr);
        folder.run(&["fix", name]).fails(2, stderr);
    }
    let gone = folder.run(&["scan", "gone.json"]);
    assert!(gone.code == Some(2) && gone.stderr.starts_with("error: cannot open `gone.json`: "), "{gone:?}");
    let nothing = "error: nothing to scan\n\nhint: name a file of chunks, or documents to cut first\n";
    folder.run(&["scan"]).fails(2, nothing);
    assert_eq!(folder.names(), ["cut.json", "none.json", "number.jsonl", "sound.json", "worn.json"]);
}

#[test]
fn wrong_names_are_answered_with_right_ones() {
    let folder = folder();
    let unknown =
        "error: unknown rule: `orphan-tabel`\n\nhint: did you mean `orphan-table`? `gristmill rules` lists all\n";
    for args in
        [["scan", "worn.json", "--select"], ["fix", "worn.json", "--ignore"], ["scan", "worn.json", "--extend-select"]]
    {
        folder.run(&[&args[..], &["orphan-tabel"]].concat()).fails(2, unknown);
    }
    folder.run(&["explain", "orphan-tabel"]).fails(2, unknown);
    for (option, word) in [("--format", "the formats are text, json, jsonl, sarif"), ("--fail-on", "medium")] {
        let ran = folder.run(&["scan", "worn.json", option, "yaml"]);
        assert!(ran.code == Some(2) && ran.stderr.contains("'yaml'") && ran.stderr.contains(word), "{ran:?}");
    }
}

#[test]
fn rules_are_chosen() {
    let folder = folder();
    let rules = |args: &[&str]| found(&folder.run(&[&["scan", "worn.json", "--format", "json"], args].concat()));
    let all = ["b mid-sentence-start", "b missing-heading", "d orphan-table", "d missing-heading"];
    assert_eq!(rules(&[]), all);
    assert_eq!(rules(&["--select", "orphan-table,mid-sentence-start"]), [all[0], all[2]]);
    assert_eq!(rules(&["--ignore", "missing-heading"]), [all[0], all[2]]);
    assert_eq!(rules(&["--select", "all", "--ignore", "missing-heading,orphan-table"]), [all[0]]);
    assert_eq!(rules(&["--select", "orphan-table", "--extend-select", "missing-heading"]), all[1..]);
    folder.write("gristmill.toml", "version = 1\n[lint]\nselect = [\"orphan-table\"]\n");
    assert_eq!(rules(&[]), [all[2]]);
    assert_eq!(rules(&["--extend-select", "mid-sentence-start"]), [all[0], all[2]]);
}

#[test]
fn limits_are_taken_from_the_command() {
    let folder = folder();
    let large = |args: &[&str]| {
        let args = [&["scan", "worn.json", "--format", "json", "--select", "oversized-chunk"], args].concat();
        found(&folder.run(&args)).len()
    };
    assert_eq!((large(&[]), large(&["--max-chars", "60"]), large(&["--max-chars", "30"])), (0, 3, 4));
    assert_eq!((large(&["--max-tokens", "500"]), large(&["--max-tokens", "5"])), (0, 4));
    let counted = large(&["--max-tokens", "5", "--tokenizer", "cl100k_base"]);
    assert_eq!(counted, 4);
}

#[test]
fn the_whole_is_summed_up_where_asked() {
    let folder = folder();
    folder.run(&["scan", "worn.json", "--statistics", "--fail-on", "never"]).is(
        0,
        "4 chunks scanned\n\n  2  missing-heading     Chunk has lost its heading\n  1  mid-sentence-start  Chunk resumes a \
         cut sentence\n  1  orphan-table        Table rows without their header\n\n4 findings: 1 high, 1 medium, 2 low · 4 \
         fixable\nrun `gristmill fix worn.json` to repair, or add `--dry-run --diff` to preview\n",
        "",
    );
    let one = folder.run(&["scan", "worn.json", "--max-findings", "1"]);
    assert!(one.code == Some(1) && one.stdout.contains("[high] b") && !one.stdout.contains("[medium]"), "{one:?}");
    assert!(one.stdout.contains("\n4 findings: 1 high, 1 medium, 2 low · 4 fixable · 3 not listed\n"), "{one:?}");
    let none = folder.run(&["scan", "worn.json", "--max-findings", "0", "--format", "json"]);
    assert_eq!((none.code, found(&none).len()), (Some(1), 0));
    folder.run(&["scan", "worn.json", "-q"]).is(1, "", "");
}

#[test]
fn what_is_known_is_left_out_and_what_is_new_is_told() {
    let folder = folder();
    let made = folder.run(&["scan", "worn.json", "--write-baseline", "known.json"]);
    made.is(0, "4 chunks scanned: no findings · 4 in the baseline\n", "");
    let again = folder.run(&["scan", "worn.json", "--baseline", "known.json", "--fail-on", "info"]);
    again.is(0, "4 chunks scanned: no findings · 4 in the baseline\n", "");
    folder.write(
        "worn.json",
        super::WORN.replace("]\n", ",\n  {\"id\": \"e\", \"source\": \"a.md\", \"text\": \" \"}\n]\n"),
    );
    let new = folder.run(&["scan", "worn.json", "--baseline", "known.json", "--format", "json"]);
    assert_eq!((new.code, found(&new)), (Some(1), vec!["e empty-chunk".to_owned()]));
    let fewer = folder.run(&["scan", "sound.json", "--baseline", "known.json"]);
    let note = "note: known.json lists 4 findings no longer there; `scan --write-baseline` writes it anew\n";
    fewer.is(0, "2 chunks scanned: no findings\n", note);
    folder.write("odd.json", "[1]");
    let odd = folder.run(&["scan", "worn.json", "--baseline", "odd.json"]);
    assert!(odd.code == Some(2) && odd.stderr.starts_with("error: not a baseline: odd.json"), "{odd:?}");
    let gone = folder.run(&["scan", "worn.json", "--baseline", "gone.json"]);
    assert!(gone.code == Some(2) && gone.stderr.starts_with("error: cannot read the baseline: gone.json"), "{gone:?}");
}

#[test]
fn several_files_are_one_report() {
    let folder = folder();
    let both = folder.run(&["scan", "sound.json", "worn.json"]);
    assert_eq!(both.code, Some(1));
    assert!(both.stdout.starts_with("6 chunks of 2 sources scanned\n"), "{}", both.stdout);
    assert!(both.stdout.contains("\n      --> worn.json:3\n"), "which file it is: {}", both.stdout);
    assert!(!both.stdout.contains("run `"), "`fix` takes one file: {}", both.stdout);
    assert_eq!(found(&folder.run(&["scan", "sound.json", "worn.json", "--format", "json"])).len(), 4);
}

#[test]
fn documents_are_cut_first() {
    let folder = Folder::with(&[("docs/a.md", "# Guide\n\nOpen the valve, then wait for a minute.\n\n## Close\n")]);
    let ran = folder.run(&["scan", "docs"]);
    assert!(ran.code == Some(0) && ran.stdout.contains("[low]") && ran.stdout.contains("--> a.md:5:1"), "{ran:?}");
    let next = "run `gristmill fix";
    assert!(!ran.stdout.contains(next), "nothing to repair: {}", ran.stdout);
    let report: Value =
        serde_json::from_str(&folder.run(&["scan", "docs/a.md", "--as", "documents", "--format", "json"]).stdout)
            .unwrap();
    assert_eq!((&report["chunks"], &report["findings"][0]["rule"]), (&1.into(), &"trailing-heading".into()));
    assert_eq!(report["findings"][0]["place"]["source"]["line_start"], 5);
    // A name that ends in .md is a file of chunks, one a paragraph, unless something else is said.
    let chunks: Value = serde_json::from_str(&folder.run(&["scan", "docs/a.md", "--format", "json"]).stdout).unwrap();
    assert_eq!(chunks["chunks"], 3);
}

#[test]
fn standard_input_is_a_set() {
    let folder = folder();
    let from_pipe = folder.run_with_input(&["scan", "-", "--format", "json"], super::WORN.as_bytes());
    assert_eq!((from_pipe.code, found(&from_pipe).len()), (Some(1), 4));
    let lines = "{\"text\": \"Words that stand alone on a line.\"}\n{\"text\": \"\"}\n";
    for args in [&["scan", "-", "--format", "json"][..], &["scan", "-", "--stdin-name", "x.jsonl", "--format", "json"]]
    {
        let ran = folder.run_with_input(args, lines.as_bytes());
        let report: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{ran:?}"));
        assert_eq!(report["chunks"], 2, "{args:?}");
    }
}

#[test]
fn every_name_of_the_command_does_the_same() {
    let folder = folder();
    let scan = folder.run(&["scan", "worn.json"]);
    for alias in ["check", "lint"] {
        folder.run(&[alias, "worn.json"]).is(1, &scan.stdout, "");
    }
}

#[test]
fn an_output_is_never_what_is_scanned() {
    let folder = folder();
    for args in [["-o", "./worn.json"], ["--write-baseline", "worn.json"]] {
        let ran = folder.run(&[&["scan", "worn.json"], &args[..]].concat());
        ran.fails(2, &format!("error: the output would replace an input: {}\n", args[1]));
    }
    assert_eq!(folder.read("worn.json"), super::WORN);
    let ran = folder.run(&["scan", "worn.json", "-o", "report.txt", "--color", "always"]);
    ran.is(1, "", "");
    assert!(folder.read("report.txt").starts_with("4 chunks scanned\n"), "files hold no colour");
}

#[test]
fn rules_are_listed_and_explained() {
    let folder = folder();
    let list = folder.run(&["rules"]);
    let names: Value = serde_json::from_str(&folder.run(&["rules", "--format", "json"]).stdout).unwrap();
    for rule in names.as_array().unwrap() {
        let name = rule["name"].as_str().unwrap();
        assert!(list.stdout.contains(&format!("\n{name} ")) || list.stdout.starts_with(name), "{name}");
        let told = folder.run(&["explain", name]);
        assert!(told.code == Some(0) && told.stdout.starts_with(&format!("{name} (")), "{told:?}");
        assert!(told.stdout.contains(rule["docs"].as_str().unwrap().trim()), "{name}");
    }
}

#[test]
fn colour_is_for_terminals() {
    let folder = folder();
    let coloured = |args: &[&str], env: &[(&str, &str)]| {
        let mut command = folder.command(args);
        command.envs(env.iter().copied());
        folder.finish(command).stdout.contains('\u{1b}')
    };
    for args in [&["scan", "worn.json"][..], &["fix", "worn.json", "--dry-run", "--diff"]] {
        assert!(!coloured(args, &[]), "not on a terminal");
        assert!(coloured(&[args, &["--color", "always"]].concat(), &[]));
        assert!(coloured(args, &[("CLICOLOR_FORCE", "1")]));
        assert!(!coloured(args, &[("NO_COLOR", "1")]));
    }
}

/// A gate must not be green over documents that nobody has looked at.
#[test]
fn documents_that_cannot_be_read_are_no_success() {
    let folder = Folder::with(&[("docs/a.md", "# A\n\nA document that says enough to be one.\n")]);
    folder.write("docs/b.docx", b"PK\x03\x04 no archive");
    for args in [&["scan", "docs"][..], &["scan", "docs", "--format", "sarif"], &["fix", "docs", "-o", "out.jsonl"]] {
        let ran = folder.run(args);
        assert_eq!(ran.code, Some(4), "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains("b.docx"), "{}", ran.stderr);
    }
}
