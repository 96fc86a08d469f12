//! Wrong calls: one clear error each, and nothing written.

use crate::run::{Folder, is_root, lock, unlock};

const READ: &str = "hint: `gristmill formats` lists the files that are read\n";

#[test]
fn nothing_to_read_says_where_was_looked() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.at("a/b")).unwrap();
    folder.run(&["chunk", "nope.md"]).fails(2, "error: no such file or folder: nope.md\n");
    folder.run(&["chunk", "a", "a/b"]).fails(2, &format!("error: no readable document: a, a/b\n\n{READ}"));
    folder.run(&["curate", "a", "-o", "c.json"]).fails(2, &format!("error: no readable document: a\n\n{READ}"));
    folder.run(&["inspect", "a"]).fails(2, &format!("error: no readable document: a\n\n{READ}"));
    folder.run(&["extract", "a"]).fails(2, &format!("error: no readable document: a\n\n{READ}"));
    assert_eq!(folder.names(), ["a"]);
    let nowhere = "error: nothing to read: no path was given and no source is configured\n\n\
                   hint: name files or folders, or add a `[[source]]` to gristmill.toml\n";
    for command in ["chunk", "curate", "inspect", "extract", "ingest"] {
        folder.run(&[command]).fails(2, nowhere);
    }
    folder.write("gristmill.toml", "version = 1\n[[source]]\npath = \"a\"\n");
    folder.run(&["chunk"]).fails(2, &format!("error: no readable document: [DIR]/a\n\n{READ}"));
}

#[test]
fn outputs_that_cannot_be_are_refused() {
    let folder = Folder::with(&[("docs/a.md", "# A\n\nWords.\n")]);
    let folder_error = "error: the output is a folder: docs\n\nhint: name a file in it\n";
    folder.run(&["chunk", "docs", "-o", "docs"]).fails(2, folder_error);
    folder.run(&["chunk", "docs", "-o", "out.txt"]).fails(
        2,
        "error: the name tells no format: out.txt\n\nhint: let it end in .json, .jsonl, .parquet, .arrow, or say `--format`\n",
    );
    folder.run(&["chunk", "docs", "-o", "out", "--format", "yaml"]).fails(
        2,
        "error: unknown output format: `yaml`\n\nhint: the formats are `json`, `jsonl`, `parquet`, `arrow`\n",
    );
    let replace = "error: the output would replace an input: ./docs/../docs/a.md\n";
    folder.run(&["chunk", "docs/a.md", "-o", "./docs/../docs/a.md"]).fails(2, replace);
    folder
        .run(&["curate", "docs", "-o", "x.json", "--report", "x.json"])
        .fails(2, "error: two outputs have the same name: x.json\n");
    folder.write("file", "x");
    let below = folder.run(&["chunk", "docs", "-o", "file/x.json"]);
    assert!(below.code == Some(2) && below.stderr.starts_with("error: cannot write: file/x.json: "), "{below:?}");
    assert_eq!(
        (folder.names(), folder.read("docs/a.md")),
        (vec!["docs".into(), "file".into()], "# A\n\nWords.\n".into())
    );
}

#[test]
fn a_folder_without_rights_is_named() {
    let folder = Folder::with(&[("a.md", "# A\n\nWords.\n")]);
    if is_root(&folder) {
        return;
    }
    std::fs::create_dir(folder.at("locked")).unwrap();
    lock(&folder.at("locked"));
    let ran = folder.run(&["chunk", "a.md", "-o", "locked/x.json"]);
    unlock(&folder.at("locked"));
    assert!(ran.code == Some(2) && ran.stderr.starts_with("error: cannot write: locked/x.json: Permission"), "{ran:?}");
}

#[test]
fn sizes_that_cannot_hold_are_refused_with_both_values() {
    let folder = Folder::with(&[("a.md", "# A\n\nWords.\n")]);
    let ran = folder.run(&["chunk", "a.md", "--max", "100", "--overlap", "100"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    assert!(ran.stderr.starts_with("error: overlap 100 is not below max 100\n"), "{}", ran.stderr);
    let many = folder.run(&["chunk", "a.md", "--max", "100", "--overlap", "30"]);
    assert_eq!(many.code, Some(0));
    assert!(many.stderr.contains("overlap"), "a share above a quarter is told: {}", many.stderr);
}

#[test]
fn what_is_not_there_is_an_error_that_names_what_is() {
    let folder = Folder::with(&[("a.md", "# A\n\nWords.\n")]);
    for (args, message, hint) in [
        (["--tokenizer", "gpt9"], "unknown tokenizer: `gpt9`", "cl100k_base"),
        (["--tokenizer", "gone/tokenizer.json"], "gone/tokenizer.json", ""),
        (["--strategy", "nice"], "there is no strategy `nice`", "paragraph"),
        (["--preset", "novel"], "unknown preset: novel", ""),
        (["--unit", "bytes"], "bytes", "words"),
        (["--context", "all"], "all", "headings"),
        (["--max", "many"], "many", ""),
        (["--overlap", "1x"], "1x", ""),
        (["--jobs", "0"], "'0'", "must be at least 1"),
        (["-j", "-2"], "'-2'", "must be at least 1"),
        (["--max", "-5"], "'-5' for '--max", "must be at least 1"),
        (["--target", "0"], "'0'", "must be at least 1"),
        (["--min", "-1"], "'-1'", "must be at least 0"),
        (["--sentences-per-chunk", "-1"], "'-1'", "must be at least 1"),
        (["--overlap", "-1"], "'-1'", ""),
        (["--max", "99999999999"], "'99999999999'", "too large"),
        (["--color", "pink"], "pink", "always"),
        (["--progress", "dots"], "dots", "plain"),
        (["--maxx", "3"], "--maxx", "--max"),
    ] {
        let ran = folder.run(&[&["chunk", "a.md"], &args[..]].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(ran.stderr.starts_with("error: ") && ran.stderr.contains(message), "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(hint), "{args:?}: {}", ran.stderr);
    }
    let ran = folder.run(&["chunkk"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("'chunk'"), "{}", ran.stderr);
    assert!(folder.run(&["chunk", "a.md", "-q", "-v"]).code == Some(2));
}

#[cfg(unix)]
#[test]
fn a_name_with_a_line_end_stays_on_one_line() {
    let folder = Folder::with(&[("docs/a\nb.md", "# A\n\n```\nopen\n"), ("docs/c\nd.bin", "\0\0\0")]);
    let ran = folder.run(&["chunk", "docs", "-v"]);
    let warning = "warning: a\\u{a}b.md:3: code fence is never closed [unclosed-fence]";
    let lines: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(lines, [warning, "note: passed over c\\u{a}d.bin: a binary file"]);
}
