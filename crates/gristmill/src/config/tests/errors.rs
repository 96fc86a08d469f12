use std::path::Path;

use super::Project;
use crate::config::{Env, Options, Start, Task, load};

#[test]
fn slips_are_shown_with_their_line_and_the_name_that_was_meant() {
    assert_eq!(
        Project::with_toml("[chunk]\nmx = 300\n").error(),
        "unknown key `mx` in `chunk`, nearest is `max`: gristmill.toml:2:1\n  |\n2 | mx\n  | ^^ nearest is `max`"
    );
    let first = |text: &str| Project::with_toml(text).error().lines().next().unwrap().to_owned();
    assert_eq!(first("overlap = 3\n"), "unknown key `overlap` at the top, belongs in `[chunk]`: gristmill.toml:1:1");
    assert_eq!(
        first("[[source]]\npath = \"x\"\n[[source]]\npaht = \"y\"\n"),
        "unknown key `paht` in `source[1]`, nearest is `path`: gristmill.toml:4:1"
    );
    assert_eq!(
        first("[chunk]\nmax = \"abc\"\n"),
        "wrong value for `chunk.max`, expected a whole number from 0 to 4294967295, found string \"abc\": gristmill.toml:2:7"
    );
    assert_eq!(
        first("[chunk]\r\noverlap = \"15\"\r\n"),
        "wrong value for `chunk.overlap`, expected a whole number, or a share of `max` such as \"15%\", found string \"15\": \
         gristmill.toml:2:11"
    );
    assert_eq!(first("[chunk\n"), "malformed TOML, unclosed table, expected `]`: gristmill.toml:1:7");
    assert_eq!(first("version = 2\n"), "`version` must be 1, not: 2");
    assert_eq!(first("[embed]\nbatch_size = 0\n"), "`embed.batch_size` must be at least 1, not: 0");
    assert_eq!(first("[[source]]\ntype = \"sf\"\npath = \"x\"\n"), "unknown type of source (nearest is `fs`): sf");
    let doubled = "[[source]]\nname = \"a\"\npath = \"x\"\n[[source]]\nname = \"a\"\npath = \"y\"\n";
    assert_eq!(first(doubled), "two sources have the same name: a");
    assert_eq!(first("[[source]]\nname = \"a\"\n"), "a source needs a `path`: source[0]");
    assert_eq!(
        first("[[source]]\npath = \"x\"\npath_metadata = \"{a\"\n"),
        "malformed `path_metadata`, `{` is not closed (character 1): {a"
    );
}

#[test]
fn a_malformed_glob_is_named_with_its_place() {
    for (key, glob) in [("include", "["), ("exclude", "drafts/[a-"), ("include", "a{b")] {
        let project = Project::with_toml(&format!("[[source]]\npath = \"x\"\n{key} = [\"*.md\", \"{glob}\"]\n"));
        let error = project.load_with(&[], Options::default()).unwrap_err();
        assert!(error.to_string().starts_with(&format!("`{key}` has a malformed glob: {glob}: ")), "{error}");
        assert_eq!(error.hint_text(), Some(&*format!("`source[0].{key}` comes from: gristmill.toml:3")));
    }
}

#[test]
fn secrets_are_never_shown() {
    for text in [
        "[embed]\napi_key = \"hush-1\"\n",
        "[embed]\napi_key = hush-1\n",
        "[embed]\napi_kye = \"hush-1\"\n",
        "[embed]\napi_key_env = [\"hush-1\"]\n",
        "[server]\nwebhook_secret = \"hush-1\"\n",
        "[server]\nwebhook_secret = 1\nhush = \"hush-1\"\n",
    ] {
        let error = Project::with_toml(text).error();
        assert!(!error.contains("hush-1"), "{error}");
        assert!(error.contains("gristmill.toml:"), "{error}");
    }
    let both = Project::with_toml("[embed]\napi_key = \"${A}\"\napi_key_env = \"B\"\n").error();
    assert_eq!(both, "`embed.api_key` and `embed.api_key_env` cannot both be given");
}

#[test]
fn odd_files_never_panic() {
    let deep = "[".repeat(100_000);
    let nested = format!("a = {}{}", "[".repeat(50_000), "]".repeat(50_000));
    let wide: String = (0..20_000).map(|n| format!("k{n} = {n}\n")).collect();
    let indexes = format!("[store.payload_indexes]\n{}", wide.replace(" = ", " = \"integer\" # "));
    let long = format!("[chunk]\nmax = \"{}\"\n", "x".repeat(1_000_000));
    for text in
        [deep.as_str(), &nested, &long, "\u{feff}[chunk]\nmx = 1", "a = \"\u{0}\"", "=", "[chunk]\n\u{202e}max = 1"]
    {
        assert!(Project::with_toml(text).error().len() < 2000, "{}", &text[..text.len().min(40)]);
    }
    assert_eq!(Project::with_toml(&indexes).settings().store.payload_indexes.len(), 20_000);
    let project = Project::new(&[]);
    std::fs::write(project.folder().join("gristmill.toml"), b"project = \"\xff\"").unwrap();
    assert!(project.error().starts_with("cannot read settings: gristmill.toml"));
}

#[test]
fn overlap_from_a_file_and_max_from_a_flag_are_both_named() {
    let project = Project::with_toml("[chunk]\noverlap = 100\n");
    let mut flags = Options::default();
    flags.chunk.max = Some(100);
    let error = project.load_with(&[], flags).unwrap_err();
    assert_eq!(error.to_string(), "overlap 100 is not below max 100");
    let hint = error.hint_text().unwrap();
    assert!(hint.starts_with("`overlap` comes from: gristmill.toml:2, `max` from: flag;"), "{hint}");
}

#[test]
fn a_named_file_must_be_there_and_be_ours() {
    let project = Project::new(&[("pyproject.toml", "[tool.other]\n"), ("own.toml", "[chunk]\nmax = 90\n")]);
    let with = |config: &str| {
        load(
            Task::Chunk,
            Options::default(),
            &Start {
                folder: project.folder(),
                env: &Env::new(),
                now: std::time::SystemTime::now,
                config: Some(Path::new(config)),
                worker: None,
            },
        )
    };
    assert_eq!(with("own.toml").unwrap().value.chunk.max, 90);
    assert_eq!(with("none.toml").unwrap_err().to_string(), "cannot read settings: none.toml");
    assert_eq!(with("pyproject.toml").unwrap_err().to_string(), "file has no `[tool.gristmill]`: pyproject.toml");
}
