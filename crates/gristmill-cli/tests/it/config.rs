//! `gristmill config`, and what is said about wrong settings.

use crate::run::Folder;

#[test]
fn what_holds_is_shown_and_can_be_read_back() {
    let folder = Folder::handbook();
    let shown = folder.run(&["config", "show"]);
    assert_eq!((shown.code, shown.stderr.as_str()), (Some(0), ""));
    folder.write("gristmill.toml", &shown.stdout);
    assert_eq!(folder.run(&["config", "show"]).stdout, shown.stdout);
    let origins = Folder::handbook().run(&["config", "show", "--origins"]).stdout;
    assert!(origins.contains("\nmax = 500  # from gristmill.toml:16\n"), "{origins}");
    let curate = folder.run(&["config", "show", "--for", "chunk"]).stdout;
    assert!(curate.contains("duplicates = \"keep\""));
}

#[test]
fn environment_and_flags_have_their_say() {
    let folder = Folder::handbook();
    let mut command = folder.command(&["config", "show", "--origins", "--project", "mine"]);
    command.env("GRISTMILL_CHUNK_MAX", "450");
    let shown = folder.finish(command).stdout;
    assert!(shown.contains("project = \"mine\"  # from flag\n"), "{shown}");
    assert!(shown.contains("\nmax = 450  # from environment GRISTMILL_CHUNK_MAX\n"), "{shown}");
}

#[test]
fn wrong_settings_show_their_line() {
    let folder = Folder::with(&[("a.md", "# A\n"), ("gristmill.toml", "version = 1\n\n[chunk]\nmaxx = 300\n")]);
    for args in [&["chunk", "a.md"][..], &["config", "check"], &["config", "show"], &["search", "x"]] {
        folder.run(args).fails(
            2,
            "error: unknown key `maxx` in `chunk`, nearest is `max`: gristmill.toml:4:1\n  |\n4 | maxx\n  | ^^^^ nearest is `max`\n",
        );
    }
    folder.write("gristmill.toml", "version = 1\n[chunk\n");
    let ran = folder.run(&["chunk", "a.md"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.starts_with("error: malformed TOML") && ran.stderr.contains("gristmill.toml:2"),
        "{}",
        ran.stderr
    );
    let ran = folder.run(&["chunk", "a.md", "--config", "none.toml"]);
    assert!(ran.code == Some(2) && ran.stderr.starts_with("error: cannot read settings: none.toml"), "{}", ran.stderr);
}

#[test]
fn check_tries_what_is_named() {
    let folder = Folder::with(&[("docs/a.md", "# A\n")]);
    folder.run(&["config", "check"]).fails(
        2,
        "error: no gristmill.toml here or above\n\nhint: `gristmill init` writes one from a look at the files\n",
    );
    for (text, word) in [
        ("[[source]]\npath = \"gone\"\n", "gone"),
        ("[chunk]\ntokenizer = \"gpt9\"\n", "gpt9"),
        ("[chunk]\nstrategy = \"nice\"\n", "nice"),
        ("[clean]\npatterns = [\"(\"]\n", "patterns"),
        ("[embed]\nprovider = \"oracle\"\n", "oracle"),
        ("[store]\ntype = \"shoebox\"\n", "shoebox"),
        ("[store]\npath = \"docs\"\n", "docs"),
        ("[store]\npath = \"docs/a.md\"\n", "docs/a.md"),
        ("[store]\ntype = \"qdrant\"\n", "store.url"),
        ("[lint]\nselect = [\"tiny-chunks\"]\n", "tiny-chunk"),
        ("[eval]\nquestions = \"gone.jsonl\"\n", "gone.jsonl"),
        ("[server]\nbind = \"nowhere\"\n", "nowhere"),
        ("[server]\nbind = \"0.0.0.0:7717\"\n", "0.0.0.0:7717"),
        ("[server]\nwebhook_secret_env = \"NOT_SET_ANYWHERE\"\n", "NOT_SET_ANYWHERE"),
        ("[server]\npush = \"inbox\"\n", "inbox"),
        ("[server]\ntraces = \"ftp://127.0.0.1\"\n", "server.traces"),
    ] {
        folder.write("gristmill.toml", format!("version = 1\n{text}"));
        let ran = folder.run(&["config", "check"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{text}");
        assert!(ran.stderr.starts_with("error: ") && ran.stderr.contains(word), "{text}: {}", ran.stderr);
    }
    folder.write("gristmill.toml", "version = 1\n[[source]]\npath = \"docs\"\n");
    folder.run(&["config", "check"]).is(0, "fine: [DIR]/gristmill.toml\n", "");
    folder.run(&["config", "check", "-q"]).is(0, "", "");
}

#[test]
fn without_a_network_no_service_is_named() {
    let folder = Folder::with(&[("a.md", "# A\n\nWords.\n")]);
    folder.write("gristmill.toml", "version = 1\n[embed]\nbase_url = \"https://api.example.com/v1\"\n");
    folder
        .run(&["chunk", "a.md", "--offline"])
        .fails(2, "error: `--offline` does not allow `embed.base_url`: https://api.example.com/v1\n");
    folder.write("gristmill.toml", "version = 1\n[embed]\nbase_url = \"http://localhost:8080/v1\"\n");
    assert_eq!(folder.run(&["chunk", "a.md", "--offline"]).code, Some(0));
}
