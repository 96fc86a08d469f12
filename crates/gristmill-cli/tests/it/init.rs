//! `gristmill init`.

use crate::run::{Folder, lines};

const GUIDE: &str = "# Guide\n\n## Install\n\nRun the command.\n";

#[test]
fn a_project_gets_settings_that_work() {
    let folder = Folder::with(&[("README.md", GUIDE), ("src/main.rs", "fn main() {}\n")]);
    folder.write("docs/a.md", GUIDE);
    folder.write("docs/b.md", GUIDE.replace("command", "program"));
    folder.write("docs/paper.rtf", "{\\rtf1 x}\n");
    folder.write("docs/conf.py", "x = 1\n");
    let ran = folder.run(&["init"]);
    ran.is(
        0,
        "wrote gristmill.toml\n  source  docs: 2 documents (2 markdown)\n  preset  docs: 2 of 2 documents look like it\n  \
         not read by this version: 1 rtf\n\nnext:\n\
         \x20 gristmill inspect                               counts what stands in the documents\n\
         \x20 gristmill curate --report .gristmill/report.md  writes chunks.json and a report\n\
         \x20 gristmill ingest                                fills the store\n\
         \x20 gristmill search \"…\"                            asks it\n",
        "",
    );
    let written = folder.read("gristmill.toml");
    assert!(written.contains("\nversion = 1\n") && written.contains("\npath = \"docs\"\ninclude = [\"*.md\"]\n"));
    folder.run(&["config", "check"]).is(0, "fine: [DIR]/gristmill.toml\n", "");
    assert_eq!(folder.run(&["curate"]).code, Some(0));
    assert_eq!(folder.json("chunks.json").as_array().unwrap()[0]["metadata"]["source"], "a.md");
}

#[test]
fn a_settings_file_is_replaced_only_when_asked() {
    let folder = Folder::with(&[("a.md", GUIDE), ("gristmill.toml", "version = 1\n")]);
    folder.run(&["init"]).fails(
        2,
        "error: there is a settings file already: gristmill.toml\n\n\
         hint: `--force` replaces it; `gristmill config show --origins` shows what holds\n",
    );
    assert_eq!(folder.read("gristmill.toml"), "version = 1\n");
    assert_eq!(folder.run(&["init", "--force", "-q", "--preset", "faq"]).code, Some(0));
    assert!(folder.read("gristmill.toml").contains("\npreset = \"faq\"\n"));
}

#[test]
fn another_name_is_used_in_what_comes_next() {
    let folder = Folder::with(&[("a.md", GUIDE)]);
    let ran = folder.run(&["init", "--config", "other.toml", "a.md"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("gristmill ingest --config other.toml"));
    assert!(folder.read("other.toml").contains("\npath = \"a.md\"\n"));
    folder.write("sub/docs/b.md", GUIDE);
    assert_eq!(folder.run(&["init", "-q", "--config", "sub/gristmill.toml", "sub/docs"]).code, Some(0));
    assert!(folder.read("sub/gristmill.toml").contains("\npath = \"docs\"\n"));
    let outside = folder.run(&["init", "--force", "--config", "sub/gristmill.toml", "a.md"]);
    assert!(outside.code == Some(2) && outside.stderr.contains("outside"), "{}", outside.stderr);
}

#[test]
fn without_documents_nothing_is_written() {
    let folder = Folder::with(&[("main.unknown", "fn main() {}\n")]);
    folder
        .run(&["init"])
        .fails(2, "error: no documents found: [DIR]\n\nhint: `gristmill formats` lists what is read\n");
    folder.run(&["init", "nowhere"]).fails(2, "error: no such file or folder: nowhere\n");
    assert_eq!(folder.names(), ["main.unknown"]);
}

#[test]
fn the_next_steps_leave_no_documents() {
    let folder = Folder::with(&[("a.md", GUIDE)]);
    let ran = folder.run(&["init"]);
    assert!(ran.stdout.contains("source  .: 1 document"), "{}", ran.stdout);
    for line in ran.stdout.lines().filter_map(|line| line.trim().strip_prefix("gristmill ")) {
        let typed = line.split("  ").next().unwrap();
        assert_eq!(folder.run(&typed.split(' ').collect::<Vec<_>>()).code, Some(0), "{typed}");
    }
    let again = folder.run(&["chunk", "-v"]);
    assert!(again.stderr.contains("passed over chunks.json: a file of chunks\n"), "{}", again.stderr);
    assert!(lines(&again.stdout).iter().all(|record| record["metadata"]["source"] == "a.md"), "{}", again.stdout);
}
